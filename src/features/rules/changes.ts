/** A caller's rules: reading a version, the one in force, and writing the next. */

import type { RulesInForce } from '../../domain/deposit.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import type { Answered, Origin, Perform } from '../../engine/change/change.ts'
import type { Queries } from '../../engine/database/database.ts'
import { successBody, timestamp } from '../../wire/envelope.ts'
import { formatRuleSet, parseRuleSet, ruleSetData } from './record.ts'
import { findNewestRuleSet, findRuleSets, insertRuleSet, type KeptRuleSet, lockBook } from './store.ts'

const KEPT_MAX = 10_000

/** Versions never change, so each is read and parsed once; the oldest reading makes room for a new one. */
export function createRulesReader() {
  const kept = new Map<string, RuleSet>()

  async function readVersions(
    db: Queries,
    bookId: string,
    versions: Iterable<number>,
  ): Promise<Map<number, RuleSet>> {
    const wanted = [...new Set(versions)]
    const missing = wanted.filter((version) => !kept.has(cacheKey(bookId, version)))
    if (missing.length > 0) for (const row of await findRuleSets(db, bookId, missing)) remember(bookId, row)
    return new Map(
      wanted.flatMap((version) => {
        const rules = kept.get(cacheKey(bookId, version))
        return rules === undefined ? [] : [[version, rules] as const]
      }),
    )
  }

  function remember(bookId: string, row: KeptRuleSet): RuleSet {
    const key = cacheKey(bookId, row.version)
    const rules = kept.get(key) ?? parseRuleSet(row.rules)
    kept.set(key, rules)
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!)
    return rules
  }

  return { readVersions, remember }
}
export type RulesReader = ReturnType<typeof createRulesReader>

function cacheKey(bookId: string, version: number): string {
  return `${bookId} ${version}`
}

export async function rulesInForce(db: Queries, reader: RulesReader, bookId: string): Promise<RulesInForce> {
  const newest = await findNewestRuleSet(db, bookId)
  if (newest === undefined) throw new Error('A book without rules.')
  return { version: newest.version, rules: reader.remember(bookId, newest) }
}

export function replaceRules(perform: Perform, origin: Origin, rules: RuleSet): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  return perform(origin, {
    lock: (tx) => lockBook(tx, bookId),
    decide: async (tx, _, moment) => {
      const newest = await findNewestRuleSet(tx, bookId)
      const version = (newest?.version ?? 0) + 1
      insertRuleSet(tx, bookId, { version, rules: formatRuleSet(rules), created_at: moment.at })
      const data = rulesVersionData({ version, rules, createdAt: moment.at })
      return {
        outcome: 'made',
        status: 200,
        body: successBody('The liquidation rules were replaced.', data),
        event: {
          type: 'liquidation_rules.updated',
          announced: true,
          subjectId: String(version),
          data: JSON.stringify(data),
          changes: null,
        },
      }
    },
  })
}

export function rulesVersionData(kept: { version: number; rules: RuleSet; createdAt: Date }) {
  return { version: kept.version, ...ruleSetData(kept.rules), created_at: timestamp(kept.createdAt) }
}
