import { type Asked, type Page, redirect, show } from '../../console/page.ts'
import { html } from '../../wire/html.ts'
import { endSession, listOpenSessions } from './store.ts'

export const mePages: Page[] = [
  { method: 'GET', path: '/me', scope: null, answer: (asked) => mePage(asked, noticeOf(asked)) },
  {
    method: 'POST',
    path: '/me/sessions',
    scope: null,
    answer: async ({ service, identity, form }) => {
      const { callerId, personId } = identity.person
      await endSession(service.db, { callerId, personId, sessionId: form.get('session') }, service.clock())
      return redirect('/console/me?done=ended')
    },
  },
  {
    method: 'POST',
    path: '/me/password',
    scope: null,
    answer: async (asked) => {
      const { signIn, secret, form, words } = asked
      const changed = await signIn.changePassword({
        secret,
        password: form.get('password'),
        newPassword: form.get('new_password'),
      })
      if (changed.outcome === 'signed_in') {
        return { kind: 'redirect', to: '/console/me?done=changed', secret: changed.secret }
      }
      return mePage(asked, { bad: words.say.signInRefusals[changed.code] })
    },
  },
]

type Notice = { good: string } | { bad: string } | null

function noticeOf({ query, words }: Asked): Notice {
  const { me } = words.say
  switch (query.get('done')) {
    case 'ended':
      return { good: me.ended }
    case 'changed':
      return { good: me.changed }
    default:
      return null
  }
}

async function mePage({ service, identity, words }: Asked, notice: Notice) {
  const { person, session } = identity
  const { me: say } = words.say
  const sessions = await listOpenSessions(service.db, person, service.clock())
  return show(
    null,
    say.title,
    html`<header class="head"><div><h1>${say.title}</h1><p class="sub">${person.name}, ${person.email}</p></div></header>
${notice !== null && ('bad' in notice ? html`<p class="notice bad" role="alert">${notice.bad}</p>` : html`<p class="notice good" role="status">${notice.good}</p>`)}
<section class="card flush" aria-labelledby="sessions"><h2 class="inset" id="sessions">${say.sessions}</h2><div class="scroll" tabindex="0" role="region" aria-labelledby="sessions"><table class="rows"><thead><tr><th scope="col">${say.browser}</th><th scope="col">${say.started}</th><th scope="col">${say.seen}</th><td></td></tr></thead><tbody>${sessions.map(
      (one) =>
        html`<tr><td>${one.userAgent}<small>${one.address}</small></td><td>${words.instant(one.startedAt)}</td><td>${words.instant(one.lastSeenAt)}</td><td>${
          one.sessionId === session.sessionId
            ? html`<small>${say.here}</small>`
            : html`<form method="post" action="/console/me/sessions"><button class="button" name="session" value="${one.sessionId}">${say.end}</button></form>`
        }</td></tr>`,
    )}</tbody></table></div></section>
<section class="card" aria-labelledby="change"><h2 id="change">${say.password}</h2><form class="narrow" method="post" action="/console/me/password">
<div class="field"><label for="current">${say.current}</label><input id="current" name="password" type="password" autocomplete="current-password" required maxlength="1024"></div>
<div class="field"><label for="new">${say.new}</label><input id="new" name="new_password" type="password" autocomplete="new-password" required minlength="12" maxlength="1024"></div>
<button class="button primary">${say.change}</button></form></section>`,
    notice !== null && 'bad' in notice ? 422 : 200,
  )
}
