import { isServerDamage, isServerFault } from '../database/database.ts'
import { ClockUnsureError, OutcomeUnknownError } from './faults.ts'

/** How a job logs a failure: what passes by itself, such as a database that is away, is a warning. */
export function levelOfFailure(error: unknown): 'warn' | 'error' {
  return mayPass(error) && !isServerDamage(error) ? 'warn' : 'error'
}

/** The failure is not of what was to be done: the same may succeed later, or, after an unknown commit, be done already. */
export function mayPass(error: unknown): boolean {
  return isServerFault(error) || error instanceof ClockUnsureError || error instanceof OutcomeUnknownError
}
