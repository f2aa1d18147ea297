/** What the service checks of a passkey's answer: each row lies about one thing. */
import assert from 'node:assert/strict'
import { test as plainTest } from 'node:test'
import type { Person } from '../../../src/domain/people.ts'
import { listChanges } from '../../../src/features/audit/store.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { addFactor, removeFactor } from '../../../src/features/factors/changes.ts'
import { askForNew, checkNew, siteOf } from '../../../src/features/factors/passkeys.ts'
import { listFactors } from '../../../src/features/factors/store.ts'
import { listNotices } from '../../../src/features/notices/store.ts'
import { disablePerson } from '../../../src/features/people/changes.ts'
import { findPerson } from '../../../src/features/people/store.ts'
import { createCipher } from '../../../src/features/service-keys/cipher.ts'
import { createSignIn } from '../../../src/features/sign-in/sign-in.ts'
import type { SignIn } from '../../../src/page/sign-in.ts'
import { type Authenticator, createAuthenticator, type Lies } from '../../support/authenticator.ts'
import { forEachEngine } from '../../support/engines.ts'
import { asOperator, browser, type Office, openOffice, PASSWORD } from '../people/office.ts'

const HOME = 'https://bank.example.com'
const MINUTE_MS = 60_000
const codeOf = (result: object) => ('code' in result ? String(result.code) : 'none')
const LIES: [what: string, lies: Lies][] = [
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['another origin', { origin: 'https://bank.example.com.evil.example.com' }],
  ['another site', { rpId: 'evil.example.com' }],
  ['nobody there', { isPresent: false }],
  ['nobody verified', { isVerified: false }],
]

