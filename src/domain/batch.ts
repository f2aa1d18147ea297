/**
 * Batches: many lines of one operation, sent in parts. Guarantees: parts follow one another without a gap, and one that
 * was sent never changes; no batch has more lines than one may have; a batch starts once, with the totals that were
 * expected; what is finished stays as it is.
 */
import type { Actor } from './actor.ts'
import { type Refusal, refuse, refuseFields } from './refusal.ts'
import type { Scope } from './scopes.ts'

export const BATCH_OPERATIONS = [
  'createCustomer',
  'openAccount',
  'creditAccount',
  'openFixedDeposit',
  'liquidateFixedDeposit',
  'placeLien',
  'releaseLien',
  'importAccount',
  'importFixedDeposit',
] as const
export type BatchOperation = (typeof BATCH_OPERATIONS)[number]

/** The scope of the direct call of a line. */
const SCOPE_OF_LINE: Readonly<Record<BatchOperation, Scope>> = {
  createCustomer: 'customers:write',
  openAccount: 'accounts:write',
  creditAccount: 'accounts:write',
  openFixedDeposit: 'fixed_deposits:write',
  liquidateFixedDeposit: 'fixed_deposits:liquidate',
  placeLien: 'liens:write',
  releaseLien: 'liens:write',
  importAccount: 'batches:import',
  importFixedDeposit: 'batches:import',
}

/** The scopes that starting a batch requires besides that of batches. */
export function scopesOfLines(batch: Pick<Batch, 'operation' | 'waives'>): readonly Scope[] {
  const scope = SCOPE_OF_LINE[batch.operation]
  return batch.waives ? [scope, 'penal_charges:waive'] : [scope]
}

export const BATCH_STATUSES = ['UPLOADING', 'RUNNING', 'DONE', 'CANCELLED'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]
export const LINE_OUTCOMES = ['SUCCEEDED', 'DUPLICATE', 'FAILED', 'SKIPPED'] as const
export type LineOutcome = (typeof LINE_OUTCOMES)[number]

export const UPLOADING_MAX = 20
const RUNNING_MAX = 3
export const BATCH_LINES_MAX = 1_000_000
export const PART_LINES_MAX = 10_000
export const PART_MAX_BYTES = 8 * 1024 * 1024
export const LINE_MAX_BYTES = 64 * 1024
/** At most so many lines are carried out before their results are recorded, by this version and by earlier ones. */
export const CHUNK_LINES = 100

export type Batch = {
  batchId: string
  operation: BatchOperation
  name: string | null
  expected: { lines: number; total: bigint } | null
  status: BatchStatus
  parts: number
  lines: number
  /** The sum of the lines that can be read; it may be larger than any single amount. */
  total: bigint
  /** Whether a line waives a charge, which needs a scope of its own. */
  waives: boolean
  /** The digest of all parts in order: an approval is for exactly these. */
  digest: string
  succeeded: number
  duplicates: number
  failed: number
  skipped: number
  startedBy: Actor | null
  startedAs: string | null
  /** Others approved the start: its lines need no further approval. */
  approved: boolean
  createdAt: Date
  finishedAt: Date | null
}

/** What became of a line. */
export type BatchLine = {
  line: number
  externalId: string | null
  outcome: LineOutcome
  madeId: string | null
  /** JSON text of what the operation answered. */
  data: string | null
  /** JSON text of why it was refused. */
  error: string | null
}

export type Part = {
  part: number
  digest: string
  firstLine: number
  lines: number
  content: string
  /** The line of a person's file on which each line began, where that is another: rows of a spreadsheet have a head. */
  fileLines: readonly number[] | null
}

/** What was sent, and what it adds to the totals. */
export type SentPart = Omit<Part, 'firstLine'> & { total: bigint; waives: boolean }

export function refuseCreation({ uploading }: { uploading: number }): Refusal | null {
  return uploading < UPLOADING_MAX ? null : refuse('too_many_batches', { maximum: UPLOADING_MAX })
}

/** null: the same part was sent before. */
export function acceptPart(
  batch: Batch | undefined,
  known: { earlier: Part | undefined; pendingApproval: string | null },
  sent: SentPart,
  digestOf: (text: string) => string,
): { outcome: 'accepted'; batch: Batch; part: Part | null } | Refusal {
  if (batch === undefined) return refuse('batch_not_found')
  if (batch.status !== 'UPLOADING') return refuse('batch_not_uploading', { batch_status: batch.status })
  if (known.earlier?.digest === sent.digest) return { outcome: 'accepted', batch, part: null }
  if (known.earlier !== undefined) return refuse('part_already_sent')
  if (known.pendingApproval !== null) {
    return refuse('approval_already_pending', { approval_id: known.pendingApproval })
  }
  if (sent.part !== batch.parts + 1) return refuse('part_missing', { expected_part: batch.parts + 1 })
  if (batch.lines + sent.lines > BATCH_LINES_MAX) {
    return refuseFields([{ field: 'lines', code: 'too_many', message: 'Start another batch.' }])
  }
  const { part, digest, lines, content, fileLines } = sent
  return {
    outcome: 'accepted',
    batch: {
      ...batch,
      parts: part,
      lines: batch.lines + lines,
      total: batch.total + sent.total,
      waives: batch.waives || sent.waives,
      digest: digestOf(`${batch.digest}\n${digest}`),
    },
    part: { part, digest, lines, content, fileLines, firstLine: batch.lines + 1 },
  }
}

export function refuseStart(batch: Batch | undefined, { running }: { running: number }): Refusal | null {
  if (batch === undefined) return refuse('batch_not_found')
  const { status, expected, lines, total } = batch
  if (status !== 'UPLOADING') return refuse('batch_not_uploading', { batch_status: status })
  if (expected !== null && (expected.lines !== lines || expected.total !== total)) {
    return refuse('control_totals_differ', { lines, total_amount: total })
  }
  return running < RUNNING_MAX ? null : refuse('too_many_batches', { maximum: RUNNING_MAX })
}

export function cancelled(batch: Batch | undefined, at: Date): Batch | Refusal {
  if (batch === undefined) return refuse('batch_not_found')
  if (batch.finishedAt !== null) return refuse('batch_finished', { batch_status: batch.status })
  return { ...batch, status: 'CANCELLED', skipped: batch.lines - triedOf(batch), finishedAt: at }
}

/** Lines that were tried so far, which is always a beginning of the batch. */
export function triedOf({ succeeded, duplicates, failed }: Batch): number {
  return succeeded + duplicates + failed
}

/** The batch after further lines were tried; those that were skipped meanwhile were tried all the same. */
export function progressed(batch: Batch, outcomes: readonly LineOutcome[], at: Date): Batch {
  const count = (outcome: LineOutcome) => outcomes.filter((one) => one === outcome).length
  const after = {
    ...batch,
    succeeded: batch.succeeded + count('SUCCEEDED'),
    duplicates: batch.duplicates + count('DUPLICATE'),
    failed: batch.failed + count('FAILED'),
  }
  if (batch.status === 'CANCELLED') return { ...after, skipped: batch.lines - triedOf(after) }
  return triedOf(after) < batch.lines ? after : { ...after, status: 'DONE', finishedAt: at }
}
