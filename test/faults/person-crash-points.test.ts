/**
 * The process is killed at each point of an act on a person. Afterwards the person rests, or does not, exactly where the
 * act was committed, with its lines in the audit logs of both books and its notices; the same act again ends it once.
 */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { type Environment, forEachEnvironment } from '../cli/program.ts'
import { full } from './support/counts.ts'
import { type Fixture, startFixture } from './support/fixture.ts'
import type { PersonAct, PersonActed } from './support/person-acts.ts'

type Office = {
  fixture: Fixture
  act: (act: WithoutCaller) => Promise<PersonActed>
  restart: () => Promise<void>
}
type WithoutCaller = PersonAct extends infer Act
  ? Act extends PersonAct
    ? Omit<Act, 'callerId'>
    : never
  : never
type Case = {
  name: string
  /** Prepares a person, and answers what is to be killed. */
  draw: (office: Office, who: { first: string; second: string; email: string }) => Promise<WithoutCaller>
  event: string
  /** The answer of the same act after it was committed. */
  again: string
  rests: { before: boolean; after: boolean }
}

const cases: Case[] = [
  {
    name: 'the use of a link',
    draw: async (office, { first, email }) => {
      const { token } = await office.act({ name: 'invite', by: first, email, role: 'SUPERVISOR' })
      return { name: 'accept', by: null, token }
    },
    ...{ event: 'person.activated', again: 'link_not_valid', rests: { before: false, after: true } },
  },
  {
    name: 'another role',
    draw: async (office, { first, email }) => ({
      ...{ name: 'change role', by: first, role: 'SUPERVISOR' },
      personId: await employ(office, null, email),
    }),
    // The same again changes nothing.
    ...{ event: 'person.role_changed', again: 'changed', rests: { before: false, after: true } },
  },
  {
    name: 'a confirmation',
    draw: async (office, { first, second, email }) => ({
      ...{ name: 'confirm', by: second },
      personId: await employ(office, first, email),
    }),
    ...{ event: 'person.confirmed', again: 'nothing_to_confirm', rests: { before: true, after: false } },
  },
]

const POINTS_MAX = 60
const LAST_POINTS = 3
let employed = 0

forEachEnvironment(({ name: engine, test }) => {
  // On the slower engine, whose transactions are the same, the last points of one act.
  const everyPoint = engine === 'PostgreSQL'
  for (const one of everyPoint && full ? cases : cases.slice(2)) {
    test(`a process killed at any point of ${one.name} leaves a person whole`, async (context, env) => {
      const office = await openOffice(context, env)
      const [first, second] = [await employ(office, null), await employ(office, null)]
      const counts = { kills: 0, committed: 0 }
      const passed = await dryRun(office, one, { first, second })
      const from = everyPoint ? 1 : passed - LAST_POINTS + 1
      for (const within of everyPoint ? (['query', 'transaction'] as const) : (['transaction'] as const)) {
        for (let at = from; at < POINTS_MAX; at += 1) {
          employed += 1
          const email = `person-${employed}@example.com`
          const act = await one.draw(office, { first, second, email })
          const before = await standing(office, email, one.event)
          assert.deepEqual([before.rests, before.lines], [one.rests.before, 0])
          await office.fixture.arm({ within, at })
          const heard = await office.act(act).catch(() => null)
          if (heard !== null) {
            await office.fixture.arm(null)
            assert.equal(heard.code, 'changed')
            break
          }
          const { committed } = await office.fixture.end()
          counts.kills += 1
          counts.committed += committed ? 1 : 0
          await office.restart()
          const left = await standing(office, email, one.event)
          const place = `${within} ${at}`
          assert.equal(left.rests, committed ? one.rests.after : one.rests.before, `rest after ${place}`)
          assert.equal(left.lines, committed ? 2 : 0, `lines after ${place}`)
          assert.equal((await office.act(act)).code, committed ? one.again : 'changed', place)
          const last = await standing(office, email, one.event)
          assert.deepEqual([last.rests, last.lines], [one.rests.after, 2], `again after ${place}`)
        }
      }
      assert(counts.committed > 0 && counts.committed < counts.kills, 'killed before and after the commit')
      context.diagnostic(`${context.name}: ${JSON.stringify(counts)}`)
      await office.fixture.kill()
    })
  }
})

/** How many points of transactions the act passes. */
async function dryRun(office: Office, one: Case, who: { first: string; second: string }): Promise<number> {
  const act = await one.draw(office, { ...who, email: 'dry-run@example.com' })
  await office.fixture.arm(null)
  assert.equal((await office.act(act)).code, 'changed')
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

/** With a password; invited by the operator, or by an administrator, whose act makes the person rest. */
async function employ(office: Office, by: string | null, email?: string): Promise<string> {
  employed += 1
  const name = email ?? `person-${employed}@example.com`
  const role = email === undefined ? 'ADMINISTRATOR' : 'CLERK'
  const { token } = await office.act({ name: 'invite', by, email: name, role })
  const { code, personId } = await office.act({ name: 'accept', by: null, token })
  assert.equal(code, 'changed')
  return personId
}

async function standing({ fixture }: Office, email: string, event: string) {
  const [row] = await fixture.query<{ rests: boolean; lines: number }>(
    `select rests_until is not null as rests,
       (select count(*)::int4 from events where subject_id = person_id and type = $2) as lines
     from people
     where email = $1`,
    [email, event],
  )
  return row!
}
