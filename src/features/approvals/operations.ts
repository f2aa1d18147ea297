/**
 * The operations that may wait for approval, as data: how each reads its body, what it changes, and how its result is
 * shown. Requests and votes know nothing else about an operation.
 */
import assert from 'node:assert/strict'
import type { Static, TSchema } from 'typebox'
import type { Actor } from '../../domain/actor.ts'
import {
  type ApprovableOperation,
  type Approval,
  type ApprovalPolicy,
  isNamed,
  type NamedOperation,
} from '../../domain/approvals.ts'
import { scopesOfLines } from '../../domain/batch.ts'
import type { Book } from '../../domain/book.ts'
import { type Impact, openImpact } from '../../domain/impact.ts'
import type { Minor } from '../../domain/money.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { Change } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import type { Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { parseJson } from '../../wire/json.ts'
import { type FieldError, readBody } from '../../wire/reader.ts'
import { creditChange } from '../accounts/changes.ts'
import { AccountCredit } from '../accounts/record.ts'
import { ApprovalPolicyBody, ApprovalPolicyRecord, policyFrom } from '../approval-policy/record.ts'
import { batchStart } from '../batches/changes.ts'
import { BatchRecord, BatchStart } from '../batches/record.ts'
import { findBatch } from '../batches/store.ts'
import { depositOpening } from '../deposits/changes.ts'
import { DepositRecord, NewDeposit, openingRequest } from '../deposits/record.ts'
import { documentKinds } from '../document-kinds/document.ts'
import { documentOf } from '../documents/changes.ts'
import { impactOfPolicy, impactOfProduct, impactOfRules } from '../impact/changes.ts'
import { ImpactRecord } from '../impact/record.ts'
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
import { policyDocument } from '../policies/changes.ts'
import { productReplacement, sheetAddition } from '../products/changes.ts'
import {
  gridFrom,
  ProductBody,
  ProductRecord,
  productCodeErrors,
  productFrom,
  RateSheetBody,
  RateSheetRecord,
} from '../products/record.ts'
import { reversalChange } from '../reversal/changes.ts'
import { NewReversal, ReversalRecord, reversalFrom } from '../reversal/record.ts'
import { rulesDocument } from '../rules/changes.ts'
import { RuleSetBody, RulesRecord, ruleSetFrom } from '../rules/record.ts'
import { taxRulesDocument, taxStatusChange } from '../tax/changes.ts'
import {
  TaxRulesBody,
  TaxRulesRecord,
  TaxStatusBody,
  TaxStatusRecord,
  taxRulesFrom,
  taxStatusFrom,
} from '../tax/record.ts'

/** A value of `unknown` is one that another member of the same operation made. */
export type Operation = {
  change: Change<unknown, unknown, unknown, unknown>
  body: TSchema
  /** Whether it is about a record that the path names. */
  hasTarget: boolean
  /** What is wrong with its name, where that need not exist. */
  targetErrors?: (targetId: string) => FieldError[]
  /** The scopes a key or a person needs to request it: those of the direct call. */
  scopes: (body: unknown) => readonly Scope[]
  /** Further ones, by the record it is about. */
  scopesOfTarget?: (db: Queries, bookId: string, targetId: string) => Promise<readonly Scope[]>
  /** `by` is the actor who requests it. */
  request: (targetId: string, body: unknown, expectedNet: Minor | null, by: Actor) => unknown
  /** The data of the direct call's answer. */
  data: (value: unknown) => unknown
  /** The expected result, where that is not its data. */
  preview: (value: unknown) => unknown
  /** What a document would change for others: its preview. */
  foresee?: (engine: Engine, book: Book, request: unknown) => Promise<Impact | Refusal>
}

type Definition<Body extends TSchema, Request, Locked, Known, Value> = {
  change: Change<Request, Locked, Known, Value>
  body: Body
  hasTarget: boolean
  targetErrors?: Operation['targetErrors']
  scopes: readonly Scope[] | ((body: Static<Body>) => readonly Scope[])
  scopesOfTarget?: Operation['scopesOfTarget']
  request: (targetId: string, body: Static<Body>, expectedNet: Minor | null, by: Actor) => Request
  data: (value: Value) => unknown
  preview?: (value: Value) => unknown
  foresee?: (engine: Engine, book: Book, request: Request) => Promise<Impact | Refusal>
}

/** Lets the members of one operation share their types, and hides them from other code. */
function operation<Body extends TSchema, Request, Locked, Known, Value>(
  definition: Definition<Body, Request, Locked, Known, Value>,
): Operation {
  const { scopes, data } = definition
  const ofBody = typeof scopes === 'function' ? scopes : () => scopes
  return { preview: data, ...definition, scopes: ofBody } as unknown as Operation
}

