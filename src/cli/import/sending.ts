/**
 * Sends the rows of a file as a batch and waits for its results. Guarantees: a line takes effect once, however often the
 * command is run; a run that was stopped goes on with the batch it had begun, which is found by the digest of its lines.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BATCH_LINES_MAX, PART_LINES_MAX, PART_MAX_BYTES } from '../../domain/batch.ts'
import { formatAmount } from '../../domain/money.ts'
import { isJsonObject, type JsonObject, Numeral } from '../../wire/json.ts'
import { OPERATION_OF } from './check.ts'
import type { FileName } from './mapping.ts'
import { countOf, RefusedError, type Service } from './service.ts'
import { unitsOf } from './totals.ts'

/** A line of a batch, and where in its file it comes from. */
export type SentLine = { line: number; members: Record<string, unknown> }

export type LineResult = {
  line: number
  externalId: string
  /** null: it was carried out, now or before. */
  failure: { code: string; fields: readonly { field: string; message: string }[] } | null
  data: Record<string, unknown>
}

type Lines = () => AsyncGenerator<SentLine>
type Show = (text: string) => void

const POLL_MS = 300

export async function sendFile(service: Service, file: FileName, lines: Lines, show: Show) {
  const found = await summarise(file, lines)
  if (found.places.length === 0) return []
  if (found.places.length > BATCH_LINES_MAX)
    throw new Error(`${file} has more than ${BATCH_LINES_MAX} lines. Divide the files.`)
  const batch = (await findBatch(service, file, found.name)) ?? (await createBatch(service, file, found))
  const path = `/v2/batches/${batch.batch_id}`
  if (batch.status === 'UPLOADING') {
    await upload(service, { path, sent: countOf(batch.parts) }, lines, (count) =>
      show(`Sending ${file}: ${count} of ${found.places.length} lines.`),
    )
    await start(service, file, batch)
  }
  await finish(service, path, (count) => show(`Importing ${file}: ${count} of ${found.places.length} lines.`))
  return readResults(service, path, found.places)
}

/** Where others have to approve the start, they are asked, and the command goes on once they did. */
async function start(service: Service, file: FileName, { batch_id: batchId }: JsonObject): Promise<void> {
  const isCode = (error: unknown, code: string) => error instanceof RefusedError && error.code === code
  try {
    await service.post(`/v2/batches/${batchId}/start`)
    return
  } catch (error) {
    if (!isCode(error, 'approval_required')) throw error
  }
  try {
    await service.post('/v2/approvals', { operation: 'startBatch', target_id: String(batchId), body: {} })
  } catch (error) {
    if (!isCode(error, 'approval_already_pending')) throw error
  }
  throw new Error(`The start of ${file} waits for approval. Run the same command again once it was given.`)
}

async function summarise(file: FileName, lines: Lines) {
  const digest = createHash('sha256')
  const places: number[] = []
  let total = 0n
  for await (const { line, members } of lines()) {
    digest.update(`${JSON.stringify(members)}\n`)
    places.push(line)
    total += unitsOf(members.balance ?? members.remaining_principal ?? members.principal)
  }
  return { name: `import of ${file} ${digest.digest('hex').slice(0, 32)}`, places, total }
}

/** The newest batch of the same lines, unless some of them failed or were skipped: those are tried again in a new one. */
async function findBatch(service: Service, file: FileName, name: string): Promise<JsonObject | undefined> {
  for await (const batch of service.list(`/v2/batches?operation=${OPERATION_OF[file]}`)) {
    if (batch.name !== name) continue
    const isOver = batch.status === 'CANCELLED' || (batch.status === 'DONE' && countOf(batch.failed) > 0)
    return isOver ? undefined : batch
  }
}

function createBatch(
  service: Service,
  file: FileName,
  { name, places, total }: { name: string; places: readonly number[]; total: bigint },
): Promise<JsonObject> {
  const expected = { lines: places.length, total_amount: new Numeral(formatAmount(total)) }
  return service.post('/v2/batches', { operation: OPERATION_OF[file], name, expected })
}

async function upload(
  service: Service,
  { path, sent }: { path: string; sent: number },
  lines: Lines,
  show: (count: number) => void,
): Promise<void> {
  let number = 0
  let count = 0
  for await (const part of partsOf(lines())) {
    number += 1
    count += part.lines
    // A further time changes nothing, but takes its time.
    if (number > sent) await service.post(`${path}/parts/${number}`, Buffer.from(part.text))
    show(count)
  }
}

async function* partsOf(lines: AsyncGenerator<SentLine>): AsyncGenerator<{ text: string; lines: number }> {
  let part: string[] = []
  let bytes = 0
  for await (const { members } of lines) {
    const text = `${JSON.stringify(members)}\n`
    const size = Buffer.byteLength(text)
    if (part.length === PART_LINES_MAX || (part.length > 0 && bytes + size > PART_MAX_BYTES)) {
      yield { text: part.join(''), lines: part.length }
      part = []
      bytes = 0
    }
    part.push(text)
    bytes += size
  }
  if (part.length > 0) yield { text: part.join(''), lines: part.length }
}

async function finish(service: Service, path: string, show: (count: number) => void): Promise<void> {
  for (;;) {
    const { status, succeeded, duplicates, failed } = await service.get(path)
    show(countOf(succeeded) + countOf(duplicates) + countOf(failed))
    if (status === 'DONE') return
    if (status === 'CANCELLED') throw new Error('Somebody cancelled the batch. Run the same command again.')
    await sleep(POLL_MS)
  }
}

async function readResults(service: Service, path: string, places: readonly number[]): Promise<LineResult[]> {
  const results: LineResult[] = []
  for await (const { line, external_id, error, data } of service.lines(`${path}/results`)) {
    if (line === undefined) continue
    const refused = error != null && isJsonObject(error) ? error : null
    results.push({
      line: places[countOf(line) - 1]!,
      externalId: String(external_id),
      failure: refused && {
        code: String(refused.code),
        fields: refused.fields as unknown as { field: string; message: string }[],
      },
      data: data != null && isJsonObject(data) ? data : {},
    })
  }
  if (results.length !== places.length)
    throw new Error('Some results are missing. Run the same command again.')
  return results
}
