/** How many have to approve: every condition on both sides of its bounds, and the strictest rule in any order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Actor, identityOf } from '../../src/domain/actor.ts'
import {
  type ApprovalConditions,
  type ApprovalPolicy,
  countApprovals,
  DECIDERS,
  type Facts,
  holdFor,
  mayNeedApproval,
  refuseTooFewDeciders,
  type Vote,
  votesThatCount,
} from '../../src/domain/approvals.ts'

const OPERATION = 'liquidateFixedDeposit'
const policyOf = (...rules: [when: ApprovalConditions, approvals: number][]): ApprovalPolicy => ({
  expiresAfterHours: 1,
  deciders: 'ANY',
  rules: rules.map(([when, approvals]) => ({ operation: OPERATION, when, approvals })),
})
const needed = (policy: ApprovalPolicy | null, facts: Facts) =>
  countApprovals(policy, OPERATION, () => facts).needed
const isHeld = (when: ApprovalConditions, facts: Facts) => needed(policyOf([when, 1]), facts) === 1
const HOUR_MS = 3_600_000
const voteOf = (actor: Actor): Vote => ({ voter: identityOf(actor), actor, at: new Date(0) })

test('a range contains its lower end and not its upper one, and matches no unknown fact', () => {
  const share = (numerator: bigint) => ({ waivedShare: { numerator, denominator: 3n } })
  const sum = { of: 'DEPOSIT', days: 7, amount: { gte: 10n, lt: 20n } } as const
  const summed = (value: bigint | undefined) => ({ sumOf: () => value })
  const edges: [ApprovalConditions, inside: Facts[], outside: Facts[]][] = [
    [
      { amount: { gte: 10n, lt: 20n } },
      [{ amount: 10n }, { amount: 19n }],
      [{ amount: 9n }, { amount: 20n }],
    ],
    [{ netCredited: { gte: 10n } }, [{ netCredited: 10n }], [{ netCredited: 9n }, { amount: 10n }]],
    [{ waivedAmount: { lt: 10n } }, [{ waivedAmount: 9n }], [{ waivedAmount: 10n }]],
    // A third lies between 33.3333 and 33.3334 percent.
    [{ waivedPercent: { gte: 333_333 } }, [share(1n)], [share(0n)]],
    [{ waivedPercent: { gte: 333_334 } }, [share(2n)], [share(1n)]],
    [{ waivedPercent: { lt: 333_334 } }, [share(1n)], [share(2n)]],
    [{ waivedPercent: { gte: 1_000_000 } }, [share(3n)], [share(2n)]],
    [{ waivedPercent: { lt: 1_000_000 } }, [share(2n)], [share(3n)]],
    [{ negotiatedPoints: { gte: 5_000 } }, [{ negotiatedPpm: 5_000 }], [{ negotiatedPpm: 4_999 }]],
    [
      { contactChangedHours: { lt: 48 } },
      [{ contactChangedMs: 48 * HOUR_MS - 1 }],
      [{ contactChangedMs: 48 * HOUR_MS }],
    ],
    [{ waiver: true }, [{ waiver: true }], [{ waiver: false }]],
    [{ sum }, [summed(10n), summed(19n)], [summed(9n), summed(20n), summed(undefined)]],
  ]
  for (const [when, inside, outside] of edges) {
    for (const facts of inside) assert(isHeld(when, facts), JSON.stringify(Object.keys(when)))
    for (const facts of [...outside, {}]) assert(!isHeld(when, facts), JSON.stringify(Object.keys(when)))
  }
})

test('the strictest matching rule counts, in any order, and adding a rule never lowers the number', () => {
  const rule = fc.record({ gte: fc.bigInt(0n, 50n), approvals: fc.integer({ min: 1, max: 3 }) })
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), rule, fc.bigInt(0n, 60n), (rules, more, amount) => {
      const policy = (list: typeof rules) =>
        policyOf(
          ...list.map(({ gte, approvals }): [ApprovalConditions, number] => [{ amount: { gte } }, approvals]),
        )
      const expected = Math.max(
        0,
        ...rules.filter(({ gte }) => amount >= gte).map(({ approvals }) => approvals),
      )
      assert.equal(needed(policy(rules), { amount }), expected)
      assert.equal(needed(policy(rules.toReversed()), { amount }), expected)
      assert(needed(policy([...rules, more]), { amount }) >= expected)
    }),
  )
})

test('facts are not asked for where the policy has no rule for the operation', () => {
  const never = () => assert.fail('the facts cost something')
  assert.deepEqual(countApprovals(null, OPERATION, never), { needed: 0, rules: [] })
  assert.equal(countApprovals(policyOf([{}, 1]), 'placeLien', never).needed, 0)
})

test('a request may have to wait unless a known amount excludes every rule', () => {
  const policy = policyOf([{ amount: { gte: 10n }, netCredited: { lt: 20n } }, 1])
  const may = (known: Facts) => mayNeedApproval(policy, OPERATION, known)
  assert.deepEqual([may({}), may({ amount: 10n }), may({ amount: 9n })], [true, true, false])
  assert.deepEqual([may({ netCredited: 19n }), may({ netCredited: 20n })], [true, false])
  assert.equal(mayNeedApproval(policy, 'creditAccount', {}), false)
  assert.equal(mayNeedApproval(null, OPERATION, {}), false)
  const summed = policyOf([{ sum: { of: 'DEPOSIT', days: 7, amount: { gte: 10n } } }, 1])
  assert.equal(mayNeedApproval(summed, OPERATION, { amount: 1n }), true)
  fc.assert(
    fc.property(fc.bigInt(0n, 30n), fc.bigInt(0n, 30n), (amount, netCredited) => {
      if (needed(policy, { amount, netCredited }) > 0) assert(may({ amount, netCredited }))
    }),
  )
})

test('a request needs the larger of the number when it was made and the number now', () => {
  const numbers = fc.integer({ min: 0, max: 4 })
  const kinds = fc.array(fc.constantFrom('KEY', 'PERSON'), { maxLength: 4 })
  fc.assert(
    fc.property(numbers, numbers, kinds, fc.constantFrom(...DECIDERS), (now, asked, voters, deciders) => {
      const given = voters.map((kind, index) => voteOf({ kind, id: String(index), name: null }))
      const counting = deciders === 'ANY' ? voters : voters.filter((kind) => kind === 'PERSON')
      const held = holdFor({ needed: now, rules: [] }, { given, asked }, { deciders })
      const all = Math.max(now, asked)
      assert.deepEqual(held?.details, counting.length >= all ? undefined : { approvals_needed: all })
      assert.equal(holdFor({ needed: now, rules: [] }, { given: 'ALL', asked }, { deciders }), null)
    }),
  )
})

test('where only people decide, no vote of a key, a job or an operator counts', () => {
  const votes = (['KEY', 'PERSON', 'OPERATOR', 'JOB'] as const).map((kind) =>
    voteOf({ kind, id: kind, name: null }),
  )
  const countingWhere = (deciders: ApprovalPolicy['deciders']) =>
    votesThatCount(votes, { deciders }).map(({ voter }) => voter)
  assert.deepEqual(countingWhere('PERSON'), ['PERSON PERSON'])
  assert.deepEqual(countingWhere('ANY').length, 4)
})

test('a policy guards its own replacement, by its largest rule or by its own', () => {
  const replacing = (policy: ApprovalPolicy | null) =>
    countApprovals(policy, 'replaceApprovalPolicy', () => ({})).needed
  const guarded = policyOf([{ amount: { gte: 1n } }, 2], [{}, 1])
  const own = { operation: 'replaceApprovalPolicy', when: {}, approvals: 1 } as const
  assert.deepEqual(
    [null, policyOf(), guarded, { ...guarded, rules: [...guarded.rules, own] }].map(replacing),
    [0, 0, 2, 1],
  )
})

test('an approval that covers other requests takes as many as the largest rule for those, unless a rule asks for it', () => {
  const starting = (policy: ApprovalPolicy | null, covered?: string) =>
    countApprovals(policy, 'startBatch', () => ({ amount: 10n, ...(covered && { covered }) })).needed
  const policy = policyOf([{ amount: { gte: 100n } }, 3], [{}, 1])
  const withOwn = (gte: bigint): ApprovalPolicy => {
    const own = { operation: 'startBatch', when: { amount: { gte } }, approvals: 2 } as const
    return { ...policy, rules: [...policy.rules, own] }
  }
  const policies = [null, policyOf(), policy, withOwn(11n), withOwn(10n)]
  assert.deepEqual(
    policies.map((one) => starting(one, OPERATION)),
    [0, 0, 3, 3, 2],
  )
  assert.equal(starting(policy, 'creditAccount'), 0)
  assert.equal(starting(policy), 0)
})

test('a policy of people asks for at most as many as can decide', () => {
  const people: ApprovalPolicy = { ...policyOf([{}, 2]), deciders: 'PERSON' }
  assert.deepEqual(refuseTooFewDeciders(people, 1)?.details, { deciders: 1 })
  assert.equal(refuseTooFewDeciders(people, 2), null)
  assert.equal(refuseTooFewDeciders({ ...people, deciders: 'ANY' }, 0), null)
  assert.equal(refuseTooFewDeciders({ ...people, rules: [] }, 0), null)
})
