/** How each request of the simulation is made: by the changes and jobs themselves, as the doors call them. */
import type { Service } from '../../../src/cli/compose.ts'
import { type Actor, identityOf, MATURITY_JOB, OPERATOR } from '../../../src/domain/actor.ts'
import type { Approval } from '../../../src/domain/approvals.ts'
import type { Book } from '../../../src/domain/book.ts'
import type { Calendar, Weekday } from '../../../src/domain/calendar.ts'
import { type IsoDate, isoDate } from '../../../src/domain/dates.ts'
import type { Lien } from '../../../src/domain/lien.ts'
import type { Minor } from '../../../src/domain/money.ts'
import type { CustomerTaxStatus } from '../../../src/domain/tax.ts'
import type { Origin, Result } from '../../../src/engine/change/change.ts'
import { creditAccount } from '../../../src/features/accounts/changes.ts'
import { closeDays } from '../../../src/features/accruals/changes.ts'
import { findApproval } from '../../../src/features/approval-requests/store.ts'
import {
  approve,
  cancel,
  expireApprovals,
  reject,
  requestApproval,
  type Voted,
} from '../../../src/features/approvals/changes.ts'
import { ApprovalRecord } from '../../../src/features/approvals/record.ts'
import { cancelBatch, startBatch } from '../../../src/features/batches/changes.ts'
import { runBatches } from '../../../src/features/batches/job.ts'
import { BatchRecord } from '../../../src/features/batches/record.ts'
import { calendar } from '../../../src/features/calendar/document.ts'
import { type CustomerUpdate, updateCustomer } from '../../../src/features/customers/changes.ts'
import { CustomerRecord } from '../../../src/features/customers/record.ts'
import { openDeposit } from '../../../src/features/deposits/changes.ts'
import { DepositRecord, type ShownDeposit } from '../../../src/features/deposits/record.ts'
import { documentOf } from '../../../src/features/documents/changes.ts'
import { LedgerEntryRecord } from '../../../src/features/ledger/record.ts'
import { placeLien, releaseLien } from '../../../src/features/liens/changes.ts'
import { LienRecord } from '../../../src/features/liens/record.ts'
import { liquidate, quote } from '../../../src/features/liquidation/changes.ts'
import { LiquidationPreviewRecord } from '../../../src/features/liquidation/record.ts'
import { liquidated } from '../../../src/features/liquidation/routes.ts'
import { putMaturityInstruction } from '../../../src/features/maturity-instruction/changes.ts'
import { policyDocument } from '../../../src/features/policies/changes.ts'
import { reverseLiquidation } from '../../../src/features/reversal/changes.ts'
import { ReversalRecord } from '../../../src/features/reversal/record.ts'
import { putTaxStatus, taxRulesDocument } from '../../../src/features/tax/changes.ts'
import { parseTaxRules, TaxRulesRecord, TaxStatusRecord } from '../../../src/features/tax/record.ts'
import { success } from '../../../src/route/route.ts'
import { onKey, usingKey } from './asking-keys.ts'
import { type Desk, mayDecide, onPerson } from './asking-people.ts'
import { TENOR_MONTHS } from './model-of-interest.ts'
import { MAKER, type Outcome, RATE_PPM, TENOR_DAYS } from './state.ts'
import { fingerprintOf, isOfPerson, type Operation, type Request } from './workload.ts'

type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>

const EXPIRED_MAX = 10