export const namedOperations: Record<NamedOperation, Operation> = {
  openFixedDeposit: operation({
    change: depositOpening,
    body: NewDeposit,
    hasTarget: false,
    scopes: ['fixed_deposits:write'],
    request: (_, body) => ({ depositId: newId('fd'), ...openingRequest(body) }),
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
    data: ReversalRecord.write,
  }),
  placeLien: operation({
    change: lienPlacing,
    body: NewLien,
    hasTarget: true,
    scopes: ['liens:write'],
    request: (depositId, body) => ({ lienId: newId('lien'), ...lienFrom(depositId, body) }),
    data: ({ lien }) => LienRecord.write(lien),
  }),
  releaseLien: operation({
    change: lienRelease,
    body: LienRelease,
    hasTarget: true,
    scopes: ['liens:write'],
    request: (lienId, body) => ({ lienId, reason: body.reason }),
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
    data: LedgerEntryRecord.write,
  }),
  replaceRules: operation({
    change: rulesDocument.replacement,
    body: RuleSetBody,
    hasTarget: false,
    scopes: ['rules:write'],
    request: (_, body) => ruleSetFrom(body),
    data: RulesRecord.write,
    foresee: impactOfRules,
  }),
  replaceTaxRules: operation({
    change: taxRulesDocument.replacement,
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
    change: policyDocument.replacement,
    body: ApprovalPolicyBody,
    hasTarget: false,
    scopes: ['approvals:policy'],
    request: (_, body) => policyFrom(body),
    data: ApprovalPolicyRecord.write,
    foresee: impactOfPolicy,
  }),
  putProduct: operation({
    change: productReplacement,
    body: ProductBody,
    hasTarget: true,
    scopes: ['products:write'],
    targetErrors: (code) => productCodeErrors(code, 'target_id'),
    request: (productCode, body) => ({ productCode, product: productFrom(body) }),
    data: ProductRecord.write,
    foresee: impactOfProduct,
  }),
  addRateSheet: operation({
    change: sheetAddition,
    body: RateSheetBody,
    hasTarget: true,
    scopes: ['products:write'],
    request: (productCode, body) => ({ productCode, grid: gridFrom(body) }),
    data: RateSheetRecord.write,
  }),
  startBatch: operation({
    change: batchStart,
    body: BatchStart,
    hasTarget: true,
    scopes: ['batches:write'],
    scopesOfTarget: async (db, bookId, batchId) => {
      const batch = await findBatch(db, bookId, batchId)
      return batch === undefined ? [] : scopesOfLines(batch)
    },
    request: (batchId, _body, _expected, by) => ({ batchId, startedBy: by }),
    data: BatchRecord.write,
  }),
}

const documentOperations = new Map<ApprovableOperation, Operation>(
  documentKinds.map((kind) => [
    kind.operation,
    operation({
      change: documentOf(kind).replacement,
      body: kind.body,
      hasTarget: false,
      scopes: [kind.scopes.write],
      request: (_, body) => kind.from(body),
      data: kind.record.write,
    }),
  ]),
)

export function operationOf(name: ApprovableOperation): Operation {
  const found = isNamed(name) ? namedOperations[name] : documentOperations.get(name)
  assert(found !== undefined, 'an operation that waits is known')
  return found
}

/** What was accepted once is read again in the same way. */
export function bodyOf({ operation, body }: Pick<Approval, 'operation' | 'body'>): unknown {
  const read = readBody(operationOf(operation).body, parseJson(body))
  return read.ok ? read.value : null
}

type Requested = { operation: ApprovableOperation; request: unknown }

/** The impact of a document, as a preview. */
export async function foresee(engine: Engine, book: Book, requested: Requested): Promise<string | null> {
  const impact = await impactOf(engine, book, requested)
  return impact && JSON.stringify(ImpactRecord.write(impact))
}

/** null where the operation is no document. One that is new changes nothing there is. */
async function impactOf(
  engine: Engine,
  book: Book,
  { operation, request }: Requested,
): Promise<Impact | null> {
  const found = await operationOf(operation).foresee?.(engine, book, request)
  if (found === undefined) return null
  return 'outcome' in found ? openImpact().close(true) : found
}

export function impactOfRequest(engine: Engine, book: Book, approval: Approval): Promise<Impact | null> {
  const { operation, targetId, requestedBy } = approval
  const request = operationOf(operation).request(targetId ?? '', bodyOf(approval), null, requestedBy)
  return impactOf(engine, book, { operation, request })
}

/** A body with every member that needs a scope of its own. */
const WHOLE_BODY = { waiver: {} }

/** The scopes of the operations that a policy has rules for. A policy with rules guards itself as well. */
export function guardedScopes(policy: ApprovalPolicy | null): ReadonlySet<string> {
  const guarded = (policy?.rules ?? []).flatMap(({ operation }) => operationOf(operation).scopes(WHOLE_BODY))
  return new Set(
    guarded.length === 0 ? [] : [...guarded, ...namedOperations.replaceApprovalPolicy.scopes(WHOLE_BODY)],
  )
}
