/** Liens, instructions, maturities and the calendar that they follow, as the model has them. */
import { isDeepStrictEqual } from 'node:util'
import { hasDue, lastInterest, maturityOf } from './model-of-interest.ts'
import { taxingOn } from './model-of-tax.ts'
import {
  amountText,
  type BookState,
  type DepositState,
  type Evidence,
  isRefusal,
  lagosDate,
  readData,
  shows,
} from './state.ts'
import type { Request } from './workload.ts'

type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>

export function stepPlacing(
  state: BookState,
  { depositId, amount }: Of<'place'>,
  { outcome, body, event }: Evidence,
): BookState | null {
  const deposit = state.deposits.get(depositId)
  if (deposit === undefined) return isRefusal(outcome, 'deposit_not_found') ? state : null
  const { status } = deposit
  if (status !== 'ACTIVE') {
    return isRefusal(outcome, 'deposit_not_active', { deposit_status: status }) ? state : null
  }
  const available = deposit.remaining - deposit.lien
  if (amount > available) return isRefusal(outcome, 'lien_exceeds_principal', { available }) ? state : null
  if (outcome.kind === 'refused') return null
  const data = readData(`{"data":${event!.data}}`)
  const expected = {
    deposit_id: depositId,
    amount: amountText(amount),
    status: 'ACTIVE',
    created_at: event!.at,
  }
  if (!shows(data, expected) || (body !== null && !body.endsWith(`"data":${event!.data}}`))) return null
  const lien = { depositId, amount, status: 'ACTIVE' }
  return {
    ...state,
    deposits: new Map(state.deposits).set(depositId, { ...deposit, lien: deposit.lien + amount }),
    liens: new Map(state.liens).set(String(data.lien_id), lien),
  }
}

export function stepRelease(
  state: BookState,
  { lienId }: Of<'release'>,
  { outcome, event }: Evidence,
): BookState | null {
  const lien = state.liens.get(lienId)
  if (lien === undefined) return isRefusal(outcome, 'lien_not_found') ? state : null
  if (lien.status !== 'ACTIVE') {
    return isRefusal(outcome, 'lien_not_active', { lien_status: lien.status }) ? state : null
  }
  if (outcome.kind === 'refused') return null
  const data = readData(`{"data":${event!.data}}`)
  const { depositId, amount } = lien
  const expected = { lien_id: lienId, deposit_id: depositId, status: 'RELEASED', released_at: event!.at }
  if (!shows(data, expected)) return null
  const deposit = state.deposits.get(depositId)!
  return {
    ...state,
    deposits: new Map(state.deposits).set(depositId, { ...deposit, lien: deposit.lien - amount }),
    liens: new Map(state.liens).set(lienId, { ...lien, status: 'RELEASED' }),
  }
}

/** The instruction that a deposit has already leaves no event. */
export function stepInstruction(
  state: BookState,
  { depositId, instruction }: Of<'instruct'>,
  { outcome, event, from, to }: Evidence,
): BookState | null {
  const deposit = state.deposits.get(depositId)
  if (deposit === undefined) return isRefusal(outcome, 'deposit_not_found') ? state : null
  const { status, maturityDate } = deposit
  if (status !== 'ACTIVE') {
    return isRefusal(outcome, 'deposit_not_active', { deposit_status: status }) ? state : null
  }
  if (outcome.kind === 'refused') {
    const isLate =
      to >= maturityDate && isRefusal(outcome, 'deposit_matured', { maturity_date: maturityDate })
    return isLate ? state : null
  }
  if ((event === undefined ? from : lagosDate(event.at)) >= maturityDate) return null
  const isChange = deposit.instruction !== instruction
  if (isChange !== (event !== undefined)) return null
  // Another object, because its key is stored even where nothing changes.
  if (event === undefined) return { ...state }
  if (
    !shows(readData(`{"data":${event.data}}`), { deposit_id: depositId, maturity_instruction: instruction })
  )
    return null
  return { ...state, deposits: new Map(state.deposits).set(depositId, { ...deposit, instruction }) }
}

