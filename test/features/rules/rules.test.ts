/** Spec section 5 over HTTP: versions of the rules, what a rule set may be, and the figures it leads to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, assertUnchanged, withoutRequestId } from '../../support/refusals.ts'
import {
  describeService,
  firstRules,
  openDeposit,
  replaceRules,
  startService,
} from '../../support/service.ts'

const percentOfInterest = (percent: number) => ({ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent })
const always = (...terms: object[]) => [{ when: {}, terms }]

/** The example of the spec. */
const example =
  '{"day_count":"ACT/365F","rounding":"HALF_UP","allow_partial":true,"min_partial_amount":1000.00,' +
  '"min_remaining_principal":10000.00,"min_holding_days":0,"penal_rules":[' +
  '{"when":{"elapsed_percent":{"lt":20}},"terms":[{"kind":"PERCENT","of":"ACCRUED_INTEREST","percent":90}]},' +
  '{"when":{},"terms":[{"kind":"RERATE","rate":{"of":"CONTRACT","add":-1}},{"kind":"FIXED","amount":50.00}],' +
  '"combine":"SUM","min":0.00,"max":null}]}'

type Bad = [change: Record<string, unknown>, field: string, code: string]
const rule = (changes: object): Record<string, unknown> => ({
  penal_rules: [{ when: {}, terms: [percentOfInterest(1)], ...changes }],
})
const term = (bad: object): Record<string, unknown> => ({
  penal_rules: [
    { when: {}, terms: [percentOfInterest(1)] },
    { when: {}, terms: [bad] },
  ],
})
const when = (conditions: object): Record<string, unknown> => rule({ when: conditions })

