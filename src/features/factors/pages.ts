/** A person's own second factors. Every change asks for a sign-in of the last 15 minutes. */

import { stepAt } from '../../domain/factors.ts'
import { type PersonRefusal, refusePerson } from '../../domain/people.ts'
import { type PasskeyForm, passkeyForm } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { noticeLine } from '../../page/notice.ts'
import { type Asked, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { qrSvg } from '../../page/qr.ts'
import type { PasskeyQuestion } from '../../page/sign-in.ts'
import { recordTable } from '../../page/table.ts'
import { createCipher } from '../service-keys/cipher.ts'
import { addFactor, type FactorAdded, makeRecoveryCodes, removeFactor } from './changes.ts'
import { askForNew, checkNew, siteOf } from './passkeys.ts'
import { purposeOfSecret } from './proofs.ts'
import { countUnusedCodes, type Factor, listFactors } from './store.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'
import { factorWords } from './words.ts'

const own = { scope: null, isForFactors: true } as const
const change = { ...own, method: 'POST', needsRecentSignIn: () => true } as const

export const factorPages: Page[] = [
  { ...own, method: 'GET', path: '/me/factors', answer: (asked) => factorsPage(asked, null) },
  { ...change, path: '/me/factors/app', answer: (asked) => newApp(asked) },
  { ...change, path: '/me/factors/app/confirm', answer: confirmApp },
  { ...change, path: '/me/factors/passkey', answer: newPasskey },
  { ...change, path: '/me/factors/passkey/confirm', answer: confirmPasskey },
  { ...change, path: '/me/factors/remove', answer: remove },
  { ...change, path: '/me/factors/codes', answer: makeCodes },
]

/** How long the picture may be looked at. */
const ENROLMENT_MS = 15 * 60_000
const ENROLMENT = 'new authenticator app'
type Enrolment = { personId: string; secret: string; until: number }

async function newApp(asked: Asked): Promise<PageAnswer> {
  const { service, identity } = asked
  const { personId } = identity.person
  const enrolment: Enrolment = {
    personId,
    secret: newTotpSecret(),
    until: service.clock().getTime() + ENROLMENT_MS,
  }
  const encrypted = await createCipher(service).encrypt(ENROLMENT, JSON.stringify(enrolment))
  return appPage(asked, { secret: enrolment.secret, encrypted, refused: null })
}

async function confirmApp(asked: Asked): Promise<PageAnswer> {
  const { service, identity, form, words } = asked
  const { signInRefusals } = words.say
  const { person, session } = identity
  const cipher = createCipher(service)
  const encrypted = form.get('encrypted')
  const text = await cipher.decrypt(ENROLMENT, encrypted)
  const enrolment = text === null ? null : (JSON.parse(text) as Enrolment)
  const now = service.clock()
  // Nobody is made to keep a secret that was shown to somebody else.
  if (enrolment?.personId !== person.personId || enrolment.until <= now.getTime()) return newApp(asked)
  const { secret } = enrolment
  const lastStep = stepOfCode(secret, form.get('code').replaceAll(/\s/g, ''), now)
  if (lastStep === null) return appPage(asked, { secret, encrypted, refused: signInRefusals.code_refused })
  const result = await addFactor(service, session, {
    kind: 'TOTP',
    name: words.of(factorWords).appName,
    encryptedSecret: await cipher.encrypt(purposeOfSecret(person), secret),
    // The code was seen: it is not good for a sign-in any more.
    lastStep: Math.max(lastStep, stepAt(now) - 1),
    ...{ credentialId: null, publicKey: null, counter: null },
  })
  return added(asked, result)
}

async function newPasskey(asked: Asked): Promise<PageAnswer> {
  const { service, identity, form, home, words } = asked
  const site = siteOf(home)
  if (site === null) return factorsPage(asked, words.of(factorWords).noPasskeys)
  const { person } = identity
  const known = await listFactors(service.db, person)
  const { brand } = words.say
  const question = await askForNew(partsOf(asked), site, { person, known, brand })
  return passkeyPage(asked, { question, name: form.get('name') })
}

async function confirmPasskey(asked: Asked): Promise<PageAnswer> {
  const { service, identity, form, home, words } = asked
  const answer = { home, challenge: form.get('challenge'), credential: form.get('credential') }
  const passkey = await checkNew(partsOf(asked), identity.person, answer)
  if (passkey === null) return refusedPage(asked, refusePerson('passkey_refused'))
  const name = form.get('name').trim().slice(0, NAME_MAX) || words.of(factorWords).passkeyName
  const app = { encryptedSecret: null, lastStep: null }
  return added(
    asked,
    await addFactor(service, identity.session, { kind: 'PASSKEY', name, ...app, ...passkey }),
  )
}

const NAME_MAX = 60

function partsOf({ service }: Asked) {
  return { db: service.db, clock: service.clock, cipher: createCipher(service) }
}

function added(asked: Asked, result: FactorAdded | PersonRefusal): PageAnswer | Promise<PageAnswer> {
  if (result.outcome === 'refused') return refusedPage(asked, result)
  return result.codes === null ? redirect('/console/me/factors?done=added') : codesPage(asked, result.codes)
}

async function remove(asked: Asked): Promise<PageAnswer> {
  const result = await removeFactor(asked.service, asked.identity.session, asked.form.get('factor'))
  if (result.outcome === 'refused') return refusedPage(asked, result)
  return redirect('/console/me/factors?done=removed')
}

async function makeCodes(asked: Asked): Promise<PageAnswer> {
  const result = await makeRecoveryCodes(asked.service, asked.identity.session)
  return result.outcome === 'refused' ? refusedPage(asked, result) : codesPage(asked, result.codes)
}

function refusedPage(asked: Asked, { code }: PersonRefusal): Promise<PageAnswer> {
  return factorsPage(asked, asked.words.say.signInRefusals[code])
}

async function factorsPage(asked: Asked, refused: string | null): Promise<PageAnswer> {
  const { service, identity, words, query, signIn } = asked
  const say = words.of(factorWords)
  const factors = await listFactors(service.db, identity.person)
  const left = factors.length === 0 ? null : await countUnusedCodes(service.db, identity.person)
  const done = say.done[query.get('done')]
  const main = html`<header class="head"><div><h1>${say.title}</h1><p class="sub">${say.sub}</p></div></header>
${refused !== null && noticeLine('bad', refused)}
${done !== undefined && noticeLine('good', done)}
${signIn.mustAddFactor(identity) && noticeLine('tip', say.must)}
${factorTable(factors, asked)}
${passkeyCard(asked)}
${!factors.some(({ kind }) => kind === 'TOTP') && appCard(asked)}
${left !== null && codesCard(left, asked)}`
  return show(null, say.title, main, refused === null ? 200 : 422)
}

function factorTable(factors: readonly Factor[], { words }: Asked): Html {
  const say = words.of(factorWords)
  const removal = ({
    factorId,
    name,
  }: Factor) => html`<form method="post" action="/console/me/factors/remove">
<button class="button" name="factor" value="${factorId}" aria-label="${say.removeOf(name)}">${say.remove}</button>
</form>`
  const columns = [
    { name: say.name, cell: ({ name }: Factor) => name },
    { name: say.added, cell: ({ createdAt }: Factor) => words.instant(createdAt) },
    {
      name: say.used,
      cell: ({ lastUsedAt }: Factor) => (lastUsedAt === null ? words.say.never : words.instant(lastUsedAt)),
    },
    { name: null, cell: removal },
  ]
  if (factors.length === 0) return html`<p>${say.none}</p>`
  const table = recordTable(factors, columns, { label: say.title, isFlush: true })
  return html`<section class="card flush">${table}</section>`
}

function appCard({ words }: Asked): Html {
  const say = words.of(factorWords)
  return html`<section class="card" aria-labelledby="app">
<h2 id="app">${say.appTitle}</h2>
<p>${say.appText}</p>
<form method="post" action="/console/me/factors/app">
<button class="button primary">${say.addApp}</button>
</form>
</section>`
}

function passkeyCard({ words, home }: Asked): Html | null {
  if (siteOf(home) === null) return null
  const say = words.of(factorWords)
  return html`<section class="card" aria-labelledby="passkey" data-js>
<h2 id="passkey">${say.passkeyTitle}</h2>
<p>${say.passkeyText}</p>
<form class="narrow" method="post" action="/console/me/factors/passkey">
<div class="field">
<label for="passkey-name">${say.passkeyLabel}</label>
<input id="passkey-name" name="name" required maxlength="${NAME_MAX}" autocomplete="off" value="${say.passkeyName}">
</div>
<button class="button primary">${say.addPasskey}</button>
</form>
</section>`
}

function passkeyPage(
  { words }: Asked,
  { question, name }: { question: PasskeyQuestion; name: string },
): PageAnswer {
  const say = words.of(factorWords)
  const form: PasskeyForm = {
    ...{ act: 'create', action: '/console/me/factors/passkey/confirm', hidden: [['name', name]] },
    ...{ button: say.touch, isFirst: true, failed: say.touchFailed },
  }
  const main = html`<header class="head"><h1>${say.addPasskey}</h1></header>
<section class="card">
<p>${say.touchText}</p>
${passkeyForm(question, form)}
<p><a class="button" href="/console/me/factors">${say.cancel}</a></p>
</section>`
  return show(null, say.addPasskey, main)
}

function codesCard(left: number, { words }: Asked): Html {
  const say = words.of(factorWords)
  return html`<section class="card" aria-labelledby="codes">
<h2 id="codes">${say.codesTitle}</h2>
<p>${say.codesLeft(left)}</p>
<form method="post" action="/console/me/factors/codes">
<button class="button">${say.newCodes}</button>
<p class="hint">${say.newCodesText}</p>
</form>
</section>`
}

function appPage(
  { identity, words }: Asked,
  asked: { secret: string; encrypted: string; refused: string | null },
): PageAnswer {
  const say = words.of(factorWords)
  const { secret, encrypted, refused } = asked
  const uri = totpUri(secret, { issuer: words.say.brand, account: identity.person.email })
  const main = html`<header class="head"><h1>${say.scanTitle}</h1></header>
${refused !== null && noticeLine('bad', refused)}
<section class="card">
<p>${say.scanText}</p>
${qrSvg(uri, say.picture)}
<p>${say.key}: <code>${secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code></p>
<form class="narrow" method="post" action="/console/me/factors/app/confirm">
<input type="hidden" name="encrypted" value="${encrypted}">
<div class="field">
<label for="code">${say.code}</label>
<input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" required maxlength="10">
</div>
<button class="button primary">${say.confirm}</button>
</form>
<p><a class="button" href="/console/me/factors">${say.cancel}</a></p>
</section>`
  return show(null, say.scanTitle, main, refused === null ? 200 : 422)
}

function codesPage({ words }: Asked, codes: readonly string[]): PageAnswer {
  const say = words.of(factorWords)
  const main = html`<header class="head"><h1>${say.shownOnce}</h1></header>
<section class="card">
<p>${say.shownOnceText}</p>
<ul class="plain codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button primary" href="/console/me/factors">${say.goOn}</a></p>
</section>`
  return show(null, say.shownOnce, main)
}
