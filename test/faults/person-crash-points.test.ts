/**
 * The process is killed at each point of an act on a person. Afterwards the person stands as the act left them exactly
 * where it was committed, with its lines in the audit logs of both books; the same act again ends it once.
 */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { type Environment, forEachEnvironment } from '../cli/program.ts'
import { all, full } from './support/counts.ts'
import { type Fixture, startFixture } from './support/fixture.ts'
import type { PersonAct, PersonActed } from './support/person-acts.ts'
import {
  employ,
  leftOf,
  newEmail,
  type PersonCase,
  personCases,
  standing,
  type WithoutCaller,
} from './support/person-cases.ts'

type Office = {
  fixture: Fixture
  act: (act: WithoutCaller) => Promise<PersonActed>
  restart: () => Promise<void>
}

const POINTS_MAX = 60
const LAST_POINTS = 3

forEachEnvironment(({ name: engine, test }) => {
  // In CI every point of one act, and the last ones of the others, where it is committed and answered; on the slower engine,
  // whose transactions are the same, only the last points of one.
  const isSwift = engine === 'PostgreSQL'
  const short = personCases.filter(({ event }) => event === 'person.confirmed')
  for (const one of isSwift && full ? personCases : short) {
    const everyPoint = isSwift && (all || one.event === 'person.confirmed')
    test(`a process killed at any point of ${one.name} leaves a person whole`, async (context, env) => {
      const office = await openOffice(context, env)
      const [first, second] = [await employ(office, null), await employ(office, null)]
      const counts = { kills: 0, committed: 0 }
      const passed = await dryRun(office, one, { first, second })
      const from = everyPoint ? 1 : passed - LAST_POINTS + 1
      for (const within of everyPoint ? (['query', 'transaction'] as const) : (['transaction'] as const)) {
        for (let at = from; at < POINTS_MAX; at += 1) {
          const email = newEmail()
          const act = await one.draw(office, { first, second, email })
          assert.deepEqual(await standing(office.fixture, email, one.event), leftOf(one, 0))
          await office.fixture.arm({ within, at })
          const heard = await office.act(act).catch(() => null)
          if (heard !== null) {
            await office.fixture.arm(null)
            assert.equal(heard.code, one.answer)
            break
          }
          const { committed } = await office.fixture.end()
          counts.kills += 1
          counts.committed += committed ? 1 : 0
          await office.restart()
          const place = `after ${within} ${at}`
          const left = await standing(office.fixture, email, one.event)
          assert.deepEqual(left, leftOf(one, committed ? 1 : 0), place)
          assert.equal((await office.act(act)).code, committed ? one.again : one.answer, place)
          const last = await standing(office.fixture, email, one.event)
          assert.deepEqual(last, leftOf(one, committed && one.repeats ? 2 : 1), `again ${place}`)
        }
      }
      assert(counts.committed > 0 && counts.committed < counts.kills, 'killed before and after the commit')
      context.diagnostic(`${context.name}: ${JSON.stringify(counts)}`)
      await office.fixture.kill()
    })
  }
})

/** How many points of transactions the act passes. */
async function dryRun(
  office: Office,
  one: PersonCase,
  who: { first: string; second: string },
): Promise<number> {
  const act = await one.draw(office, { ...who, email: 'dry-run@example.com' })
  await office.fixture.arm(null)
  assert.equal((await office.act(act)).code, one.answer)
  return office.fixture.points()
}

async function openOffice(context: TestContext, env: Environment): Promise<Office> {
  const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
  const { caller } = await withDatabase(readConfig(env), (db) => createCaller(db, terms))
  const { callerId } = caller
  const office = {} as Office
  office.restart = async () => {
    office.fixture = await startFixture(context, env)
  }
  office.act = (act) => office.fixture.act({ ...act, callerId } as PersonAct)
  await office.restart()
  return office
}