const badRules: Bad[] = [
  ...Object.keys(firstRules).flatMap((member): Bad[] => [
    [{ [member]: undefined }, member, 'required'],
    [{ [member]: null }, member, 'null_not_allowed'],
  ]),
  [{ currency: 'NGN' }, 'currency', 'unknown_field'],
  [{ version: 2 }, 'version', 'unknown_field'],
  [{ day_count: 'ACT/365' }, 'day_count', 'invalid_value'],
  [{ day_count: 365 }, 'day_count', 'invalid_type'],
  [{ rounding: 'HALF_DOWN' }, 'rounding', 'invalid_value'],
  [{ allow_partial: 'true' }, 'allow_partial', 'invalid_type'],
  [{ min_partial_amount: -1 }, 'min_partial_amount', 'out_of_range'],
  [{ min_partial_amount: 0.001 }, 'min_partial_amount', 'too_precise'],
  [{ min_remaining_principal: '10' }, 'min_remaining_principal', 'invalid_type'],
  [{ min_holding_days: -1 }, 'min_holding_days', 'out_of_range'],
  [{ min_holding_days: 0.5 }, 'min_holding_days', 'too_precise'],
  [{ min_holding_days: 36_501 }, 'min_holding_days', 'out_of_range'],
  [{ penal_rules: {} }, 'penal_rules', 'invalid_type'],
  [{ penal_rules: [1] }, 'penal_rules[0]', 'invalid_type'],
  [{ penal_rules: Array(21).fill(rule({}).penal_rules).flat() }, 'penal_rules', 'too_many'],

  [rule({ when: undefined }), 'penal_rules[0].when', 'required'],
  [rule({ terms: undefined }), 'penal_rules[0].terms', 'required'],
  [rule({ terms: [] }), 'penal_rules[0].terms', 'too_few'],
  [rule({ terms: Array(9).fill(percentOfInterest(1)) }), 'penal_rules[0].terms', 'too_many'],
  [rule({ combine: 'AVERAGE' }), 'penal_rules[0].combine', 'invalid_value'],
  [rule({ min: -1 }), 'penal_rules[0].min', 'out_of_range'],
  [rule({ min: 5, max: 4.99 }), 'penal_rules[0].max', 'invalid_value'],
  [rule({ cap: 5 }), 'penal_rules[0].cap', 'unknown_field'],

  [when({ age: { lt: 1 } }), 'penal_rules[0].when.age', 'unknown_field'],
  [when({ elapsed_days: {} }), 'penal_rules[0].when.elapsed_days.gte', 'required'],
  [when({ elapsed_days: { gt: 5 } }), 'penal_rules[0].when.elapsed_days.gte', 'required'],
  [when({ elapsed_days: { gte: 5, lt: 5 } }), 'penal_rules[0].when.elapsed_days.lt', 'invalid_value'],
  [when({ elapsed_days: { gte: 1.5 } }), 'penal_rules[0].when.elapsed_days.gte', 'too_precise'],
  [when({ elapsed_percent: { lt: 101 } }), 'penal_rules[0].when.elapsed_percent.lt', 'out_of_range'],
  [when({ elapsed_percent: { lt: 0.00001 } }), 'penal_rules[0].when.elapsed_percent.lt', 'too_precise'],
  [when({ remaining_days: { gte: -1 } }), 'penal_rules[0].when.remaining_days.gte', 'out_of_range'],
  [
    when({ remaining_percent: { gte: 60, lt: 40 } }),
    'penal_rules[0].when.remaining_percent.lt',
    'invalid_value',
  ],
  [when({ term_days: 5 }), 'penal_rules[0].when.term_days', 'invalid_type'],
  [when({ amount: { gte: 0.001 } }), 'penal_rules[0].when.amount.gte', 'too_precise'],

  [term({}), 'penal_rules[1].terms[0].kind', 'required'],
  [term({ kind: 'TAX' }), 'penal_rules[1].terms[0].kind', 'invalid_value'],
  [term({ kind: 'FIXED' }), 'penal_rules[1].terms[0].amount', 'required'],
  [term({ kind: 'FIXED', amount: -1 }), 'penal_rules[1].terms[0].amount', 'out_of_range'],
  [term({ kind: 'FIXED', amount: 1, percent: 1 }), 'penal_rules[1].terms[0].percent', 'unknown_field'],
  [term({ kind: 'PERCENT', of: 'PRINCIPAL' }), 'penal_rules[1].terms[0].percent', 'required'],
  [term({ ...percentOfInterest(100.0001) }), 'penal_rules[1].terms[0].percent', 'out_of_range'],
  [term({ ...percentOfInterest(-1) }), 'penal_rules[1].terms[0].percent', 'out_of_range'],
  [term({ kind: 'PERCENT', of: 'BALANCE', percent: 1 }), 'penal_rules[1].terms[0].of', 'invalid_value'],
  [term({ kind: 'PERIOD_INTEREST' }), 'penal_rules[1].terms[0].period', 'required'],
  [
    term({ kind: 'PERIOD_INTEREST', period: { days: 0 } }),
    'penal_rules[1].terms[0].period.days',
    'out_of_range',
  ],
  [
    term({ kind: 'PERIOD_INTEREST', period: { days: 36_501 } }),
    'penal_rules[1].terms[0].period.days',
    'out_of_range',
  ],
  [term({ kind: 'PERIOD_INTEREST', period: {} }), 'penal_rules[1].terms[0].period.days', 'required'],
  [term({ kind: 'RERATE' }), 'penal_rules[1].terms[0].rate', 'required'],
  [term({ kind: 'RERATE', rate: {} }), 'penal_rules[1].terms[0].rate.of', 'required'],
  [term({ kind: 'RERATE', rate: { of: 'FIXED' } }), 'penal_rules[1].terms[0].rate.value', 'required'],
  [
    term({ kind: 'RERATE', rate: { of: 'FIXED', value: 101 } }),
    'penal_rules[1].terms[0].rate.value',
    'out_of_range',
  ],
  [
    term({ kind: 'RERATE', rate: { of: 'CONTRACT', value: 5 } }),
    'penal_rules[1].terms[0].rate.value',
    'unknown_field',
  ],
  [
    term({ kind: 'RERATE', rate: { of: 'CONTRACT', multiply: 10.0001 } }),
    'penal_rules[1].terms[0].rate.multiply',
    'out_of_range',
  ],
  [
    term({ kind: 'RERATE', rate: { of: 'CONTRACT', multiply: -1 } }),
    'penal_rules[1].terms[0].rate.multiply',
    'out_of_range',
  ],
  [
    term({ kind: 'RERATE', rate: { of: 'CONTRACT', add: -100.0001 } }),
    'penal_rules[1].terms[0].rate.add',
    'out_of_range',
  ],
  [
    term({ kind: 'RERATE', rate: { of: 'CONTRACT', add: 101 } }),
    'penal_rules[1].terms[0].rate.add',
    'out_of_range',
  ],
]

