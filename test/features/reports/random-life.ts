/** Random lives of deposits in one book, lived through the API: what reports, statements and exports are about. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Ask, fundedAccount } from '../../support/service.ts'

export type Step =
  | { does: 'open'; amount: number; tenor: number; rollover: boolean; euro: boolean }
  | { does: 'break'; deposit: number; percent: number; waived: number | null }
  | { does: 'reverse' }
  | { does: 'hold'; deposit: number }
  | { does: 'wait'; days: number }
  | { does: 'tax'; standard: number; base: 'NET' | 'GROSS'; taxClass: string }

export const anyLife: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('open' as const),
        amount: fc.integer({ min: 100, max: 1_000_000 }),
        tenor: fc.integer({ min: 20, max: 60 }),
        rollover: fc.boolean(),
        euro: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        does: fc.constant('break' as const),
        deposit: fc.nat(),
        percent: fc.integer({ min: 1, max: 100 }),
        waived: fc.option(fc.integer({ min: 1, max: 100 })),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('tax' as const),
        standard: fc.integer({ min: 0, max: 30 }),
        base: fc.constantFrom('NET' as const, 'GROSS' as const),
        taxClass: fc.constantFrom('STANDARD', 'COMPANY', 'EXEMPT'),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ does: 'reverse' as const }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('hold' as const), deposit: fc.nat() }) },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
    },
  ),
  { minLength: 12, maxLength: 30 },
)

/** Refusals are part of life: what cannot be done is not done. Answers the deposits that were opened. */
export async function live(ask: Ask, steps: readonly Step[]): Promise<string[]> {
  const deposits: string[] = []
  const liquidations: string[] = []
  const naira = await fundedAccount(ask, 1_000_000_000)
  const opened = await ask('POST', '/v2/accounts', { customer_id: naira.customerId, currency: 'EUR' })
  const euro: string = opened.json.data.account_number
  await ask('POST', `/v2/accounts/${euro}/credits`, { amount: 1_000_000_000 })
  for (const step of steps) {
    switch (step.does) {
      case 'open': {
        const made = await ask('POST', '/v2/fixed-deposits', {
          account_number: step.euro ? euro : naira.accountNumber,
          amount: step.amount,
          tenor: step.tenor,
          interest_rate: 17.3,
          auto_rollover: step.rollover,
        })
        assert.equal(made.status, 201, made.text)
        deposits.push(made.json.data.deposit_id)
        break
      }
      case 'break': {
        const depositId = deposits[step.deposit % deposits.length]
        if (depositId === undefined) break
        const { remaining_principal } = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
        const amount = Math.floor(remaining_principal * step.percent) / 100
        const part =
          step.percent > 90 ? { liquidation_type: 'FULL' } : { liquidation_type: 'PARTIAL', amount }
        const reason = step.waived === null ? null : step.waived > 50 ? 'GOODWILL' : 'COURT_ORDER'
        const waiver = reason === null ? {} : { waiver: { percent: step.waived, reason } }
        const made = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { ...part, ...waiver })
        if (made.status === 200) liquidations.push(made.json.data.liquidation_id)
        break
      }
      case 'reverse': {
        const liquidationId = liquidations.at(-1)
        if (liquidationId === undefined) break
        await ask('POST', `/v2/liquidations/${liquidationId}/reverse`, { reason: 'Mistake' })
        break
      }
      case 'hold': {
        const depositId = deposits[step.deposit % deposits.length]
        if (depositId === undefined) break
        await ask('POST', `/v2/fixed-deposits/${depositId}/liens`, { amount: 0.5, reason: 'Fees' })
        break
      }
      case 'tax': {
        const { now } = (await ask('GET', '/v2/test-clock')).json.data
        await ask('PUT', '/v2/tax-rules', {
          effective_from: now.slice(0, 10),
          base: step.base,
          on_recovery: 'KEEP',
          rounding: 'HALF_UP',
          classes: { STANDARD: step.standard, COMPANY: step.standard, EXEMPT: 0 },
        })
        const status = await ask('PUT', `/v2/customer/${naira.customerId}/tax-status`, {
          tax_class: step.taxClass,
          reference: 'TIN-1',
        })
        assert.equal(status.status, 200, status.text)
        break
      }
      case 'wait': {
        const { now } = (await ask('GET', '/v2/test-clock')).json.data
        const later = new Date(Date.parse(now) + step.days * 86_400_000).toISOString()
        const moved = await ask('POST', '/v2/test-clock', { now: later })
        assert.equal(moved.status, 200, moved.text)
        break
      }
    }
  }
  return deposits
}

/** All items of a list. */
export async function all(ask: Ask, path: string): Promise<any[]> {
  const items: any[] = []
  for (let cursor = ''; ; ) {
    const join = path.includes('?') ? '&' : '?'
    const { data, meta } = (await ask('GET', `${path}${join}limit=100${cursor}`)).json
    items.push(...data)
    if (!meta.has_more) return items
    cursor = `&cursor=${meta.next_cursor}`
  }
}

/** Amounts have two decimals: sums of minor units are exact. */
export const minorOf = (amount: number) => BigInt(Math.round(amount * 100))
export const total = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + minorOf(amount), 0n)
