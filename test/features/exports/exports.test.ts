/** Desk section 13: exports of a span of business dates, streamed. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { addDays, isoDate } from '../../../src/domain/dates.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused, assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import {
  type Ask,
  describeService,
  fundedAccount,
  replaceRules,
  startService,
} from '../../support/service.ts'
import { all, live } from '../reports/random-life.ts'

const EXPORTS = ['deposits', 'liquidations', 'ledger-entries', 'tax', 'interest-payments', 'approvals']

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})

async function fileOf(app: FastifyInstance, key: string, path: string, accept?: string) {
  const headers = { authorization: `Bearer ${key}`, ...(accept !== undefined && { accept }) }
  const answer = await app.inject({ url: `/v2/exports/${path}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer
}

/** The records of a file, after checking that its last line has their number. */
function recordsOf(text: string): any[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { rows } = lines.pop()
  assert.equal(rows, lines.length)
  return lines
}

async function someLife(ask: Ask): Promise<void> {
  await replaceRules(ask, {
    penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
  })
  const part = { does: 'break', deposit: 0, percent: 20, waived: 50 } as const
  await live(ask, [
    { does: 'tax', standard: 10, base: 'NET', taxClass: 'STANDARD' },
    { does: 'open', amount: 10_000, tenor: 40, rollover: true, euro: false },
    { does: 'open', amount: 20_000, tenor: 90, rollover: false, euro: true },
    { does: 'wait', days: 10 },
    part,
    { ...part, waived: null },
    { does: 'reverse' },
    { does: 'wait', days: 20 },
    { ...part, deposit: 1 },
    { does: 'wait', days: 20 },
  ])
  const { accountNumber } = await fundedAccount(ask, 1)
  await ask('PUT', '/v2/approval-policy', {
    expires_after_hours: 24,
    deciders: 'ANY',
    rules: [{ operation: 'creditAccount', when: {}, approvals: 1 }],
  })
  const approval = { operation: 'creditAccount', target_id: accountNumber, body: { amount: 5.25 } }
  assert.equal((await ask('POST', '/v2/approvals', approval)).status, 201)
}

