/** Cancelling a batch: what was carried out stays and is recorded, the rest is skipped, however much it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINES_TOGETHER, runBatches } from '../../../src/features/batches/job.ts'
import { findPartOfLine, listNotCarriedOut } from '../../../src/features/batches/store.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { create, outcomes, type Result, resultsOf, send, start } from '../../support/batches.ts'
import { isCoordinator } from '../../support/engines.ts'
import { describeService, fundedAccount } from '../../support/service.ts'

describeService('cancelling batches', (running) => {
  type Listed = [line: number, externalId: string | null, outcome: string]

  /** All pages of the results. */
  async function linesOf(batchId: string, query = ''): Promise<Listed[]> {
    const listed: Listed[] = []
    for (let cursor = ''; ; ) {
      const { json } = await running().ask('GET', `/v2/batches/${batchId}/results?limit=40${query}${cursor}`)
      listed.push(
        ...json.data.map(({ line, external_id, outcome }: Result): Listed => [line, external_id, outcome]),
      )
      if (json.meta.next_cursor === null) return listed
      cursor = `&cursor=${json.meta.next_cursor}`
    }
  }

  /** A started batch of credits, of which the second is refused and the last repeats the first. */
  async function startCredits(name: string) {
    const { ask, service, callerId } = running()
    const { accountNumber } = await fundedAccount(ask, 1)
    const line = (n: number, account_number = accountNumber) => ({
      ...{ account_number, amount: 1, external_id: `${name}-${n}` },
    })
    const batchId = await create(ask, 'creditAccount')
    await send(ask, batchId, 1, [line(1), line(2, '0000000000'), line(3), line(1)])
    await start(ask, batchId)
    const cancel = async () => {
      const { status, succeeded, duplicates, failed, skipped } = (
        await ask('POST', `/v2/batches/${batchId}/cancel`)
      ).json.data
      return [status, succeeded, duplicates, failed, skipped]
    }
    const balance = async () => (await ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const became = async () => outcomes(await resultsOf(ask, batchId))
    return { service, book, batchId, cancel, balance, became }
  }

  test('lines that were carried out before a crash are recorded as such where the batch is cancelled', async () => {
    const { service, book, batchId, cancel, balance, became } = await startCredits('DROPPED')
    const crashing = { ...service, perform: () => Promise.reject(new Error('the process ended')) }
    const first = { instance: 'first', isStopped: () => false }
    await assert.rejects(runBatches(crashing, book, first), /the process ended/)
    assert.deepEqual(await cancel(), ['CANCELLED', 2, 0, 0, 2])
    await runBatches(service, book, first)
    assert.deepEqual(await became(), ['SUCCEEDED', 'SKIPPED', 'SUCCEEDED', 'SKIPPED'])
    assert.equal(await balance(), 3)
    assert.deepEqual(await linesOf(batchId, '&outcome=SKIPPED'), [
      [2, 'DROPPED-2', 'SKIPPED'],
      [4, 'DROPPED-1', 'SKIPPED'],
    ])
  })

  test('a cancellation that comes before the record of lines leaves every line what became of it', async () => {
    const { service, book, batchId, cancel, balance, became } = await startCredits('CROSSED')
    const overtaken: typeof service = {
      ...service,
      async performTogether(...lines) {
        const results = await service.performTogether(...lines)
        assert.deepEqual(await cancel(), ['CANCELLED', 2, 0, 0, 2])
        return results
      },
    }
    await runBatches(overtaken, book, { instance: 'first', isStopped: () => false })
    assert.deepEqual(await became(), ['SUCCEEDED', 'account_not_found', 'SUCCEEDED', 'DUPLICATE'])
    assert.equal(await balance(), 3)
    const { ask } = running()
    const { succeeded, duplicates, failed, skipped } = (await ask('GET', `/v2/batches/${batchId}`)).json.data
    assert.deepEqual([succeeded, duplicates, failed, skipped], [2, 1, 1, 0])
  })

  test('no line is carried out after its batch was cancelled', async () => {
    const { service, book, cancel, balance, became } = await startCredits('LATE')
    const late: typeof service = {
      ...service,
      async performTogether(...lines) {
        assert.deepEqual(await cancel(), ['CANCELLED', 0, 0, 0, 4])
        return service.performTogether(...lines)
      },
    }
    await runBatches(late, book, { instance: 'first', isStopped: () => false })
    assert.deepEqual(await became(), Array(4).fill('SKIPPED'))
    assert.equal(await balance(), 1)
  })

  const LINES = 453
  const CARRIED_OUT = 1.5 * LINES_TOGETHER

  /**
   * A batch of three parts that is cancelled when one chunk of lines was recorded, and every second line of the next was
   * carried out by an instance that ended before it recorded them.
   */
  async function cancelLate(name: string): Promise<{ batchId: string; bookId: string; expected: Listed[] }> {
    const { ask, service, callerId } = running()
    const { accountNumber } = await fundedAccount(ask, 1)
    const isRefused = (line: number) => line > LINES_TOGETHER && line % 2 === 0
    const file = Array.from({ length: LINES }, (_, index) => ({
      ...{ account_number: isRefused(index + 1) ? '0000000000' : accountNumber, amount: 1 },
      external_id: `${name}-${index + 1}`,
    }))
    const batchId = await create(ask, 'creditAccount')
    await send(ask, batchId, 1, file.slice(0, 250))
    await send(ask, batchId, 2, file.slice(250, 251))
    await send(ask, batchId, 3, file.slice(251))
    await start(ask, batchId)
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    let chunks = 0
    const isStopped = () => chunks++ === 1
    await runBatches(service, book, { instance: 'first', isStopped })
    const crashing = { ...service, perform: () => Promise.reject(new Error('the process ended')) }
    const second = { instance: 'first', isStopped: () => false }
    await assert.rejects(runBatches(crashing, book, second), /the process ended/)
    const { status, succeeded, skipped } = (await ask('POST', `/v2/batches/${batchId}/cancel`)).json.data
    assert.deepEqual([status, succeeded, skipped], ['CANCELLED', CARRIED_OUT, LINES - CARRIED_OUT])
    const expected = file.map(({ external_id }, index): Listed => {
      const isTried = index < 2 * LINES_TOGETHER && !isRefused(index + 1)
      return [index + 1, external_id, isTried ? 'SUCCEEDED' : 'SKIPPED']
    })
    return { batchId, bookId: book.bookId, expected }
  }

  const rowsOf = async (batchId: string): Promise<number> => {
    const [row] = await running().db.query<{ rows: number }>(
      'select count(*)::int4 as rows from batch_lines where batch_id = $1',
      [batchId],
    )
    return row!.rows
  }

  async function assertListed(batchId: string, expected: readonly Listed[]): Promise<void> {
    const of = (outcome: string) => expected.filter((line) => line[2] === outcome)
    assert.deepEqual(await linesOf(batchId), expected)
    assert.deepEqual(await linesOf(batchId, '&outcome=SKIPPED'), of('SKIPPED'))
    assert.deepEqual(await linesOf(batchId, '&outcome=SUCCEEDED'), of('SUCCEEDED'))
    assert.deepEqual(await linesOf(batchId, '&outcome=FAILED'), [])
    const { app, testKey } = running()
    const { body } = await app.inject({
      url: `/v2/batches/${batchId}/results`,
      headers: { authorization: `Bearer ${testKey}`, accept: 'application/x-ndjson' },
    })
    const rows = body
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
    assert.deepEqual(
      rows.slice(0, -1).map(({ line, external_id, outcome }) => [line, external_id, outcome]),
      expected,
    )
    assert.deepEqual(rows.at(-1), { rows: expected.length })
  }

  test('a cancellation writes nothing for the lines that it skips, which are listed all the same', async () => {
    const { batchId, expected } = await cancelLate('MANY')
    assert.equal(await rowsOf(batchId), CARRIED_OUT)
    await assertListed(batchId, expected)
  })

  test('rows that earlier versions wrote for lines that were skipped say the same', async () => {
    const { batchId, bookId, expected } = await cancelLate('EARLIER')
    await running().db.query(
      `insert into batch_lines (book_id, batch_id, line, outcome)
       select $1, $2, line, 'SKIPPED'
       from generate_series(1, $3::int4) as lines(line)
       on conflict do nothing`,
      [bookId, batchId, LINES],
    )
    assert.equal(await rowsOf(batchId), LINES)
    await assertListed(batchId, expected)
  })

  test('a batch that was not started is cancelled without a row', async () => {
    const { ask } = running()
    const batchId = await create(ask, 'creditAccount')
    await send(ask, batchId, 1, ['no line', { external_id: 'A' }])
    const { status, skipped } = (await ask('POST', `/v2/batches/${batchId}/cancel`)).json.data
    assert.deepEqual([status, skipped, await rowsOf(batchId)], ['CANCELLED', 2, 0])
    assert.deepEqual(await linesOf(batchId), [
      [1, null, 'SKIPPED'],
      [2, 'A', 'SKIPPED'],
    ])
  })

  test('all lines that were carried out are found, however many before them failed', async () => {
    const { ask, db, app, testKey } = running()
    const batchId = await create(ask, 'creditAccount')
    const lines = 20_150
    const isDone = `line % 10050 = 0 or line > ${lines - 2}`
    await db.query(
      `insert into batch_lines (book_id, batch_id, line, outcome, error)
       select book_id, batch_id, line, case when ${isDone} then 'SUCCEEDED' else 'FAILED' end,
         case when ${isDone} then null else '{"code":"x","fields":[],"details":{}}' end
       from batches, generate_series(1, ${lines}) as lines(line)
       where batch_id = $1`,
      [batchId],
    )
    await db.query(
      `update batches set status = 'DONE', finished_at = created_at, lines = ${lines}, succeeded = 4, failed = ${lines} - 4
       where batch_id = $1`,
      [batchId],
    )
    const carriedOut = [10_050, 20_100, 20_149, 20_150]
    const listed = (await linesOf(batchId, '&outcome=SUCCEEDED')).map(([line]) => line)
    assert.deepEqual(listed, carriedOut)
    const file = await app.inject({
      url: `/v2/batches/${batchId}/results?outcome=SUCCEEDED`,
      headers: { authorization: `Bearer ${testKey}`, accept: 'application/x-ndjson' },
    })
    const rows = file.body.trim().split('\n')
    assert.deepEqual(
      rows.map((text) => JSON.parse(text).line ?? JSON.parse(text).rows),
      [...carriedOut, 4],
    )
    for (const table of ['batch_lines', 'batches'])
      await db.query(`delete from ${table} where batch_id = $1`, [batchId])
  })

  test('lines of one outcome, and the part of a line, are found without those before them', {
    skip: isCoordinator && 'its plans are those of other servers',
  }, async () => {
    const { db } = running()
    const planOf = async (text: string, values: unknown[]) => {
      const rows = await db.query<Record<string, string>>(`explain ${text}`, values)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    await db.query(
      `insert into batch_lines (book_id, batch_id, line, outcome)
       select 'bk_plan', 'bat_plan', line, case when line = 20000 then 'DUPLICATE' else 'SUCCEEDED' end
       from generate_series(1, 20000) as lines(line)`,
    )
    await db.query(
      `insert into batch_parts (book_id, batch_id, part, digest, first_line, lines, content)
       select 'bk_plan', 'bat_plan', line, '', line, 1, '{}'
       from generate_series(1, 20000) as lines(line)`,
    )
    await db.script('analyze batch_lines')
    await db.script('analyze batch_parts')
    const place = ['bk_plan', 'bat_plan', 10]
    assert.match(
      await planOf(listNotCarriedOut.text, [...place, 100, 'DUPLICATE']),
      /Index Scan using batch_lines_not_carried_out/,
    )
    assert.match(await planOf(findPartOfLine.text, place), /batch_parts_by_line/)
    for (const table of ['batch_lines', 'batch_parts'])
      await db.query(`delete from ${table} where book_id = 'bk_plan'`)
  })
})