forEachEngine(({ test }) => {
  test('a passkey signs in without password, as often as its counter grows', async (db) => {
    const office = await openOffice(db)
    const { key, person } = await employ(office)
    for (let count = 0; count < 3; count += 1) {
      const entered = await enter(office, key)
      assert(entered.outcome === 'signed_in', codeOf(entered))
      assert.equal(entered.person.personId, person.personId)
      assert(await office.isIn(entered.secret))
    }
    const [factor] = await listFactors(db, person)
    assert.deepEqual([factor!.counter, factor!.lastUsedAt], [3n, office.clock.now])
  })

  test('an answer that lies about one thing does not sign in', async (db) => {
    const office = await openOffice(db)
    const { key } = await employ(office)
    const stranger = createAuthenticator()
    const table: typeof LIES = [
      ...LIES,
      ['of adding one', { type: 'webauthn.create' }],
      ['signed by another', { signer: stranger.privateKey }],
      ['of another person', { userHandle: Buffer.from('per_other').toString('base64url') }],
      ['of nobody', { userHandle: null }],
    ]
    for (const [what, lies] of table) {
      assert.equal(codeOf(await enter(office, key, lies)), 'passkey_refused', what)
      office.clock.now = new Date(office.clock.now.getTime() + 60 * MINUTE_MS)
    }
    assert.equal(codeOf(await enter(office, key)), 'none')
    for (const credential of ['', 'x', '{}', '{"id":"x"}', '{"id":"x","response":null}', '[]', 'null']) {
      const question = await office.askForPasskey({ home: HOME })
      const asked = { ...question!, home: HOME, credential, browser }
      assert.equal(codeOf(await office.signInByPasskey(asked)), 'passkey_refused', credential)
    }
  })

  test('an answer is good once, for its question, where and while that was asked', async (db) => {
    const office = await openOffice(db)
    const { key, person, secret } = await employ(office)
    const question = (await office.askForPasskey({ home: HOME }))!
    const answer = { ...key.get(question, { counter: 0 }), browser }
    const both = await Promise.all([office.signInByPasskey(answer), office.signInByPasskey(answer)])
    assert.deepEqual(both.map(codeOf).sort(), ['none', 'passkey_refused'])
    const own = (await office.askForPasskey({ home: HOME, person }))!
    assert.equal(codeOf(await office.signInByPasskey({ ...key.get(own), browser })), 'passkey_refused')
    const open = (await office.askForPasskey({ home: HOME }))!
    assert.equal(codeOf(await office.confirmPasskey({ ...key.get(open), secret })), 'passkey_refused')
    const elsewhere = { ...key.get(open), home: 'https://other.example.com', browser }
    assert.equal(codeOf(await office.signInByPasskey(elsewhere)), 'passkey_refused')
    const swapped = { ...key.get(open), challenge: question.challenge, browser }
    assert.equal(codeOf(await office.signInByPasskey(swapped)), 'passkey_refused')
    office.clock.now = new Date(office.clock.now.getTime() + 15 * MINUTE_MS)
    assert.equal(codeOf(await office.signInByPasskey({ ...key.get(open), browser })), 'passkey_refused')
  })

  test('one touch confirms who is signed in, and nobody else’s does', async (db) => {
    const office = await openOffice(db)
    const ada = await employ(office)
    const ben = await employ(office)
    const touch = async (key: Authenticator, lies: Lies = {}) => {
      const question = (await office.askForPasskey({ home: HOME, person: ada.person }))!
      assert.deepEqual(JSON.parse(question.options).allowCredentials, [
        { type: 'public-key', id: ada.key.id },
      ])
      return office.confirmPasskey({ ...key.get(question, lies), secret: ada.secret })
    }
    for (const [what, lies] of LIES) assert.equal(codeOf(await touch(ada.key, lies)), 'passkey_refused', what)
    assert.equal(codeOf(await touch(ben.key)), 'passkey_refused')
    const before = (await office.findSession(ada.secret))!.session
    office.clock.now = new Date(office.clock.now.getTime() + 14 * MINUTE_MS)
    const confirmed = await touch(ada.key, { userHandle: null })
    assert(confirmed.outcome === 'signed_in', codeOf(confirmed))
    const { session } = (await office.findSession(confirmed.secret))!
    assert.deepEqual(session, { ...before, signedInAt: office.clock.now, lastSeenAt: office.clock.now })
    assert.equal(await office.isIn(ada.secret), false, 'the secret is another')
  })

  test('a counter that goes back is a copy: refused at both doors, audited and noticed', async (db) => {
    const office = await openOffice(db)
    const { key, person, secret } = await employ(office)
    assert.equal(codeOf(await enter(office, key, { counter: 7 })), 'none')
    for (const counter of [7, 6, 0]) {
      assert.equal(codeOf(await enter(office, key, { counter })), 'passkey_copied', `${counter}`)
    }
    const own = (await office.askForPasskey({ home: HOME, person }))!
    const confirmed = await office.confirmPasskey({ ...key.get(own, { counter: 7 }), secret })
    assert.equal(codeOf(confirmed), 'passkey_copied')
    assert(await office.isIn(secret), 'the session goes on as it was')
    assert.equal(codeOf(await enter(office, key, { counter: 8 })), 'none')
    const notices = (await listNotices(db, person)).filter(({ act }) => act === 'person.passkey_copied')
    assert.equal(notices.length, 4)
    assert.equal((await auditOf(office, person)).filter((act) => act === 'person.passkey_copied').length, 4)
  })

  test('wrong answers count as wrong passwords do', async (db) => {
    const office = await openOffice(db)
    const { key, person } = await employ(office)
    for (let tries = 0; tries < 5; tries += 1) {
      assert.equal(codeOf(await enter(office, key, { isVerified: false })), 'passkey_refused')
    }
    assert.equal(codeOf(await enter(office, key)), 'too_many_sign_ins')
    const password = await office.signIn({ email: person.email, password: PASSWORD, browser })
    assert.equal(codeOf(password), 'too_many_sign_ins', 'the same limit')
    const strict = await openOffice(db, { triesPerAddressPerMinute: 2 })
    const unknown = createAuthenticator()
    const codes = [await enter(strict, unknown), await enter(strict, unknown), await enter(strict, unknown)]
    assert.deepEqual(codes.map(codeOf), ['passkey_refused', 'passkey_refused', 'too_many_sign_ins'])
  })

  test('adding checks the answer, takes an authenticator once, and ten at most', async (db) => {
    const office = await openOffice(db)
    const { key, person, secret } = await employ(office)
    const { session } = (await office.findSession(secret))!
    const ben = await office.employ({ email: 'other@example.com' })
    for (const [what, lies] of [...LIES, ['of using one', { type: 'webauthn.get' }]] as typeof LIES) {
      assert.equal(await answerNew(office, person, createAuthenticator(), lies), null, what)
    }
    const question = await newQuestion(office, person)
    assert.deepEqual(JSON.parse(question.options).excludeCredentials, [{ type: 'public-key', id: key.id }])
    const answer = createAuthenticator().create(question)
    assert.equal(await checkNew(partsOf(office), ben, answer), null, 'asked of another person')
    assert.notEqual(await checkNew(partsOf(office), person, answer), null)
    assert.equal(await checkNew(partsOf(office), person, answer), null, 'good once')
    const again = await add(office, session, person, key)
    assert.equal(codeOf(again), 'passkey_refused', 'it is there already')
    for (let count = 1; count < 10; count += 1) {
      assert.equal((await add(office, session, person, createAuthenticator())).outcome, 'added')
    }
    assert.equal(codeOf(await add(office, session, person, createAuthenticator())), 'too_many_passkeys')
  })

  test('one that was removed, or of a person who was disabled, signs in no more; another does', async (db) => {
    const office = await openOffice(db)
    const { key, person, secret } = await employ(office)
    const { session } = (await office.findSession(secret))!
    const second = createAuthenticator()
    await add(office, session, person, second)
    const [first] = await listFactors(db, person)
    await removeFactor(office.service, session, first!.factorId)
    assert.equal(codeOf(await enter(office, key)), 'passkey_refused')
    assert.equal(codeOf(await enter(office, second)), 'none')
    assert.deepEqual((await findPerson(db, person))!.factors, ['PASSKEY'])
    await disablePerson(office.service, asOperator, person)
    assert.equal(codeOf(await enter(office, second)), 'passkey_refused')
  })

  test('it is no way around the identity provider', async (db) => {
    const office = await openOffice(db)
    const { key, person } = await employ(office)
    const only = createSignIn({
      engine: office.service,
      take: () => ({ allowed: true, retryAfterSeconds: 0 }),
      limits: { triesPerAddressPerMinute: 0 },
      signOn: { callerId: office.callerId, isOnly: true },
    })
    assert.equal(codeOf(await enter(only, key)), 'passkey_refused', 'passwords are not allowed')
    assert.equal(codeOf(await enter(office, key)), 'none')
    // Somebody whom the provider made has no password: the provider alone says whether they still work here.
    await db.query(`update people set issuer = 'https://id.example.com', subject = 's', password_hash = null
      where person_id = '${person.personId}'`)
    assert.equal(codeOf(await enter(office, key)), 'passkey_refused')
  })
})

