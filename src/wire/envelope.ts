/** The format of every answer, and how values are written in it. */
import { formatPpm } from '../domain/decimal.ts'
import { formatAmount } from '../domain/money.ts'
import type { RefusalDetails } from '../domain/refusal.ts'
import { type ErrorCode, errors } from './errors.ts'
import type { Json } from './json.ts'
import type { FieldError } from './reader.ts'

/** A number that is written exactly as its text. JSON.rawJSON is newer than the library's types. */
type RawNumber = { readonly rawJSON: string }
const { rawJSON } = JSON as unknown as { rawJSON(text: string): RawNumber }

/** 150050n is written 1500.50, not 1500.5: an amount always shows both decimals. */
export function money(amount: bigint): RawNumber {
  return rawJSON(formatAmount(amount))
}

/** Parts per million as percent: 125000 is written 12.5. */
export function percent(ppm: number): RawNumber {
  return rawJSON(formatPpm(ppm))
}

/** A decimal that is already text. */
export function numeral(text: string): RawNumber {
  return rawJSON(text)
}

let lastMs = 0
let lastText = new Date(lastMs).toISOString()

/** All records of a batch show the same moment, so its text is kept. */
export function timestamp(instant: Date): string {
  const ms = instant.getTime()
  if (ms !== lastMs) {
    lastText = instant.toISOString()
    lastMs = ms
  }
  return lastText
}

export type ListMeta = { limit: number; has_more: boolean; next_cursor: string | null }

export function successBody(message: string, data: unknown): string {
  return JSON.stringify({ status: true, message, data })
}

/** The same around data that is already JSON text. */
export function successBodyOf(message: string, data: string): string {
  return `{"status":true,"message":${JSON.stringify(message)},"data":${data}}`
}

export function listBody(message: string, data: readonly unknown[], meta: ListMeta): string {
  return JSON.stringify({ status: true, message, data, meta })
}

export type Failure = {
  code: ErrorCode
  message?: string
  fields?: readonly FieldError[]
  details?: RefusalDetails | Record<string, RefusalDetails[string] | Json>
}

export function failureBody(failure: Failure, requestId: string): string {
  const row = errors[failure.code]
  return JSON.stringify({
    status: false,
    message: failure.message ?? row.message,
    data: null,
    error: {
      code: failure.code,
      fields: failure.fields ?? [],
      details: shownDetails(failure.details ?? {}),
      retryable: row.retryable,
      request_id: requestId,
      docs: docsOf(failure.code),
    },
  })
}

/** Where the reference explains a code. */
export function docsOf(code: ErrorCode): string {
  return `/docs#error-${code}`
}

function shownDetails(details: NonNullable<Failure['details']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'bigint' ? money(value) : value]),
  )
}
