/** Event data of a deposit that is settled at maturity: its final record, and the amounts. */
import { creditedAtMaturity, type Maturity } from '../../domain/maturity.ts'
import { minor } from '../../domain/money.ts'
import { accountNumber, amount, orNull, record, text, within } from '../../wire/record.ts'
import { DepositRecord, depositMembers, type ShownDeposit } from '../deposits/record.ts'
import { figures } from '../liquidation/record.ts'

type Settled = ShownDeposit &
  Omit<Maturity, 'deposit' | 'payments' | 'successor' | 'successorPayments' | 'at'>

const taxWithheld = amount.as('Tax that was withheld of the interest.', ({ tax }: Settled) => tax)

/** fixed_deposit.matured: the four figures and the account have the same names as in a liquidation. */
export const MaturedDepositRecord = record<Settled>('MaturedDeposit', {
  ...depositMembers,
  ...within(paidOut, figures),
  tax_withheld: taxWithheld,
  net_credited: amount.as('What the account received: total_credited less the tax.', ({ net }) => net),
  rollover_refused: orNull(text).as(
    'Why a product did not renew the deposit, so that it was paid out instead, or null.',
    ({ rolloverRefused }) => rolloverRefused,
  ),
})

function paidOut({ principal, interest, total, deposit: { accountNumber } }: Settled) {
  return { principal, interest, penal: minor(0n), total, accountNumber }
}

/**
 * fixed_deposit.rolled_over: there is no other event for the successor, so its record as opened is part of this one.
 */
export const RolledOverDepositRecord = record<Settled & { successor: ShownDeposit }>('RolledOverDeposit', {
  ...depositMembers,
  principal_rolled_over: amount.as('Principal that went into the successor.', ({ principal }) => principal),
  interest_rolled_over: amount.as(
    'Interest that went into the successor, before tax.',
    ({ interest, paidOut }) => (paidOut === 0n ? interest : minor(0n)),
  ),
  successor: DepositRecord.as(
    'The deposit that was opened, as it was at its opening.',
    ({ successor }) => successor,
  ),
  tax_withheld: taxWithheld,
  interest_paid: amount.as('Interest that went to the account, before tax.', ({ paidOut }) => paidOut),
  credited_account: accountNumber.as('The account of the deposit.', ({ deposit }) => deposit.accountNumber),
  net_credited: amount.as(
    'What the account received: 0.00 where everything rolled over.',
    creditedAtMaturity,
  ),
})

/** What subscribers can receive. */
export const maturityEvents = {
  'fixed_deposit.matured': MaturedDepositRecord,
  'fixed_deposit.rolled_over': RolledOverDepositRecord,
}
