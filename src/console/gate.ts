/** The pages for people who are not signed in: sign-in, and setting a password with a one-time link. */
import { type Html, html } from '../wire/html.ts'
import type { Words } from './words.ts'

export type DemoPerson = { name: string; email: string; password: string; role: keyof Words['say']['roles'] }

export type GateNotice = { kind: 'good' | 'tip' | 'bad'; text: string }

export function signInForm(
  words: Words,
  asked: {
    notice: GateNotice | null
    email: string
    /** Where to go afterwards, and the form that was about to be submitted there. */
    next: string
    kept: string
    callers: readonly { callerId: string; name: string }[]
    demo: readonly DemoPerson[]
  },
): Html {
  const { signIn: say, roles } = words.say
  return html`<h1>${say.heading}</h1>
${asked.notice !== null && html`<p class="notice ${asked.notice.kind}" role="${asked.notice.kind === 'bad' ? 'alert' : 'status'}">${asked.notice.text}</p>`}
<form method="post" action="/console/sign-in"><input type="hidden" name="next" value="${asked.next}"><input type="hidden" name="kept" value="${asked.kept}">
<div class="field"><label for="email">${say.email}</label><input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${asked.email}"></div>
<div class="field"><label for="password">${say.password}</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024"></div>
${
  asked.callers.length > 0 &&
  html`<div class="field"><label for="caller">${say.bank}</label><select id="caller" name="caller">${asked.callers.map(
    ({ callerId, name }) => html`<option value="${callerId}">${name}</option>`,
  )}</select></div>`
}
<button class="button primary">${say.submit}</button></form>
<p class="hint">${say.forgotten}</p>
${
  asked.demo.length > 0 &&
  html`<div class="notice tip demo"><p><b>${say.demo}</b></p><ul>${asked.demo.map(
    (person) =>
      html`<li><span><b>${person.name}</b>, ${roles[person.role].toLowerCase()}<br><code>${person.email}</code><br><code>${person.password}</code></span><button type="button" class="button" data-js data-fill="${JSON.stringify({ email: person.email, password: person.password })}">${say.use}<span class="hidden"> ${person.name}</span></button></li>`,
  )}</ul></div>`
}`
}

/** `page` shows what the form is about. */
export function sendAgainForm(
  words: Words,
  { next, page, kept }: { next: string; page: string; kept: string },
): Html {
  const { signIn: say } = words.say
  return html`<h1>${say.again}</h1><p>${say.againText}</p>
<form method="post" action="${next}">${[...new URLSearchParams(kept)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="button primary">${say.send}</button></form>
<p><a href="${page}">${say.look}</a></p>`
}

/** The token comes after the #, which browsers do not send: the script copies it into the form. */
export function welcomeForm(words: Words, notice: string | null, token: string): Html {
  const { welcome: say } = words.say
  return html`<h1>${say.heading}</h1><p>${say.text}</p>
${notice !== null && html`<p class="notice bad" role="alert">${notice}</p>`}
<form method="post" action="/console/welcome" data-fragment="token">
<div class="field" data-nojs><label for="token">${say.link}</label><input id="token" name="token" autocomplete="off" required maxlength="100" value="${token}"></div>
<div class="field"><label for="password">${say.password}</label><input id="password" name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="1024"></div>
<button class="button primary">${say.submit}</button></form>`
}

export function failureText(words: Words, failure: readonly string[], signInLink = false): Html {
  const [heading, text] = failure
  const { failures } = words.say
  return html`<h1>${heading}</h1><p>${text}</p><p>${
    signInLink
      ? html`<a class="button" href="/console/sign-in">${failures.signInAgain}</a>`
      : html`<a class="button" href="/console">${failures.home}</a>`
  }</p>`
}
