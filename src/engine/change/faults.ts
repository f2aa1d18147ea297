/** Faults that a client receives as 503: the request itself may be fine. */

/** Nothing was done: the queue is full or the database cannot be reached. */
export class UnavailableError extends Error {}

/** A commit was sent, its response was lost, and looking for the change did not settle it in time. */
export class OutcomeUnknownError extends Error {}

/** Nothing was done: the clock of the service differs too much from the database's, or the book's date would jump. */
export class ClockUnsureError extends Error {}
