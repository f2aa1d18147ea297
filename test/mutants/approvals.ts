/** Broken variants of approvals: what holds a request, how its votes are counted, and what sums add up. */
const limits = 'test/features/approvals/limits.test.ts'
const policy = 'src/features/approval-policy/record.ts'
const byPeople = 'test/console/approvals.test.ts'
const recount = 'test/features/approvals/recount.test.ts'
const sums = 'test/features/approvals/sums.test.ts'
const holding = 'src/features/holding/changes.ts'
const store = 'src/features/holding/store.ts'
const domain = 'src/domain/approvals.ts'

function mutant(name: string, suite: string, edit: { file: string; search: string; replace: string }) {
  return { name: `approval: ${name}`, edits: [edit], suites: [{ kind: 'tests' as const, file: suite }] }
}

export const approvalMutants = [
  mutant('ends where the operation is refused', 'test/features/approvals/approvals.test.ts', {
    file: 'src/features/approvals/changes.ts',
    search: '        if (counted.votes.length >= counted.approvalsNeeded) return executed\n',
    replace:
      "        if (counted.votes.length >= counted.approvalsNeeded) {\n          return made({ approval: ended(voted, 'CANCELLED', at), vote, executed: null })\n        }\n",
  }),
  mutant('counts the number of when it was requested alone', recount, {
    file: domain,
    search: 'const all = Math.max(needed, asked)',
    replace: 'const all = asked || needed',
  }),
  mutant('counts the number of the moment alone', recount, {
    file: domain,
    search: 'const all = Math.max(needed, asked)',
    replace: 'const all = Math.max(needed, Math.min(asked, 1))',
  }),
  mutant('one vote less is enough', recount, {
    file: domain,
    search: 'votesThatCount(given, policy).length >= all',
    replace: '(given.length > 0 && votesThatCount(given, policy).length + 1 >= all)',
  }),
  mutant('votes count that the policy of now does not let anybody give', byPeople, {
    file: domain,
    search: 'votesThatCount(given, policy).length >= all',
    replace: 'given.length >= all',
  }),
  mutant('votes that do not count are shown', byPeople, {
    file: 'src/features/approvals/changes.ts',
    search: 'votes: votesThatCount(kept.votes, now.policy)',
    replace: 'votes: kept.votes',
  }),
  mutant('without a policy keys decide', 'test/features/approvals/approvals.test.ts', {
    file: domain,
    search: "expiresAfterHours: 72, deciders: 'PERSON'",
    replace: "expiresAfterHours: 72, deciders: 'ANY'",
  }),
  mutant('what is refused for its figures shows the number of when it was requested', recount, {
    file: holding,
    search: '(asked === undefined || by.votes === undefined)',
    replace: "(asked === undefined || by.votes === undefined || decided.code !== 'approval_required')",
  }),
  mutant('a vote that is not enough any more is lost', recount, {
    file: 'src/features/approvals/changes.ts',
    search: '        return made({ approval: counted, vote, executed: null })\n',
    replace: '        return executed\n',
  }),
  mutant('shows the number of when it was requested', recount, {
    file: 'src/features/approvals/changes.ts',
    search: 'approval: countedBy(kept, live)',
    replace: 'approval: kept',
  }),
  mutant('an export shows the number of when it was requested', recount, {
    file: 'src/features/exports/routes.ts',
    search: 'const { approval } = await asOfNow(service, { book, at }, kept, () => bodyOf(kept))',
    replace: 'const approval = kept',
  }),
  mutant('the policy does not guard itself', recount, {
    file: domain,
    search: "if (operation !== 'replaceApprovalPolicy' || own.length > 0 || rules.length === 0) return own",
    replace: 'return own',
  }),
  mutant('the policy guards itself beside its own rule', recount, {
    file: domain,
    search: "if (operation !== 'replaceApprovalPolicy' || own.length > 0 || rules.length === 0) return own",
    replace: "if (operation !== 'replaceApprovalPolicy' || rules.length === 0) return own",
  }),
  mutant('the start of a batch is cheaper than its lines', 'test/features/batches/batches.test.ts', {
    file: domain,
    search: 'own.length > 0 ? own : policy!.rules.filter((rule) => rule.operation === known.covered)',
    replace: 'own',
  }),
  mutant('a direct start of a batch waits as its lines do', 'test/features/batches/batches.test.ts', {
    file: 'src/features/batches/changes.ts',
    search: '...(by.votes && { covered: batch!.operation })',
    replace: 'covered: batch!.operation',
  }),
  mutant('a policy may ask for one person too many', 'test/features/approvals/approvals.test.ts', {
    file: domain,
    search: 'mostOf(policy.rules) <= deciders',
    replace: 'mostOf(policy.rules) <= deciders + 1',
  }),
  mutant('people of the other book count as deciders', 'test/features/approvals/approvals.test.ts', {
    file: 'src/features/policies/store.ts',
    search: '      and books.mode = any(people.modes)`',
    replace: '`',
  }),
  mutant('a rule on a fact that the operation lacks is accepted', sums, {
    file: 'src/features/approval-policy/record.ts',
    search: '.filter((name) => !factsOf(operation).includes(CONDITION_NAMES[name]!))',
    replace: '.filter(() => false)',
  }),
  mutant('a sum leaves the request itself out', sums, {
    file: holding,
    search: '(soFar.get(keyOf(sum, subject)) ?? 0n) + (own.amount ?? 0n)',
    replace: 'soFar.get(keyOf(sum, subject)) ?? 0n',
  }),
  mutant('requests of a batch do not see each other in a sum', sums, {
    file: holding,
    search: '        soFar.set(key, (soFar.get(key) ?? 0n) + amount)\n',
    replace: '',
  }),
  mutant('a sum is read without its lock', sums, {
    file: holding,
    search: 'if (asked.locks && locks.length > 0)',
    replace: 'if (asked.locks && locks.length < 0)',
  }),
  mutant('a window is a day longer', sums, {
    file: holding,
    search: 'addDays(moment.today, 1 - sum.days)',
    replace: 'addDays(moment.today, -sum.days)',
  }),
  mutant('a window is a day shorter', sums, {
    file: holding,
    search: 'addDays(moment.today, 1 - sum.days)',
    replace: 'addDays(moment.today, 2 - sum.days)',
  }),
  mutant('what was reversed counts', sums, {
    file: store,
    search: '            and reverses = entry.entry_id)',
    replace: "            and reverses = '')",
  }),
  mutant('what an actor took back counts', sums, {
    file: store,
    search: '        and liquidation_id = made_id\n        and reversed_at is null',
    replace: '        and liquidation_id = made_id',
  }),
  mutant('what was approved counts for the approver', sums, {
    file: store,
    search: '      where made_id not in (select made_id from approved)\n',
    replace: '',
  }),
  mutant('what was approved does not count for the maker', sums, {
    file: store,
    search: '      from approved\n      where actor = any($2::text[])',
    replace: '      from approved\n      where false and actor = any($2::text[])',
  }),
  mutant('what an actor did before the window counts', sums, {
    file: store,
    search: `        and event.occurred_at >= $4\n        and \${actor}`,
    replace: `        and $4::timestamptz is not null\n        and \${actor}`,
  }),
  mutant('what the successors of a key did does not count', sums, {
    file: store,
    search: '[...subjects, ...firsts.keys()]',
    replace: '[...subjects]',
  }),
  mutant('sums of a customer are those of an account', sums, {
    file: store,
    search: 'sumOfCustomers: sumOf(`account_number in (',
    replace: 'sumOfCustomers: sumOf(`deposit_id in (',
  }),
  mutant('a rolled key is another actor', sums, {
    file: 'src/http/operation.ts',
    search: ', rootId: key.rootKeyId ?? key.apiKeyId',
    replace: '',
  }),
  mutant('a range contains its upper end', 'test/domain/approvals.test.ts', {
    file: domain,
    search: '(range.lt === undefined || value < range.lt)',
    replace: '(range.lt === undefined || value <= range.lt)',
  }),
  mutant('a range leaves its lower end out', 'test/domain/approvals.test.ts', {
    file: domain,
    search: '(range.gte === undefined || value >= range.gte)',
    replace: '(range.gte === undefined || value > range.gte)',
  }),
  ...bounds(
    'the hours until a request expires',
    '{ min: 1, max: 720,',
    '{ min: 0, max: 720,',
    '{ min: 1, max: 721,',
  ),
  ...bounds('the approvals of a rule', '{ min: 1, max: 3,', '{ min: 0, max: 3,', '{ min: 1, max: 4,'),
  ...bounds('the days of a sum', '{ min: 1, max: 31,', '{ min: 0, max: 31,', '{ min: 1, max: 32,'),
  ...bounds('the rules of a policy', '{ min: 0, max: 50,', '{ min: 0, max: 49,', '{ min: 0, max: 51,'),
  ...bounds('the hours since a change', 'HOURS_MAX = 87_600', 'HOURS_MAX = 87_599', 'HOURS_MAX = 87_601'),
  ...bounds(
    'the points above the sheet',
    'min: -100, max: 100,',
    'min: -99, max: 100,',
    'min: -100, max: 101,',
  ),
  mutant('one request more may wait', limits, {
    file: 'src/features/approvals/changes.ts',
    search: 'known.pending >= PENDING_MAX',
    replace: 'known.pending > PENDING_MAX',
  }),
  mutant('one request less may wait', limits, {
    file: 'src/features/approvals/changes.ts',
    search: 'known.pending >= PENDING_MAX',
    replace: 'known.pending + 1 >= PENDING_MAX',
  }),
  mutant('a request is decided at the moment of its expiry', 'test/features/approvals/approvals.test.ts', {
    file: domain,
    search: "approval.status === 'PENDING' && approval.expiresAt <= at ?",
    replace: "approval.status === 'PENDING' && approval.expiresAt < at ?",
  }),
  mutant('a share contains its upper end', 'test/domain/approvals.test.ts', {
    file: domain,
    search: '(lt === undefined || value < BigInt(lt) * share.denominator)',
    replace: '(lt === undefined || value <= BigInt(lt) * share.denominator)',
  }),
  mutant('a share leaves its lower end out', 'test/domain/approvals.test.ts', {
    file: domain,
    search: '(gte === undefined || value >= BigInt(gte) * share.denominator)',
    replace: '(gte === undefined || value > BigInt(gte) * share.denominator)',
  }),
  mutant('hours since a change are minutes', 'test/domain/approvals.test.ts', {
    file: domain,
    search: 'const HOUR_MS = 3_600_000',
    replace: 'const HOUR_MS = 60_000',
  }),
]

/** A limit of the policy, moved to both sides. */
function bounds(name: string, search: string, ...moved: [string, string]) {
  return moved.map((replace) => mutant(`${name}: ${replace}`, limits, { file: policy, search, replace }))
}
