/** What people see and change of their own sign-in: sessions, devices and the password. */
import type { Person } from '../../domain/people.ts'
import { type Html, html } from '../../page/html.ts'
import { type Notice, showNotice } from '../../page/notice.ts'
import { type Asked, type Page, redirect, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { type Device, endDevice, listDevices } from '../devices/store.ts'
import { removeNotices } from '../notices/store.ts'
import { peopleWords } from '../people/words.ts'
import { endSession, listOpenSessions } from '../sessions/store.ts'

const ORDINAL_MAX = 2n ** 63n - 1n

export const mePages: Page[] = [
  { method: 'GET', path: '/me', scope: null, answer: (asked) => mePage(asked, doneNotice(asked)) },
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
    path: '/me/devices',
    scope: null,
    answer: async ({ service, identity, form }) => {
      const { callerId, personId } = identity.person
      await endDevice(service.db, { callerId, personId, deviceId: form.get('device') }, service.clock())
      return redirect('/console/me?done=forgotten')
    },
  },
  {
    method: 'POST',
    path: '/me/notices',
    scope: null,
    answer: async ({ service, identity, form }) => {
      const read = form.get('read')
      if (/^\d{1,19}$/.test(read) && BigInt(read) <= ORDINAL_MAX)
        await removeNotices(service.db, identity.person, BigInt(read))
      return redirect('/console')
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
      return mePage(asked, { kind: 'bad', text: words.say.signInRefusals[changed.code] })
    },
  },
]

function doneNotice({ query, words }: Asked): Notice | null {
  const { me } = words.of(peopleWords)
  switch (query.get('done')) {
    case 'ended':
      return { kind: 'good', text: me.ended }
    case 'forgotten':
      return { kind: 'good', text: me.forgotten }
    case 'changed':
      return { kind: 'good', text: me.changed }
    default:
      return null
  }
}

async function mePage({ service, identity, words }: Asked, notice: Notice | null) {
  const { person, session } = identity
  const { me: say } = words.of(peopleWords)
  const [sessions, devices] = await Promise.all([
    listOpenSessions(service.db, person, service.clock()),
    listDevices(service.db, person, service.clock()),
  ])
  return show(
    null,
    say.title,
    html`<header class="head"><div><h1>${say.title}</h1>
<p class="sub">${person.name}, ${person.email}</p></div></header>
${showNotice(notice, words)}
<section class="card flush" aria-labelledby="sessions">
<h2 class="inset" id="sessions">${say.sessions}</h2>${recordTable(
      sessions,
      [
        {
          name: say.browser,
          cell: ({ userAgent, address }) => html`${browserName(userAgent, words)}<small>${address}</small>`,
        },
        { name: say.started, cell: ({ startedAt }) => words.instant(startedAt) },
        { name: say.seen, cell: ({ lastSeenAt }) => words.instant(lastSeenAt) },
        {
          name: null,
          cell: ({ sessionId }) =>
            sessionId === session.sessionId
              ? html`<small>${say.here}</small>`
              : html`<form method="post" action="/console/me/sessions">
<button class="button" name="session" value="${sessionId}">${say.end}</button>
</form>`,
        },
      ],
      { label: say.sessions, isFlush: true },
    )}</section>
${deviceCard(devices, words)}
${factorCard(person, words)}
<section class="card" aria-labelledby="change">
<h2 id="change">${say.password}</h2>
<form class="narrow" method="post" action="/console/me/password">
<div class="field">
<label for="current">${say.current}</label>
<input id="current" name="password" type="password" autocomplete="current-password" required maxlength="1024">
</div>
<div class="field">
<label for="new">${say.new}</label>
<input id="new" name="new_password" type="password" autocomplete="new-password"
required minlength="12" maxlength="1024">
</div>
<button class="button primary">${say.change}</button></form></section>`,
    notice?.kind === 'bad' ? 422 : 200,
  )
}

function factorCard({ factors }: Person, words: Words): Html {
  const { me: say } = words.of(peopleWords)
  return html`<section class="card" aria-labelledby="factors">
<h2 id="factors">${say.factors}</h2>
<p>${factors.length === 0 ? say.factorsNone : say.factorsSome}</p>
<p class="row"><a class="button" href="/console/me/factors">${say.factorsLink}</a></p>
</section>`
}

function deviceCard(devices: readonly Device[], words: Words): Html {
  const { me: say } = words.of(peopleWords)
  const forget = ({ deviceId }: Device) => html`<form method="post" action="/console/me/devices">
<button class="button" name="device" value="${deviceId}">${say.forget}</button>
</form>`
  const columns = [
    { name: say.browser, cell: ({ userAgent }: Device) => browserName(userAgent, words) },
    { name: say.started, cell: ({ createdAt }: Device) => words.instant(createdAt) },
    { name: say.seen, cell: ({ lastSeenAt }: Device) => words.instant(lastSeenAt) },
    { name: null, cell: forget },
  ]
  return html`<section class="card flush" aria-labelledby="devices">
<h2 class="inset" id="devices">${say.devices}</h2>
<p class="inset hint">${say.devicesText}</p>
${recordTable(devices, columns, { label: say.devices, isFlush: true })}
</section>`
}

/** The order matters: what Edge sends contains Chrome, and what Chrome sends contains Safari. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' }
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'Linux']

function browserName(userAgent: string | null, words: Words): string {
  const sent = userAgent ?? ''
  const known = Object.entries(BROWSERS).find(([token]) => sent.includes(`${token}/`))
  const system = SYSTEMS.find((name) => sent.includes(name))
  return known === undefined || system === undefined
    ? sent
    : words.of(peopleWords).me.browserOn(known[1], system)
}
