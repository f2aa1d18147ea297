/**
 * The records that answers are made of, as schemas. The reference is printed from them, and every answer in the HTTP
 * tests is held to them: each member is always present, and there is no other.
 * A schema with a title is printed once, under that name, and referred to from everywhere else.
 */
import { type TProperties, type TSchema, Type } from 'typebox'
import { MODES } from '../domain/book.ts'
import { DAY_COUNTS } from '../domain/day-count.ts'
import { DEPOSIT_STATUSES } from '../domain/deposit.ts'
import { EVENT_TYPES, PING_TYPE } from '../domain/event.ts'
import { LIEN_STATUSES } from '../domain/lien.ts'
import { SCOPES } from '../domain/scopes.ts'
import { RuleSetBody } from '../features/rules/record.ts'

const Amount = Type.Number({
  title: 'Amount',
  about: 'Money: a number written with exactly two fractional digits.',
  format: 'double',
  minimum: 0,
  maximum: 9_999_999_999_999.99,
})

/** Penal terms are told before the cap, so nothing but their own rule bounds them. */
const UncappedAmount = Type.Number({
  title: 'UncappedAmount',
  about: 'Money before the cap: a number written with exactly two fractional digits.',
  format: 'double',
  minimum: 0,
})

const SignedAmount = Type.Number({
  title: 'SignedAmount',
  about: 'Money: a number written with exactly two fractional digits; a debit is negative.',
  format: 'double',
  minimum: -9_999_999_999_999.99,
  maximum: 9_999_999_999_999.99,
})

const Rate = Type.Number({ format: 'double', minimum: 0, maximum: 100 })
const Days = Type.Integer({ minimum: 0 })
const Version = Type.Integer({ minimum: 1 })
const Instant = Type.String({ format: 'date-time' })
const CalendarDate = Type.String({ format: 'date' })
const AccountNumber = Type.String({ pattern: '^[0-9]{10}$' })
const Currency = Type.String({ pattern: '^[A-Z]{3}$' })
const Words = Type.String()
const Flag = Type.Boolean()

export const AccountRecord = record('Account', {
  account_number: AccountNumber,
  customer_id: identifier('cus'),
  currency: Currency,
  balance: Amount,
  created_at: Instant,
})

const deposit = {
  deposit_id: identifier('fd'),
  customer_id: identifier('cus'),
  account_number: AccountNumber,
  status: oneOf(DEPOSIT_STATUSES, 'DepositStatus'),
  currency: Currency,
  principal: Amount,
  remaining_principal: Amount,
  interest_rate: Rate,
  tenor: Days,
  start_date: CalendarDate,
  maturity_date: CalendarDate,
  expected_interest: Amount,
  accrued_interest: Amount,
  auto_rollover: Flag,
  rules_version: Version,
  created_at: Instant,
  updated_at: Instant,
  liquidated_at: orNull(Instant),
  rolled_over_to: orNull(identifier('fd')),
  lien_amount: Amount,
}

export const DepositRecord = record('FixedDeposit', deposit)

export const LienRecord = record('Lien', {
  lien_id: identifier('lien'),
  deposit_id: identifier('fd'),
  amount: Amount,
  reason: Words,
  reference: orNull(Words),
  status: oneOf(LIEN_STATUSES),
  created_at: Instant,
  released_at: orNull(Instant),
  release_reason: orNull(Words),
})

const figures = {
  principal_returned: Amount,
  interest_paid: Amount,
  penal_charge: Amount,
  total_credited: Amount,
}
const liquidation = {
  deposit_id: identifier('fd'),
  status: oneOf(['LIQUIDATED', 'ACTIVE'], 'StatusAfterLiquidation'),
  ...figures,
  credited_account: AccountNumber,
  liquidated_at: Instant,
  liquidation_id: identifier('liq'),
  liquidation_type: oneOf(['FULL', 'PARTIAL'], 'LiquidationType'),
  remaining_principal: Amount,
  currency: Currency,
}

export const ExplanationRecord = record('Explanation', {
  business_date: CalendarDate,
  start_date: CalendarDate,
  maturity_date: CalendarDate,
  elapsed_days: Days,
  term_days: Days,
  day_count: oneOf(DAY_COUNTS, 'DayCount'),
  rounding: oneOf(['HALF_UP', 'HALF_EVEN', 'DOWN'], 'Rounding'),
  interest_rate: Rate,
  principal: Amount,
  unrounded_interest: Type.Number({ format: 'double', minimum: 0 }),
  interest: Amount,
  rules_version: Version,
  rule_index: orNull(Type.Integer({ minimum: 0 })),
  no_rule_reason: orNull(oneOf(['MATURED', 'NO_RULE_MATCHED'], 'NoRuleReason')),
  terms: Type.Array(
    record('ExplainedTerm', {
      kind: oneOf(['FIXED', 'PERCENT', 'PERIOD_INTEREST', 'RERATE'], 'TermKind'),
      amount: UncappedAmount,
      sentence: Words,
    }),
  ),
  combine: orNull(oneOf(['SUM', 'MAX', 'MIN'], 'Combination')),
  combined: orNull(UncappedAmount),
  limited: orNull(UncappedAmount),
  capped_from: orNull(UncappedAmount),
  penal_charge: Amount,
  earlier_today: orNull(
    record('BrokenEarlier', { principal: Amount, interest: Amount, penal_assessed: Amount }),
  ),
})

