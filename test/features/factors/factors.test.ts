/** Authenticator apps and recovery codes of people: each code once, limits as for passwords, and who may remove them. */
import assert from 'node:assert/strict'
import { stepAt } from '../../../src/domain/factors.ts'
import type { Person } from '../../../src/domain/people.ts'
import { listChanges } from '../../../src/features/audit/store.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { addFactor, makeRecoveryCodes, removeFactor } from '../../../src/features/factors/changes.ts'
import { purposeOfSecret } from '../../../src/features/factors/proofs.ts'
import { countUnusedCodes, listFactors } from '../../../src/features/factors/store.ts'
import { codeAt, newTotpSecret } from '../../../src/features/factors/totp.ts'
import { listNotices } from '../../../src/features/notices/store.ts'
import { disablePerson, removeFactorsOf } from '../../../src/features/people/changes.ts'
import { findPerson } from '../../../src/features/people/store.ts'
import { createCipher } from '../../../src/features/service-keys/cipher.ts'
import { forEachEngine } from '../../support/engines.ts'
import { asOperator, browser, type Office, openOffice, PASSWORD } from '../people/office.ts'

const STEP_MS = 30_000
const MINUTE_MS = 60_000
const codeOf = (result: object) => ('code' in result ? result.code : 'none')

forEachEngine(({ test }) => {
  test('after the password comes a code, and only both sign in', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const { code } = await addApp(office, ada)
    pass(office, STEP_MS)
    const needed = await office.signIn({ email: ada.email, password: PASSWORD, browser })
    assert(needed.outcome === 'factor_needed')
    assert.deepEqual(needed.factors, ['TOTP'])
    const { pending } = needed
    for (const wrong of ['', '000000', 'aaaa-aaaa-aaaa-aaaa']) {
      assert.equal(codeOf(await office.finishSignIn({ pending, code: wrong, browser })), 'code_refused')
    }
    assert.equal(codeOf(await office.finishSignIn({ pending: 'x', code: code(), browser })), 'session_ended')
    const entered = await office.finishSignIn({ pending, code: code(), browser })
    assert(entered.outcome === 'signed_in')
    assert(await office.isIn(entered.secret))
    assert.notEqual(entered.device, undefined)
  })

  test('what continues a sign-in expires, and ends with the password', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const { code, owner } = await addApp(office, ada)
    pass(office, STEP_MS)
    const late = await pendingOf(office, ada)
    pass(office, 5 * MINUTE_MS)
    assert.equal(codeOf(await office.finishSignIn({ pending: late, code: code(), browser })), 'session_ended')
    const pending = await pendingOf(office, ada)
    const newPassword = 'another harbour at dusk'
    const changed = await office.changePassword({ secret: owner, password: PASSWORD, newPassword })
    assert.equal(changed.outcome, 'signed_in')
    assert.equal(codeOf(await office.finishSignIn({ pending, code: code(), browser })), 'session_ended')
  })

  test('a code of the app signs in once, also where two come at the same moment', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const { code } = await addApp(office, ada)
    assert.equal(codeOf(await finish(office, ada, code())), 'code_refused', 'the one that added the app')
    pass(office, STEP_MS)
    const both = await Promise.all([finish(office, ada, code()), finish(office, ada, code())])
    assert.deepEqual(both.map(codeOf).sort(), ['code_refused', 'none'])
    assert.equal(codeOf(await finish(office, ada, code(-1))), 'code_refused', 'nor an earlier one')
    assert.equal(codeOf(await finish(office, ada, code(1))), 'none', 'a later one is another')
  })

  test('a recovery code signs in once, also where two come at the same moment, and is noted', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const { codes } = await addApp(office, ada)
    assert.equal(new Set(codes).size, 10)
    for (const one of codes) assert.match(one, /^([a-z0-9]{4}-){3}[a-z0-9]{4}$/)
    const [first, second] = codes as [string, string]
    const both = await Promise.all([finish(office, ada, first), finish(office, ada, first)])
    assert.deepEqual(both.map(codeOf).sort(), ['code_refused', 'none'])
    assert.equal(codeOf(await finish(office, ada, second.toUpperCase().replaceAll('-', ' '))), 'none')
    assert.equal(await countUnusedCodes(db, ada), 8)
    assert.deepEqual((await noticesOf(office, ada)).slice(-2), [
      'person.recovery_code_used',
      'person.recovery_code_used',
    ])
    const made = await makeRecoveryCodes(office.service, ada)
    assert(made.outcome === 'made')
    assert.equal(codeOf(await finish(office, ada, codes[2]!)), 'code_refused', 'the earlier ones are gone')
    assert.equal(codeOf(await finish(office, ada, made.codes[0]!)), 'none')
    const kept = await db.query<{ code_hash: string }>('select code_hash from person_recovery_codes')
    assert.equal(kept.length, 10)
    assert(kept.every(({ code_hash }) => !made.codes.includes(code_hash)))
  })

  test('wrong codes count as wrong passwords do, and right ones do not', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const { codes } = await addApp(office, ada)
    const stranger = { ...browser, address: '198.51.100.7' }
    for (const code of codes.slice(0, 3)) {
      assert.equal(codeOf(await finish(office, ada, code, stranger)), 'none')
    }
    const pending = await pendingOf(office, ada, stranger)
    for (let tries = 0; tries < 5; tries += 1) {
      const refused = await office.finishSignIn({ pending, code: '000000', browser: stranger })
      assert.equal(codeOf(refused), 'code_refused')
    }
    const last = await office.finishSignIn({ pending, code: codes[4]!, browser: stranger })
    assert.equal(codeOf(last), 'too_many_sign_ins')
    const password = await office.signIn({ email: ada.email, password: PASSWORD, browser: stranger })
    assert.equal(codeOf(password), 'too_many_sign_ins', 'the same limit')
  })

  test('a recent sign-in needs password and code, and wrong ones are limited', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const { code, codes, owner: secret } = await addApp(office, ada)
    pass(office, 10 * MINUTE_MS)
    assert.equal(codeOf(await office.confirmPassword({ secret, password: PASSWORD })), 'code_refused')
    assert.equal(
      codeOf(await office.confirmPassword({ secret, password: 'wrong', code: code() })),
      'sign_in_refused',
    )
    const confirmed = await office.confirmPassword({ secret, password: PASSWORD, code: code() })
    assert(confirmed.outcome === 'signed_in')
    const again = { secret: confirmed.secret, password: PASSWORD }
    assert.equal(codeOf(await office.confirmPassword({ ...again, code: code() })), 'code_refused', 'used')
    for (let tries = 0; tries < 9; tries += 1) await office.confirmPassword({ ...again, code: 'wrong' })
    assert.equal(codeOf(await office.confirmPassword({ ...again, code: codes[0]! })), 'too_many_sign_ins')
  })

  test('adding and removing ends the other sessions, is audited and noticed, and there is one app', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const other = await office.enter(ada.email)
    const { owner } = await addApp(office, ada)
    assert.equal(await office.isIn(other), false)
    assert.equal(await office.isIn(owner), true)
    assert.deepEqual((await findPerson(db, ada))!.factors, ['TOTP'])
    const { session } = (await office.findSession(owner))!
    const second = await addFactor(office.service, session, await newApp(office, ada))
    assert.equal(codeOf(second), 'factor_exists')
    const [factor] = await listFactors(db, ada)
    assert.equal(codeOf(await removeFactor(office.service, session, 'fac_x')), 'factor_not_found')
    const removed = await removeFactor(office.service, session, factor!.factorId)
    assert.equal(removed.outcome, 'removed')
    assert.deepEqual((await findPerson(db, ada))!.factors, [])
    assert.equal(await countUnusedCodes(db, ada), 0)
    assert.equal(codeOf(await makeRecoveryCodes(office.service, ada)), 'factor_not_found')
    assert.equal(typeof (await office.enter(ada.email)), 'string', 'the password is enough again')
    assert.deepEqual(await noticesOf(office, ada), ['person.factor_added', 'person.factor_removed'])
    const actions = await auditOf(office, ada)
    assert(actions.includes('person.factor_added') && actions.includes('person.factor_removed'))
  })

  test('the secret of an app is encrypted, for its person alone', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const ben = await office.employ({ email: 'ben@example.com' })
    const { secret, code } = await addApp(office, ada)
    await addApp(office, ben)
    const [row] = await db.query<{ encrypted_secret: string }>(
      'select encrypted_secret from person_factors where person_id = $1',
      [ada.personId],
    )
    assert(!row!.encrypted_secret.includes(secret))
    await db.query('update person_factors set encrypted_secret = $1, last_step = 0', [row!.encrypted_secret])
    pass(office, STEP_MS)
    assert.equal(codeOf(await finish(office, ben, code())), 'code_refused')
    assert.equal(codeOf(await finish(office, ada, code())), 'none')
  })

  test('an administrator removes the factors of another: sessions end, the person rests, both are notified', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com', role: 'SUPERVISOR' })
    const boss = await office.employ({ email: 'boss@example.com', role: 'ADMINISTRATOR' })
    const peer = await office.employ({ email: 'peer@example.com', role: 'ADMINISTRATOR' })
    const { owner } = await addApp(office, ada)
    const asBoss = {
      actor: { kind: 'PERSON', id: boss.personId, name: boss.name },
      requestId: null,
      modes: boss.modes,
    } as const
    const inTestOnly = { ...asBoss, modes: ['test'] } as const
    assert.equal(codeOf(await removeFactorsOf(office.service, inTestOnly, ada)), 'other_books')
    assert.equal(codeOf(await removeFactorsOf(office.service, asBoss, boss)), 'own_factors')
    assert.equal(codeOf(await removeFactorsOf(office.service, asBoss, peer)), 'factor_not_found')
    const removed = await removeFactorsOf(office.service, asBoss, ada)
    assert(removed.outcome === 'changed')
    const until = new Date(office.clock.now.getTime() + 24 * 60 * MINUTE_MS)
    assert.deepEqual(removed.person.rest, { until, actors: [boss.personId] })
    assert.deepEqual(await listFactors(db, ada), [])
    assert.equal(await office.isIn(owner), false)
    assert((await noticesOf(office, ada)).includes('person.factors_removed'))
    assert((await noticesOf(office, peer)).includes('person.factors_removed'))
    assert(!(await noticesOf(office, boss)).includes('person.factors_removed'))
    await addApp(office, ada)
    const byOperator = await removeFactorsOf(office.service, asOperator, ada)
    assert(byOperator.outcome === 'changed')
    assert.deepEqual(byOperator.person.rest, { until, actors: [boss.personId] }, 'the operator begins none')
  })

  test('a person who is disabled has no factors left', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    await addApp(office, ada)
    await disablePerson(office.service, asOperator, ada)
    assert.deepEqual(await listFactors(db, ada), [])
    const back = await office.employ({ email: 'ada@example.com' })
    assert.deepEqual(back.factors, [])
  })
})

