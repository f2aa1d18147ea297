import { isServerDamage, isServerFault } from '../database/database.ts'
import { ClockUnsureError, OutcomeUnknownError } from './faults.ts'

/** How a job logs a failure: what passes by itself, such as a database that is away, is a warning. */
export function levelOfFailure(error: unknown): 'warn' | 'error' {
  const passes =
    (isServerFault(error) && !isServerDamage(error)) ||
    error instanceof ClockUnsureError ||
    error instanceof OutcomeUnknownError
  return passes ? 'warn' : 'error'
}
