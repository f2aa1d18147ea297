/** What verification claims of ledger entries: they balance, and name what exists. */
import { BANK_ACCOUNTS } from '../../domain/ledger.ts'
import type { Subject } from '../../engine/database/facts.ts'

/** Claimed by all that entries name. */
export const ENTRY_NAMES = 'an entry names what its kind is about, and what it names exists'

const OWN_ACCOUNTS = BANK_ACCOUNTS.map((name) => `'${name}'`)

/** The account of a line may be its entry's account or deposit, or an account of the bank itself. */
const NAMED_ACCOUNTS = `array[account_number, deposit_id, ${OWN_ACCOUNTS.join(', ')}]`

export const entrySubject: Subject = {
  key: 'entry_id',
  pageKeys: 20_000,
  facts: (within) => `
    select entry_id, kind, account_number, deposit_id, liquidation_id, reverses, accounts, ${sumOfLines()} as lines_sum
    from ledger_entries
    where book_id = $1
      and ${within('entry_id')}`,
  claims: [
    {
      claim: 'the lines of an entry are two or more and sum to zero',
      differs: 'cardinality(accounts) < 2 or lines_sum <> 0',
      found: `cardinality(accounts) || ' lines, sum ' || lines_sum`,
      expected: `'sum 0'`,
    },
    {
      // Without this a line could be missing from the sums of accounts and deposits, which find lines by what entries
      // name.
      claim: 'a line is of the account or the deposit its entry names, or of the bank itself',
      differs: `not accounts <@ ${NAMED_ACCOUNTS}`,
      found: `(
        select min(account) from unnest(accounts) as account
        where account <> all (array_remove(${NAMED_ACCOUNTS}, null)))`,
      expected: `concat_ws(' or ', account_number, deposit_id)`,
    },
    {
      // The existence of what is named is claimed by the subjects of accounts and deposits.
      claim: ENTRY_NAMES,
      differs: `not case kind
          when 'ACCOUNT_CREDIT' then account_number is not null and deposit_id is null and liquidation_id is null
          when 'IMPORT' then account_number is not null and liquidation_id is null
          when 'ACCRUAL' then account_number is null and deposit_id is null and liquidation_id is null
          when 'LIQUIDATION' then account_number is not null and deposit_id is not null
          when 'REVERSAL' then account_number is not null and deposit_id is not null and liquidation_id is not null
          when 'WITHHOLDING_TAX' then deposit_id is not null
          when 'INTEREST_RECOVERY' then account_number is not null and deposit_id is not null and liquidation_id is not null
          when 'TAX_RETURN' then account_number is not null and deposit_id is not null and liquidation_id is not null
          else deposit_id is not null and liquidation_id is null
        end or (kind = 'REVERSAL') <> (reverses is not null)`,
      found: `concat_ws(' ', kind, account_number, deposit_id, liquidation_id)`,
      expected: `'records that exist'`,
    },
  ],
}

/** The sum of an entry's lines for an account or a deposit, or of all its lines; most entries have four at most. */
export function sumOfLines(account?: string): string {
  const few = [1, 2, 3, 4].map((line) => {
    const amount = `coalesce(amounts_minor[${line}], 0)`
    return account === undefined
      ? amount
      : `case when accounts[${line}] = ${account} then ${amount} else 0 end`
  })
  const condition = account === undefined ? '' : ` where line.account = ${account}`
  return `case when cardinality(accounts) <= 4 then ${few.join(' + ')}
          else (select sum(line.amount) from unnest(accounts, amounts_minor) as line(account, amount)${condition}) end`
}
