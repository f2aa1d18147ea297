/** Products and their rate sheets, as sent, stored and shown. */
import assert from 'node:assert/strict'
import { type Static, Type } from 'typebox'
import { MATURITY_INSTRUCTIONS } from '../../domain/deposit.ts'
import { existsIn, type Minor } from '../../domain/money.ts'
import {
  HOLIDAY_RULES,
  PRODUCT_CODE,
  PRODUCT_STATUSES,
  type Product,
  type ProductVersion,
} from '../../domain/product.ts'
import { type RateGrid, type RateSheet, SHEET_COLUMNS_MAX, SHEET_ROWS_MAX } from '../../domain/rate-sheet.ts'
import { INTEREST_METHODS, INTEREST_PERIODS, TENOR_UNITS } from '../../domain/schedule.ts'
import { money, percent } from '../../wire/envelope.ts'
import {
  CalendarDate,
  Choice,
  CurrencyCode,
  Flag,
  ListOf,
  Money,
  NamedValues,
  Nullable,
  Percent,
  PlainText,
  WholeNumber,
} from '../../wire/fields.ts'
import { parseJson } from '../../wire/json.ts'
import { type FieldError, readBody } from '../../wire/reader.ts'
import {
  amount,
  count,
  createdAt,
  currency,
  date,
  kind,
  knownKind,
  type Members,
  oneOf,
  orNull,
  productCode,
  record,
  text,
  within,
} from '../../wire/record.ts'
import { ProductRulesBody, RuleSetRecord, ruleSetFrom } from '../rules/record.ts'

export const BONUS_CODE = '^[A-Z_]{1,16}$'
export const TENOR_MAX = { DAY: 36_500, MONTH: 1_200 } as const

const NAME = 'What the bank calls it.'
const CURRENCY = 'Its currency, which no later version can change.'
const STATUS =
  'CLOSED: no deposit is opened by it, and those that would roll over are paid out. What was opened continues.'
const MIN_AMOUNT = 'Least principal at the opening.'
const MAX_AMOUNT = 'Greatest principal at the opening; null is none.'
const TENOR = 'The tenors it is offered for: those from min to max that multiple divides.'
const INTEREST = 'How interest is earned and when it is paid.'
const METHOD =
  'AT_MATURITY: simple interest at the end. COMPOUND: interest on interest, at the end. PAYOUT: paid to the account ' +
  'after each period. UPFRONT: paid to the account at the opening.'
const EVERY = 'How often it is compounded or paid; null for AT_MATURITY and UPFRONT.'
const RECOVER =
  'Whether a charge may also take back interest that was already paid out; without effect where none is.'
const MATURITY = 'What happens at the end of the term.'
const ON_HOLIDAY =
  'NEXT_BUSINESS_DAY: a maturity that falls on a closed day of the business calendar is moved to the next open day ' +
  'when the deposit is opened.'
const INSTRUCTION = 'What becomes of a deposit at maturity where its opening says nothing.'
const ROLLOVER_LIMIT = 'How often a deposit may roll over; null: without limit.'
const NEGOTIATED =
  'The rates that may be agreed instead of the one of the sheet, in percent a year; null: none.'
const BONUSES = 'Percentage points by code, added to the rate of the sheet.'
const RULES = "Rules of its own for breaking a deposit; null: the caller's, in force at the opening."

const tenorField = Type.Object(
  {
    unit: Choice(TENOR_UNITS, { title: 'TenorUnit', description: 'Whether tenors are days or months.' }),
    min: WholeNumber({ min: 1, max: TENOR_MAX.DAY, description: 'The shortest.' }),
    max: WholeNumber({
      min: 1,
      max: TENOR_MAX.DAY,
      description: 'The longest: up to 36500 days or 1200 months.',
    }),
    multiple: WholeNumber({ min: 1, max: TENOR_MAX.DAY, description: 'Divides every tenor; 1: any.' }),
  },
  {
    title: 'OfferedTenor',
    refine: ({ unit, min, max }: Partial<Product['tenor']>): FieldError[] => {
      if (max !== undefined && min !== undefined && max < min) {
        return [{ field: 'max', code: 'invalid_value', message: 'Send a max that is not below min.' }]
      }
      if (unit === undefined) return []
      const largest = TENOR_MAX[unit]
      const beyond = (['min', 'max'] as const).filter((name) => ({ min, max })[name]! > largest)
      return beyond.map((field) => ({
        field,
        code: 'out_of_range',
        message: `Send at most ${largest} of this unit.`,
      }))
    },
  },
)

