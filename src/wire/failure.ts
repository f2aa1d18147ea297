import type { Refusal } from '../domain/refusal.ts'
import type { Failure } from './envelope.ts'

/** A failure of a request: thrown once, turned into an answer by the only error handler. */
export class FailureError extends Error {
  readonly failure: Failure
  readonly headers: Record<string, string>
  constructor(failure: Failure, headers: Record<string, string> = {}) {
    super(failure.code)
    this.failure = failure
    this.headers = headers
  }
}

export function orRefused<Result extends { outcome: string }>(
  result: Result | Refusal,
): Exclude<Result, Refusal> {
  if (result.outcome === 'refused') {
    const { code, details, fields } = result as Refusal
    throw new FailureError({ code, details, ...(fields && { fields }) })
  }
  return result as Exclude<Result, Refusal>
}

export function found<Value>(value: Value | undefined, code: Failure['code']): Value {
  if (value === undefined) throw new FailureError({ code })
  return value
}
