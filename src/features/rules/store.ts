/** Versions of a book's rules. A version is written once and never changed, so it can be cached without limit. */
import type { Queries, Transaction } from '../../engine/database/database.ts'
import type { VersionStore } from '../versions/store.ts'

export const statements = {
  insertRuleSet: `
    insert into rule_sets (book_id, version, rules, created_at)
    values ($1, $2, $3, $4)`,

  findRuleSets: `
    select version, rules, created_at
    from rule_sets
    where book_id = $1
      and version = any($2::int4[])`,

  listRuleSets: `
    select version, rules, created_at
    from rule_sets
    where book_id = $1
    order by version desc
    limit $2`,

  findNewestRuleSet: `
    select version, rules, created_at
    from rule_sets
    where book_id = $1
    order by version desc
    limit 1`,
}

export type KeptRuleSet = { version: number; rules: string; created_at: Date }

export function insertRuleSet(tx: Transaction, bookId: string, kept: KeptRuleSet): void {
  tx.write(statements.insertRuleSet, [bookId, kept.version, kept.rules, kept.created_at])
}

export function findRuleSets(
  db: Queries,
  bookId: string,
  versions: readonly number[],
): Promise<KeptRuleSet[]> {
  return db.query<KeptRuleSet>(statements.findRuleSets, [bookId, versions])
}

/** The newest first. */
export function listRuleSets(db: Queries, bookId: string, limit: number): Promise<KeptRuleSet[]> {
  return db.query<KeptRuleSet>(statements.listRuleSets, [bookId, limit])
}

export async function findNewestRuleSet(db: Queries, bookId: string): Promise<KeptRuleSet | undefined> {
  const [row] = await db.query<KeptRuleSet>(statements.findNewestRuleSet, [bookId])
  return row
}

/** The oldest kind of document has a table of its own, and no column of its book names its newest version. */
export const ruleSetStore: VersionStore = {
  insert: (tx, bookId, { version, text, createdAt }) =>
    insertRuleSet(tx, bookId, { version, rules: text, created_at: createdAt }),
  find: async (db, bookId, versions) => (await findRuleSets(db, bookId, versions)).map(storedOf),
  async findNewest(db, bookId) {
    const newest = await findNewestRuleSet(db, bookId)
    return newest && storedOf(newest)
  },
}

function storedOf({ version, rules: text, created_at: createdAt }: KeptRuleSet) {
  return { version, effectiveFrom: null, text, createdAt }
}
