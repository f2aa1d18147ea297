/**
 * The connection is cut at every message of an act on a person, in both directions. A caller who heard that it was
 * done is right, one who heard that it failed too, and the same act again leaves it done once.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUnavailable } from '../../src/engine/database/database.ts'
import { engines } from '../support/engines.ts'
import { all, full } from './support/counts.ts'
import { type CutBank, withCutBank } from './support/cut-bank.ts'
import { actOnPerson, type PersonAct, type PersonActed } from './support/person-acts.ts'
import {
  employ,
  leftOf,
  newEmail,
  type PersonCase,
  personCases,
  standing,
  type WithoutCaller,
} from './support/person-cases.ts'
import type { Cut } from './support/proxy.ts'

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!

type Who = { first: string; second: string }

describe('a connection that is cut', { skip: postgres.skip }, () => {
  for (const one of personCases) {
    test(`at every message of ${one.name} leaves a person whole`, (context) =>
      withCutBank(postgres, {}, async (bank) => {
        const office = officeOf(bank)
        const who = { first: await employ(office, null), second: await employ(office, null) }
        const messages = await dryRun(bank, one, who)
        const commitAt = messages.findIndex(({ text }) => text === 'commit')
        assert(commitAt > 0, 'an act ends with COMMIT')
        // The writes are sent with it: once they are on their way, the act is done or not, and nobody has heard which.
        const lastSent = messages.findLastIndex(({ from }, at) => from === 'server' && at < commitAt) + 1
        const counts = { 'nothing was done': 0, 'done, once': 0, 'ended before': 0 }
        const isWhole = all || (full && one.event === 'person.confirmed')
        const from = isWhole ? 0 : Math.max(0, lastSent - 20)
        for (let at = from; at < messages.length; at += 1) {
          for (const how of at === commitAt ? (['lost', 'delivered'] as const) : (['delivered'] as const)) {
            counts[await cutOnce(bank, one, who, { at, how })] += 1
          }
        }
        assert.equal(await cutOnce(bank, one, who, { at: 'commit', how: 'late' }), 'done, once')
        context.diagnostic(`${one.name}: ${JSON.stringify(counts)}`)
        assert(counts['done, once'] > 1 && counts['nothing was done'] > 0, 'cut before and after the commit')
      }))
  }
})

function officeOf({ service, callerId }: CutBank) {
  return { act: (act: WithoutCaller) => actOnPerson(service, { ...act, callerId } as PersonAct) }
}

/** The second time, because by then the connection knows its statements. */
async function dryRun(bank: CutBank, one: PersonCase, who: Who) {
  const office = officeOf(bank)
  for (const isCounted of [false, true]) {
    const act = await one.draw(office, { ...who, email: newEmail() })
    if (isCounted) bank.proxy.watch(null)
    assert.equal((await office.act(act)).code, one.answer)
  }
  return [...bank.proxy.seen()]
}

type Ending = 'nothing was done' | 'done, once' | 'ended before'

/** A connection that knows more statements than the one of the dry run has fewer messages: then nothing is cut. */
async function cutOnce(bank: CutBank, one: PersonCase, who: Who, cut: Cut): Promise<Ending> {
  const { db, proxy } = bank
  const office = officeOf(bank)
  const email = newEmail()
  const act = await one.draw(office, { ...who, email })
  assert.deepEqual(await standing(db, email, one.event), leftOf(one, 0))
  proxy.watch(cut)
  const heard = await office.act(act).catch((error: unknown) => {
    assert(isUnavailable(error), String(error))
    return null
  })
  const place = JSON.stringify(cut)
  const wasCut = proxy.wasCut()
  // Where nothing was cut, the next act must not be either.
  proxy.watch(null)
  if (heard !== null) assert.equal(heard.code, one.answer, place)
  assert.deepEqual(await standing(db, email, one.event), leftOf(one, heard === null ? 0 : 1), place)
  assert.equal((await actAgain(bank, act)).code, heard === null ? one.answer : one.again, place)
  const times = heard !== null && one.repeats ? 2 : 1
  assert.deepEqual(await standing(db, email, one.event), leftOf(one, times), `${place}, and again`)
  assert(wasCut || heard !== null, place)
  return !wasCut ? 'ended before' : heard === null ? 'nothing was done' : 'done, once'
}

/** What an act reads first may meet the connection that is just ending; then nothing was done, and it is asked for again. */
async function actAgain(bank: CutBank, act: WithoutCaller): Promise<PersonActed> {
  const { act: carryOut } = officeOf(bank)
  return carryOut(act).catch((error: unknown) => {
    assert(isUnavailable(error), String(error))
    return carryOut(act)
  })
}
