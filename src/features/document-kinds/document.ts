/** The kinds of documents that are nothing but their description. A new one is added to this list. */
import { type ApprovableOperation, NAMED_OPERATIONS } from '../../domain/approvals.ts'
import { accounting } from '../accounting/document.ts'
import { calendar } from '../calendar/document.ts'
import type { DocumentDescription } from '../versions/document.ts'

export const documentKinds: readonly DocumentDescription<unknown>[] = [calendar, accounting]

/** Every operation that may wait for approval, in the order in which a policy offers them: batches come last. */
export const APPROVABLE_OPERATIONS: readonly ApprovableOperation[] = [
  ...NAMED_OPERATIONS.slice(0, -1),
  ...documentKinds.map(({ operation }) => operation),
  ...NAMED_OPERATIONS.slice(-1),
]

/** What subscribers can receive. */
export const documentEvents = Object.fromEntries(documentKinds.map(({ event, record }) => [event, record]))