export async function askService(
  service: Service,
  book: Book,
  operation: Operation,
  desk: Desk,
): Promise<Outcome> {
  const { request, key, id } = operation
  const idempotency = key === null ? null : { key, fingerprint: fingerprintOf(request) }
  const origin: Origin = { book, actor: OPERATOR, requestId: id, idempotency }
  if (isOfPerson(request)) return onPerson(service, book, { ...operation, request }, desk)
  switch (request.kind) {
    case 'update': {
      const shown = ({ customer }: CustomerUpdate) => CustomerRecord.write(customer)
      return outcomeOf(await updateCustomer(service, origin, request, success(200, 'Updated.', shown)))
    }
    case 'credit':
    case 'open': {
      const name = request.kind === 'credit' ? request.byKey : undefined
      const by = name === undefined ? origin : await usingKey(origin, name, desk)
      if (by === null) return { kind: 'refused', code: 'api_key_revoked', details: {} }
      return onAccount(service, by, request)
    }
    case 'tax rules':
    case 'tax status':
      return onTax(service, origin, request)
    case 'calendar': {
      const { replace, record } = documentOf(calendar)
      const { weekend, holidays } = request.calendar
      const days: Calendar = { weekend: weekend as Weekday[], holidays: holidays.map(isoDate) }
      return outcomeOf(await replace(service, origin, days, success(200, 'Written.', record.write)))
    }
    case 'make key':
    case 'confirm key':
    case 'roll key':
    case 'revoke key':
      return onKey(service, origin, request, desk)
    case 'liquidate':
    case 'quote':
      return breaking(service, origin, request)
    case 'reverse': {
      const asked = { liquidationId: request.liquidationId, reason: 'Mistake', note: null }
      const answer = success(200, 'Reversed.', ReversalRecord.write)
      return outcomeOf(await reverseLiquidation(service, origin, asked, answer))
    }
    case 'place':
    case 'release':
    case 'instruct':
      return onDeposit(service, origin, request)
    case 'ask':
    case 'vote':
    case 'reject':
    case 'cancel':
      return onApproval(service, origin, request, desk)
    case 'policy': {
      const { deciders, approvals, heldFrom } = request.policy
      const when = { amount: { gte: heldFrom } }
      const rules = [{ operation: 'liquidateFixedDeposit' as const, when, approvals }]
      const policy = { expiresAfterHours: 720, deciders, rules }
      const answer = success(200, 'Written.', policyDocument.record.write)
      return outcomeOf(await service.submit(policyDocument.writing, origin, policy, answer))
    }
    case 'start': {
      const answer = success(200, 'Started.', BatchRecord.write)
      return outcomeOf(await startBatch(service, origin, request.batchId, answer))
    }
    case 'drop': {
      const answer = success(200, 'Cancelled.', BatchRecord.write)
      return outcomeOf(await cancelBatch(service, origin, request.batchId, answer))
    }
    case 'expire':
    case 'settle':
    case 'send':
    case 'close days':
    case 'run files':
      return runJob(service, book, operation, desk)
    case 'look':
    case 'look at key':
    case 'mature':
    case 'pay':
    case 'complete':
    case 'import account':
    case 'import deposit':
      throw new Error('Only jobs do this.')
    default:
      return request satisfies never
  }
}

async function runJob(
  service: Service,
  book: Book,
  { request, id }: Operation,
  { sender }: Desk,
): Promise<Outcome> {
  if (request.kind === 'send') await sender.sendDue()
  if (request.kind === 'close days') await closeDays(service, book)
  if (request.kind === 'expire') await expireApprovals(service, book, EXPIRED_MAX)
  if (request.kind === 'settle') {
    await service.maturity.settleBook({ book, actor: MATURITY_JOB, requestId: null })
  }
  if (request.kind === 'run files') await runBatches(service, book, { instance: id, isStopped: () => false })
  return { kind: 'answered', status: 200, body: '{}', replayed: false }
}

async function onAccount(service: Service, origin: Origin, request: Of<'credit' | 'open'>): Promise<Outcome> {
  const { accountNumber } = request
  const amount = request.amount as Minor
  if (request.kind === 'credit') {
    const answer = success(201, 'Credited.', LedgerEntryRecord.write)
    return outcomeOf(await creditAccount(service, origin, { accountNumber, amount, narration: null }, answer))
  }
  const startDate = request.startDate as IsoDate | null
  const wish = { accountNumber, amount, startDate, instruction: 'PAY_OUT' as const }
  const terms =
    request.product === null
      ? { ...wish, tenorDays: TENOR_DAYS, annualRatePpm: RATE_PPM }
      : {
          ...{ ...wish, productCode: request.product, bonusCodes: [], negotiatedPpm: null },
          tenor: { unit: 'MONTH' as const, count: TENOR_MONTHS },
        }
  const shown = ({ deposit, rules, today }: ShownDeposit) => DepositRecord.write({ deposit, rules, today })
  return outcomeOf(await openDeposit(service, origin, terms, success(201, 'Opened.', shown)))
}

async function onTax(
  service: Service,
  origin: Origin,
  request: Of<'tax rules' | 'tax status'>,
): Promise<Outcome> {
  if (request.kind === 'tax rules') {
    const { from: effective_from, base, onRecovery: on_recovery, classes } = request.rules
    const rules = parseTaxRules(
      JSON.stringify({ effective_from, base, on_recovery, rounding: 'HALF_UP', classes }),
    )
    const answer = success(200, 'Written.', TaxRulesRecord.write)
    return outcomeOf(await taxRulesDocument.replace(service, origin, rules, answer))
  }
  const { customerId, taxClass } = request
  const status = { customerId, taxClass, taxReference: null, taxValidUntil: null }
  const shown = ({ after }: { after: CustomerTaxStatus }) => TaxStatusRecord.write(after)
  return outcomeOf(await putTaxStatus(service, origin, status, success(200, 'Set.', shown)))
}

