/** Withholding tax: reading the versions of a book's rules, writing the next, and the tax status of customers. */
import type { NewestVersions } from '../../domain/document.ts'
import { refuse } from '../../domain/refusal.ts'
import type { CustomerTaxStatus, TaxRules, TaxVersion } from '../../domain/tax.ts'
import {
  type AnswerWriter,
  made,
  type Origin,
  type Result,
  whatWasLocked,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { defineDocument } from '../documents/changes.ts'
import { held } from '../holding/changes.ts'
import {
  ChangedTaxStatusRecord,
  formatTaxRules,
  parseTaxRules,
  TaxRulesRecord,
  taxStatusChanges,
} from './record.ts'
import { lockTaxStatus, writeTaxStatus } from './store.ts'

const KIND = 'TAX_RULES'
const ALL_UP_TO = 'TAX_RULES up to'

export const taxRulesDocument = defineDocument<TaxRules>({
  kind: KIND,
  operation: 'replaceTaxRules',
  event: 'tax_rules.updated',
  record: TaxRulesRecord,
  format: formatTaxRules,
  parse: parseTaxRules,
  effectiveFrom: ({ effectiveFrom }) => effectiveFrom,
})

export const readTaxRules = taxRulesDocument.reader.read

/** All versions, in order. For a book without tax rules nothing is read. */
export async function readTaxVersions(
  db: Queries,
  at: { book: { bookId: string }; snapshot: { versions: NewestVersions }; versions: VersionCache },
): Promise<readonly TaxVersion[]> {
  return readTaxVersionsTo(db, at.versions, at.book.bookId, at.snapshot.versions[KIND])
}

export async function readTaxVersionsTo(
  db: Queries,
  cache: VersionCache,
  bookId: string,
  newest: number,
): Promise<readonly TaxVersion[]> {
  if (newest === 0) return []
  const known = cache.get<TaxVersion[]>(ALL_UP_TO, bookId, newest)
  if (known !== undefined) return known
  const numbers = Array.from({ length: newest }, (_, index) => index + 1)
  const rules = await readTaxRules(db, cache, bookId, numbers)
  const versions = [...rules].map(([version, rules]) => ({ version, rules }))
  cache.set(ALL_UP_TO, bookId, newest, versions)
  return versions
}

type TaxStatusChange = { before: CustomerTaxStatus; after: CustomerTaxStatus }
type Before = CustomerTaxStatus | undefined

export const taxStatusChange = held<CustomerTaxStatus, Before, Before, TaxStatusChange>({
  operation: 'putTaxStatus',
  batchMax: 1,
  lock: (tx, bookId, [request]) => lockTaxStatus(tx, bookId, request!.customerId),
  read: whatWasLocked,
  decider: (before, _at, hold) => (after) => {
    if (before === undefined) return refuse('customer_not_found')
    return hold(() => ({})) ?? made({ before, after })
  },
  write(tx, bookId, values, recording) {
    for (const { after } of values) writeTaxStatus(tx, bookId, after)
    record(tx, bookId, recording)
  },
  events: ({ before, after }) => [
    {
      type: 'customer.tax_status_changed',
      // An unchanged status is recorded in the audit log, but not announced to subscribers.
      announced: before.taxClass !== after.taxClass || before.taxValidUntil !== after.taxValidUntil,
      subjectId: after.customerId,
      data: ChangedTaxStatusRecord.json(after),
      changes: taxStatusChanges(before, after),
    },
  ],
})

export function putTaxStatus(
  engine: Engine,
  origin: Origin,
  status: CustomerTaxStatus,
  answer?: AnswerWriter<TaxStatusChange>,
): Promise<Result<TaxStatusChange>> {
  return engine.submit(taxStatusChange, origin, status, answer)
}
