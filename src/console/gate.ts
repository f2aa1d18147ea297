/** The pages for people who are not signed in: sign-in, and setting a password with a one-time link. */

import { hiddenFields, type PasskeyForm, passkeyForm } from '../page/form.ts'
import { type Html, html } from '../page/html.ts'
import { type Notice, noticeLine } from '../page/notice.ts'
import type { PasskeyQuestion } from '../page/sign-in.ts'
import type { SignOnRefusalCode } from '../page/sign-on.ts'
import type { Words } from '../words/words.ts'
import { consoleWords } from './words.ts'

export type DemoPerson = { name: string; email: string; password: string; role: keyof Words['say']['roles'] }

export function signInForm(
  words: Words,
  asked: {
    notice: Notice | null
    email: string
    /** Where to go afterwards, and the form that was about to be submitted there. */
    next: string
    kept: string
    callers: readonly { callerId: string; name: string }[]
    demo: readonly DemoPerson[]
    /** What the identity provider is called; null: there is none. */
    signOn: string | null
    /** Whether the form for a password is shown. */
    isLocal: boolean
    /** null: browsers know no passkeys here. */
    passkey: PasskeyQuestion | null
  },
): Html {
  const { signIn: say } = words.of(consoleWords)
  return html`<h1>${say.heading}</h1>
${asked.notice !== null && noticeLine(asked.notice.kind, asked.notice.text)}
${asked.signOn !== null && signOnForm(words, { ...asked, name: asked.signOn, isFresh: false })}
${asked.isLocal && passwordForm(words, asked)}
${asked.demo.length > 0 && demoPeople(words, asked.demo)}`
}

/** A click fills the form with the password of one of them. */
function demoPeople(words: Words, people: readonly DemoPerson[]): Html {
  const { signIn: say } = words.of(consoleWords)
  const { roles } = words.say
  return html`<div class="notice tip demo">
<p><b>${say.demo}</b></p>
<ul>${people.map(
    ({ name, role, email, password }) => html`<li>
<span><b>${name}</b>, ${roles[role].toLowerCase()}<br><code>${email}</code><br><code>${password}</code></span>
<button type="button" class="button" data-js data-fill="${JSON.stringify({ email, password })}">
${say.use}<span class="hidden"> ${name}</span></button>
</li>`,
  )}</ul>
</div>`
}

function passwordForm(
  words: Words,
  asked: Pick<Parameters<typeof signInForm>[1], 'next' | 'kept' | 'email' | 'callers' | 'passkey' | 'signOn'>,
): Html {
  const { signIn: say } = words.of(consoleWords)
  return html`<form method="post" action="/console/sign-in">
<input type="hidden" name="next" value="${asked.next}"><input type="hidden" name="kept" value="${asked.kept}">
<div class="field">
<label for="email">${say.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${asked.email}">
</div>
<div class="field">
<label for="password">${say.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024">
</div>
${
  asked.callers.length > 0 &&
  html`<div class="field"><label for="caller">${say.bank}</label><select id="caller" name="caller">${asked.callers.map(
    ({ callerId, name }) => html`<option value="${callerId}">${name}</option>`,
  )}</select></div>`
}
<button class="button${asked.signOn === null && ' primary'}">${say.submit}</button></form>
${asked.passkey !== null && passkeySignIn(words, asked.passkey, { ...asked, isFirst: false })}
<p class="hint">${say.forgotten}</p>`
}

function passkeySignIn(
  words: Words,
  question: PasskeyQuestion,
  { next, kept, isFirst }: { next: string; kept: string; isFirst: boolean },
): Html {
  const { signIn: button, failed } = words.of(consoleWords).passkey
  const hidden = Object.entries({ next, kept })
  const action = '/console/sign-in/passkey'
  return passkeyForm(question, { act: 'get', action, hidden, button, isFirst, failed })
}

/** To the identity provider. */
function signOnForm(
  words: Words,
  asked: { name: string; next: string; kept: string; isFresh: boolean },
): Html {
  const { signOn: say } = words.of(consoleWords)
  return html`<form method="post" action="/console/sign-in/sso">
${hiddenFields([
  ['next', asked.next],
  ['kept', asked.kept],
  ['fresh', asked.isFresh ? 'yes' : ''],
])}
<button class="button primary">${say.button(asked.name)}</button>
</form>`
}

/** Before something that gives access, where the identity provider asks for the password. */
export function freshSignOnForm(words: Words, asked: { name: string; next: string; kept: string }): Html {
  const { fresh, signOn: say } = words.of(consoleWords)
  return html`<h1>${fresh.title}</h1>
<p>${say.fresh(asked.name)}</p>
${signOnForm(words, { ...asked, isFresh: true })}
<p><a href="/console">${fresh.back}</a></p>`
}

/** Why the identity provider's word was not enough. */
export function signOnRefusal(
  words: Words,
  { code, groups, name }: { code: SignOnRefusalCode; groups: readonly string[]; name: string },
): Html {
  const { signOn: say } = words.of(consoleWords)
  const text = code === 'no_group' ? say.noRole(groups.join(', ')) : words.say.signInRefusals[code]
  return signOnFailure(words, {
    title: say.refusedTitle,
    text: `${text} ${say.askFor(name)}`,
    isLocal: false,
  })
}

