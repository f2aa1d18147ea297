import type { InterestPayment, StoredPayment } from '../../domain/payments.ts'
import {
  accountNumber,
  amount,
  currency,
  date,
  depositId,
  entryId,
  knownKind,
  type Members,
  orNull,
  record,
  text,
} from '../../wire/record.ts'

const creditedAccount = knownKind('The account that was paid.', accountNumber)

type Paid = Pick<InterestPayment, 'from' | 'to' | 'interest' | 'tax'>

const period: Members<Paid> = {
  from: date.as('The first day that the interest is for.', ({ from }) => from),
  to: date.as('The boundary up to which it is paid; that day is not counted.', ({ to }) => to),
}

const paid: Members<Paid> = {
  interest: amount.as('Interest of the period.', ({ interest }) => interest),
  tax: amount.as('Tax that was withheld of it.', ({ tax }) => tax),
  net: amount.as('What the account received.', ({ interest, tax }) => interest - tax),
}

const listed: Members<StoredPayment> = {
  ...period,
  principal: amount.as('What the interest was paid on.', ({ principal }) => principal),
  ...paid,
  business_date: date.as('The day on which it was paid.', ({ businessDate }) => businessDate),
  entry_id: orNull(entryId).as(
    'The ledger entry, or null where the interest is 0.00.',
    (payment) => payment.entryId,
  ),
}

export const InterestPaymentRecord = record<StoredPayment>('InterestPayment', listed)

/** Payments of all deposits are in one file, so each says which it is of. */
export const ExportedPaymentRecord = record<StoredPayment & { currency: string; productCode: string | null }>(
  'ExportedInterestPayment',
  {
    deposit_id: depositId.of((payment) => payment.depositId),
    product_code: orNull(text).as('The product of the deposit, or null.', (payment) => payment.productCode),
    credited_account: creditedAccount.of((payment) => payment.accountNumber),
    currency: currency.of((payment) => payment.currency),
    ...listed,
  },
)

export const InterestPaidRecord = record<InterestPayment>('InterestPaid', {
  deposit_id: depositId.of((payment) => payment.depositId),
  ...period,
  ...paid,
  credited_account: creditedAccount.of((payment) => payment.accountNumber),
})

/** What subscribers can receive. */
export const interestEvents = {
  'fixed_deposit.interest_paid': InterestPaidRecord,
}
