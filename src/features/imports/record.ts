/** The lines by which accounts and deposits are taken over from another system. */
import { type Static, Type } from 'typebox'
import { MATURITY_INSTRUCTIONS } from '../../domain/deposit.ts'
import type { AccountImport, DepositImport } from '../../domain/import.ts'
import { existsIn } from '../../domain/money.ts'
import {
  CalendarDate,
  Choice,
  CurrencyCode,
  Identifier,
  Money,
  Percent,
  PlainText,
  Text,
  WholeNumber,
} from '../../wire/fields.ts'
import { ownFields, ownReferenceFrom } from '../../wire/own-reference.ts'
import type { FieldError } from '../../wire/reader.ts'
import { accountNumber, customerId, productCode } from '../../wire/record.ts'
import { refineWish, wishFields } from '../product-quotes/record.ts'

const ROLLOVERS_MAX = 1_000

export const AccountImportBody = Type.Object(
  {
    customer_id: Type.Optional(Identifier(customerId)),
    customer_external_id: Type.Optional(
      PlainText({ max: 64, description: 'The external_id of the customer, in place of customer_id.' }),
    ),
    account_number: Type.Optional(
      Text({ min: 10, max: 10, pattern: '^\\d{10}$', description: 'Ten digits; a new number if left out.' }),
    ),
    currency: CurrencyCode({ description: 'ISO 4217 code of a currency with two minor digits, or none.' }),
    balance: Money({ zeroAllowed: true, description: 'What the account holds.' }),
    ...ownFields,
  },
  { refine: refineAccount },
)
type AccountImportBody = Static<typeof AccountImportBody>

function refineAccount(body: Partial<AccountImportBody>, sent: object): FieldError[] {
  const has = (name: keyof AccountImportBody) => Object.hasOwn(sent, name)
  const message = 'Send one of customer_id and customer_external_id.'
  const { currency, balance } = body
  return [
    ...(has('customer_id') || has('customer_external_id')
      ? []
      : [{ field: 'customer_id', code: 'required', message } as const]),
    ...(has('customer_id') && has('customer_external_id')
      ? [{ field: 'customer_external_id', code: 'conflicting_field', message } as const]
      : []),
    ...(currency === undefined || balance === undefined || existsIn(currency, balance)
      ? []
      : [
          {
            field: 'balance',
            code: 'too_precise',
            message: `Send an amount without cents; ${currency} has none.`,
          } as const,
        ]),
  ]
}

export function accountImportFrom(body: AccountImportBody): AccountImport {
  const { customer_id: id, customer_external_id: name } = body
  return {
    customer: id === undefined ? { externalId: name! } : { customerId: id },
    accountNumber: body.account_number ?? null,
    currency: body.currency,
    balance: body.balance,
    ...ownReferenceFrom(body),
  }
}

export const DepositImportBody = Type.Object(
  {
    account_number: Identifier(accountNumber),
    principal: Money({ description: 'Principal at the opening.' }),
    remaining_principal: Type.Optional(Money({ description: 'What remains of it; all of it if left out.' })),
    product_code: Type.Optional(Identifier(productCode)),
    tenor: wishFields.tenor,
    tenor_months: wishFields.tenor_months,
    interest_rate: Percent({
      ...{ min: 0, max: 100, exclusiveMin: true },
      description: 'Percent a year, as it was agreed.',
    }),
    start_date: CalendarDate({ description: 'The day on which it was opened.' }),
    maturity_date: Type.Optional(
      CalendarDate({ description: 'Up to ten days after the agreed one, where a holiday moved it.' }),
    ),
    interest_paid: Type.Optional(
      Money({ zeroAllowed: true, description: 'Interest that was really paid before, on what remains.' }),
    ),
    interest_paid_to: Type.Optional(
      CalendarDate({ description: 'The day up to which it was paid: a boundary of the schedule.' }),
    ),
    tax_withheld: Type.Optional(Money({ zeroAllowed: true, description: 'Withheld of the interest paid.' })),
    rollovers: Type.Optional(
      WholeNumber({ min: 0, max: ROLLOVERS_MAX, description: 'How often it has rolled over before.' }),
    ),
    bonuses: wishFields.bonuses,
    maturity_instruction: Type.Optional(
      Choice(MATURITY_INSTRUCTIONS, {
        title: 'MaturityInstruction',
        description: 'What becomes of it at maturity.',
      }),
    ),
    ...ownFields,
  },
  { refine: refineDeposit },
)
type DepositImportBody = Static<typeof DepositImportBody>

function refineDeposit(body: Partial<DepositImportBody>, sent: object): FieldError[] {
  const has = (name: keyof DepositImportBody) => Object.hasOwn(sent, name)
  const { principal, remaining_principal: remaining, interest_paid: paid, tax_withheld: tax } = body
  const { interest_rate: _, ...wish } = body
  const above = (field: string, other: string) =>
    ({ field, code: 'out_of_range', message: `Send at most ${other}.` }) as const
  const isOf = (name: keyof DepositImportBody) =>
    ({
      field: name,
      code: 'conflicting_field',
      message: 'Only deposits of a product pay interest before maturity.',
    }) as const
  return [
    ...refineWish(wish, sent),
    ...(!has('product_code') && (has('tenor_months') || has('bonuses'))
      ? [
          {
            field: 'product_code',
            code: 'required',
            message: 'Only a product has tenors of months and bonuses.',
          } as const,
        ]
      : []),
    ...(has('product_code')
      ? []
      : (['interest_paid', 'interest_paid_to', 'tax_withheld'] as const).filter(has).map(isOf)),
    ...(principal !== undefined && remaining !== undefined && remaining > principal
      ? [above('remaining_principal', 'principal')]
      : []),
    ...(tax !== undefined && paid !== undefined && tax > paid
      ? [above('tax_withheld', 'interest_paid')]
      : []),
  ]
}

export function depositImportFrom(body: DepositImportBody): Omit<DepositImport, 'depositId'> {
  const { tenor, tenor_months: months } = body
  return {
    accountNumber: body.account_number,
    principal: body.principal,
    remaining: body.remaining_principal ?? body.principal,
    productCode: body.product_code ?? null,
    annualRatePpm: body.interest_rate,
    tenor: months === undefined ? { unit: 'DAY', count: tenor! } : { unit: 'MONTH', count: months },
    startDate: body.start_date,
    maturityDate: body.maturity_date ?? null,
    interestPaid: body.interest_paid ?? null,
    interestPaidTo: body.interest_paid_to ?? null,
    taxWithheld: body.tax_withheld ?? null,
    rollovers: body.rollovers ?? 0,
    bonusCodes: body.bonuses ?? [],
    instruction: body.maturity_instruction ?? null,
    ...ownReferenceFrom(body),
  }
}
