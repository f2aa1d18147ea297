/**
 * Every route of the table, with identifiers of the own book, of another caller, of the other mode, of nobody, and of no
 * form, under a key of every scope. What belongs to another book answers as what never was, byte for byte.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SCOPES } from '../../src/domain/scopes.ts'
import { sealPass } from '../../src/features/seals/job.ts'
import { routes } from '../../src/http/routes.ts'
import type { Route } from '../../src/route/route.ts'
import { audit } from '../support/auditor.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { assertRefused, assertUnchanged, withoutRequestId } from '../support/refusals.ts'
import type { Answer, Ask } from '../support/service.ts'
import { type Bank, type Book, startBank } from './support/bank.ts'
import { askRoute, type Ids, MEMBERS, type Member, populate, scopesOf } from './support/every-route.ts'

const ABSENT: Ids = {
  customer_id: `cus_${'A'.repeat(24)}`,
  party_id: `cus_${'A'.repeat(24)}`,
  account_number: '0000000000',
  deposit_id: `fd_${'A'.repeat(24)}`,
  liquidation_id: `liq_${'A'.repeat(24)}`,
  event_id: `evt_${'A'.repeat(24)}`,
  webhook_endpoint_id: `we_${'A'.repeat(24)}`,
  api_key_id: `key_${'A'.repeat(24)}`,
  lien_id: `lien_${'A'.repeat(24)}`,
  approval_id: `apr_${'A'.repeat(24)}`,
  batch_id: `bat_${'A'.repeat(24)}`,
  target_id: `fd_${'A'.repeat(24)}`,
  subject_id: `cus_${'A'.repeat(24)}`,
  version: '9',
  product_code: 'ABSENT',
  number: '99',
}
const MALFORMED = [
  'abc',
  '1.0',
  '-1',
  '0',
  '1e0',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  'x'.repeat(64),
  '😀',
]

for (const engine of engines) {
  describe(`${engine.name}: what belongs to whom`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let bank: Bank
    before(async () => {
      db = await engine.open()
      bank = await startBank(db)
    })
    after(async () => {
      await bank?.app.close()
      await db?.close()
    })

    for (const mode of ['test', 'live'] as const) {
      const otherMode = mode === 'test' ? 'live' : 'test'

      test(`in ${mode} mode, an identifier of another book names nothing, in paths, bodies and queries`, async () => {
        const { [mode]: own, [otherMode]: other } = await bank.newCaller('Own Bank')
        const { [mode]: foreign } = await bank.newCaller('Foreign Bank')
        const strangers = [await populate(foreign, 4), await populate(other, 3)]
        const ids = await populate(own, 1)
        await sealPass(bank.service, { marginMs: 0 })
        const namings = routesOf(mode).flatMap((route) =>
          // The writer of a product names it: a code that another book uses is free here.
          route.operationId === 'putProduct' ? [] : namingsOf(route).map((naming) => ({ route, ...naming })),
        )
        assert(namings.length >= 28, 'the matrix has its rows')
        const asked: { naming: Naming; askAbout: (id: string) => Promise<Answer> }[] = []
        for (const naming of namings) {
          const { route, member } = naming
          const ask = bank.askWith((await own.issue(scopesOf(route))).key)
          asked.push({
            naming,
            askAbout: (id) => askRoute(ask, route, { ...ids, [member]: id }, queryOf(naming, id)),
          })
        }
        await assertUnchanged(db, async () => {
          for (const { naming, askAbout } of asked) {
            const { route, member, place } = naming
            const absent = await askAbout(ABSENT[member])
            if (place !== 'query') assert.equal(absent.status, 404, absent.text)
            const others = [
              ...strangers.map((stranger) => stranger[member]),
              ...MALFORMED,
              // Elsewhere it is refused for its form.
              ...(place === 'path' ? ['\u0000', 'x'.repeat(5000)] : []),
            ]
            for (const id of others) {
              assert.equal(
                withoutRequestId(await askAbout(id)),
                withoutRequestId(absent),
                `${nameOf(route)} ${id}`,
              )
            }
          }
        })
        // What is asked about rightly is found: a matrix of refusals alone would prove nothing.
        for (const { naming, askAbout } of asked) {
          const { route, member, place } = naming
          const fresh = route.method === 'GET' ? ids : await populate(own, 1)
          const mine = await askAbout(fresh[member])
          // A request for approval is cancelled by its maker alone, which a key of its own scope is not.
          const found = route.operationId === 'cancelApproval' ? 403 : route.success.status
          assert.equal(mine.status, found, `${nameOf(route)} ${mine.text}`)
          if (place === 'query') assert(mine.json.data.length > 0, `${nameOf(route)} finds its own`)
        }
      })

      test(`in ${mode} mode, a key without the scope is refused before anything is looked up`, async () => {
        const { [mode]: own } = await bank.newCaller('Own Bank')
        const mine = await populate(own, 1)
        const foreign = await populate((await bank.newCaller('Foreign Bank'))[mode], 1)
        const keys: { scope: string; ask: Ask }[] = []
        for (const scope of SCOPES) keys.push({ scope, ask: bank.askWith((await own.issue([scope])).key) })
        await assertUnchanged(db, async () => {
          for (const route of routes) {
            for (const { scope, ask } of keys) {
              if (scope === '*' || scope === route.scope || route.scope === null) continue
              for (const ids of [mine, foreign, ABSENT]) {
                assertRefused(await askRoute(ask, route, ids), {
                  status: 403,
                  code: 'insufficient_scope',
                  details: `{"required_scope":"${route.scope}"}`,
                })
              }
            }
          }
        })
      })
    }

    test('a live key is refused what exists in test mode only', async () => {
      const { live } = await bank.newCaller('Own Bank')
      for (const route of routes.filter((one) => one.testModeOnly)) {
        const answer = await askRoute(live.ask, route, ABSENT)
        assertRefused(answer, { status: 403, code: 'test_mode_only' })
      }
    })

    test('a list shows the own book and nothing else', async () => {
      const [own, foreign] = [await bank.newCaller('Own Bank'), await bank.newCaller('Foreign Bank')]
      for (const [book, other] of [
        [own.test, own.live],
        [own.live, own.test],
        [foreign.test, own.test],
      ] as const) {
        const [mine, theirs] = [await populate(book, 1), await populate(other, 1)]
        for (const route of routes.filter((one) => one.method === 'GET' && !one.path.includes(':'))) {
          const { text } = await book.ask('GET', route.path)
          for (const id of Object.values({
            ...theirs,
            version: theirs.deposit_id,
            number: theirs.deposit_id,
          })) {
            assert(!text.includes(id), `${route.path} contains ${id}`)
          }
        }
        assert((await book.ask('GET', '/v2/customer')).text.includes(mine.customer_id))
      }
    })

    test('the books are in order afterwards', () => audit(db))
  })
}

function routesOf(mode: Book['mode']): Route[] {
  return routes.filter((route) => mode === 'test' || !route.testModeOnly)
}

type Place = 'path' | 'body' | 'query'

type Naming = { route: Route; member: Member; place: Place }

/** Where a route names something of a book. */
function namingsOf(route: Route): { member: Member; place: Place }[] {
  // The number of a part names nothing: its sender chooses it.
  const inPath = [...route.path.matchAll(/:(\w+)/g)]
    .map((match) => match[1]!)
    .filter((name) => name !== 'part')
  const inBody = membersOf(route.body)
  const inQuery = membersOf(route.query)
  for (const name of [
    ...inPath,
    ...[...inBody, ...inQuery].filter((one) => /(?<!^external)_id$|^account_number$/.test(one)),
  ]) {
    assert((MEMBERS as readonly string[]).includes(name), `${nameOf(route)} names by ${name}`)
  }
  const namings = (names: readonly string[], place: Place) =>
    MEMBERS.filter((member) => names.includes(member)).map((member) => ({ member, place }))
  return [...namings(inPath, 'path'), ...namings(inBody, 'body'), ...namings(inQuery, 'query')]
}

function membersOf(schema: Route['body']): string[] {
  return Object.keys((schema as { properties?: object } | null)?.properties ?? {})
}

function queryOf({ member, place }: Naming, id: string): Record<string, string> {
  return place === 'query' ? { [member]: id } : {}
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}