function pass(office: Office, ms: number): void {
  office.clock.now = new Date(office.clock.now.getTime() + ms)
}

async function newApp(office: Office, person: Person, secret = newTotpSecret()) {
  const encryptedSecret = await createCipher(office.service).encrypt(purposeOfSecret(person), secret)
  const lastStep = stepAt(office.clock.now)
  const passkey = { credentialId: null, publicKey: null, counter: null }
  return { kind: 'TOTP', name: 'App', encryptedSecret, lastStep, ...passkey } as const
}

/** `owner`: the secret of the session that added it. */
async function addApp(office: Office, person: Person) {
  const owner = await office.enter(person.email)
  const { session } = (await office.findSession(owner))!
  const secret = newTotpSecret()
  const added = await addFactor(office.service, session, await newApp(office, person, secret))
  assert(added.outcome === 'added' && added.codes !== null, JSON.stringify(added))
  const code = (aside = 0) => codeAt(secret, stepAt(office.clock.now) + aside)
  return { owner, secret, code, codes: added.codes }
}

async function pendingOf(office: Office, { email }: Person, from = browser): Promise<string> {
  const needed = await office.signIn({ email, password: PASSWORD, browser: from })
  assert(needed.outcome === 'factor_needed', JSON.stringify(needed))
  return needed.pending
}

async function finish(office: Office, person: Person, code: string, from = browser) {
  return office.finishSignIn({ pending: await pendingOf(office, person, from), code, browser: from })
}

async function noticesOf({ db }: Office, person: Person): Promise<string[]> {
  return (await listNotices(db, person)).map(({ act }) => act)
}

async function auditOf({ db }: Office, { callerId, personId }: Person): Promise<string[]> {
  const book = await findBook(db, { callerId, mode: 'live' })
  const { items } = await listChanges(db, book!.bookId, {}, { limit: 100, before: null })
  return items.filter(({ subjectId }) => subjectId === personId).map(({ action }) => action)
}