/** What the liquidate call answers, and what its event carries. */
export const LiquidationRecord = record('Liquidation', liquidation)

export const ExplainedLiquidationRecord = record('ExplainedLiquidation', {
  ...liquidation,
  explanation: ExplanationRecord,
})

export const QuoteRecord = record('LiquidationQuote', {
  deposit_id: liquidation.deposit_id,
  liquidation_type: liquidation.liquidation_type,
  status: liquidation.status,
  ...figures,
  credited_account: AccountNumber,
  remaining_principal: Amount,
  currency: Currency,
  as_of: CalendarDate,
  explanation: ExplanationRecord,
})

const entry = {
  entry_id: identifier('le'),
  kind: oneOf(['ACCOUNT_CREDIT', 'DEPOSIT_OPENING', 'LIQUIDATION', 'MATURITY'], 'LedgerEntryKind'),
  account_number: orNull(AccountNumber),
  deposit_id: orNull(identifier('fd')),
  liquidation_id: orNull(identifier('liq')),
  created_at: Instant,
  lines: Type.Array(record('LedgerLine', { account: Words, amount: SignedAmount })),
}

export const LedgerEntryRecord = record('LedgerEntry', { ...entry, narration: orNull(Words) })

/** Shown as it was written, with what was left out filled in. */
export const RulesRecord = record('LiquidationRules', {
  version: Version,
  ...RuleSetBody.properties,
  penal_rules: Type.Array(complete('PenalRule', itemsOf(RuleSetBody.properties.penal_rules))),
  created_at: Instant,
})

const apiKey = {
  key_prefix: Words,
  name: orNull(Words),
  mode: oneOf(MODES, 'Mode'),
  scopes: Type.Array(oneOf(SCOPES, 'Scope')),
  rate_limit_per_minute: orNull(Type.Integer({ minimum: 0 })),
  expires_at: orNull(Instant),
  revoked_at: orNull(Instant),
  last_used_at: orNull(Instant),
  created_at: Instant,
}

export const ApiKeyRecord = record('ApiKey', { api_key_id: identifier('key'), ...apiKey })

export const IssuedApiKeyRecord = record('IssuedApiKey', {
  api_key_id: identifier('key'),
  key: Type.String({ pattern: '^bw_(test|live)_[0-9A-Za-z]{38}$' }),
  ...apiKey,
})

const webhookEndpoint = {
  webhook_endpoint_id: identifier('we'),
  url: Words,
  event_types: Type.Array(oneOf(['*', ...EVENT_TYPES], 'SubscribedEventType')),
  description: orNull(Words),
  status: oneOf(['ENABLED', 'DISABLED'], 'EndpointStatus'),
  created_at: Instant,
}

export const WebhookEndpointRecord = record('WebhookEndpoint', webhookEndpoint)

export const EndpointWithSecretRecord = record('EndpointWithSecret', {
  ...webhookEndpoint,
  secret: Type.String({ pattern: '^whsec_[0-9A-Za-z+/]+={0,2}$' }),
})

export const DeliveryRecord = record('WebhookDelivery', {
  event_id: identifier('evt'),
  event_type: oneOf([...EVENT_TYPES, PING_TYPE], 'SentEventType'),
  status: oneOf(['PENDING', 'DELIVERED', 'FAILED'], 'DeliveryStatus'),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: orNull(Instant),
  last_attempt_at: orNull(Instant),
  last_status_code: orNull(Type.Integer()),
  last_error: orNull(Words),
  created_at: Instant,
})

export const AccountCreditRecord = record('AccountCredit', entry)

export const MaturedDepositRecord = record('MaturedDeposit', {
  ...deposit,
  ...figures,
  credited_account: AccountNumber,
})
export const RolledOverDepositRecord = record('RolledOverDeposit', {
  ...deposit,
  principal_rolled_over: Amount,
  interest_rolled_over: Amount,
  successor: DepositRecord,
})

export const NothingRecord = record('Nothing', {})

/** Every member is present, and there is no other. */
export function record(title: string, properties: TProperties) {
  return Type.Object(properties, { title, additionalProperties: false })
}

export function identifier(prefix: string) {
  return Type.String({ pattern: `^${prefix}_[0-9A-Za-z]{24}$` })
}

/** A closed list; with a title it is printed once, under that name. */
export function oneOf(values: readonly string[], title?: string) {
  return Type.Unsafe<string>({ ...(title !== undefined && { title }), type: 'string', enum: values })
}

export function orNull(schema: TSchema) {
  return Type.Unsafe<unknown>({ anyOf: [schema, { type: 'null' }] })
}

/** The same members, none of them optional. */
function complete(title: string, schema: TSchema) {
  const { properties } = schema as unknown as { properties: TProperties }
  return Type.Unsafe<unknown>({ ...schema, title, required: Object.keys(properties) })
}

function itemsOf(list: TSchema): TSchema {
  return (list as unknown as { items: TSchema }).items
}