const interestField = Type.Object(
  {
    method: Choice(INTEREST_METHODS, { title: 'InterestMethod', description: METHOD }),
    every: Nullable(Choice(INTEREST_PERIODS, { title: 'InterestPeriod' }), { description: EVERY }),
    recover_paid_interest: Flag({ description: RECOVER }),
  },
  {
    title: 'ProductInterest',
    refine: ({ method, every }: Partial<Product['interest']>): FieldError[] => {
      if (method === undefined || every === undefined) return []
      const isPeriodic = method === 'COMPOUND' || method === 'PAYOUT'
      if (isPeriodic && every === null) {
        return [{ field: 'every', code: 'required', message: `Send a period; ${method} needs one.` }]
      }
      if (!isPeriodic && every !== null) {
        return [{ field: 'every', code: 'invalid_value', message: `Send null; ${method} has no periods.` }]
      }
      if (method === 'PAYOUT' && every === 'DAY') {
        return [{ field: 'every', code: 'invalid_value', message: 'Interest is paid every month at most.' }]
      }
      return []
    },
  },
)

const maturityField = Type.Object(
  {
    on_holiday: Choice(HOLIDAY_RULES, { title: 'HolidayRule', description: ON_HOLIDAY }),
    instruction: Choice(MATURITY_INSTRUCTIONS, { title: 'MaturityInstruction', description: INSTRUCTION }),
    rollover_limit: Nullable(WholeNumber({ min: 0, max: 1_000 }), { description: ROLLOVER_LIMIT }),
  },
  { title: 'ProductMaturity' },
)

const negotiatedField = Type.Object(
  {
    min: Percent({ min: 0, max: 100, description: 'The lowest.' }),
    max: Percent({ min: 0, max: 100, exclusiveMin: true, description: 'The highest.' }),
  },
  {
    title: 'NegotiatedRate',
    refine: ({ min, max }: { min?: number; max?: number }): FieldError[] =>
      min === undefined || max === undefined || min <= max
        ? []
        : [{ field: 'max', code: 'invalid_value', message: 'Send a max that is not below min.' }],
  },
)

const bonusesField = NamedValues(Percent({ min: -10, max: 10 }), {
  names: BONUS_CODE,
  needed: {},
  max: 10,
  title: 'Bonuses',
  description: BONUSES,
})

export const ProductBody = Type.Object(
  {
    name: PlainText({ max: 100, description: NAME }),
    currency: CurrencyCode({ description: CURRENCY }),
    status: Choice(PRODUCT_STATUSES, { title: 'ProductStatus', description: STATUS }),
    min_amount: Money({ description: MIN_AMOUNT }),
    max_amount: Nullable(Money(), { description: MAX_AMOUNT }),
    tenor: { ...tenorField, description: TENOR } as typeof tenorField,
    interest: { ...interestField, description: INTEREST } as typeof interestField,
    maturity: { ...maturityField, description: MATURITY } as typeof maturityField,
    negotiated_rate: Nullable(negotiatedField, { description: NEGOTIATED }),
    bonuses: bonusesField,
    rules: Nullable(ProductRulesBody, { description: RULES }),
  },
  { refine: refineAmounts },
)
export type ProductBody = Static<typeof ProductBody>

function refineAmounts(product: {
  currency?: string
  min_amount?: Minor
  max_amount?: Minor | null
}): FieldError[] {
  const { currency: code, min_amount: min, max_amount: max } = product
  const withCents = (['min_amount', 'max_amount'] as const).filter((name) => {
    const sent = product[name] ?? null
    return code !== undefined && sent !== null && !existsIn(code, sent)
  })
  if (withCents.length > 0) {
    return withCents.map((field) => ({
      field,
      code: 'too_precise',
      message: `Send an amount without cents; ${code} has none.`,
    }))
  }
  if (min === undefined || max === undefined || max === null || min <= max) return []
  return [
    {
      field: 'max_amount',
      code: 'invalid_value',
      message: 'Send a max_amount that is not below min_amount.',
    },
  ]
}

