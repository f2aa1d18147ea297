/** Files that are started, cancelled and finished, and what their lines take over, as the model has them. */
import { unpaid } from './model-of-interest.ts'
import {
  amountText,
  type BookState,
  daysLater,
  type Evidence,
  isRefusal,
  RATE_PPM,
  readData,
  shows,
  TENOR_DAYS,
} from './state.ts'
import type { Request } from './workload.ts'

type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>

const RUNNING_MAX = 3

export function stepBatch(
  state: BookState,
  { kind, batchId }: Of<'start' | 'drop' | 'complete'>,
  { outcome, event }: Evidence,
): BookState | null {
  const status = state.batches.get(batchId)
  if (status === undefined) return isRefusal(outcome, 'batch_not_found') ? state : null
  const after = (next: string): BookState | null => {
    if (outcome.kind === 'refused') return null
    if (!shows(readData(`{"data":${event!.data}}`), { batch_id: batchId, status: next })) return null
    return { ...state, batches: new Map(state.batches).set(batchId, next) }
  }
  if (kind === 'complete') return status === 'RUNNING' ? after('DONE') : null
  if (kind === 'drop') {
    const isOver = status === 'DONE' || status === 'CANCELLED'
    if (!isOver) return after('CANCELLED')
    return isRefusal(outcome, 'batch_finished', { batch_status: status }) ? state : null
  }
  if (status !== 'UPLOADING') {
    return isRefusal(outcome, 'batch_not_uploading', { batch_status: status }) ? state : null
  }
  const running = [...state.batches.values()].filter((one) => one === 'RUNNING').length
  if (running < RUNNING_MAX) return after('RUNNING')
  return isRefusal(outcome, 'too_many_batches', { maximum: RUNNING_MAX }) ? state : null
}

export function stepImport(
  state: BookState,
  request: Of<'import account' | 'import deposit'>,
  { outcome, event }: Evidence,
): BookState | null {
  const { accountNumber } = request
  if (request.kind === 'import account') {
    if (state.balances.has(accountNumber)) return isRefusal(outcome, 'account_number_taken') ? state : null
    if (outcome.kind === 'refused') return null
    const expected = { account_number: accountNumber, balance: amountText(request.balance) }
    if (!shows(readData(`{"data":${event!.data}}`), expected)) return null
    return {
      ...state,
      balances: new Map(state.balances).set(accountNumber, request.balance),
      owners: new Map(state.owners).set(accountNumber, request.customerId),
    }
  }
  if (outcome.kind === 'refused') return null
  const { remaining, startDate } = request
  const data = readData(`{"data":${event!.data}}`)
  const maturityDate = daysLater(startDate, TENOR_DAYS)
  const expected = {
    account_number: accountNumber,
    status: 'ACTIVE',
    remaining_principal: amountText(remaining),
  }
  if (!shows(data, { ...expected, start_date: startDate, maturity_date: maturityDate })) return null
  const deposit = {
    ...{ remaining, status: 'ACTIVE', ratePpm: BigInt(RATE_PPM), startDate, maturityDate, accountNumber },
    ...{ ...unpaid(null), instruction: 'PAY_OUT', lien: 0n, broken: null },
  }
  return { ...state, deposits: new Map(state.deposits).set(String(data.deposit_id), deposit) }
}
