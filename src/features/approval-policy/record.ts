import assert from 'node:assert/strict'
import { type Static, Type } from 'typebox'
import {
  type ApprovableOperation,
  type ApprovalConditions,
  type ApprovalPolicy,
  DECIDERS,
  factsOf,
  SUMS_OF,
} from '../../domain/approvals.ts'
import type { Version } from '../../domain/document.ts'
import type { Range } from '../../domain/rules.ts'
import { money, percent } from '../../wire/envelope.ts'
import { Choice, ListOf, OnlyTrue, Percent, WholeNumber } from '../../wire/fields.ts'
import { parseJson } from '../../wire/json.ts'
import { AmountRange, PercentRange, RangeOf } from '../../wire/ranges.ts'
import { type FieldError, readBody } from '../../wire/reader.ts'
import { count, createdAt, kind, oneOf, record } from '../../wire/record.ts'
import { APPROVABLE_OPERATIONS } from '../document-kinds/document.ts'

const HOURS = 'Hours until a request that nobody decides expires.'
const WHO_DECIDES = 'PERSON: only people decide; ANY: API keys too.'
const DEFAULT_DECIDERS = 'PERSON'
const RULES = 'What has to wait; the most that any matching rule asks for is needed.'

const HOURS_MAX = 87_600

const Conditions = Type.Object(
  {
    amount: Type.Optional(AmountRange('The principal part, opening amount, lien or credit.')),
    net_credited: Type.Optional(AmountRange('What a liquidation credits.')),
    waived_amount: Type.Optional(AmountRange('What a liquidation waives of its charge.')),
    waived_percent: Type.Optional(PercentRange('The same, in percent of the charge.')),
    negotiated_points: Type.Optional(
      RangeOf(
        {
          title: 'PointsRange',
          description: 'How many percentage points a negotiated rate lies above that of the rate sheet.',
        },
        (notes) => Percent({ min: -100, max: 100, ...notes }),
      ),
    ),
    contact_changed_hours: Type.Optional(
      RangeOf(
        {
          title: 'HoursRange',
          description: 'Hours since the e-mail address or the telephone number of the customer last changed.',
        },
        (notes) => WholeNumber({ min: 0, max: HOURS_MAX, ...notes }),
      ),
    ),
    waiver: Type.Optional(OnlyTrue({ description: 'Whether something is waived at all.' })),
    sum: Type.Optional(
      Type.Object(
        {
          of: Choice(SUMS_OF, {
            title: 'SumOf',
            description:
              'What is added up: parts of this deposit, those of all deposits of this customer, or what this actor did. ' +
              'A rolled key and its successors are one actor.',
          }),
          days: WholeNumber({ min: 1, max: 31, description: 'Business dates, the present one included.' }),
          amount: AmountRange('The sum, with this request; what was reversed does not count.'),
        },
        {
          title: 'SumCondition',
          description: 'The amounts of this operation on the last days together, so that parts count as one.',
        },
      ),
    ),
  },
  { title: 'ApprovalConditions', description: 'When the rule applies; all that it names must hold.' },
)

const ruleMembers = {
  operation: Choice(APPROVABLE_OPERATIONS, {
    title: 'ApprovableOperation',
    description: 'The operationId of the operation.',
  }),
  when: Conditions,
  approvals: WholeNumber({ min: 1, max: 3, description: 'How many have to approve.' }),
}

const policyMembers = {
  expires_after_hours: WholeNumber({ min: 1, max: 720, description: HOURS }),
  deciders: Type.Optional(
    Choice(DECIDERS, { title: 'Deciders', description: `${WHO_DECIDES} ${DEFAULT_DECIDERS} if left out.` }),
  ),
}
const rulesNotes = { min: 0, max: 50, description: RULES }

export const ApprovalPolicyBody = Type.Object({
  ...policyMembers,
  rules: ListOf(Type.Object(ruleMembers, { title: 'ApprovalRule', refine: canMatch }), rulesNotes),
})
export type ApprovalPolicyBody = Static<typeof ApprovalPolicyBody>

/** Earlier versions accepted rules that never match. */
const StoredPolicy = Type.Object({ ...policyMembers, rules: ListOf(Type.Object(ruleMembers), rulesNotes) })

const CONDITION_NAMES: Record<string, keyof ApprovalConditions> = {
  amount: 'amount',
  net_credited: 'netCredited',
  waived_amount: 'waivedAmount',
  waived_percent: 'waivedPercent',
  negotiated_points: 'negotiatedPoints',
  contact_changed_hours: 'contactChangedHours',
  waiver: 'waiver',
  sum: 'sum',
}