export function productFrom(body: ProductBody): Product {
  const { interest, maturity, negotiated_rate: negotiated, rules } = body
  return {
    name: body.name,
    currency: body.currency,
    status: body.status,
    minAmount: body.min_amount,
    maxAmount: body.max_amount,
    tenor: body.tenor,
    interest: {
      method: interest.method,
      every: interest.every,
      recoverPaidInterest: interest.recover_paid_interest,
    },
    maturity: {
      onHoliday: maturity.on_holiday,
      instruction: maturity.instruction,
      rolloverLimit: maturity.rollover_limit,
    },
    negotiatedRate: negotiated && { minPpm: negotiated.min, maxPpm: negotiated.max },
    bonuses: body.bonuses,
    rules: rules && ruleSetFrom(rules),
  }
}

/** What is wrong with the code of a product that is written, in the field that names it. */
export function productCodeErrors(code: string, field: string): FieldError[] {
  if (new RegExp(PRODUCT_CODE).test(code)) return []
  const message =
    'Send a code of up to 32 capitals, digits, underscores and hyphens that begins with neither of those.'
  return [{ field, code: 'invalid_format', message }]
}

/** The stored text is the text of formatProduct, so what was accepted once can always be read again. */
export function parseProduct(stored: string): Product {
  const reading = readBody(ProductBody, parseJson(stored))
  assert(reading.ok, 'a stored product is valid')
  return productFrom(reading.value)
}

export function formatProduct(product: Product): string {
  return StoredProductRecord.json(product)
}

export const productStatus = oneOf('ProductStatus', PRODUCT_STATUSES)

const product: Members<Product> = {
  name: text.as(NAME, ({ name }) => name),
  currency: currency.of((one) => one.currency),
  status: productStatus.as(STATUS, ({ status }) => status),
  min_amount: amount.as(MIN_AMOUNT, ({ minAmount }) => minAmount),
  max_amount: orNull(amount).as(MAX_AMOUNT, ({ maxAmount }) => maxAmount),
  tenor: kind<Product['tenor']>(tenorField, ({ unit, min, max, multiple }) => ({
    unit,
    min,
    max,
    multiple,
  })).as(TENOR, ({ tenor }) => tenor),
  interest: kind<Product['interest']>(interestField, ({ method, every, recoverPaidInterest }) => ({
    method,
    every,
    recover_paid_interest: recoverPaidInterest,
  })).as(INTEREST, ({ interest }) => interest),
  maturity: kind<Product['maturity']>(maturityField, ({ onHoliday, instruction, rolloverLimit }) => ({
    on_holiday: onHoliday,
    instruction,
    rollover_limit: rolloverLimit,
  })).as(MATURITY, ({ maturity }) => maturity),
  negotiated_rate: orNull(
    kind<NonNullable<Product['negotiatedRate']>>(negotiatedField, ({ minPpm, maxPpm }) => ({
      min: percent(minPpm),
      max: percent(maxPpm),
    })),
  ).as(NEGOTIATED, ({ negotiatedRate }) => negotiatedRate),
  bonuses: kind<Product['bonuses']>(bonusesField, (bonuses) =>
    Object.fromEntries([...bonuses].map(([code, points]) => [code, percent(points)])),
  ).as(BONUSES, ({ bonuses }) => bonuses),
  rules: orNull(RuleSetRecord).as(RULES, ({ rules }) => rules),
}
const StoredProductRecord = record('StoredProduct', product)

export const ProductRecord = record<ProductVersion>('Product', {
  product_code: productCode.of((version) => version.productCode),
  version: count.as('Version of the product.', ({ version }) => version),
  ...within(({ product }) => product, product),
  created_at: createdAt.of((version) => version.createdAt),
})

const EFFECTIVE_FROM = 'The first day on which it is in force.'
const TENOR_UNIT = 'Whether its rows count days or completed months, whatever the unit of the product.'
const TENOR_FROM = 'Where each row begins; the first is 0.'
const AMOUNT_FROM = 'Where each column begins; the first is 0.00.'
const RATES = 'A row of rates for each tenor, in percent a year; 0 is not offered.'

const ratesField = ListOf(ListOf(Percent({ min: 0, max: 100 }), { min: 1, max: SHEET_COLUMNS_MAX }), {
  min: 1,
  max: SHEET_ROWS_MAX,
  description: RATES,
})

