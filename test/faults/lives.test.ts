/**
 * Random lives of a book: deposits are opened, broken in parts with and without waivers and approvals, held, taken back,
 * matured and rolled over, while rules, tax rules, tax classes and limits change. Every answer is the one of the model, which
 * shares no code with the service, and in the end the books agree to the cent.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createVersionCache } from '../../src/engine/change/version-cache.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { verify } from '../../src/features/verification/verify.ts'
import { audit } from '../support/auditor.ts'
import { forEachEngine, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import {
  type Answer,
  type Ask,
  firstRules,
  fundedAccount,
  startService,
  type TestService,
} from '../support/service.ts'
import { all, full } from './support/counts.ts'
import {
  breakable,
  breakDeposit,
  dateOf,
  type Figures,
  heldOf,
  interestOn,
  type LifeDeposit,
  type LifeLien,
  type LifeLiquidation,
  type LifeRules,
  type LifeTax,
  maturityOf,
  newLife,
  passDays,
  type Rounding,
  reverse,
} from './support/life.ts'

const OWNERS = 2
const FUNDS = 50_000_000n
const LIVES = all ? 1_000 : full ? 50 : 10

const index = fc.nat({ max: 1_000 })
const rounding = fc.constantFrom<Rounding>('HALF_UP', 'HALF_EVEN', 'DOWN')
const anyPercent = fc.integer({ min: 1, max: 1_000_000 }).map((ppm) => ppm / 10_000)
const percent = fc.oneof(fc.constantFrom(0, 10, 12.5, 100), anyPercent)
const share = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0, 1_000_000, 1_100_000) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 900_000 }) },
)
const waiver = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: anyPercent.map((percent) => ({ percent })) },
)

const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      owner: index,
      principal: fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.bigInt({ min: 100_000n, max: 9_000_000n })),
      rate: fc.oneof(fc.constantFrom(0.0001, 10, 100), anyPercent),
      tenor: fc.integer({ min: 5, max: 90 }),
      ago: fc.constantFrom(0, 3, 40),
      rollsOver: fc.boolean(),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('break' as const),
      deposit: index,
      parts: fc.array(fc.record({ share, waiver }), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('approve' as const),
      deposit: index,
      share,
      waiver,
      days: fc.constantFrom(0, 0, 1, 10),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reverse' as const),
      liquidation: index,
      again: fc.record({ share, waiver }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hold' as const), deposit: index, share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), lien: index }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.constantFrom(1, 1, 2, 5, 35) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rules' as const),
      rounding,
      charge: fc.oneof(
        fc.constant(null),
        fc.record({ kind: fc.constant('PERCENT' as const), percent }),
        fc.record({ kind: fc.constant('FIXED' as const), amount: fc.bigInt({ min: 0n, max: 5_000n }) }),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('tax' as const),
      from: fc.integer({ min: -10, max: 60 }),
      base: fc.constantFrom('NET' as const, 'GROSS' as const),
      rounding,
      classes: fc.record({ STANDARD: percent, EXEMPT: fc.constant(0) }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('class' as const),
      owner: index,
      taxClass: fc.constantFrom('STANDARD', 'EXEMPT', 'UNKNOWN'),
      days: fc.option(fc.integer({ min: -3, max: 60 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      limit: fc.option(fc.bigInt({ min: 1n, max: 2_000_000n })),
    }),
  },
)
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

forEachEngine((engine) => {
  engine.test(`${LIVES} random lives are those of the model, to the cent`, async (db) => {
    const bank = await startService(db)
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 80, size: 'max' }), (steps) =>
        live(db, bank, steps, (what) => seen.set(what, (seen.get(what) ?? 0) + 1)),
      ),
      { numRuns: LIVES, endOnFailure: true, ...(full ? {} : { seed: 20_260_701 }) },
    )
    await audit(db)
    await bank.close()
    // What never came up was not tested.
    for (const what of [
      'taxed',
      'waived',
      'approved',
      'reversed',
      'held',
      'MATURED',
      'ROLLED_OVER',
      'refused',
    ]) {
      assert((seen.get(what) ?? 0) > 0, `${what} in ${JSON.stringify([...seen])}`)
    }
  })
})

test('the model rounds, counts and settles by itself', () => {
  const life = newLife(1, 0n)
  const rules: LifeRules = { rounding: 'HALF_UP', charge: { kind: 'PERCENT', percent: 25 } }
  const deposit: LifeDeposit = {
    ...{ principal: 10_000_000n, remaining: 10_000_000n, status: 'ACTIVE', rate: 10, start: -60, tenor: 365 },
    ...{ rollsOver: false, rules, owner: 0, broken: null, successor: null, liquidations: [] },
  }
  life.deposits.push(deposit)
  life.taxes.push({ from: 0, base: 'NET', rounding: 'HALF_UP', classes: { STANDARD: 10 } })
  assert.deepEqual(breakable(life, deposit, { amount: null, waiver: { percent: 50 } }), {
    ...{ principal: 10_000_000n, interest: 164_384n, assessed: 41_096n, waived: 20_548n, penal: 20_548n },
    ...{ total: 10_143_836n, tax: 14_384n, net: 10_129_452n },
  })
})

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

type Kept<Modelled> = { id: string; modelled: Modelled }

async function live(
  db: TestDatabase,
  bank: TestService,
  steps: readonly Step[],
  note: (what: string) => void,
): Promise<void> {
  const { caller, keys } = await createCaller(db, {
    name: 'Living Bank',
    timeZone: 'Africa/Lagos',
    currency: 'NGN',
    at: bank.clock.now,
  })
  const ask = bank.askWith(keys[0]!.key)
  const checker = bank.askWith((await succeed(ask('POST', '/v2/api-keys', { scopes: ['*'] }))).key)
  const life = newLife(OWNERS, FUNDS)
  const owners: { customerId: string; accountNumber: string }[] = []
  for (let owner = 0; owner < OWNERS; owner += 1) owners.push(await fundedAccount(ask, amountText(FUNDS)))
  const deposits: Kept<LifeDeposit>[] = []
  const liens: Kept<LifeLien>[] = []
  const liquidations: Kept<LifeLiquidation>[] = []
  await succeed(ask('PUT', '/v2/approval-policy', policyWith(null)))
  await changeRules({ rounding: 'HALF_UP', charge: { kind: 'PERCENT', percent: 25 } })
  await changeTax({ from: 0, base: 'NET', rounding: 'HALF_UP', classes: { STANDARD: 10, EXEMPT: 0 } })

  for (const step of steps) await take(step)
  await compareBooks()

  async function take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'open':
        return open(step)
      case 'break':
        if (deposits.length === 0) return
        for (const part of step.parts) await pay({ kept: choose(step.deposit), ...part })
        return
      case 'approve':
        return approve(step)
      case 'reverse':
        return takeBack(step)
      case 'hold':
        return hold(step)
      case 'release':
        return release(step.lien)
      case 'wait':
        return wait(step.days)
      case 'rules':
        return changeRules(step)
      case 'tax':
        return changeTax(step)
      case 'class':
        return changeClass(step)
      case 'limit':
        life.limit = step.limit
        await setPolicy({ service: bank.service, callerId: caller.callerId, ask }, policyWith(step.limit))
        return
      default:
        return step satisfies never
    }
  }

  async function open(step: Extract<Step, { kind: 'open' }>): Promise<void> {
    const { principal, rate, tenor, rollsOver } = step
    const owner = step.owner % OWNERS
    const start = life.today - step.ago
    const body = {
      account_number: owners[owner]!.accountNumber,
      amount: Number(principal) / 100,
      tenor,
      interest_rate: rate,
      auto_rollover: rollsOver,
      start_date: dateOf(start),
    }
    const opened = await ask('POST', '/v2/fixed-deposits', body)
    if (principal > life.owners[owner]!.balance) return refused(opened, 'insufficient_funds')
    assert.equal(opened.status, 201, opened.text)
    const modelled: LifeDeposit = {
      ...{ principal, remaining: principal, status: 'ACTIVE', rate, start, tenor, rollsOver, owner },
      ...{ rules: life.rules, broken: null, successor: null, liquidations: [] },
    }
    life.owners[owner]!.balance -= principal
    life.deposits.push(modelled)
    deposits.push({ id: opened.json.data.deposit_id, modelled })
  }

  /** Mostly one that is active. */
  function choose(which: number): Kept<LifeDeposit> {
    const active = deposits.filter(({ modelled }) => modelled.status === 'ACTIVE')
    const among = which % 8 === 0 || active.length === 0 ? deposits : active
    return among[which % among.length]!
  }

  type Breaking = Pick<Extract<Step, { kind: 'approve' }>, 'share' | 'waiver'> & { kept: Kept<LifeDeposit> }

  /** All of it as FULL, and a part of nothing as a cent. */
  function asked({ kept, share, waiver }: Breaking) {
    const { remaining } = kept.modelled
    const part = (remaining * BigInt(share)) / 1_000_000n
    const amount = share === 1_000_000 ? null : part === 0n ? 1n : part
    const body = {
      liquidation_type: amount === null ? 'FULL' : 'PARTIAL',
      ...(amount !== null && { amount: Number(amount) / 100 }),
      ...(waiver !== null && { waiver: { ...waiver, reason: 'GOODWILL' } }),
    }
    return { body, expect: () => breakable(life, kept.modelled, { amount, waiver }) }
  }

  async function pay(breaking: Breaking): Promise<void> {
    const { kept } = breaking
    const { body, expect } = asked(breaking)
    const path = `/v2/fixed-deposits/${kept.id}`
    const expected = expect()
    const quoted = await ask('POST', `${path}/liquidation-quote`, body)
    if (typeof expected === 'string') refused(quoted, expected)
    else compareFigures(quoted, expected)
    const answer = await ask('POST', `${path}/liquidate`, body)
    if (typeof expected === 'string') return refused(answer, expected)
    if (life.limit !== null && expected.principal >= life.limit) return refused(answer, 'approval_required')
    compareFigures(answer, expected)
    keep(kept.modelled, expected, answer.json.data.liquidation_id)
  }

  /** Asked for on one day and decided on another: with the figures of the second. */
  async function approve(step: Extract<Step, { kind: 'approve' }>): Promise<void> {
    if (deposits.length === 0) return
    const kept = choose(step.deposit)
    const { body, expect } = asked({ kept, ...step })
    const first = expect()
    // The body is shown again as it was sent, and an amount always shows both decimals.
    const sent = JSON.stringify(body, (name, value) =>
      name === 'amount' ? rawJSON(value.toFixed(2)) : value,
    )
    const request = await ask(
      'POST',
      '/v2/approvals',
      `{"operation":"liquidateFixedDeposit","target_id":"${kept.id}","body":${sent}}`,
    )
    if (typeof first === 'string') return refused(request, first)
    assert.equal(request.status, 201, request.text)
    if (step.days > 0) await wait(step.days)
    const path = `/v2/approvals/${request.json.data.approval_id}`
    const then = expect()
    const decided = await checker('POST', `${path}/approve`, {})
    if (typeof then === 'string') {
      refused(decided, then)
      await succeed(ask('POST', `${path}/cancel`, {}))
      return
    }
    assert.equal(decided.json.data?.status, 'APPROVED', decided.text)
    note('approved')
    const { result } = decided.json.data
    assert.equal(cents(result.net_credited), then.net)
    keep(kept.modelled, then, result.liquidation_id)
  }

  function keep(deposit: LifeDeposit, figures: Figures, id: string): void {
    if (figures.tax > 0n) note('taxed')
    if (figures.waived > 0n) note('waived')
    liquidations.push({ id, modelled: breakDeposit(life, deposit, figures) })
  }

  /** The newest ones are those that can be taken back; on the same day another part of that deposit is broken then. */
  async function takeBack({ liquidation, again }: Extract<Step, { kind: 'reverse' }>): Promise<void> {
    if (liquidations.length === 0) return
    const { id, modelled } = liquidations[Math.max(0, liquidations.length - 1 - (liquidation % 3))]!
    const answer = await ask('POST', `/v2/liquidations/${id}/reverse`, { reason: 'Mistaken' })
    const refusal = reverse(life, modelled)
    if (refusal !== null) return refused(answer, refusal)
    assert.equal(answer.status, 200, answer.text)
    note('reversed')
    await pay({ kept: deposits.find((kept) => kept.modelled === modelled.deposit)!, ...again })
  }

  async function hold(step: Extract<Step, { kind: 'hold' }>): Promise<void> {
    if (deposits.length === 0) return
    const { id, modelled } = choose(step.deposit)
    const part = (modelled.remaining * BigInt(step.share)) / 1_000_000n
    const amount = part === 0n ? 1n : part
    const answer = await ask('POST', `/v2/fixed-deposits/${id}/liens`, {
      amount: Number(amount) / 100,
      reason: 'Loan',
    })
    if (modelled.status !== 'ACTIVE') return refused(answer, 'deposit_not_active')
    const held = heldOf(life, modelled)
    if (amount > modelled.remaining - held) return refused(answer, 'lien_exceeds_principal')
    assert.equal(answer.status, 201, answer.text)
    const lien: LifeLien = { deposit: modelled, amount, active: true }
    life.liens.push(lien)
    liens.push({ id: answer.json.data.lien_id, modelled: lien })
    note('held')
  }

  async function release(which: number): Promise<void> {
    if (liens.length === 0) return
    const { id, modelled } = liens[which % liens.length]!
    const answer = await ask('POST', `/v2/liens/${id}/release`, { reason: 'Repaid' })
    if (!modelled.active) return refused(answer, 'lien_not_active')
    assert.equal(answer.status, 200, answer.text)
    modelled.active = false
  }

  async function wait(days: number): Promise<void> {
    passDays(life, days)
    await succeed(ask('POST', '/v2/test-clock', { now: `${dateOf(life.today)}T10:00:00Z` }))
    await learnSuccessors()
  }

  async function learnSuccessors(): Promise<void> {
    for (const { id, modelled } of deposits) {
      const { successor } = modelled
      if (successor === null || deposits.some((known) => known.modelled === successor)) continue
      const { rolled_over_to } = await succeed(ask('GET', `/v2/fixed-deposits/${id}`))
      deposits.push({ id: rolled_over_to, modelled: successor })
    }
  }

  async function changeRules({ rounding, charge }: LifeRules): Promise<void> {
    life.rules = { rounding, charge }
    const term =
      charge?.kind === 'FIXED'
        ? { kind: 'FIXED', amount: Number(charge.amount) / 100 }
        : { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: charge?.percent }
    const penal_rules = charge === null ? [] : [{ when: {}, terms: [term] }]
    await succeed(ask('PUT', '/v2/liquidation-rules', { ...firstRules, rounding, penal_rules }))
  }

  async function changeTax({ from, base, rounding, classes }: LifeTax): Promise<void> {
    life.taxes.push({ from: life.today + from, base, rounding, classes })
    const body = { effective_from: dateOf(life.today + from), base, on_recovery: 'KEEP', rounding, classes }
    await succeed(ask('PUT', '/v2/tax-rules', body))
  }

  async function changeClass(step: Extract<Step, { kind: 'class' }>): Promise<void> {
    const owner = step.owner % OWNERS
    const validUntil = step.days === null ? null : life.today + step.days
    Object.assign(life.owners[owner]!, { taxClass: step.taxClass, validUntil })
    const { customerId } = owners[owner]!
    await succeed(
      ask('PUT', `/v2/customer/${customerId}/tax-status`, {
        tax_class: step.taxClass,
        valid_until: validUntil === null ? null : dateOf(validUntil),
      }),
    )
  }

  function refused(answer: Answer, code: string): void {
    assert.equal(answer.json.error?.code, code, answer.text)
    note('refused')
  }

  async function compareBooks(): Promise<void> {
    for (const { id, modelled } of deposits) {
      const deposit = await succeed(ask('GET', `/v2/fixed-deposits/${id}`))
      note(modelled.status)
      const { remaining } = modelled
      assert.deepEqual(
        {
          status: deposit.status,
          principal: cents(deposit.principal),
          remaining: cents(deposit.remaining_principal),
          held: cents(deposit.lien_amount),
          maturity: deposit.maturity_date,
          expected: cents(deposit.expected_interest),
          accrued: cents(deposit.accrued_interest),
        },
        {
          status: modelled.status,
          principal: modelled.principal,
          remaining,
          held: heldOf(life, modelled),
          maturity: dateOf(maturityOf(modelled)),
          expected: interestOn(modelled, remaining, maturityOf(modelled)),
          accrued: interestOn(modelled, remaining, life.today),
        },
      )
    }
    for (const [owner, { accountNumber }] of owners.entries()) {
      const { balance } = await succeed(ask('GET', `/v2/accounts/${accountNumber}`))
      assert.equal(cents(balance), life.owners[owner]!.balance)
    }
    const book = (await findBook(db, { callerId: caller.callerId, mode: 'test' }))!
    const sums = await db.query<{ account: string; sum: bigint }>(
      `select account, sum(amount_minor)::bigint as sum from postings
       where book_id = $1 and account in ('interest_expense', 'penal_income', 'penal_waived', 'tax_payable',
         'rollover_clearing', 'migration_suspense', 'interest_payable', 'prepaid_interest')
       group by account`,
      [book.bookId],
    )
    const held = Object.fromEntries(sums.map(({ account, sum }) => [account, sum]))
    for (const [account, amount] of Object.entries({ ...life.bank, rollover_clearing: 0n })) {
      assert.equal(held[account] ?? 0n, amount, account)
    }
    const { difference } = await verify([book], { db, versions: createVersionCache() })
    assert.equal(difference, null)
  }
}