/** A rule on something that its operation does not have would look like a control and be none. */
function canMatch(rule: object): FieldError[] {
  const { operation, when } = rule as { operation?: ApprovableOperation; when?: Static<typeof Conditions> }
  if (operation === undefined || when === undefined) return []
  const foreign = Object.keys(when)
    .filter((name) => !factsOf(operation).includes(CONDITION_NAMES[name]!))
    .map((name) => notOf(operation, `when.${name}`))
  const sumOfDeposit = when.sum?.of === 'DEPOSIT' && operation !== 'liquidateFixedDeposit'
  return sumOfDeposit && foreign.length === 0 ? [notOf(operation, 'when.sum.of')] : foreign
}

function notOf(operation: string, field: string): FieldError {
  return { field, code: 'invalid_value', message: `Leave this out: ${operation} has no such fact.` }
}

export function policyFrom(body: ApprovalPolicyBody): ApprovalPolicy {
  return {
    expiresAfterHours: body.expires_after_hours,
    deciders: body.deciders ?? DEFAULT_DECIDERS,
    rules: body.rules.map(({ operation, when, approvals }) => ({
      operation,
      approvals,
      when: {
        ...(when.amount && { amount: when.amount }),
        ...(when.net_credited && { netCredited: when.net_credited }),
        ...(when.waived_amount && { waivedAmount: when.waived_amount }),
        ...(when.waived_percent && { waivedPercent: when.waived_percent }),
        ...(when.negotiated_points && { negotiatedPoints: when.negotiated_points }),
        ...(when.contact_changed_hours && { contactChangedHours: when.contact_changed_hours }),
        ...(when.waiver && { waiver: true as const }),
        ...(when.sum && { sum: when.sum }),
      },
    })),
  }
}

/** The stored text is the text of policyData, so what was accepted once can always be read again. */
export function parsePolicy(text: string): ApprovalPolicy {
  const reading = readBody(StoredPolicy, parseJson(Buffer.from(text)))
  assert(reading.ok, 'a policy that was accepted is valid')
  return policyFrom(reading.value as ApprovalPolicyBody)
}

export function formatPolicy(policy: ApprovalPolicy): string {
  return JSON.stringify(policyData(policy))
}

function policyData(policy: ApprovalPolicy) {
  return {
    expires_after_hours: policy.expiresAfterHours,
    deciders: policy.deciders,
    rules: policy.rules.map(({ operation, when, approvals }) => ({
      operation,
      when: conditionsData(when),
      approvals,
    })),
  }
}

function conditionsData(when: ApprovalConditions) {
  return {
    ...(when.amount && { amount: rangeData(when.amount, money) }),
    ...(when.netCredited && { net_credited: rangeData(when.netCredited, money) }),
    ...(when.waivedAmount && { waived_amount: rangeData(when.waivedAmount, money) }),
    ...(when.waivedPercent && { waived_percent: rangeData(when.waivedPercent, percent) }),
    ...(when.negotiatedPoints && { negotiated_points: rangeData(when.negotiatedPoints, percent) }),
    ...(when.contactChangedHours && {
      contact_changed_hours: rangeData(when.contactChangedHours, (hours) => hours),
    }),
    ...(when.waiver && { waiver: true }),
    ...(when.sum && {
      sum: { of: when.sum.of, days: when.sum.days, amount: rangeData(when.sum.amount, money) },
    }),
  }
}

function rangeData<Bound>({ gte, lt }: Range<Bound>, show: (bound: Bound) => unknown) {
  return { ...(gte !== undefined && { gte: show(gte) }), ...(lt !== undefined && { lt: show(lt) }) }
}

/** Shown as it was written. */
export const ApprovalPolicyRecord = record<Version<ApprovalPolicy>>('ApprovalPolicy', {
  version: count.as('Version of the approval policy.', (kept) => kept.version),
  expires_after_hours: count.as(HOURS, ({ document }) => document.expiresAfterHours),
  deciders: oneOf('Deciders', DECIDERS).as(WHO_DECIDES, ({ document }) => document.deciders),
  rules: kind<ApprovalPolicy>(ApprovalPolicyBody.properties.rules, (policy) => policyData(policy).rules).as(
    RULES,
    ({ document }) => document,
  ),
  created_at: createdAt.of((kept) => kept.createdAt),
})

/** What subscribers can receive. */
export const policyEvents = {
  'approval_policy.updated': ApprovalPolicyRecord,
}