export const RateSheetBody = Type.Object(
  {
    effective_from: CalendarDate({ description: EFFECTIVE_FROM }),
    tenor_unit: Choice(TENOR_UNITS, { title: 'TenorUnit', description: TENOR_UNIT }),
    tenor_from: ListOf(WholeNumber({ min: 0, max: TENOR_MAX.DAY }), {
      min: 1,
      max: SHEET_ROWS_MAX,
      description: TENOR_FROM,
    }),
    amount_from: ListOf(Money({ zeroAllowed: true }), {
      min: 1,
      max: SHEET_COLUMNS_MAX,
      description: AMOUNT_FROM,
    }),
    rates: ratesField,
  },
  { refine: refineGrid },
)
export type RateSheetBody = Static<typeof RateSheetBody>

function refineGrid(sheet: Partial<RateSheetBody>): FieldError[] {
  const { tenor_from: tenors, amount_from: amounts, rates } = sheet
  const shape = (field: string, message: string): FieldError => ({ field, code: 'invalid_value', message })
  return [
    ...ascending('tenor_from', tenors ?? []),
    ...ascending('amount_from', amounts ?? []),
    ...(tenors !== undefined && rates !== undefined && rates.length !== tenors.length
      ? [shape('rates', 'Send one row for each member of tenor_from.')]
      : (rates ?? []).flatMap((row, index) =>
          amounts === undefined || row.length === amounts.length
            ? []
            : [shape(`rates[${index}]`, 'Send one rate for each member of amount_from.')],
        )),
  ]
}

function ascending(name: string, bounds: readonly (number | bigint)[]): FieldError[] {
  return bounds.flatMap((bound, index) => {
    const isFirst = index === 0
    if (isFirst ? Number(bound) === 0 : bound > bounds[index - 1]!) return []
    const message = isFirst ? 'Begin with 0.' : 'Send a value above the one before.'
    return [{ field: `${name}[${index}]`, code: 'invalid_value', message } as const]
  })
}

export function gridFrom(body: RateSheetBody): RateGrid {
  return {
    effectiveFrom: body.effective_from,
    tenorUnit: body.tenor_unit,
    tenorFrom: body.tenor_from,
    amountFrom: body.amount_from,
    ratesPpm: body.rates,
  }
}

export function parseGrid(stored: string): RateGrid {
  const reading = readBody(RateSheetBody, parseJson(stored))
  assert(reading.ok, 'a stored rate sheet is valid')
  return gridFrom(reading.value)
}

export function formatGrid(sheet: RateGrid): string {
  return StoredSheetRecord.json(sheet)
}

const grid: Members<RateGrid> = {
  effective_from: date.as(EFFECTIVE_FROM, ({ effectiveFrom }) => effectiveFrom),
  tenor_unit: oneOf('TenorUnit', TENOR_UNITS).as(TENOR_UNIT, ({ tenorUnit }) => tenorUnit),
  tenor_from: kind<readonly number[]>(Type.Array(Type.Integer({ minimum: 0 })), (tenors) => tenors).as(
    TENOR_FROM,
    ({ tenorFrom }) => tenorFrom,
  ),
  amount_from: kind<readonly Minor[]>(Type.Array(amount.schema), (amounts) => amounts.map(money)).as(
    AMOUNT_FROM,
    ({ amountFrom }) => amountFrom,
  ),
  rates: kind<RateGrid['ratesPpm']>(ratesField, (rows) => rows.map((row) => row.map(percent))).as(
    RATES,
    ({ ratesPpm }) => ratesPpm,
  ),
}
const StoredSheetRecord = record('StoredRateSheet', grid)

export type StoredSheet = RateSheet & { productCode: string; createdAt: Date }

export const sheetNumber = knownKind('Number of the rate sheet.', count)

export const RateSheetRecord = record<StoredSheet>('RateSheet', {
  product_code: productCode.of((sheet) => sheet.productCode),
  number: sheetNumber.of((sheet) => sheet.number),
  ...grid,
  created_at: createdAt.of((sheet) => sheet.createdAt),
})

/** What subscribers can receive. */
export const productEvents = {
  'product.updated': ProductRecord,
  'rate_sheet.added': RateSheetRecord,
}