/** What holds of every liquidation, and that it is the expected one. */
function compareFigures(answer: Answer, expected: Figures): void {
  assert.equal(answer.status, 200, answer.text)
  const { data } = answer.json
  const found = {
    principal: cents(data.principal_returned),
    interest: cents(data.interest_paid),
    assessed: cents(data.penal_assessed),
    waived: cents(data.penal_waived),
    penal: cents(data.penal_charge),
    total: cents(data.total_credited),
    tax: -data.adjustments.reduce((sum: bigint, { amount }: { amount: number }) => sum + cents(amount), 0n),
    net: cents(data.net_credited),
  }
  assert.deepEqual(found, expected)
  const { principal, interest, assessed, waived, penal, total, tax, net } = found
  assert.equal(total, principal + interest - penal)
  assert.equal(net, total - tax)
  assert(penal >= 0n && penal <= interest && penal + waived <= assessed && assessed <= interest)
  assert(net >= 0n && net + tax >= principal)
}

function policyWith(limit: bigint | null) {
  const when = { amount: { gte: Number(limit ?? 0n) / 100 } }
  const rules = limit === null ? [] : [{ operation: 'liquidateFixedDeposit', when, approvals: 1 }]
  return { expires_after_hours: 720, deciders: 'ANY', rules }
}

async function succeed(asking: ReturnType<Ask>): Promise<any> {
  const answer = await asking
  assert(answer.status < 300, answer.text)
  return answer.json.data
}

function cents(amount: number): bigint {
  return BigInt(Math.round(amount * 100))
}

function amountText(amount: bigint): string {
  return (Number(amount) / 100).toFixed(2)
}
