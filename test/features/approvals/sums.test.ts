/** Attacks on a limit by slicing: amounts of a deposit, a customer or an actor are added up over days. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../../src/domain/money.ts'
import { createEngine } from '../../../src/engine/change/engine.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { liquidate } from '../../../src/features/liquidation/changes.ts'
import { outcomes, run } from '../../support/batches.ts'
import { forEachEngine } from '../../support/engines.ts'
import { issueKey } from '../../support/keys.ts'
import { setPolicy } from '../../support/policy.ts'
import { assertRefused } from '../../support/refusals.ts'
import {
  type Answer,
  type Ask,
  describeService,
  fundedAccount,
  openDeposit,
  startService,
} from '../../support/service.ts'

type Running = Awaited<ReturnType<typeof startService>>

const LIMIT = 100_000
const policyOf = (sum: object, operation = 'liquidateFixedDeposit') => ({
  expires_after_hours: 24,
  deciders: 'ANY',
  rules: [{ operation, when: { sum: { amount: { gte: LIMIT }, ...sum } }, approvals: 1 }],
})
/** As text, because a refusal repeats the body as it was sent. */
const breakPart = (ask: Ask, depositId: string, amount: number) =>
  ask(
    'POST',
    `/v2/fixed-deposits/${depositId}/liquidate`,
    `{"liquidation_type":"PARTIAL","amount":${amount.toFixed(2)}}`,
  )
const codeOf = ({ json }: Answer) => json.error?.code ?? 'done'

async function otherKey({ service, callerId, clock, askWith }: Running): Promise<Ask> {
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  return askWith((await issueKey(service.db, book, { scopes: ['*'], at: clock.now })).key)
}

/** Another deposit of the same customer, in another account of theirs. */
async function openAnother(ask: Ask, customerId: string, amount: number): Promise<string> {
  const account = await ask('POST', '/v2/accounts', { customer_id: customerId })
  const { account_number } = account.json.data
  await ask('POST', `/v2/accounts/${account_number}/credits`, { amount })
  const body = { account_number, amount, tenor: 365, interest_rate: 10 }
  return (await ask('POST', '/v2/fixed-deposits', body)).json.data.deposit_id
}

const NO_RULES = { expires_after_hours: 24, deciders: 'ANY', rules: [] }

/** How an operation that is summed is asked for, and what it is about. */
type Way = { path: string; target: Record<string, string>; bodyOf: (amount: number) => object }
const WAYS: Record<string, (ask: Ask) => Promise<Way>> = {
  liquidateFixedDeposit: async (ask) => {
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    return {
      path: `/v2/fixed-deposits/${depositId}/liquidate`,
      target: { deposit_id: depositId },
      bodyOf: (amount) => ({ liquidation_type: 'PARTIAL', amount }),
    }
  },
  openFixedDeposit: async (ask) => {
    const { accountNumber: account_number } = await fundedAccount(ask, 1_000_000)
    const terms = {
      account_number,
      tenor: 30,
      interest_rate: 10,
      start_date: '2026-05-25',
      auto_rollover: true,
    }
    return { path: '/v2/fixed-deposits', target: {}, bodyOf: (amount) => ({ ...terms, amount }) }
  },
  creditAccount: async (ask) => {
    const { accountNumber } = await fundedAccount(ask, 1)
    const path = `/v2/accounts/${accountNumber}/credits`
    return { path, target: { account_number: accountNumber }, bodyOf: (amount) => ({ amount }) }
  },
}

