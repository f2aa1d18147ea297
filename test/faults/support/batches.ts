/** The files that a world has: their lines as requests, and what became of each of them. */
import assert from 'node:assert/strict'
import { create, send } from '../../support/batches.ts'
import type { Ask } from '../../support/service.ts'
import { RATE_PPM, type Recorded, TENOR_DAYS, type ToldEvent } from './state.ts'
import { amountNumber, type Operation, type Request } from './workload.ts'

/** Which account, deposit and customer the lines name. */
type Named = { accounts: readonly string[]; deposits: readonly string[]; customers: readonly string[] }
type Line = { externalId: string; sent: object; request: Request }
export type File = { operation: string; lines: readonly Line[] }

const IMPORTED_FROM = '2025-12-20'

/** A line twice, lines that are refused, and an amount that needs approval. */
export function filesOf({ accounts, deposits, customers }: Named): File[] {
  const credit = (externalId: string, accountNumber: string, amount: bigint): Line => ({
    externalId,
    sent: { account_number: accountNumber, amount: amountNumber(amount) },
    request: { kind: 'credit', accountNumber, amount },
  })
  const liquidate = (externalId: string, depositId: string, amount: bigint | null): Line => ({
    externalId,
    sent:
      amount === null
        ? { deposit_id: depositId, liquidation_type: 'FULL' }
        : { deposit_id: depositId, liquidation_type: 'PARTIAL', amount: amountNumber(amount) },
    request: {
      kind: 'liquidate',
      depositId,
      part: amount === null ? { type: 'FULL', amount } : { type: 'PARTIAL', amount },
    },
  })
  const importAccount = (externalId: string, accountNumber: string): Line => ({
    externalId,
    sent: { customer_id: customers[1], account_number: accountNumber, currency: 'NGN', balance: 1_250.5 },
    request: { kind: 'import account', customerId: customers[1]!, accountNumber, balance: 125_050n },
  })
  const [first, second] = [accounts[0]!, accounts[1]!]
  return [
    {
      operation: 'creditAccount',
      lines: [
        credit('L1', first, 1_000n),
        credit('L2', '9999999999', 1n),
        credit('L1', first, 1_000n),
        credit('L3', second, 500n),
      ],
    },
    {
      operation: 'liquidateFixedDeposit',
      lines: [
        liquidate('X1', deposits[3]!, 1_234_567n),
        liquidate('X2', deposits[2]!, null),
        liquidate('X3', deposits[3]!, null),
      ],
    },
    {
      operation: 'importFixedDeposit',
      lines: [
        {
          externalId: 'I1',
          sent: {
            ...{ account_number: first, principal: 1_000, remaining_principal: 600, tenor: TENOR_DAYS },
            ...{ interest_rate: RATE_PPM / 10_000, start_date: IMPORTED_FROM },
          },
          request: {
            kind: 'import deposit',
            accountNumber: first,
            remaining: 60_000n,
            startDate: IMPORTED_FROM,
          },
        },
      ],
    },
    {
      operation: 'importAccount',
      lines: [importAccount('J1', '7000000001'), importAccount('J2', '7000000001')],
    },
  ]
}

/** As they are before the simulation begins: sent, and not started. */
export async function sendFiles(ask: Ask, named: Named): Promise<string[]> {
  const batchIds: string[] = []
  for (const { operation, lines } of filesOf(named)) {
    const batchId = await create(ask, operation)
    const content = lines.map(({ externalId, sent }) => ({ ...sent, external_id: externalId }))
    const answer = await send(ask, batchId, 1, content)
    assert.equal(answer.status, 201, answer.text)
    batchIds.push(batchId)
  }
  return batchIds
}

export type RawLine = {
  batch_id: string
  line: number
  outcome: string
  made_id: string | null
  error: string | null
}
type RawEvent = { request_id: string | null; type: string; data: string; occurred_at: string }

/** A line that was tried: an operation that a job made or was refused. */
export type TriedLine = {
  operation: Pick<Operation, 'id' | 'key' | 'request' | 'fingerprint'>
  event: ToldEvent | null
  refused: string | null
}

/**
 * What was carried out is known by the answers to the keys of lines; what was refused by the results. Both say in which
 * line of which file.
 */
export function triedLines(
  files: ReadonlyMap<string, File>,
  found: { lines: readonly RawLine[]; answers: Recorded['answers']; events: readonly RawEvent[] },
): { tried: TriedLine[]; differences: string[] } {
  const tried: TriedLine[] = []
  const differences: string[] = []
  const carriedOut = new Set<string>()
  for (const [key, { fingerprint, body }] of found.answers) {
    if (!key.startsWith('batch\n')) continue
    const [, line, batchId] = /Carried out as line (\d+) of (\w+)\./.exec(body)!
    const { request } = files.get(batchId!)!.lines[Number(line) - 1]!
    const event = found.events.find((one) => isEventOf(one, request, body))
    const id = `${batchId} line ${line}`
    if (event === undefined) differences.push(`${id} was carried out without an event`)
    tried.push({
      operation: { id, key, request, fingerprint },
      event: event ? told(event) : null,
      refused: null,
    })
    carriedOut.add(id)
  }
  for (const { batch_id: batchId, line, outcome, error } of found.lines) {
    const id = `${batchId} line ${line}`
    if ((outcome === 'SUCCEEDED') !== carriedOut.has(id)) {
      differences.push(`${id} is ${outcome}, and was ${carriedOut.has(id) ? '' : 'not '}carried out`)
    }
    if (outcome !== 'FAILED') continue
    const { request } = files.get(batchId)!.lines[line - 1]!
    const { code } = JSON.parse(error!) as { code: string }
    tried.push({ operation: { id, key: null, request }, event: null, refused: code })
  }
  return { tried, differences }
}

const EVENT_TYPES: Partial<Record<Request['kind'], string>> = {
  credit: 'account.credited',
  liquidate: 'liquidated',
  'import account': 'account.imported',
  'import deposit': 'fixed_deposit.imported',
}

/** It names what the answer names. */
function isEventOf({ request_id, type, data }: RawEvent, { kind }: Request, body: string): boolean {
  if (request_id !== null || !type.endsWith(EVENT_TYPES[kind]!)) return false
  const made = JSON.parse(body).data
  const id = made.entry_id ?? made.liquidation_id ?? made.deposit_id ?? made.account_number
  return data.includes(`"${id}"`)
}

function told({ type, data, occurred_at }: RawEvent): ToldEvent {
  return { data, at: new Date(occurred_at).toISOString(), of: { [type]: data }, paid: 0 }
}
