import type { Accrual, ClosedDay, ClosedDeposit } from '../../domain/accrual.ts'
import { amount, currency, date, depositId, entryId, orNull, record, text } from '../../wire/record.ts'

const PAYABLE = 'Interest that was earned and not paid.'
const PREPAID = 'Interest that was paid and not earned.'

export const AccrualRecord = record<{ deposit: ClosedDeposit; accrual: Accrual }>('Accrual', {
  deposit_id: depositId.of(({ deposit }) => deposit.depositId),
  product_code: orNull(text).as(
    'The product that the deposit was opened by, or null.',
    ({ deposit }) => deposit.productCode,
  ),
  currency: currency.of(({ deposit }) => deposit.currency),
  interest_payable: amount.as(PAYABLE, ({ accrual }) => accrual.payable),
  prepaid_interest: amount.as(PREPAID, ({ accrual }) => accrual.prepaid),
})

export const AccrualPostedRecord = record<ClosedDay>('AccrualPosted', {
  date: date.as('The business date that was closed.', (day) => day.date),
  currency: currency.of((day) => day.currency),
  interest_payable: amount.as(`${PAYABLE} What the account then holds.`, (day) => day.payable),
  prepaid_interest: amount.as(`${PREPAID} What the account then holds.`, (day) => day.prepaid),
  entry_id: orNull(entryId).of((day) => day.entryId),
})

/** What subscribers can receive. */
export const accrualEvents = {
  'accrual.posted': AccrualPostedRecord,
}