describeService('sums of an approval policy', (running) => {
  test('parts of a deposit under the limit are held from the part that reaches it, and reversed ones do not count', async () => {
    const { ask } = running()
    await setPolicy(running(), policyOf({ of: 'DEPOSIT', days: 1 }))
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    const other = await openDeposit(ask, { amount: 1_000_000 })
    const part = await breakPart(ask, depositId, 60_000)
    assert.equal(codeOf(part), 'done')
    const last = await breakPart(ask, depositId, 39_999.99)
    assert.deepEqual(
      [codeOf(last), codeOf(await breakPart(ask, depositId, 0.01))],
      ['done', 'approval_required'],
    )
    assert.equal(codeOf(await breakPart(ask, other.depositId, 99_999.99)), 'done')
    const quoted = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, {
      liquidation_type: 'PARTIAL',
      amount: 0.01,
    })
    assert.equal(quoted.json.data.approval_required, true)
    const { liquidation_id } = last.json.data
    await ask('POST', `/v2/liquidations/${liquidation_id}/reverse`, { reason: 'Mistake' })
    assert.equal(codeOf(await breakPart(ask, depositId, 39_999.99)), 'done')
  })

  test('only the last business dates count, on both sides of midnight in the time zone of the bank', async () => {
    const started = running()
    const { ask, clock } = started
    await setPolicy(started, policyOf({ of: 'DEPOSIT', days: 2 }))
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    const before = clock.now
    assert.equal(codeOf(await breakPart(ask, depositId, 60_000)), 'done')
    // Lagos is an hour ahead of UTC: the third business date begins at 23:00.
    clock.now = new Date('2026-07-02T22:59:59.999Z')
    assert.equal(codeOf(await breakPart(ask, depositId, 40_000)), 'approval_required')
    clock.now = new Date('2026-07-02T23:00:00.000Z')
    assert.equal(codeOf(await breakPart(ask, depositId, 99_999.99)), 'done')
    assert.equal(codeOf(await breakPart(ask, depositId, 0.01)), 'approval_required')
    clock.now = before
  })

  test('all deposits of a customer count together, also where different people break them', async () => {
    const { ask } = running()
    await setPolicy(running(), policyOf({ of: 'CUSTOMER', days: 31 }))
    const second = await otherKey(running())
    const { depositId, customerId } = await openDeposit(ask, { amount: 500_000 })
    const another = await openAnother(ask, customerId, 500_000)
    const stranger = await openDeposit(ask, { amount: 500_000 })
    assert.equal(codeOf(await breakPart(ask, depositId, 50_000)), 'done')
    assert.equal(codeOf(await breakPart(second, another, 50_000)), 'approval_required')
    assert.equal(codeOf(await breakPart(second, another, 49_999.99)), 'done')
    assert.equal(codeOf(await breakPart(second, stranger.depositId, 99_999.99)), 'done')
  })

  test('what one actor breaks counts together, with the key it is rolled to, and what others approved', async () => {
    const started = running()
    const { ask, askWith } = started
    const one = await otherKey(started)
    const checker = await otherKey(started)
    const deposits = [
      await openDeposit(ask, { amount: 500_000 }),
      await openDeposit(ask, { amount: 500_000 }),
    ].map(({ depositId }) => depositId)
    assert.equal(codeOf(await breakPart(one, deposits[0]!, 30_000)), 'done')
    await setPolicy(started, policyOf({ of: 'ACTOR', days: 1 }))
    assert.equal(codeOf(await breakPart(one, deposits[1]!, 60_000)), 'done')
    const { api_key_id } = (await one('GET', '/v2/api-keys/current')).json.data
    const rolled = await one('POST', `/v2/api-keys/${api_key_id}/roll`, { overlap_seconds: 60 })
    const successor = askWith(rolled.json.data.key)
    assert.equal(codeOf(await breakPart(successor, deposits[1]!, 9_999.99)), 'done')
    const held = await breakPart(successor, deposits[0]!, 0.01)
    assert.equal(codeOf(held), 'approval_required')
    const asked = await successor('POST', '/v2/approvals', {
      ...held.json.error.details.approval,
      body: { liquidation_type: 'FULL' },
    })
    const approved = await checker('POST', `/v2/approvals/${asked.json.data.approval_id}/approve`, {})
    assert.equal(approved.json.data.status, 'APPROVED', approved.text)
    // The maker's request, not the checker's: the checker has broken nothing yet.
    assert.equal(codeOf(await breakPart(checker, deposits[1]!, 99_999.99)), 'done')
    assert.equal(codeOf(await breakPart(checker, deposits[1]!, 0.01)), 'approval_required')
  })

  for (const [operation, way] of Object.entries(WAYS)) {
    test(`${operation}: of an actor counts what it did before the policy, by a batch, or with the approval of others`, async () => {
      const started = running()
      const { ask, service } = started
      await setPolicy(started, NO_RULES)
      const [one, checker] = [await otherKey(started), await otherKey(started)]
      const { path, target, bodyOf } = await way(ask)
      const act = async (by: Ask, amount: number) => codeOf(await by('POST', path, bodyOf(amount)))
      assert.equal(await act(one, 10_000), 'done')
      const line = { external_id: operation, ...target, ...bodyOf(20_000) }
      assert.deepEqual(outcomes(await run({ ...started, ask: one }, operation, [line])), ['SUCCEEDED'])
      const [target_id] = Object.values(target)
      const body = bodyOf(30_000)
      const asked = await one('POST', '/v2/approvals', { operation, ...(target_id && { target_id }), body })
      const { approval_id } = asked.json.data
      const approved = await checker('POST', `/v2/approvals/${approval_id}/approve`, {})
      assert.equal(approved.json.data.status, 'APPROVED', approved.text)
      // Some of the deposits are due: the job opens their successors.
      await service.maturity.settleAll()
      await setPolicy(started, policyOf({ of: 'ACTOR', days: 1 }, operation))
      assert.deepEqual([await act(one, 39_999.99), await act(one, 0.01)], ['done', 'approval_required'])
      assert.deepEqual(
        [await act(checker, 99_999.99), await act(checker, 0.01)],
        ['done', 'approval_required'],
      )
      await setPolicy(started, NO_RULES)
    })
  }

  test('what an actor broke and took back does not count, and what it did before the window neither', async () => {
    const started = running()
    const { ask, clock } = started
    await setPolicy(started, policyOf({ of: 'ACTOR', days: 2 }))
    const before = clock.now
    const one = await otherKey(started)
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    const part = await breakPart(one, depositId, 60_000)
    assert.equal(codeOf(await breakPart(one, depositId, 40_000)), 'approval_required')
    await ask('POST', `/v2/liquidations/${part.json.data.liquidation_id}/reverse`, { reason: 'Mistake' })
    assert.equal(codeOf(await breakPart(one, depositId, 99_999.99)), 'done')
    clock.now = new Date('2026-07-02T22:59:59.999Z')
    assert.equal(codeOf(await breakPart(one, depositId, 0.01)), 'approval_required')
    clock.now = new Date('2026-07-02T23:00:00.000Z')
    assert.equal(codeOf(await breakPart(one, depositId, 99_999.99)), 'done')
    clock.now = before
  })

  test('credits and openings are summed by themselves, openings on the day they are made', async () => {
    const { ask } = running()
    const { accountNumber } = await fundedAccount(ask, 500_000)
    await setPolicy(running(), {
      ...policyOf({ of: 'CUSTOMER', days: 1 }),
      rules: ['creditAccount', 'openFixedDeposit'].flatMap(
        (operation) => policyOf({ of: 'CUSTOMER', days: 1 }, operation).rules,
      ),
    })
    const open = (amount: number, startDate = '2026-07-01') =>
      ask(
        'POST',
        '/v2/fixed-deposits',
        `{"account_number":"${accountNumber}","amount":${amount.toFixed(2)},"tenor":30,"interest_rate":10,
          "start_date":"${startDate}"}`,
      )
    const credit = (amount: number) => ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount })
    assert.equal(codeOf(await credit(0.01)), 'approval_required')
    assert.deepEqual(
      [codeOf(await open(60_000, '2026-05-01')), codeOf(await open(40_000))],
      ['done', 'approval_required'],
    )
    assert.equal(codeOf(await open(39_999.99)), 'done')
  })

  test('a sum needs all its members, and DEPOSIT is one of liquidations alone', async () => {
    const { ask } = running()
    await setPolicy(running(), { expires_after_hours: 24, deciders: 'ANY', rules: [] })
    const amount = { gte: 1 }
    const ok = { of: 'DEPOSIT', days: 1, amount }
    for (const [operation, when, fields] of [
      [
        'liquidateFixedDeposit',
        { sum: {} },
        [
          ['of', 'required'],
          ['days', 'required'],
          ['amount', 'required'],
        ],
      ],
      ['liquidateFixedDeposit', { sum: { ...ok, days: 0 } }, [['days', 'out_of_range']]],
      ['liquidateFixedDeposit', { sum: { ...ok, days: 32 } }, [['days', 'out_of_range']]],
      ['liquidateFixedDeposit', { sum: { ...ok, of: 'BANK' } }, [['of', 'invalid_value']]],
      ['liquidateFixedDeposit', { sum: { ...ok, amount: {} } }, [['amount.gte', 'required']]],
      ['creditAccount', { sum: ok }, [['of', 'invalid_value']]],
      ['openFixedDeposit', { sum: ok }, [['of', 'invalid_value']]],
    ] as const) {
      const policy = { expires_after_hours: 24, deciders: 'ANY', rules: [{ operation, when, approvals: 1 }] }
      assertRefused(await ask('PUT', '/v2/approval-policy', policy), {
        status: 400,
        code: 'invalid_request',
        fields: fields.map(([field, code]) => [`rules[0].when.sum.${field}`, code]),
      })
    }
  })

  test('a rule can match: a condition on a fact that the operation lacks is refused', async () => {
    const { ask } = running()
    const conditions = {
      amount: { gte: 1 },
      net_credited: { gte: 1 },
      waived_amount: { gte: 1 },
      waived_percent: { gte: 1 },
      negotiated_points: { gte: 0.5 },
      contact_changed_hours: { lt: 48 },
      waiver: true,
      sum: { of: 'CUSTOMER', days: 1, amount: { gte: 1 } },
    }
    const facts: Record<string, string[]> = {
      liquidateFixedDeposit: [
        ...['amount', 'net_credited', 'waived_amount', 'waived_percent', 'waiver'],
        ...['contact_changed_hours', 'sum'],
      ],
      openFixedDeposit: ['amount', 'negotiated_points', 'contact_changed_hours', 'sum'],
      creditAccount: ['amount', 'contact_changed_hours', 'sum'],
      placeLien: ['amount'],
      releaseLien: ['amount'],
      reverseLiquidation: ['amount', 'net_credited'],
      replaceRules: [],
      replaceTaxRules: [],
      putTaxStatus: [],
      replaceApprovalPolicy: [],
    }
    await setPolicy(running(), { expires_after_hours: 24, deciders: 'ANY', rules: [] })
    for (const [operation, has] of Object.entries(facts)) {
      const lacks = Object.keys(conditions).filter((name) => !has.includes(name))
      const rules = [{ operation, when: conditions, approvals: 1 }]
      assertRefused(
        await ask('PUT', '/v2/approval-policy', { expires_after_hours: 1, deciders: 'ANY', rules }),
        {
          status: 400,
          code: 'invalid_request',
          fields: lacks.map((name) => [`rules[0].when.${name}`, 'invalid_value']),
        },
      )
      const when = Object.fromEntries(Object.entries(conditions).filter(([name]) => has.includes(name)))
      await setPolicy(running(), {
        expires_after_hours: 1,
        deciders: 'ANY',
        rules: [{ operation, when, approvals: 1 }],
      })
    }
    await setPolicy(running(), { expires_after_hours: 24, deciders: 'ANY', rules: [] })
  })
})