plainTest('passkeys need a name and TLS, or localhost', () => {
  assert.deepEqual(siteOf('https://bank.example.com:8443'), {
    origin: 'https://bank.example.com:8443',
    id: 'bank.example.com',
  })
  assert.deepEqual(siteOf('http://localhost:8080'), { origin: 'http://localhost:8080', id: 'localhost' })
  for (const home of [null, 'http://bank.example.com', 'http://127.0.0.1:8080', 'https://[::1]']) {
    assert.equal(siteOf(home), null, `${home}`)
  }
})

const partsOf = ({ service }: Office) => ({
  db: service.db,
  clock: service.clock,
  cipher: createCipher(service),
})

async function newQuestion(office: Office, person: Person) {
  const known = await listFactors(office.db, person)
  return askForNew(partsOf(office), siteOf(HOME)!, { person, known, brand: 'Console' })
}

async function answerNew(office: Office, person: Person, key: Authenticator, lies: Lies = {}) {
  return checkNew(partsOf(office), person, key.create(await newQuestion(office, person), lies))
}

async function add(
  office: Office,
  owner: Parameters<typeof addFactor>[1],
  person: Person,
  key: Authenticator,
) {
  const passkey = await answerNew(office, person, key)
  assert(passkey !== null)
  const app = { encryptedSecret: null, lastStep: null }
  return addFactor(office.service, owner, { kind: 'PASSKEY', name: 'Key', ...app, ...passkey })
}

let employed = 0
/** Somebody with a passkey, and the session that added it. */
async function employ(office: Office) {
  employed += 1
  const { email } = await office.employ({ email: `ada-${employed}@example.com` })
  const secret = await office.enter(email)
  const { session, person } = (await office.findSession(secret))!
  const key = createAuthenticator()
  assert.equal((await add(office, session, person, key)).outcome, 'added')
  return { key, secret, person: (await findPerson(office.db, person))! }
}

async function enter(signIn: SignIn, key: Authenticator, lies: Lies = {}) {
  const question = await signIn.askForPasskey({ home: HOME })
  return signIn.signInByPasskey({ ...key.get(question!, lies), browser })
}

async function auditOf({ db }: Office, { callerId, personId }: Person): Promise<string[]> {
  const book = await findBook(db, { callerId, mode: 'live' })
  const { items } = await listChanges(db, book!.bookId, {}, { limit: 100, before: null })
  return items.filter(({ subjectId }) => subjectId === personId).map(({ action }) => action)
}
