/** A caller's rules: reading versions, the one in force, and writing the next. */
import { type ApprovalPolicy, heldForApproval } from '../../domain/approvals.ts'
import type { RulesInForce } from '../../domain/deposit.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { type AnswerWriter, type Change, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { readPolicy } from '../approval-policy/changes.ts'
import { formatRuleSet, parseRuleSet, RulesRecord, type RulesVersion } from './record.ts'
import { findNewestRuleSet, findRuleSets, insertRuleSet, type KeptRuleSet, lockBook } from './store.ts'

const KIND = 'rules'

/** Versions never change, so each is read and parsed once. */
export async function readRules(
  db: Queries,
  cache: VersionCache,
  bookId: string,
  versions: Iterable<number>,
): Promise<Map<number, RuleSet>> {
  const wanted = [...new Set(versions)]
  const missing = wanted.filter((version) => cache.get(KIND, bookId, version) === undefined)
  const read = missing.length === 0 ? [] : await findRuleSets(db, bookId, missing)
  for (const row of read) remember(cache, bookId, row)
  return new Map(
    wanted.flatMap((version) => {
      const rules = cache.get<RuleSet>(KIND, bookId, version)
      return rules === undefined ? [] : [[version, rules] as const]
    }),
  )
}

export async function readRulesInForce(
  db: Queries,
  cache: VersionCache,
  bookId: string,
): Promise<RulesInForce> {
  return inForce(cache, bookId, await findNewestRuleSet(db, bookId))
}

/** For a change, which reads the newest version together with its locks. */
export function inForce(cache: VersionCache, bookId: string, newest: KeptRuleSet | undefined): RulesInForce {
  if (newest === undefined) throw new Error('A book without rules.')
  return { version: newest.version, rules: remember(cache, bookId, newest) }
}

function remember(cache: VersionCache, bookId: string, row: KeptRuleSet): RuleSet {
  const known = cache.get<RuleSet>(KIND, bookId, row.version)
  if (known !== undefined) return known
  const rules = parseRuleSet(row.rules)
  cache.set(KIND, bookId, row.version, rules)
  return rules
}

type Known = { newest: KeptRuleSet | undefined; policy: ApprovalPolicy | null }

export const rulesReplacement: Change<RuleSet, void, Known, RulesVersion> = {
  batchMax: 1,
  lock: lockBook,
  read: async (tx, at) => ({
    newest: await findNewestRuleSet(tx, at.book.bookId),
    policy: await readPolicy(tx, at),
  }),
  decider:
    ({ newest, policy }, { moment }) =>
    (rules) =>
      heldForApproval(policy, 'replaceRules', {}) ??
      made({ version: (newest?.version ?? 0) + 1, rules, createdAt: moment.at }),
  write(tx, bookId, values, recording) {
    for (const { version, rules, createdAt } of values) {
      insertRuleSet(tx, bookId, { version, rules: formatRuleSet(rules), created_at: createdAt })
    }
    record(tx, bookId, recording)
  },
  events: (written) => [
    {
      type: 'liquidation_rules.updated',
      announced: true,
      subjectId: String(written.version),
      data: RulesRecord.json(written),
      changes: null,
    },
  ],
}

export function replaceRules(
  engine: Engine,
  origin: Origin,
  rules: RuleSet,
  answer?: AnswerWriter<RulesVersion>,
): Promise<Result<RulesVersion>> {
  return engine.submit(rulesReplacement, origin, rules, answer)
}
