/** Withholding tax: reading the versions of a book's rules, writing the next, and the tax status of customers. */
import { type ApprovalPolicy, heldForApproval } from '../../domain/approvals.ts'
import { refuse } from '../../domain/refusal.ts'
import type { CustomerTaxStatus, TaxRules, TaxVersion } from '../../domain/tax.ts'
import { type AnswerWriter, type Change, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { readPolicy } from '../approval-policy/changes.ts'
import { setTaxVersion } from '../callers/store.ts'
import { findDocuments, insertDocument } from '../documents/store.ts'
import { lockBook } from '../rules/store.ts'
import {
  ChangedTaxStatusRecord,
  formatTaxRules,
  parseTaxRules,
  TaxRulesRecord,
  type TaxRulesVersion,
  taxStatusChanges,
} from './record.ts'
import { lockTaxStatus, writeTaxStatus } from './store.ts'

const KIND = 'TAX_RULES'
const ALL_UP_TO = 'TAX_RULES up to'

/** Versions never change, so each is read and parsed once. */
export async function readTaxRules(
  db: Queries,
  cache: VersionCache,
  bookId: string,
  versions: Iterable<number>,
): Promise<Map<number, TaxRules>> {
  const wanted = [...new Set(versions)]
  const missing = wanted.filter((version) => cache.get(KIND, bookId, version) === undefined)
  const read = missing.length === 0 ? [] : await findDocuments(db, bookId, KIND, missing)
  for (const { version, text } of read) cache.set(KIND, bookId, version, parseTaxRules(text))
  return new Map(
    wanted.flatMap((version) => {
      const rules = cache.get<TaxRules>(KIND, bookId, version)
      return rules === undefined ? [] : [[version, rules] as const]
    }),
  )
}

/** All versions, in order. For a book without tax rules nothing is read. */
export async function readTaxVersions(
  db: Queries,
  at: { book: { bookId: string }; snapshot: { taxVersion: number }; versions: VersionCache },
): Promise<readonly TaxVersion[]> {
  const { bookId } = at.book
  const { taxVersion: newest } = at.snapshot
  if (newest === 0) return []
  const known = at.versions.get<TaxVersion[]>(ALL_UP_TO, bookId, newest)
  if (known !== undefined) return known
  const numbers = Array.from({ length: newest }, (_, index) => index + 1)
  const rules = await readTaxRules(db, at.versions, bookId, numbers)
  const versions = [...rules].map(([version, rules]) => ({ version, rules }))
  at.versions.set(ALL_UP_TO, bookId, newest, versions)
  return versions
}

type KnownRules = { newest: number; policy: ApprovalPolicy | null }

export const taxRulesReplacement: Change<TaxRules, void, KnownRules, TaxRulesVersion> = {
  batchMax: 1,
  lock: lockBook,
  read: async (tx, at) => ({ newest: at.snapshot.taxVersion, policy: await readPolicy(tx, at) }),
  decider:
    ({ newest, policy }, { moment }) =>
    (rules) =>
      heldForApproval(policy, 'replaceTaxRules', {}) ??
      made({ version: newest + 1, rules, createdAt: moment.at }),
  write(tx, bookId, values, recording) {
    for (const { version, rules, createdAt } of values) {
      const { effectiveFrom } = rules
      insertDocument(tx, bookId, KIND, { version, effectiveFrom, text: formatTaxRules(rules), createdAt })
      setTaxVersion(tx, bookId, version)
    }
    record(tx, bookId, recording)
  },
  events: (written) => [
    {
      type: 'tax_rules.updated',
      announced: true,
      subjectId: String(written.version),
      data: TaxRulesRecord.json(written),
      changes: null,
    },
  ],
}

export function replaceTaxRules(
  engine: Engine,
  origin: Origin,
  rules: TaxRules,
  answer?: AnswerWriter<TaxRulesVersion>,
): Promise<Result<TaxRulesVersion>> {
  return engine.submit(taxRulesReplacement, origin, rules, answer)
}

type TaxStatusChange = { before: CustomerTaxStatus; after: CustomerTaxStatus }
type KnownStatus = { before: CustomerTaxStatus | undefined; policy: ApprovalPolicy | null }

export const taxStatusChange: Change<
  CustomerTaxStatus,
  CustomerTaxStatus | undefined,
  KnownStatus,
  TaxStatusChange
> = {
  batchMax: 1,
  lock: (tx, bookId, [request]) => lockTaxStatus(tx, bookId, request!.customerId),
  read: async (tx, at, before) => ({ before, policy: await readPolicy(tx, at) }),
  decider:
    ({ before, policy }) =>
    (after) => {
      if (before === undefined) return refuse('customer_not_found')
      return heldForApproval(policy, 'putTaxStatus', {}) ?? made({ before, after })
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
}

export function putTaxStatus(
  engine: Engine,
  origin: Origin,
  status: CustomerTaxStatus,
  answer?: AnswerWriter<TaxStatusChange>,
): Promise<Result<TaxStatusChange>> {
  return engine.submit(taxStatusChange, origin, status, answer)
}
