/** Many deposits, inserted by SQL, with everything that opening them over the API would have written. */
import type { Queries } from '../../src/engine/database/database.ts'

/**
 * Copies of a deposit that was opened over the API, in the same account, each with a credit that pays for it. Numbers
 * keep apart what is planted twice in one book.
 */
export async function plantDeposits(
  db: Queries,
  depositId: string,
  numbers: { from: number; to: number },
): Promise<void> {
  const parameters = [depositId, numbers.from, numbers.to]
  for (const statement of statements) await db.query(statement, parameters)
}

const planted = `
    select deposits.*, number, lpad(number::text, 24, '0') as tail
    from deposits
    cross join generate_series($2::int4, $3::int4) as number
    where deposits.deposit_id = $1`

const statements = [
  `insert into deposits (
     book_id, deposit_id, ordinal, customer_id, account_number, currency, status, principal_minor, remaining_minor,
     expected_interest_minor, annual_rate_ppm, tenor_days, start_date, maturity_date, auto_rollover, rolled_over_to,
     rules_version, created_at, updated_at, liquidated_at)
   select book_id, 'fd_' || tail, ordinal + number, customer_id, account_number, currency, status, principal_minor,
     remaining_minor, expected_interest_minor, annual_rate_ppm, tenor_days, start_date, maturity_date, auto_rollover,
     rolled_over_to, rules_version, created_at, updated_at, liquidated_at
   from (${planted}) as deposit`,

  `insert into ledger_entries (
     book_id, entry_id, kind, account_number, deposit_id, created_at, accounts, amounts_minor)
   select book_id, 'le_c' || substr(tail, 2), 'ACCOUNT_CREDIT', account_number, null, created_at,
     array['cash', account_number], array[-principal_minor, principal_minor]
   from (${planted}) as deposit
   union all
   select book_id, 'le_o' || substr(tail, 2), 'DEPOSIT_OPENING', account_number, 'fd_' || tail, created_at,
     array[account_number, 'fd_' || tail], array[-principal_minor, principal_minor]
   from (${planted}) as deposit`,

  `insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data)
   select book_id, 'evt_c' || substr(tail, 2), ordinal + number, 'account.credited', true, account_number, created_at,
     '{"entry_id":"le_c' || substr(tail, 2) || '"}'
   from (${planted}) as deposit
   union all
   select book_id, 'evt_o' || substr(tail, 2), ordinal + number, 'fixed_deposit.created', true, 'fd_' || tail,
     created_at, '{"deposit_id":"fd_' || tail || '"}'
   from (${planted}) as deposit`,
]
