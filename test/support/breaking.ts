/**
 * Breaks the content of the database, as no statement of the service could: verification and the auditor have to detect
 * it.
 */
import type { Queries } from '../../src/engine/database/database.ts'

/** Called once before many breakages: dropping them each time would take longer than everything else. */
export async function dropConstraints(db: Queries): Promise<void> {
  await db.query(DROP_CONSTRAINTS)
}

const DROP_CONSTRAINTS = `
  do $$
  declare found record;
  begin
    for found in
      select conrelid::regclass as table_name, conname
      from pg_constraint
      where connamespace = 'public'::regnamespace
        and contype in ('c', 'f')
    loop
      execute format('alter table %s drop constraint %I', found.table_name, found.conname);
    end loop;
  end $$`

/** For the statements, postings is a table of its own; what they leave of it goes back into the entries. */
export async function breakRows(tx: Queries, statements: string): Promise<void> {
  await dropConstraints(tx)
  const areLinesBroken = /\bpostings\b/.test(statements)
  if (areLinesBroken) {
    await tx.query('create temporary table postings on commit drop as select * from public.postings')
    await tx.query('create index on pg_temp.postings (book_id, entry_id)')
  }
  for (const statement of statements.split(';')) await tx.query(statement)
  if (areLinesBroken) {
    await tx.query(`
      update ledger_entries entry
      set accounts = array(${inOrder('account')}), amounts_minor = array(${inOrder('amount_minor')})`)
    await tx.query('drop table pg_temp.postings')
  }
}

function inOrder(column: string): string {
  return `
    select ${column}
    from pg_temp.postings
    where book_id = entry.book_id
      and entry_id = entry.entry_id
    order by line`
}
