/** How a refusal looks from outside: the whole envelope, its headers, and a database that stayed as it was. */
import assert from 'node:assert/strict'
import type { Queries } from '../../src/engine/database/database.ts'
import { digest } from './auditor.ts'
import type { Answer } from './service.ts'

export type ExpectedRefusal = {
  status: number
  code: string
  /** Field and code of each field error, in order. */
  fields?: readonly (readonly [field: string, code: string])[]
  /** The exact text of error.details, so that an amount without its decimals is seen. */
  details?: string
  retryable?: boolean
}

const REQUEST_ID = /^req_[0-9A-Za-z]{24}$/

export function assertRefused(answer: Answer, expected: ExpectedRefusal): void {
  const { status, code, fields = [], details = '{}', retryable = false } = expected
  const { error } = answer.json
  assert.deepEqual(
    { status: answer.status, code: error?.code, fields: error?.fields?.map(fieldAndCode), body: answer.text },
    { status, code, fields, body: answer.text },
  )
  for (const sentence of [
    answer.json.message,
    ...error.fields.map((field: { message: string }) => field.message),
  ]) {
    assert.match(sentence, /^[A-Z"].+\.$/s)
  }
  assert.deepEqual(answer.json, {
    status: false,
    message: answer.json.message,
    data: null,
    error: {
      code,
      fields: error.fields,
      details: JSON.parse(details),
      retryable,
      request_id: error.request_id,
      docs: `/docs#error-${code}`,
    },
  })
  for (const field of error.fields) assert.deepEqual(Object.keys(field), ['field', 'code', 'message'])
  assert(answer.text.includes(`"details":${details},`), answer.text)
  assertStandardHeaders(answer)
  assert.equal(error.request_id, answer.headers['request-id'])
}

/** Sees that the work left every row of every book as it was. */
export async function assertUnchanged(db: Queries, work: () => Promise<void>): Promise<void> {
  const before = await digest(db)
  await work()
  assert.deepEqual(await digest(db), before)
}

export function assertRefusedWithoutTrace(
  db: Queries,
  asking: () => Promise<Answer>,
  expected: ExpectedRefusal,
): Promise<void> {
  return assertUnchanged(db, async () => assertRefused(await asking(), expected))
}

export function assertStandardHeaders(answer: Answer): void {
  const { headers } = answer
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['request-id']), REQUEST_ID)
}

/** Two bodies that may differ in nothing but the request they answered. */
export function withoutRequestId(answer: Answer): string {
  return answer.text.replace(String(answer.headers['request-id']), 'req_')
}

function fieldAndCode(field: { field: string; code: string }): [string, string] {
  return [field.field, field.code]
}