/** The widest that the ranges let a rule set be. */
const widest = {
  ...firstRules,
  day_count: '30E/360',
  rounding: 'DOWN',
  allow_partial: false,
  min_partial_amount: 0,
  min_remaining_principal: 9_999_999_999_999.99,
  min_holding_days: 36_500,
  penal_rules: Array(20).fill({
    when: {
      elapsed_days: { gte: 0, lt: 36_500 },
      elapsed_percent: { gte: 0, lt: 100 },
      remaining_days: { gte: 0 },
      remaining_percent: { lt: 0.0001 },
      term_days: { gte: 1, lt: 2 },
      amount: { gte: 0, lt: 0.01 },
    },
    terms: [
      { kind: 'FIXED', amount: 0 },
      { kind: 'PERCENT', of: 'PRINCIPAL', percent: 100 },
      { kind: 'PERCENT', of: 'TERM_INTEREST', percent: 0 },
      { kind: 'PERIOD_INTEREST', period: { days: 36_500 } },
      { kind: 'PERIOD_INTEREST', period: 'REMAINING', rate: { of: 'FIXED', value: 0 } },
      { kind: 'RERATE', rate: { of: 'FIXED', value: 100, multiply: 10, add: 100 } },
      { kind: 'RERATE', rate: { of: 'CONTRACT', multiply: 0, add: -100 } },
      { kind: 'RERATE', rate: { of: 'CONTRACT', multiply: 'ELAPSED_FRACTION' } },
    ],
    combine: 'MIN',
    min: 5,
    max: 5,
  }),
}

type Vector = {
  source: string
  principal: string
  rate: number
  start: string
  end: string
  tenor?: number
  rules: Parameters<typeof replaceRules>[1]
  figures: [interest: string, charge: string, total: string]
}

const tiers = [
  [20, 90],
  [40, 80],
  [60, 60],
  [80, 40],
].map(([lt, percent]) => ({ when: { elapsed_percent: { lt } }, terms: [percentOfInterest(percent!)] }))

const rerate = { kind: 'RERATE', rate: { of: 'FIXED', value: 2 } }

function interestOnly(
  source: string,
  deposit: Omit<Vector, 'source' | 'rules' | 'figures'>,
  byDayCount: Record<string, [interest: string, total: string]>,
): Vector[] {
  return Object.entries(byDayCount).map(([day_count, [interest, total]]) => ({
    ...deposit,
    source: `${source}, ${day_count}`,
    rules: { day_count },
    figures: [interest, '0.00', total],
  }))
}

/** Figures of real banks and standards, and others derived by the same formulas. */
const vectors: Vector[] = [
  ...interestOnly(
    'Defence Bank (AU), early withdrawal page',
    { principal: '50000.00', rate: 5, start: '2025-01-01', end: '2025-05-03' },
    { 'ACT/365F': ['835.62', '50835.62'] },
  ),
  ...interestOnly(
    'AMP (AU)',
    { principal: '20000.00', rate: 2.5, start: '2015-06-01', end: '2015-09-01' },
    { 'ACT/365F': ['126.03', '20126.03'] },
  ),
  ...interestOnly(
    'AMP (AU)',
    { principal: '1000.00', rate: 3, start: '2025-01-01', end: '2025-01-31' },
    { 'ACT/365F': ['2.47', '1002.47'] },
  ),
  ...interestOnly(
    'phbanking (PH)',
    { principal: '100000.00', rate: 3, start: '2025-01-01', end: '2025-03-02' },
    { 'ACT/365F': ['493.15', '100493.15'] },
  ),
  ...interestOnly(
    'derived, across a leap year',
    { principal: '10000.00', rate: 5, start: '1999-07-01', end: '2000-07-01' },
    {
      'ACT/365F': ['501.37', '10501.37'],
      'ACT/360': ['508.33', '10508.33'],
      'ACT/ACT': ['500.69', '10500.69'],
      '30/360': ['500.00', '10500.00'],
    },
  ),
  ...interestOnly(
    'derived, the example of ISDA',
    { principal: '100000.00', rate: 6, start: '2003-11-01', end: '2004-05-01' },
    {
      'ACT/365F': ['2991.78', '102991.78'],
      'ACT/360': ['3033.33', '103033.33'],
      'ACT/ACT': ['2986.35', '102986.35'],
      '30/360': ['3000.00', '103000.00'],
    },
  ),
  ...interestOnly(
    'derived, the end of February',
    { principal: '100000.00', rate: 6, start: '2007-02-28', end: '2007-08-31' },
    {
      'ACT/365F': ['3024.66', '103024.66'],
      '30/360': ['3050.00', '103050.00'],
      '30E/360': ['3033.33', '103033.33'],
    },
  ),
  {
    source: 'Defence Bank: 80 percent of the unrounded interest',
    principal: '50000.00',
    rate: 5,
    start: '2025-01-01',
    end: '2025-05-03',
    tenor: 365,
    rules: { penal_rules: [...tiers, ...always(percentOfInterest(20))] },
    figures: ['835.62', '668.49', '50167.13'],
  },
  {
    source: 'microbiz tests: re-rated at 2 percent plus a fixed 50.00',
    principal: '100000.00',
    rate: 10,
    start: '2025-01-01',
    end: '2025-01-31',
    tenor: 365,
    rules: { penal_rules: always(rerate, { kind: 'FIXED', amount: 50 }) },
    figures: ['821.92', '707.54', '100114.38'],
  },
  {
    source: 'microbiz tests: with a fixed 500.00 the cap bites',
    principal: '100000.00',
    rate: 10,
    start: '2025-01-01',
    end: '2025-01-31',
    tenor: 365,
    rules: { penal_rules: always(rerate, { kind: 'FIXED', amount: 500 }) },
    figures: ['821.92', '821.92', '100000.00'],
  },
  {
    source: 'microbiz tests: at maturity nothing is charged',
    principal: '100000.00',
    rate: 10,
    start: '2025-01-01',
    end: '2026-01-01',
    tenor: 365,
    rules: { penal_rules: always(rerate, { kind: 'FIXED', amount: 500 }) },
    figures: ['10000.00', '0.00', '110000.00'],
  },
  {
    source: "derived from Fineract's WHOLE_TERM case: contract rate minus 2 points",
    principal: '100000.00',
    rate: 7,
    start: '2023-01-01',
    end: '2023-02-02',
    tenor: 365,
    rules: { penal_rules: always({ kind: 'RERATE', rate: { of: 'CONTRACT', add: -2 } }) },
    figures: ['613.70', '175.34', '100438.36'],
  },
  {
    source: 'derived: the break fee of Cowrywise (NG)',
    principal: '1000000.00',
    rate: 10,
    start: '2025-01-01',
    end: '2025-04-01',
    tenor: 365,
    rules: { penal_rules: always(percentOfInterest(25)) },
    figures: ['24657.53', '6164.38', '1018493.15'],
  },
  {
    source: "calculatorlib (US certificates of deposit): 90 days' interest",
    principal: '10000.00',
    rate: 4.5,
    start: '2025-01-01',
    end: '2025-07-20',
    tenor: 365,
    rules: { penal_rules: always({ kind: 'PERIOD_INTEREST', period: { days: 90 } }) },
    figures: ['246.58', '110.96', '10135.62'],
  },
]

