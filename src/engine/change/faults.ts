/** Faults that a caller hears of as 503: the world failed, the request did not. */

/** Nothing was done: the queue is full or the database cannot be reached. */
export class UnavailableError extends Error {}

/** A commit was sent, its answer was lost, and looking for the change did not settle it in time. */
export class OutcomeUnknownError extends Error {}
