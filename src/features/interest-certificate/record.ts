import { type Static, Type } from 'typebox'
import type { IsoDate } from '../../domain/dates.ts'
import type {
  InterestOfCurrency,
  InterestOfDeposit,
  InterestSums,
} from '../../domain/interest-certificate.ts'
import type { Letterhead } from '../../domain/letterhead.ts'
import { dateRange, hasAtMostDays } from '../../wire/date-range.ts'
import {
  currency,
  date,
  depositId,
  entryId,
  listOf,
  type Members,
  record,
  sumOfAmounts,
} from '../../wire/record.ts'
import { letterhead } from '../letters/record.ts'

export const DAYS_MAX = 366

export const InterestCertificateQuery = Type.Object(dateRange, { refine: hasAtMostDays(DAYS_MAX) })
export type InterestCertificateQuery = Static<typeof InterestCertificateQuery>

const sums: Members<InterestSums> = {
  gross_interest: sumOfAmounts.as('Interest paid, before charges and tax.', ({ interest }) => interest),
  charges: sumOfAmounts.as('Penal charges deducted from it.', ({ charges }) => charges),
  interest_taken_back: sumOfAmounts.as(
    'Interest paid before that went back: what was unearned, and charges taken from it.',
    ({ takenBack }) => takenBack,
  ),
  tax_withheld: sumOfAmounts.as('Tax withheld.', ({ taxWithheld }) => taxWithheld),
  tax_returned: sumOfAmounts.as('Tax returned on interest taken back.', ({ taxReturned }) => taxReturned),
  net_interest: sumOfAmounts.as(
    'gross_interest − charges − interest_taken_back − tax_withheld + tax_returned.',
    ({ net }) => net,
  ),
}

const InterestOfDepositRecord = record<InterestOfDeposit>('InterestOfDeposit', {
  deposit_id: depositId.of((deposit) => deposit.depositId),
  currency: currency.of((deposit) => deposit.currency),
  ...sums,
  entry_ids: listOf(entryId).as('The ledger entries that it was summed from.', ({ entryIds }) => entryIds),
})

const InterestOfCurrencyRecord = record<InterestOfCurrency>('InterestOfCurrency', {
  currency: currency.of((total) => total.currency),
  ...sums,
})

export type InterestCertificate = Letterhead & {
  from: IsoDate
  to: IsoDate
  deposits: readonly InterestOfDeposit[]
  totals: readonly InterestOfCurrency[]
}

export const InterestCertificateRecord = record<InterestCertificate>('InterestCertificate', {
  ...letterhead,
  from: date.as('The first business date.', (certificate) => certificate.from),
  to: date.as('The last business date.', (certificate) => certificate.to),
  deposits: listOf(InterestOfDepositRecord).as(
    'Deposits with interest or tax in this time, by their first movement in it.',
    (certificate) => certificate.deposits,
  ),
  totals: listOf(InterestOfCurrencyRecord).as(
    "The sums of each currency. net_interest is the movement of the bank's own accounts in the ledger.",
    (certificate) => certificate.totals,
  ),
})