forEachEngine(({ test }) => {
  test('parts at the same moment, of several deposits and from two instances, see each other', async (db) => {
    for (const [of, sameKey] of [
      ['DEPOSIT', true],
      ['CUSTOMER', false],
      ['ACTOR', true],
    ] as const) {
      const started = await startService(db, { workers: 4 })
      const { ask, service, callerId, clock, close } = started
      await setPolicy(started, policyOf({ of, days: 1 }))
      const { depositId, customerId } = await openDeposit(ask, { amount: 500_000 })
      const deposits =
        of === 'DEPOSIT'
          ? [depositId]
          : [
              depositId,
              await openAnother(ask, customerId, 500_000),
              await openAnother(ask, customerId, 500_000),
            ]
      const book = (await findBook(db, { callerId, mode: 'test' }))!
      const limits = { workers: 4, batchMax: 256, queueMax: 5_000 }
      const instances = [service, createEngine({ db, clock: () => clock.now, limits })]
      const actors = Array.from({ length: 3 }, (_, index) => ({
        kind: 'PERSON' as const,
        id: sameKey ? 'per_same' : `per_${index}`,
        name: null,
      }))
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          liquidate(
            instances[index % 2]!,
            { book, actor: actors[index % 3]!, requestId: null, idempotency: null },
            {
              depositId: deposits[index % deposits.length]!,
              part: { type: 'PARTIAL', amount: minor(19_999_99n) },
            },
          ),
        ),
      )
      const done = results.filter(({ outcome }) => outcome === 'done')
      const held = results.filter((one) => one.outcome === 'refused' && one.code === 'approval_required')
      // Five parts of 19,999.99 stay below 100,000; the sixth would pass it.
      assert.deepEqual([done.length, held.length], [5, 15], of)
      await close()
    }
  })

  test('two parts of two deposits, each in an instance of its own, wait for the sum alone', async (db) => {
    for (const sumOf of ['CUSTOMER', 'ACTOR'] as const) {
      const started = await startService(db)
      const { ask, service, callerId, clock, close } = started
      await setPolicy(started, policyOf({ of: sumOf, days: 1 }))
      const { depositId, customerId } = await openDeposit(ask, { amount: 500_000 })
      const another = await openAnother(ask, customerId, 500_000)
      const book = (await findBook(db, { callerId, mode: 'test' }))!
      const limits = { workers: 1, batchMax: 1, queueMax: 10 }
      const second = createEngine({ db, clock: () => clock.now, limits })
      const actor = { kind: 'PERSON' as const, id: 'per_same', name: null }
      const origin = { book, actor, requestId: null, idempotency: null }
      const part = { type: 'PARTIAL' as const, amount: minor(60_000_00n) }
      const results = await Promise.all([
        liquidate(service, origin, { depositId, part }),
        liquidate(second, origin, { depositId: another, part }),
      ])
      assert.deepEqual(results.map(({ outcome }) => outcome).sort(), ['done', 'refused'], sumOf)
      await close()
    }
  })
})