/** What the job made of a deposit: paid out, or rolled over with its liens. */
export function stepMaturity(
  state: BookState,
  { depositId }: { depositId: string },
  { event }: Evidence,
): BookState | null {
  const deposit = state.deposits.get(depositId)
  if (deposit === undefined || deposit.status !== 'ACTIVE') return null
  if (deposit.maturityDate > lagosDate(event!.at) || hasDue(deposit, lagosDate(event!.at))) return null
  const on = lagosDate(event!.at)
  const { interest, tax } = lastInterest(deposit, taxingOn(state, deposit.accountNumber, on))
  const data = readData(`{"data":${event!.data}}`)
  const closed = { ...deposit, remaining: 0n, lien: 0n }
  if (deposit.instruction === 'PAY_OUT') {
    const total = deposit.remaining + interest
    const expected = {
      ...{ deposit_id: depositId, status: 'MATURED', credited_account: deposit.accountNumber },
      ...{ principal_returned: amountText(deposit.remaining), interest_paid: amountText(interest) },
      ...{ penal_charge: '0.00', total_credited: amountText(total), net_credited: amountText(total - tax) },
    }
    if (deposit.lien > 0n || !shows(data, expected)) return null
    return {
      ...credited(state, deposit, total - tax),
      deposits: new Map(state.deposits).set(depositId, { ...closed, status: 'MATURED' }),
    }
  }
  const isAdded = deposit.instruction === 'ROLL_OVER' && !['PAYOUT', 'UPFRONT'].includes(deposit.method)
  const paidOut = isAdded ? 0n : interest - tax
  const rolled = isAdded ? deposit.remaining + interest - tax : deposit.remaining
  const startDate = deposit.maturityDate
  const maturityDate = maturityOf(startDate, deposit.productCode, state.calendar)
  const successor = data.successor as Record<string, unknown>
  const expected = { deposit_id: depositId, status: 'ROLLED_OVER', net_credited: amountText(paidOut) }
  const opened = {
    ...{ status: 'ACTIVE', principal: amountText(rolled), remaining_principal: amountText(rolled) },
    ...{ start_date: startDate, maturity_date: maturityDate, maturity_instruction: deposit.instruction },
  }
  if (!shows(data, expected) || !shows(successor, opened)) return null
  const successorId = String(successor.deposit_id)
  const deposits = new Map(state.deposits).set(depositId, { ...closed, status: 'ROLLED_OVER' })
  const unpaid = { broken: null, paid: 0n, paidTax: 0n, paidTo: null }
  deposits.set(successorId, { ...deposit, remaining: rolled, startDate, maturityDate, ...unpaid })
  const liens = [...state.liens].map(([id, lien]): [string, typeof lien] => {
    const isMoved = lien.depositId === depositId && lien.status === 'ACTIVE'
    return [id, isMoved ? { ...lien, depositId: successorId } : lien]
  })
  return { ...credited(state, deposit, paidOut), deposits, liens: new Map(liens) }
}

function credited(state: BookState, { accountNumber }: DepositState, amount: bigint): BookState {
  const balances = new Map(state.balances)
  return { ...state, balances: balances.set(accountNumber, balances.get(accountNumber)! + amount) }
}

export function stepCalendar(
  state: BookState,
  { calendar }: Of<'calendar'>,
  { outcome, event }: Evidence,
): BookState | null {
  if (outcome.kind === 'refused') return null
  const calendars = state.calendars + 1
  const data = readData(`{"data":${event!.data}}`)
  if (!shows(data, { version: String(calendars) })) return null
  const { weekend, holidays } = data
  if (!isDeepStrictEqual({ weekend, holidays }, calendar)) return null
  return { ...state, calendars, calendar }
}
