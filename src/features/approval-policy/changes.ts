/** Which operations of a book wait for approval: reading the policy in force, and writing the next version. */
import { type ApprovalPolicy, heldForApproval } from '../../domain/approvals.ts'
import { type AnswerWriter, type Change, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { setPolicyVersion } from '../callers/store.ts'
import { findDocument, findNewestDocument, insertDocument, type KeptDocument } from '../documents/store.ts'
import { lockBook } from '../rules/store.ts'
import { ApprovalPolicyRecord, formatPolicy, parsePolicy } from './record.ts'

const KIND = 'APPROVAL_POLICY'

/** null where the book has none: nothing has to wait. Each version is read and parsed once. */
export async function readPolicy(
  db: Queries,
  at: { book: { bookId: string }; snapshot: { policyVersion: number }; versions: VersionCache },
): Promise<ApprovalPolicy | null> {
  const { bookId } = at.book
  const { policyVersion } = at.snapshot
  if (policyVersion === 0) return null
  const known = at.versions.get<ApprovalPolicy>(KIND, bookId, policyVersion)
  if (known !== undefined) return known
  const kept = await findDocument(db, bookId, KIND, policyVersion)
  if (kept === undefined)
    throw new Error('A book names a version of its approval policy that does not exist.')
  return remember(at.versions, bookId, kept)
}

/** For display only: a write reads the version that its lock protects. */
export async function readPolicyInForce(
  db: Queries,
  versions: VersionCache,
  bookId: string,
): Promise<ApprovalPolicy | null> {
  const kept = await findNewestDocument(db, bookId, KIND)
  return kept === undefined ? null : remember(versions, bookId, kept)
}

function remember(versions: VersionCache, bookId: string, kept: KeptDocument): ApprovalPolicy {
  const known = versions.get<ApprovalPolicy>(KIND, bookId, kept.version)
  if (known !== undefined) return known
  const policy = parsePolicy(kept.text)
  versions.set(KIND, bookId, kept.version, policy)
  return policy
}

export type PolicyVersion = { version: number; policy: ApprovalPolicy; createdAt: Date }

type Known = { policy: ApprovalPolicy | null; newest: number }

export const policyReplacement: Change<ApprovalPolicy, void, Known, PolicyVersion> = {
  batchMax: 1,
  lock: lockBook,
  read: async (tx, at) => ({ policy: await readPolicy(tx, at), newest: at.snapshot.policyVersion }),
  decider:
    ({ policy, newest }, { moment }) =>
    (next) =>
      heldForApproval(policy, 'replaceApprovalPolicy', {}) ??
      made({ version: newest + 1, policy: next, createdAt: moment.at }),
  write(tx, bookId, versions, recording) {
    for (const { version, policy, createdAt } of versions) {
      insertDocument(tx, bookId, KIND, {
        version,
        effectiveFrom: null,
        text: formatPolicy(policy),
        createdAt,
      })
      setPolicyVersion(tx, bookId, version)
    }
    record(tx, bookId, recording)
  },
  events: (written) => [
    {
      type: 'approval_policy.updated',
      announced: true,
      subjectId: String(written.version),
      data: ApprovalPolicyRecord.json(written),
      changes: null,
    },
  ],
}

export function replaceApprovalPolicy(
  engine: Engine,
  origin: Origin,
  policy: ApprovalPolicy,
  answer?: AnswerWriter<PolicyVersion>,
): Promise<Result<PolicyVersion>> {
  return engine.submit(policyReplacement, origin, policy, answer)
}
