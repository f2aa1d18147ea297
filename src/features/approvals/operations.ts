/**
 * The operations that may wait for approval, as data: how each reads its body, what it changes, and how its result is
 * shown. Requests and votes know nothing else about an operation.
 */
import type { Static, TSchema } from 'typebox'
import type { ApprovableOperation, Facts } from '../../domain/approvals.ts'
import type { Minor } from '../../domain/money.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { Change } from '../../engine/change/change.ts'
import { newId } from '../../engine/database/ids.ts'
import { creditChange } from '../accounts/changes.ts'
import { AccountCredit } from '../accounts/record.ts'
import { policyReplacement } from '../approval-policy/changes.ts'
import { ApprovalPolicyBody, ApprovalPolicyRecord, policyFrom } from '../approval-policy/record.ts'
import { depositOpening } from '../deposits/changes.ts'
import { DepositRecord, NewDeposit, openingRequest } from '../deposits/record.ts'
import { LedgerEntryRecord } from '../ledger/record.ts'
import { lienPlacing, lienRelease } from '../liens/changes.ts'
import { LienRecord, LienRelease, lienFrom, NewLien } from '../liens/record.ts'
import { liquidationChange } from '../liquidation/changes.ts'
import {
  LiquidateBody,
  LiquidationPreviewRecord,
  LiquidationRecord,
  liquidationFrom,
} from '../liquidation/record.ts'
import { reversalChange, reversalFacts } from '../reversal/changes.ts'
import { NewReversal, ReversalRecord, reversalFrom } from '../reversal/record.ts'
import { rulesReplacement } from '../rules/changes.ts'
import { RuleSetBody, RulesRecord, ruleSetFrom } from '../rules/record.ts'
import { taxRulesReplacement, taxStatusChange } from '../tax/changes.ts'
import {
  TaxRulesBody,
  TaxRulesRecord,
  TaxStatusBody,
  TaxStatusRecord,
  taxRulesFrom,
  taxStatusFrom,
} from '../tax/record.ts'

export type Operation = {
  change: Change<unknown, unknown, { policy: unknown }, unknown>
  body: TSchema
  /** Whether it is about a record that the path names. */
  hasTarget: boolean
  /** The scopes a key or a person needs to request it: those of the direct call. */
  scopes: (body: never) => readonly Scope[]
  request: (targetId: string, body: never, expectedNet: Minor | null) => unknown
  /** The facts that determine how many have to approve. */
  facts: (value: never) => Facts
  /** The data of the direct call's answer. */
  data: (value: never) => unknown
  /** The expected result, where that is not its data. */
  preview: (value: never) => unknown
}

/** Lets the members of one operation share their types, and hides them from other code. */
function operation<
  Body extends TSchema,
  Request,
  Locked,
  Known extends { policy: unknown },
  Value,
>(definition: {
  change: Change<Request, Locked, Known, Value>
  body: Body
  hasTarget: boolean
  scopes: readonly Scope[] | ((body: Static<Body>) => readonly Scope[])
  request: (targetId: string, body: Static<Body>, expectedNet: Minor | null) => Request
  facts?: (value: Value) => Facts
  data: (value: Value) => unknown
  preview?: (value: Value) => unknown
}): Operation {
  const { scopes, facts = () => ({}), preview = definition.data } = definition
  return {
    ...(definition as unknown as Operation),
    scopes: (typeof scopes === 'function' ? scopes : () => scopes) as Operation['scopes'],
    facts: facts as Operation['facts'],
    preview: preview as Operation['preview'],
  }
}

export const operations: Record<ApprovableOperation, Operation> = {
  openFixedDeposit: operation({
    change: depositOpening,
    body: NewDeposit,
    hasTarget: false,
    scopes: ['fixed_deposits:write'],
    request: (_, body) => ({ depositId: newId('fd'), ...openingRequest(body) }),
    facts: ({ deposit }) => ({ amount: deposit.principal }),
    data: DepositRecord.write,
  }),
  liquidateFixedDeposit: operation({
    change: liquidationChange,
    body: LiquidateBody,
    hasTarget: true,
    scopes: ({ waiver }) =>
      (waiver ?? null) === null
        ? ['fixed_deposits:liquidate']
        : ['fixed_deposits:liquidate', 'penal_charges:waive'],
    request: (depositId, body, expectedNet) => ({
      liquidationId: newId('liq'),
      depositId,
      ...liquidationFrom(body),
      ...(expectedNet !== null && { expectedNet }),
    }),
    facts: ({ facts }) => facts(),
    data: ({ liquidation }) => LiquidationRecord.write(liquidation),
    preview: ({ liquidation, explain }) =>
      LiquidationPreviewRecord.write({ ...liquidation, explanation: explain() }),
  }),
  reverseLiquidation: operation({
    change: reversalChange,
    body: NewReversal,
    hasTarget: true,
    scopes: ['liquidations:reverse'],
    request: reversalFrom,
    facts: reversalFacts,
    data: ReversalRecord.write,
  }),
  placeLien: operation({
    change: lienPlacing,
    body: NewLien,
    hasTarget: true,
    scopes: ['liens:write'],
    request: (depositId, body) => ({ lienId: newId('lien'), ...lienFrom(depositId, body) }),
    facts: ({ lien }) => ({ amount: lien.amount }),
    data: ({ lien }) => LienRecord.write(lien),
  }),
  releaseLien: operation({
    change: lienRelease,
    body: LienRelease,
    hasTarget: true,
    scopes: ['liens:write'],
    request: (lienId, body) => ({ lienId, reason: body.reason }),
    facts: ({ lien }) => ({ amount: lien.amount }),
    data: ({ lien }) => LienRecord.write(lien),
  }),
  creditAccount: operation({
    change: creditChange,
    body: AccountCredit,
    hasTarget: true,
    scopes: ['accounts:write'],
    request: (accountNumber, body) => ({
      accountNumber,
      amount: body.amount,
      narration: body.narration ?? null,
    }),
    facts: ({ postings }) => ({ amount: postings.at(-1)!.amount }),
    data: LedgerEntryRecord.write,
  }),
  replaceRules: operation({
    change: rulesReplacement,
    body: RuleSetBody,
    hasTarget: false,
    scopes: ['rules:write'],
    request: (_, body) => ruleSetFrom(body),
    data: RulesRecord.write,
  }),
  replaceTaxRules: operation({
    change: taxRulesReplacement,
    body: TaxRulesBody,
    hasTarget: false,
    scopes: ['tax:write'],
    request: (_, body) => taxRulesFrom(body),
    data: TaxRulesRecord.write,
  }),
  putTaxStatus: operation({
    change: taxStatusChange,
    body: TaxStatusBody,
    hasTarget: true,
    scopes: ['tax:write'],
    request: (customerId, body) => taxStatusFrom(customerId, body),
    data: ({ after }) => TaxStatusRecord.write(after),
  }),
  replaceApprovalPolicy: operation({
    change: policyReplacement,
    body: ApprovalPolicyBody,
    hasTarget: false,
    scopes: ['approvals:policy'],
    request: (_, body) => policyFrom(body),
    data: ApprovalPolicyRecord.write,
  }),
}