async function breaking(
  service: Service,
  origin: Origin,
  request: Of<'liquidate' | 'quote'>,
): Promise<Outcome> {
  const { depositId, waivedPpm } = request
  const waiver =
    waivedPpm === undefined
      ? null
      : {
          ...{ percentPpm: Number(waivedPpm), amount: null, holdingPeriod: false },
          ...{ reason: 'GOODWILL', note: null },
        }
  const asked = { depositId, part: request.part as { type: 'PARTIAL'; amount: Minor }, waiver }
  if (request.kind === 'liquidate') return outcomeOf(await liquidate(service, origin, asked, liquidated))
  const by = { identity: identityOf(OPERATOR) }
  const quoted = await quote(service, origin.book, { ...asked, asOf: null }, by)
  if (quoted.outcome === 'refused') return outcomeOf(quoted)
  const body = JSON.stringify({ data: LiquidationPreviewRecord.write(quoted.settlement) })
  return { kind: 'answered', status: 200, body, replayed: false }
}

async function onDeposit(
  service: Service,
  origin: Origin,
  request: Of<'place' | 'release' | 'instruct'>,
): Promise<Outcome> {
  const shown = ({ lien }: { lien: Lien }) => LienRecord.write(lien)
  if (request.kind === 'place') {
    const { depositId } = request
    const amount = request.amount as Minor
    const lien = { depositId, amount, reason: 'Guarantee', reference: null, note: null }
    return outcomeOf(await placeLien(service, origin, lien, success(201, 'Placed.', shown)))
  }
  if (request.kind === 'release') {
    const asked = { lienId: request.lienId, reason: 'Repaid' }
    return outcomeOf(await releaseLien(service, origin, asked, success(200, 'Released.', shown)))
  }
  const answer = success(200, 'Set.', DepositRecord.write)
  return outcomeOf(await putMaturityInstruction(service, origin, request, answer))
}

async function onApproval(
  service: Service,
  origin: Origin,
  request: Of<'ask' | 'vote' | 'reject' | 'cancel'>,
  desk: Desk,
): Promise<Outcome> {
  if (request.kind === 'ask') {
    const body = { liquidation_type: 'FULL' } as const
    const operation = 'liquidateFixedDeposit' as const
    const asked = { operation, targetId: request.depositId, body, value: body, note: null }
    const answer = success(201, 'Asked.', ({ approval }: { approval: Approval }) => shownApproval(approval))
    const by = { ...origin, actor: actorNamed(MAKER) }
    return outcomeOf(await requestApproval(service, by, asked, answer))
  }
  const { approvalId } = request
  const by = { ...origin, actor: actorNamed(request.voter) }
  if (by.actor.kind === 'PERSON' && !(await mayDecide(service, origin.book, by.actor.id, desk))) {
    return { kind: 'refused', code: 'signed_out', details: {} }
  }
  if (request.kind === 'reject') {
    const answer = success(200, 'Rejected.', shownApproval)
    return outcomeOf(await reject(service, by, { approvalId, reason: 'No' }, answer))
  }
  if (request.kind === 'cancel') {
    return outcomeOf(await cancel(service, by, { approvalId }, success(200, 'Cancelled.', shownApproval)))
  }
  const kept = await findApproval(service.db, origin.book.bookId, approvalId)
  if (kept === undefined) return { kind: 'refused', code: 'approval_not_found', details: {} }
  const vote = { kept, value: { liquidation_type: 'FULL' }, expectedNet: null }
  const answer = success(200, 'Voted.', ({ approval }: Voted) => shownApproval(approval))
  return outcomeOf(await approve(service, by, vote, answer))
}

function actorNamed(identity: string): Actor {
  const [kind, id] = identity.split(' ') as ['KEY' | 'PERSON', string]
  return { kind, id, name: null }
}

/** As it was when it was changed last. */
function shownApproval(approval: Approval) {
  const at = approval.decidedAt ?? approval.votes.at(-1)?.at ?? approval.requestedAt
  return ApprovalRecord.write({ approval, at })
}

function outcomeOf(result: Result<unknown>): Outcome {
  if (result.outcome === 'refused') {
    return { kind: 'refused', code: result.code, details: result.details }
  }
  const { status, body } = result.answer!
  return { kind: 'answered', status, body, replayed: result.outcome === 'replayed' }
}