/** `isLocal`: the way with a password is offered. */
export function signOnFailure(
  words: Words,
  shown: { title: string; text: string; isLocal: boolean; link?: { url: string; text: string } },
): Html {
  const { failures, signOn: say } = words.of(consoleWords)
  const { title, text, isLocal, link = { url: '/console/sign-in', text: failures.signInAgain } } = shown
  return html`<h1>${title}</h1>
<p>${text}</p>
<p><a class="button primary" href="${link.url}">${link.text}</a></p>
${isLocal && html`<p><a class="button" href="/console/sign-in?local">${say.local}</a></p>`}`
}

/** `page` shows what the form is about. */
export function sendAgainForm(
  words: Words,
  { next, page, kept }: { next: string; page: string; kept: string },
): Html {
  const { signIn: say } = words.of(consoleWords)
  return html`<h1>${say.again}</h1><p>${say.againText}</p>
<form method="post" action="${next}">${[...new URLSearchParams(kept)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="button primary">${say.send}</button></form>
<p><a href="${page}">${say.look}</a></p>`
}

/** Before something that gives access: the form that was sent, and the password or a passkey. */
export function freshSignInForm(
  words: Words,
  asked: {
    path: string
    kept: string
    notice: string | null
    asksForCode: boolean
    /** null: the person has none, or browsers know none here. */
    passkey: PasskeyQuestion | null
  },
): Html {
  const { fresh: say, factor, passkey: own } = words.of(consoleWords)
  const { path, kept, notice, asksForCode, passkey } = asked
  const touch: PasskeyForm = {
    ...{ act: 'get', action: path, prefix: 'own_', hidden: new URLSearchParams(kept) },
    ...{ button: own.confirm, isFirst: true, failed: own.failed },
  }
  return html`<h1>${say.title}</h1>
<p>${passkey === null ? say.text : say.textOfPasskey}</p>
${notice !== null && noticeLine('bad', notice)}
${passkey !== null && passkeyForm(passkey, touch)}
<form method="post" action="${path}">
${hiddenFields(new URLSearchParams(kept))}
<div class="field">
<label for="own_password">${say.password}</label>
<input id="own_password" name="own_password" type="password" autocomplete="current-password" required maxlength="1024">
</div>
${asksForCode && codeField('own_code', factor)}
<button class="button${passkey === null && ' primary'}">${say.submit}</button>
</form>
<p><a href="/console">${say.back}</a></p>`
}

/** The second step of a sign-in. */
export function factorForm(
  words: Words,
  asked: {
    pending: string
    next: string
    kept: string
    notice: string | null
    factors: string
    /** null: the person has none. */
    passkey: PasskeyQuestion | null
  },
): Html {
  const { factor: say } = words.of(consoleWords)
  const { pending, next, kept, notice, factors, passkey } = asked
  return html`<h1>${passkey === null ? say.heading : say.title}</h1>
<p>${passkey === null ? say.text : say.textOfPasskey}</p>
${notice !== null && noticeLine('bad', notice)}
${passkey !== null && passkeySignIn(words, passkey, { next, kept, isFirst: true })}
<form method="post" action="/console/sign-in/factor">
${hiddenFields([
  ['pending', pending],
  ['next', next],
  ['kept', kept],
  ['factors', factors],
])}
${codeField('code', say)}
<button class="button${passkey === null && ' primary'}">${say.submit}</button>
</form>
<p class="hint">${say.lost}</p>
<p><a href="/console/sign-in">${say.back}</a></p>`
}

function codeField(name: string, say: { code: string; codeHint: string }): Html {
  return html`<div class="field">
<label for="${name}">${say.code}</label>
<input id="${name}" name="${name}" autocomplete="one-time-code" inputmode="text" required maxlength="40"
 aria-describedby="${name}-hint">
<p class="hint" id="${name}-hint">${say.codeHint}</p>
</div>`
}

/** The token comes after the #, which browsers do not send: the script copies it into the form. */
export function welcomeForm(words: Words, notice: string | null, token: string): Html {
  const { welcome: say } = words.of(consoleWords)
  return html`<h1>${say.heading}</h1><p>${say.text}</p>
${notice !== null && noticeLine('bad', notice)}
<form method="post" action="/console/welcome" data-fragment="token">
<div class="field" data-nojs>
<label for="token">${say.link}</label>
<input id="token" name="token" autocomplete="off" required maxlength="100" value="${token}">
</div>
<div class="field">
<label for="password">${say.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password"
required minlength="12" maxlength="1024">
</div>
<button class="button primary">${say.submit}</button></form>`
}

/** The second step of the first administrator: the password is set, the name is not. */
export function firstAdministratorForm(
  words: Words,
  asked: { token: string; name: string; email: string; notice: string | null },
): Html {
  const { welcome: say } = words.of(consoleWords)
  return html`<h1>${say.whoHeading}</h1>
<p>${say.whoText}</p>
${asked.notice !== null && noticeLine('bad', asked.notice)}
<form method="post" action="/console/welcome/name">
<input type="hidden" name="token" value="${asked.token}">
<div class="field">
<label for="name">${say.name}</label>
<input id="name" name="name" autocomplete="name" required maxlength="100" value="${asked.name}">
</div>
<div class="field">
<label for="email">${say.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${asked.email}">
</div>
<button class="button primary">${say.whoSubmit}</button>
</form>`
}

export function failureText(words: Words, failure: readonly string[], signInLink = false): Html {
  const [heading, text] = failure
  const { failures } = words.of(consoleWords)
  return html`<h1>${heading}</h1><p>${text}</p><p>${
    signInLink
      ? html`<a class="button" href="/console/sign-in">${failures.signInAgain}</a>`
      : html`<a class="button" href="/console">${failures.home}</a>`
  }</p>`
}