describeService('exports', (running) => {
  test('each export has the records of its list, oldest first', async () => {
    const { ask, app, testKey } = running()
    await someLife(ask)
    for (const [name, list] of [
      ['deposits', '/v2/fixed-deposits'],
      ['ledger-entries', '/v2/ledger-entries'],
      ['approvals', '/v2/approvals'],
    ] as const) {
      const file = await fileOf(app, testKey, `${name}?from=2026-07-01&to=2026-09-30`)
      assert.equal(file.headers['content-type'], 'application/x-ndjson')
      assert.equal(
        file.headers['content-disposition'],
        `attachment; filename="${name}-2026-07-01-2026-09-30.ndjson"`,
      )
      const records = recordsOf(file.body)
      assert(records.length > 0, name)
      // A line of an export has its code of the general ledger besides.
      const shown = records.map(({ lines, ...rest }) =>
        lines === undefined ? rest : { ...rest, lines: lines.map(({ gl_code: _, ...line }: any) => line) },
      )
      assert.deepEqual(shown, (await all(ask, list)).toReversed(), name)
    }
    const liquidations = recordsOf(
      (await fileOf(app, testKey, 'liquidations?from=2026-07-01&to=2026-09-30')).body,
    )
    const listed = (await all(ask, '/v2/liquidations')).toReversed()
    assert.equal(listed.length, 3)
    assert.deepEqual(
      liquidations,
      listed
        .map(({ explanation, waiver, ...kept }) => ({
          ...kept,
          waiver: waiver && { ...waiver, note: undefined },
          business_date: explanation.business_date,
        }))
        .map((one) => JSON.parse(JSON.stringify(one))),
    )
  })

  test('both ends of the range are inclusive, in the time zone of the bank', async () => {
    const { ask, app, testKey } = running()
    const days = async (from: string, to: string) =>
      recordsOf((await fileOf(app, testKey, `liquidations?from=${from}&to=${to}`)).body).map(
        (record) => record.business_date,
      )
    assert.deepEqual(await days('2026-07-11', '2026-07-31'), ['2026-07-11', '2026-07-11', '2026-07-31'])
    assert.deepEqual(await days('2026-07-11', '2026-07-11'), ['2026-07-11', '2026-07-11'])
    assert.deepEqual(await days('2026-07-12', '2026-07-30'), [])
    const opened = async (from: string, to: string) =>
      recordsOf((await fileOf(app, testKey, `deposits?from=${from}&to=${to}`)).body).length
    assert.equal(await opened('2026-07-01', '2026-07-01'), 2)
    assert.equal(await opened('2026-07-02', '2026-08-09'), 0)
    assert.equal(await opened('2026-08-10', '2026-09-30'), 1)
    const { now } = (await ask('GET', '/v2/test-clock')).json.data
    assert.equal(now, '2026-08-20T10:00:00.000Z')
  })

  test('as CSV each export has a header, a row for each record, and their number', async () => {
    const { app, testKey } = running()
    for (const name of EXPORTS) {
      const path = `${name}?from=2026-07-01&to=2026-09-30`
      const csv = await fileOf(app, testKey, path, 'text/csv')
      const records = recordsOf((await fileOf(app, testKey, path)).body)
      assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8; header=present')
      assert.match(String(csv.headers['content-disposition']), /\.csv"$/)
      const lines = csv.body.split('\r\n')
      assert.equal(lines.pop(), '')
      const width = lines[0]!.split(',').length
      assert.equal(lines.at(-1), `rows,${records.length}${','.repeat(width - 2)}`)
      assert.equal(lines.length, records.length + 2, name)
      if (records.length > 0) assert(lines[0]!.startsWith(Object.keys(records[0])[0]!), name)
    }
    const entries = await fileOf(app, testKey, 'ledger-entries?from=2026-07-01&to=2026-07-01', 'text/csv')
    const [header, first] = entries.body.split('\r\n')
    assert.match(header!, /account_1,amount_1,gl_code_1,account_2,amount_2.*account_8,amount_8,gl_code_8$/)
    assert.match(first!, /,ACCOUNT_CREDIT,.*cash,-1000000000\.00,,\d{10},1000000000\.00,{19}$/)
  })

  test('bad ranges are refused, and HEAD reads nothing', async () => {
    const { ask, db, app, testKey } = running()
    for (const name of EXPORTS) {
      for (const [query, ...fields] of [
        ['', ['from', 'required'], ['to', 'required']],
        ['from=2026-07-01&to=2026-10-01', ['to', 'out_of_range']],
        ['from=2026-07-02&to=2026-07-01', ['from', 'invalid_value']],
        ['from=2026-02-30&to=2026-07-01', ['from', 'invalid_format']],
        ['from=2026-07-01&to=never', ['to', 'invalid_format']],
        ['from=2026-07-01&to=2026-07-01&format=csv', ['format', 'unknown_field']],
      ] as [string, ...[string, string][]][]) {
        const asking = () => ask('GET', `/v2/exports/${name}?${query}`)
        await assertRefusedWithoutTrace(db, asking, invalid(...fields))
      }
      assert.equal((await ask('GET', `/v2/exports/${name}?from=2026-07-01&to=2026-09-30`)).status, 200)
      const headers = { authorization: `Bearer ${testKey}` }
      const url = `/v2/exports/${name}?from=2026-07-01&to=2026-09-30`
      const head = await app.inject({ method: 'HEAD', url, headers })
      assert.deepEqual([head.statusCode, head.body], [200, ''])
    }
  })

  test('exports need their scope, and hold only their own book', async () => {
    const { ask, app, askWith, liveKey } = running()
    const narrow = (await ask('POST', '/v2/api-keys', { scopes: ['fixed_deposits:read'] })).json.data.key
    const right = (await ask('POST', '/v2/api-keys', { scopes: ['reports:read'] })).json.data.key
    const details = '{"required_scope":"reports:read"}'
    for (const name of EXPORTS) {
      const path = `/v2/exports/${name}?from=2026-07-01&to=2026-09-30`
      assertRefused(await askWith(narrow)('GET', path), { status: 403, code: 'insufficient_scope', details })
      assert.equal((await askWith(right)('GET', path)).status, 200)
      assert.deepEqual(recordsOf((await fileOf(app, liveKey, path.slice('/v2/exports/'.length))).body), [])
    }
  })
})

for (const engine of engines) {
  describe(`${engine.name}: large exports`, { skip: engine.skip }, () => {
    test('a live book is exported over several pages, and a client that disconnects ends the reading', async () => {
      const db = await engine.open()
      let reads = 0
      let goOn: Promise<unknown> = Promise.resolve()
      const watched: Database = {
        ...db,
        async query(text, values) {
          if (/from ledger_entries/.test(text) && ++reads === 3) await goOn
          return db.query(text, values)
        },
      }
      const now = new Date().toISOString()
      const { app, askWith, liveKey, close } = await startService(watched, { now })
      try {
        const ask = askWith(liveKey)
        const { accountNumber } = await fundedAccount(ask, 1)
        const path = `/v2/accounts/${accountNumber}/credits`
        await Promise.all(Array.from({ length: 2_000 }, () => ask('POST', path, { amount: 1 })))
        const today = isoDate(now.slice(0, 10))
        const file = `ledger-entries?from=${today}&to=${addDays(today, 1)}`
        reads = 0
        assert.equal(recordsOf((await fileOf(app, liveKey, file)).body).length, 2_001)
        assert.equal(reads, 5)

        await app.listen({ port: 0, host: '127.0.0.1' })
        const { port } = app.server.address() as AddressInfo
        goOn = once(app.server, 'request').then(([, response]) => once(response, 'close'))
        reads = 0
        const headers = { authorization: `Bearer ${liveKey}` }
        const asking = request({ port, path: `/v2/exports/${file}`, headers })
        asking.on('error', () => {})
        asking.end()
        const [answer] = await once(asking, 'response')
        await once(answer, 'data')
        asking.destroy()
        await goOn
        for (let turn = 0; turn < 100; turn += 1) await setImmediate()
        assert(reads <= 3, `${reads} pages were read`)
      } finally {
        await close()
        await db.close()
      }
    })
  })
}
