/** A caller's rules: reading versions, the one in force, and writing the next. */
import type { RulesInForce } from '../../domain/deposit.ts'
import type { RuleSet } from '../../domain/rules.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { defineDocument } from '../documents/changes.ts'
import type { StoredVersion } from '../versions/store.ts'
import { formatRuleSet, parseRuleSet, RulesRecord } from './record.ts'
import { ruleSetStore } from './store.ts'

export const rulesDocument = defineDocument<RuleSet>({
  kind: 'LIQUIDATION_RULES',
  operation: 'replaceRules',
  event: 'liquidation_rules.updated',
  record: RulesRecord,
  format: formatRuleSet,
  parse: parseRuleSet,
  store: ruleSetStore,
})

export const readRules = rulesDocument.reader.read

export async function readRulesInForce(
  db: Queries,
  cache: VersionCache,
  bookId: string,
): Promise<RulesInForce> {
  const newest = await rulesDocument.reader.readNewest(db, cache, bookId)
  if (newest === undefined) throw new Error('A book without rules.')
  return { version: newest.version, rules: newest.document }
}

/** The rules for a change, which reads the newest version together with its locks. */
export function inForce(
  cache: VersionCache,
  bookId: string,
  newest: StoredVersion | undefined,
): RulesInForce {
  if (newest === undefined) throw new Error('A book without rules.')
  return { version: newest.version, rules: rulesDocument.reader.remember(cache, bookId, newest) }
}
