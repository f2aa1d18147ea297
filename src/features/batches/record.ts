import { type Static, Type } from 'typebox'
import {
  BATCH_OPERATIONS,
  BATCH_STATUSES,
  type Batch,
  type BatchLine,
  type BatchOperation,
  LINE_OUTCOMES,
  type SentPart,
} from '../../domain/batch.ts'
import { readDecimal } from '../../domain/decimal.ts'
import { MINOR_MAX } from '../../domain/money.ts'
import { money, successBodyOf } from '../../wire/envelope.ts'
import { AnyObject, Choice, MoneySum, Nullable, PlainText, WholeNumber } from '../../wire/fields.ts'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  MalformedJsonError,
  Numeral,
  parseJson,
} from '../../wire/json.ts'
import type { FieldError } from '../../wire/reader.ts'
import {
  actor,
  batchId,
  count,
  createdAt,
  instant,
  kind,
  oneOf,
  orNull,
  record,
  sumOfAmounts,
  text,
} from '../../wire/record.ts'

const OPERATION = 'The operationId of the operation that every line is.'
const NAME = 'A name of yours, for people.'

export const NewBatch = Type.Object({
  operation: Choice(BATCH_OPERATIONS, { title: 'BatchOperation', description: OPERATION }),
  name: Type.Optional(Nullable(PlainText({ max: 100 }), { description: NAME })),
  expected: Type.Optional(
    Nullable(
      Type.Object(
        {
          lines: WholeNumber({ min: 0, max: 1_000_000, description: 'How many lines.' }),
          total_amount: MoneySum({
            description: 'The sum of their amounts; lines without one count 0.',
          }),
        },
        { title: 'ControlTotals' },
      ),
      { description: 'What the file contains; the batch does not start with anything else.' },
    ),
  ),
})
export type NewBatch = Static<typeof NewBatch>

/** The body of startBatch, which says everything by its path. */
export const BatchStart = Type.Object({}, { additionalProperties: false })

const operation = oneOf('BatchOperation', BATCH_OPERATIONS)

export const BatchRecord = record<Batch>('Batch', {
  batch_id: batchId.of((batch) => batch.batchId),
  operation: operation.as(OPERATION, (batch) => batch.operation),
  name: orNull(text).as(NAME, (batch) => batch.name),
  status: oneOf('BatchStatus', BATCH_STATUSES).as(
    'UPLOADING until it is started, RUNNING until every line was tried, then DONE; or CANCELLED.',
    (batch) => batch.status,
  ),
  parts: count.as('Parts sent so far.', (batch) => batch.parts),
  lines: count.as('Lines in all parts.', (batch) => batch.lines),
  total_amount: sumOfAmounts.as('Sum of the amounts of the lines that can be read.', (batch) => batch.total),
  succeeded: count.as('Lines that were carried out.', (batch) => batch.succeeded),
  duplicates: count.as('Lines that had been carried out before.', (batch) => batch.duplicates),
  failed: count.as('Lines that were refused.', (batch) => batch.failed),
  skipped: count.as('Lines that a cancellation left out.', (batch) => batch.skipped),
  started_by: orNull(actor).as('Who started it, and made its changes.', (batch) => batch.startedBy),
  created_at: createdAt.of((batch) => batch.createdAt),
  finished_at: orNull(instant).as('When it was done or cancelled.', (batch) => batch.finishedAt),
})

const json = kind<string>(AnyObject(), (stored) => parseJson(stored))

export const BatchResultRecord = record<BatchLine>('BatchResult', {
  line: count.as('Its place in the batch, from 1 over all parts.', (line) => line.line),
  external_id: orNull(text).as('Its name; null where it cannot be read.', (line) => line.externalId),
  outcome: oneOf('LineOutcome', LINE_OUTCOMES).as(
    'SUCCEEDED; DUPLICATE: it had been carried out before, with this answer; FAILED: refused; SKIPPED.',
    (line) => line.outcome,
  ),
  id: orNull(text).as('What it made or changed.', (line) => line.madeId),
  data: orNull(json).as('What the operation answered.', (line) => line.data),
  error: orNull(json).as(
    'Code, fields and details of a refusal: a code of the operation, or of an import account_number_taken, interest_paid_to_invalid or maturity_date_invalid.',
    (line) => line.error,
  ),
})

/** A refusal of a line, as it is stored: what the direct call would have answered. */
export function errorText(failure: {
  code: string
  fields?: readonly FieldError[]
  details?: object
}): string {
  const details = Object.entries(failure.details ?? {}).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? money(value) : value,
  ])
  return JSON.stringify({
    code: failure.code,
    fields: failure.fields ?? [],
    details: Object.fromEntries(details),
  })
}

/** The refusal of a line; empty where it was not refused. */
export function readError({ error }: BatchLine): { code: string; fields: readonly FieldError[] } {
  return error === null ? { code: '', fields: [] } : JSON.parse(error)
}

/** What subscribers can receive. */
export const batchEvents = { 'batch.completed': BatchRecord }

/** null where it is not JSON. */
export function parsedLine(text: string): Json {
  try {
    return parseJson(Buffer.from(text))
  } catch (error) {
    if (error instanceof MalformedJsonError) return null
    throw error
  }
}

/** What lines add to the control totals of their batch; those that cannot be read add nothing. */
export function totalsOf(
  operation: BatchOperation,
  lines: readonly string[],
): Pick<SentPart, 'total' | 'waives'> {
  const read = lines.map(parsedLine).filter((line) => line !== null && isJsonObject(line))
  return {
    total: read.reduce((sum, line) => sum + amountIn(operation, line), 0n),
    waives: read.some(({ waiver = null }) => waiver !== null),
  }
}

function amountIn(operation: BatchOperation, line: JsonObject): bigint {
  if (operation === 'importAccount') return amountOf(line.balance)
  if (operation === 'importFixedDeposit') return amountOf(line.remaining_principal ?? line.principal)
  return amountOf(line.amount)
}

function amountOf(value: Json | undefined): bigint {
  if (!(value instanceof Numeral)) return 0n
  const read = readDecimal(value.source, { digits: 2, max: MINOR_MAX })
  return typeof read === 'string' || read.units < 0n ? 0n : read.units
}

/** The external_id of a line; null where it cannot be read. */
export function nameIn(text: string): string | null {
  const line = parsedLine(text)
  return line !== null && isJsonObject(line) && typeof line.external_id === 'string' ? line.external_id : null
}

/** No caller can send a key with a line feed. */
export function keyOf({ operation }: Pick<Batch, 'operation'>, externalId: string): string {
  return `batch\n${operation}\n${externalId}`
}

export type Place = { batchId: string; line: number }

/** The stored answer has the form of all others. Its message says which line it belongs to. */
export function messageOf({ batchId, line }: Place): string {
  return `Carried out as line ${line} of ${batchId}.`
}

export function isOwnAnswer(body: string, place: Place): boolean {
  return body.startsWith(successBodyOf(messageOf(place), '').slice(0, -1))
}

/** No message of a line contains what comes before the data. */
export function dataOf(body: string): string {
  return body.slice(body.indexOf(DATA) + DATA.length, -1)
}

const DATA = ',"data":'
