/** What a customer asks of a product, and what the product would pay. */
import { type TObject, Type } from 'typebox'
import type { Outlook } from '../../domain/outlook.ts'
import type { Wish } from '../../domain/product.ts'
import type { ProductQuote } from '../../domain/product-quote.ts'
import { CalendarDate, Flag, ListOf, Money, Percent, Text, WholeNumber } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import {
  amount,
  date,
  interestRate,
  kind,
  listOf,
  type Members,
  maturityDate,
  record,
  startDate,
} from '../../wire/record.ts'
import { OutlookRecord } from '../outlook/record.ts'
import { BONUS_CODE, sheetNumber, TENOR_MAX } from '../products/record.ts'

const numberOfPercent = kind<number>(Type.Number({ format: 'double', minimum: 0 }), (value) => value)

const TENOR_DAYS = 'Days from start to maturity.'
const TENOR_MONTHS = 'Months from start to maturity; instead of tenor.'

/** What a customer asks of a product, in a quote and in an opening. */
export const wishFields = {
  tenor: Type.Optional(WholeNumber({ min: 1, max: TENOR_MAX.DAY, description: TENOR_DAYS })),
  tenor_months: Type.Optional(WholeNumber({ min: 1, max: TENOR_MAX.MONTH, description: TENOR_MONTHS })),
  interest_rate: Type.Optional(
    Percent({
      min: 0,
      max: 100,
      exclusiveMin: true,
      description: 'Percent a year, agreed instead of the rate of the sheet, where the product allows it.',
    }),
  ),
  bonuses: Type.Optional(
    ListOf(Text({ min: 1, max: 16, pattern: BONUS_CODE }), {
      min: 0,
      max: 10,
      description: 'Codes of the bonuses that the customer has.',
    }),
  ),
}

type WishBody = { tenor?: number; tenor_months?: number; interest_rate?: number; bonuses?: string[] }

/** `sent` also has members that are not valid. */
export function refineWish(wish: WishBody, sent: object): FieldError[] {
  const { interest_rate: rate, bonuses = [] } = wish
  const has = (name: keyof WishBody) => Object.hasOwn(sent, name)
  const twice = bonuses.findIndex((code, index) => bonuses.indexOf(code) < index)
  return [
    ...(has('tenor') || has('tenor_months')
      ? []
      : [{ field: 'tenor', code: 'required', message: 'Send tenor, in days, or tenor_months.' } as const]),
    ...(has('tenor') && has('tenor_months')
      ? [
          {
            field: 'tenor_months',
            code: 'conflicting_field',
            message: 'Send one of tenor and tenor_months.',
          } as const,
        ]
      : []),
    ...(twice < 0
      ? []
      : [{ field: `bonuses[${twice}]`, code: 'invalid_value', message: 'Name each bonus once.' } as const]),
    ...(rate !== undefined && bonuses.length > 0
      ? [
          {
            field: 'bonuses',
            code: 'conflicting_field',
            message: 'A negotiated rate takes no bonus.',
          } as const,
        ]
      : []),
  ]
}

export function wishFrom(body: WishBody): Pick<Wish, 'tenor' | 'bonusCodes' | 'negotiatedPpm'> {
  const { tenor, tenor_months: months } = body
  return {
    tenor: months === undefined ? { unit: 'DAY', count: tenor! } : { unit: 'MONTH', count: months },
    bonusCodes: body.bonuses ?? [],
    negotiatedPpm: body.interest_rate ?? null,
  }
}

export const ProductQuoteBody = Type.Object(
  {
    amount: Money({ description: 'Principal.' }),
    ...wishFields,
    start_date: Type.Optional(CalendarDate({ description: 'Today or earlier; today if left out.' })),
    outlook: Type.Optional(Flag({ description: 'Whether to answer an outlook too; false if left out.' })),
  },
  { refine: refineWish },
)

const PeriodRecord = record<ProductQuote['schedule'][number]>('InterestPeriodOfQuote', {
  from: date.as('The first day of the period.', ({ from }) => from),
  to: date.as('The day after its last day, on which its interest is paid.', ({ to }) => to),
  interest: amount.as('Interest of the period.', ({ interest }) => interest),
})

const productQuote: Members<ProductQuote> = {
  interest_rate: interestRate.of(({ offer }) => offer.annualRatePpm),
  rate_sheet: sheetNumber.of(({ offer }) => offer.rateSheet),
  start_date: startDate.of((quote) => quote.startDate),
  maturity_date: maturityDate.of(({ offer }) => offer.maturityDate),
  schedule: listOf(PeriodRecord).as(
    'When which interest is paid: one period for AT_MATURITY and UPFRONT, none for COMPOUND.',
    ({ schedule }) => schedule,
  ),
  expected_interest: amount.as('Interest of the whole term.', (quote) => quote.expectedInterest),
  estimated_tax: amount.as(
    'Tax on each payment, in the class STANDARD and by the tax rules of today.',
    (quote) => quote.estimatedTax,
  ),
  effective_annual_rate: numberOfPercent.as(
    'What the interest is worth in percent a year, compounded yearly; for comparison.',
    (quote) => quote.effectiveRate,
  ),
}

export const ProductQuoteRecord = record('ProductQuote', productQuote)

/** A quote with what breaking would pay, where that was asked for. */
export const ForeseenQuoteRecord = record<ProductQuote & { outlook: Outlook }>('ForeseenProductQuote', {
  ...productQuote,
  outlook: OutlookRecord.as(
    'What breaking would pay on the days to come, in the class STANDARD and by the rules of today.',
    ({ outlook }) => outlook,
  ),
})

const { outlook, ...quoted } = (ForeseenQuoteRecord.schema as TObject).properties

/** Either of them. */
export const QuoteAnswer = {
  schema: Type.Object(
    { ...quoted, outlook: Type.Optional(outlook!) },
    { title: 'ProductQuote', additionalProperties: false },
  ),
}
