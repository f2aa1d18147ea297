/** The tax rules of a book and the tax status of a customer, as sent, stored and shown. */
import assert from 'node:assert/strict'
import { type Static, Type } from 'typebox'
import type { Version } from '../../domain/document.ts'
import { ROUNDINGS } from '../../domain/money.ts'
import {
  type CustomerTaxStatus,
  STANDARD_CLASS,
  TAX_BASES,
  TAX_ON_RECOVERY,
  type TaxRules,
} from '../../domain/tax.ts'
import { percent } from '../../wire/envelope.ts'
import { CalendarDate, Choice, NamedValues, Nullable, Percent, PlainText, Text } from '../../wire/fields.ts'
import { parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import {
  count,
  createdAt,
  customerId,
  date,
  kind,
  type Members,
  oneOf,
  orNull,
  record,
  text,
  within,
} from '../../wire/record.ts'
import { rounding } from '../rules/record.ts'

const CLASS_PATTERN = '^[A-Z_]{1,16}$'

const EFFECTIVE_FROM = 'The first business date on which the version counts.'
const BASE = 'What is taxed: NET is the interest less the penal charge deducted from it, GROSS the interest.'
const ON_RECOVERY =
  'What becomes of tax on interest that is taken back later: KEEP leaves it to the customer, RETURN gives it back.'
const CLASSES = 'Percent of each tax class. Customers without a class, or with an unknown one, are STANDARD.'
const TAX_CLASS = 'A class of the tax rules.'
const REFERENCE = 'Your own reference, such as the number of an exemption certificate.'
const VALID_UNTIL = 'The last business date of the class; after it STANDARD counts again. null: no end.'

const classesField = NamedValues(Percent({ min: 0, max: 100 }), {
  names: CLASS_PATTERN,
  needed: { [STANDARD_CLASS]: 'Percent for customers without another class.' },
  max: 20,
  title: 'TaxClasses',
  description: CLASSES,
})

export const TaxRulesBody = Type.Object({
  effective_from: CalendarDate({ description: EFFECTIVE_FROM }),
  base: Choice(TAX_BASES, { title: 'TaxBase', description: BASE }),
  on_recovery: Choice(TAX_ON_RECOVERY, { title: 'TaxOnRecovery', description: ON_RECOVERY }),
  rounding: Choice(ROUNDINGS, { title: 'Rounding', description: rounding.description }),
  classes: classesField,
})
export type TaxRulesBody = Static<typeof TaxRulesBody>

export function taxRulesFrom(body: TaxRulesBody): TaxRules {
  return {
    effectiveFrom: body.effective_from,
    base: body.base,
    onRecovery: body.on_recovery,
    rounding: body.rounding,
    classes: body.classes,
  }
}

/** The stored text is the text of formatTaxRules, so what was accepted once can always be read again. */
export function parseTaxRules(text: string): TaxRules {
  const reading = readBody(TaxRulesBody, parseJson(text))
  assert(reading.ok, 'tax rules that were accepted are valid')
  return taxRulesFrom(reading.value)
}

export function formatTaxRules(rules: TaxRules): string {
  return KeptTaxRulesRecord.json(rules)
}

export const taxBase = oneOf('TaxBase', TAX_BASES)

const taxRules: Members<TaxRules> = {
  effective_from: date.as(EFFECTIVE_FROM, (rules) => rules.effectiveFrom),
  base: taxBase.as(BASE, (rules) => rules.base),
  on_recovery: oneOf('TaxOnRecovery', TAX_ON_RECOVERY).as(ON_RECOVERY, (rules) => rules.onRecovery),
  rounding: rounding.of((rules) => rules.rounding),
  classes: kind<TaxRules['classes']>(classesField, (classes) =>
    Object.fromEntries([...classes].map(([name, ratePpm]) => [name, percent(ratePpm)])),
  ).as(CLASSES, (rules) => rules.classes),
}
const KeptTaxRulesRecord = record('KeptTaxRules', taxRules)

export const TaxRulesRecord = record<Version<TaxRules>>('TaxRules', {
  version: count.as('Version of the tax rules.', (kept) => kept.version),
  ...within(({ document }) => document, taxRules),
  created_at: createdAt.of((kept) => kept.createdAt),
})

export const TaxStatusBody = Type.Object({
  tax_class: Text({ min: 1, max: 16, pattern: CLASS_PATTERN, description: TAX_CLASS }),
  reference: Type.Optional(Nullable(PlainText({ max: 64 }), { description: REFERENCE })),
  valid_until: Type.Optional(Nullable(CalendarDate(), { description: VALID_UNTIL })),
})
export type TaxStatusBody = Static<typeof TaxStatusBody>

export function taxStatusFrom(customerId: string, body: TaxStatusBody): CustomerTaxStatus {
  return {
    customerId,
    taxClass: body.tax_class,
    taxReference: body.reference ?? null,
    taxValidUntil: body.valid_until ?? null,
  }
}

const taxClass = text.as<CustomerTaxStatus>(TAX_CLASS, (status) => status.taxClass ?? STANDARD_CLASS)
const validUntil = orNull(date).as<CustomerTaxStatus>(VALID_UNTIL, (status) => status.taxValidUntil)

const taxStatus: Members<CustomerTaxStatus> = {
  tax_class: taxClass,
  reference: orNull(text).as(REFERENCE, (status) => status.taxReference),
  valid_until: validUntil,
}

export const TaxStatusRecord = record<CustomerTaxStatus>('TaxStatus', {
  customer_id: customerId.of((status) => status.customerId),
  ...taxStatus,
})

/** The event data: the reference may be personal, so only the audit log contains it. */
export const ChangedTaxStatusRecord = record<CustomerTaxStatus>('ChangedTaxStatus', {
  customer_id: customerId.of((status) => status.customerId),
  tax_class: taxClass,
  valid_until: validUntil,
})

const AuditedTaxStatusRecord = record('AuditedTaxStatus', taxStatus)

export function taxStatusChanges(before: CustomerTaxStatus, after: CustomerTaxStatus): string {
  return JSON.stringify({
    before: AuditedTaxStatusRecord.write(before),
    after: AuditedTaxStatusRecord.write(after),
  })
}

/** What subscribers can receive. */
export const taxEvents = {
  'customer.tax_status_changed': ChangedTaxStatusRecord,
  'tax_rules.updated': TaxRulesRecord,
}
