import assert from 'node:assert/strict'
import { type Static, Type } from 'typebox'
import {
  APPROVABLE_OPERATIONS,
  type ApprovalConditions,
  type ApprovalPolicy,
  DECIDERS,
} from '../../domain/approvals.ts'
import type { Range } from '../../domain/rules.ts'
import { money, percent } from '../../wire/envelope.ts'
import { Choice, ListOf, OnlyTrue, WholeNumber } from '../../wire/fields.ts'
import { parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { count, createdAt, kind, oneOf, record } from '../../wire/record.ts'
import { AmountRange, PercentRange, RangeOf } from '../rules/record.ts'

const HOURS = 'Hours until a request that nobody decides expires.'
const WHO_DECIDES = 'PERSON: only people decide; ANY: API keys too.'
const RULES = 'What has to wait; the most that any matching rule asks for is needed.'

const HOURS_MAX = 87_600

const Conditions = Type.Object(
  {
    amount: Type.Optional(AmountRange('The principal part, opening amount, lien or credit.')),
    net_credited: Type.Optional(AmountRange('What a liquidation credits.')),
    waived_amount: Type.Optional(AmountRange('What a liquidation waives of its charge.')),
    waived_percent: Type.Optional(PercentRange('The same, in percent of the charge.')),
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
  },
  { title: 'ApprovalConditions', description: 'When the rule applies; all that it names must hold.' },
)

export const ApprovalPolicyBody = Type.Object({
  expires_after_hours: WholeNumber({ min: 1, max: 720, description: HOURS }),
  deciders: Choice(DECIDERS, { title: 'Deciders', description: WHO_DECIDES }),
  rules: ListOf(
    Type.Object(
      {
        operation: Choice(APPROVABLE_OPERATIONS, {
          title: 'ApprovableOperation',
          description: 'The operationId of the operation.',
        }),
        when: Conditions,
        approvals: WholeNumber({ min: 1, max: 3, description: 'How many have to approve.' }),
      },
      { title: 'ApprovalRule' },
    ),
    { min: 0, max: 50, description: RULES },
  ),
})
export type ApprovalPolicyBody = Static<typeof ApprovalPolicyBody>

export function policyFrom(body: ApprovalPolicyBody): ApprovalPolicy {
  return {
    expiresAfterHours: body.expires_after_hours,
    deciders: body.deciders,
    rules: body.rules.map(({ operation, when, approvals }) => ({
      operation,
      approvals,
      when: {
        ...(when.amount && { amount: when.amount }),
        ...(when.net_credited && { netCredited: when.net_credited }),
        ...(when.waived_amount && { waivedAmount: when.waived_amount }),
        ...(when.waived_percent && { waivedPercent: when.waived_percent }),
        ...(when.contact_changed_hours && { contactChangedHours: when.contact_changed_hours }),
        ...(when.waiver && { waiver: true as const }),
      },
    })),
  }
}

/** The stored text is the text of policyData, so what was accepted once can always be read again. */
export function parsePolicy(text: string): ApprovalPolicy {
  const reading = readBody(ApprovalPolicyBody, parseJson(Buffer.from(text)))
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
    ...(when.contactChangedHours && {
      contact_changed_hours: rangeData(when.contactChangedHours, (hours) => hours),
    }),
    ...(when.waiver && { waiver: true }),
  }
}

function rangeData<Bound>({ gte, lt }: Range<Bound>, show: (bound: Bound) => unknown) {
  return { ...(gte !== undefined && { gte: show(gte) }), ...(lt !== undefined && { lt: show(lt) }) }
}

type PolicyVersion = { version: number; policy: ApprovalPolicy; createdAt: Date }

/** Shown as it was written. */
export const ApprovalPolicyRecord = record<PolicyVersion>('ApprovalPolicy', {
  version: count.as('Version of the approval policy.', (kept) => kept.version),
  expires_after_hours: count.as(HOURS, ({ policy }) => policy.expiresAfterHours),
  deciders: oneOf('Deciders', DECIDERS).as(WHO_DECIDES, ({ policy }) => policy.deciders),
  rules: kind<ApprovalPolicy>(ApprovalPolicyBody.properties.rules, (policy) => policyData(policy).rules).as(
    RULES,
    ({ policy }) => policy,
  ),
  created_at: createdAt.of((kept) => kept.createdAt),
})

/** What subscribers can receive. */
export const policyEvents = {
  'approval_policy.updated': ApprovalPolicyRecord,
}
