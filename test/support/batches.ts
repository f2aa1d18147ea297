/** Files of many operations, sent, started and carried out. */
import assert from 'node:assert/strict'
import { runBatches } from '../../src/features/batches/job.ts'
import { findBook } from '../../src/features/callers/store.ts'
import type { Ask, startService } from './service.ts'

export type Running = Awaited<ReturnType<typeof startService>>

export const LINES = { 'content-type': 'application/x-ndjson' }
export const create = async (ask: Ask, operation: string, more: object = {}): Promise<string> => {
  const made = await ask('POST', '/v2/batches', { operation, ...more })
  assert.equal(made.status, 201, made.text)
  return made.json.data.batch_id
}
export const send = (ask: Ask, batchId: string, part: number | string, lines: readonly (object | string)[]) =>
  ask(
    'POST',
    `/v2/batches/${batchId}/parts/${part}`,
    Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
    LINES,
  )
export const start = (ask: Ask, batchId: string) => ask('POST', `/v2/batches/${batchId}/start`)

export async function finish({ service, callerId }: Running): Promise<void> {
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  await runBatches(service, book, { instance: 'one', isStopped: () => false })
}

/** Sends, starts and carries out; answers the results. */
export async function run(running: Running, operation: string, lines: readonly (object | string)[]) {
  const { ask } = running
  const batchId = await create(ask, operation)
  assert.equal((await send(ask, batchId, 1, lines)).status, 201)
  const started = await start(ask, batchId)
  assert.equal(started.status, 200, started.text)
  await finish(running)
  return resultsOf(ask, batchId)
}

export type Result = {
  line: number
  external_id: string | null
  outcome: string
  id: string | null
  data: any
  error: { code: string; fields: { field: string; code: string }[]; details: object } | null
}
export const resultsOf = async (ask: Ask, batchId: string): Promise<Result[]> =>
  (await ask('GET', `/v2/batches/${batchId}/results?limit=100`)).json.data
export const outcomes = (results: readonly Result[]) =>
  results.map(({ outcome, error }) => error?.code ?? outcome)