describeService('liquidation rules', (running) => {
  test('a new book starts with version 1, which charges nothing', async () => {
    const { ask } = running()
    const first = await ask('GET', '/v2/liquidation-rules')
    assert.equal(
      first.text,
      '{"status":true,"message":"The liquidation rules.","data":{"version":1,"day_count":"ACT/365F",' +
        '"rounding":"HALF_UP","allow_partial":true,"min_partial_amount":0.01,"min_remaining_principal":0.01,' +
        '"min_holding_days":0,"penal_rules":[],"created_at":"2026-07-01T10:00:00.000Z"}}',
    )
    assert.equal((await ask('GET', '/v2/liquidation-rules/1')).text, first.text)
  })

  test('each PUT makes the next version, and earlier ones stay as they were', async () => {
    const { db } = running()
    const { ask, clock, close } = await startService(db)
    const first = await ask('GET', '/v2/liquidation-rules')
    clock.now = new Date('2026-07-02T00:00:00Z')
    const second = await ask('PUT', '/v2/liquidation-rules', example)
    assert.equal(second.status, 200)
    assert.equal(
      second.text,
      '{"status":true,"message":"The liquidation rules were replaced.","data":{"version":2,' +
        `${example
          .slice(1, -1)
          // Members that were left out are shown with their defaults.
          .replace('"percent":90}]', '"percent":90}],"combine":"SUM","min":0.00,"max":null')},` +
        '"created_at":"2026-07-02T00:00:00.000Z"}}',
    )
    const third = await ask('PUT', '/v2/liquidation-rules', firstRules)
    assert.equal(third.json.data.version, 3)
    assert.deepEqual((await ask('GET', '/v2/liquidation-rules')).json.data, third.json.data)
    assert.deepEqual((await ask('GET', '/v2/liquidation-rules/2')).json.data, second.json.data)
    assert.deepEqual((await ask('GET', '/v2/liquidation-rules/1')).json.data, first.json.data)
    await close()
  })

  test('the same rules again are a new version', async () => {
    const { ask } = running()
    const { version } = (await replaceRules(ask, {})).json.data
    assert.equal((await replaceRules(ask, {})).json.data.version, version + 1)
  })

  test('concurrent writers make versions one after the other', async () => {
    const { ask } = running()
    const { version } = (await ask('GET', '/v2/liquidation-rules')).json.data
    const written = await Promise.all(
      Array.from({ length: 8 }, (_, days) => replaceRules(ask, { min_holding_days: days })),
    )
    const versions = written.map((answer) => answer.json.data.version).sort((left, right) => left - right)
    assert.deepEqual(
      versions,
      Array.from({ length: 8 }, (_, index) => version + 1 + index),
    )
    for (const answer of written) {
      const { data } = (await ask('GET', `/v2/liquidation-rules/${answer.json.data.version}`)).json
      assert.deepEqual(data, answer.json.data)
    }
    await replaceRules(ask, {})
  })

  test('a version that does not exist is not found', async () => {
    const { ask } = running()
    const bodies = new Set<string>()
    for (const version of [
      '999999',
      '0',
      '-1',
      '01',
      '1.0',
      '1e0',
      'latest',
      '2147483648',
      '9'.repeat(30),
      '%00',
    ]) {
      const answer = await ask('GET', `/v2/liquidation-rules/${version}`)
      assertRefused(answer, { status: 404, code: 'rules_version_not_found' })
      bodies.add(withoutRequestId(answer))
    }
    assert.equal(bodies.size, 1)
  })

  test('rules belong to a book', async () => {
    const { ask, askWith, liveKey } = running()
    await replaceRules(ask, {})
    const live = await askWith(liveKey)('GET', '/v2/liquidation-rules')
    assert.equal(live.json.data.version, 1)
    assert.equal((await askWith(liveKey)('GET', '/v2/liquidation-rules/2')).status, 404)
  })

  test('a rule set as wide as its ranges is accepted, and is shown as it was sent', async () => {
    const { ask } = running()
    const written = await ask('PUT', '/v2/liquidation-rules', widest)
    assert.equal(written.status, 200, written.text)
    const { version, created_at, ...rules } = written.json.data
    assert.deepEqual(rules, widest)
    assert.deepEqual((await ask('GET', `/v2/liquidation-rules/${version}`)).json.data, written.json.data)
    assert.match(written.text, /"min_remaining_principal":9999999999999\.99,/)
    await replaceRules(ask, {})
  })

  test('a bad rule set is refused with the path of the member, and makes no version', async () => {
    const { ask, db } = running()
    await assertUnchanged(db, async () => {
      for (const [change, field, code] of badRules) {
        const answer = await ask('PUT', '/v2/liquidation-rules', { ...firstRules, ...change })
        assert.equal(answer.status, 400, JSON.stringify(change))
        assert.equal(answer.json.error.code, 'invalid_request')
        const fields = answer.json.error.fields.map((error: { field: string; code: string }) => [
          error.field,
          error.code,
        ])
        assert.deepEqual(fields.slice(0, 1), [[field, code]], JSON.stringify(change))
      }
    })
  })

  test('all errors of a rule set are reported together', async () => {
    const { ask } = running()
    const answer = await ask('PUT', '/v2/liquidation-rules', {
      ...firstRules,
      rounding: 'UP',
      penal_rules: [
        {
          when: { elapsed_days: { lt: -1 } },
          terms: [{ kind: 'FIXED' }, { kind: 'PERCENT', of: 'X', percent: 200 }],
        },
      ],
    })
    assertRefused(answer, {
      status: 400,
      code: 'invalid_request',
      fields: [
        ['rounding', 'invalid_value'],
        ['penal_rules[0].when.elapsed_days.lt', 'out_of_range'],
        ['penal_rules[0].terms[0].amount', 'required'],
        ['penal_rules[0].terms[1].of', 'invalid_value'],
        ['penal_rules[0].terms[1].percent', 'out_of_range'],
      ],
    })
  })

  for (const { source, principal, rate, start, end, tenor = 1000, rules, figures } of vectors) {
    test(`interest, charge and total are ${figures.join(', ')}: ${source}`, async () => {
      const { ask, clock } = running()
      clock.now = new Date(`${end}T10:00:00Z`)
      await replaceRules(ask, rules)
      const { depositId } = await openDeposit(ask, {
        amount: principal,
        interest_rate: rate,
        start_date: start,
        tenor,
      })
      await replaceRules(ask, {})
      const body = { liquidation_type: 'FULL' }
      const quoted = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)
      const made = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      const [interest, charge, total] = figures
      const text =
        `"principal_returned":${principal},"interest_paid":${interest},"penal_charge":${charge},` +
        `"total_credited":${total},`
      assert(quoted.text.includes(text), quoted.text)
      assert(made.text.includes(text), made.text)
    })
  }
})
