/** Whole requests: the two operations and the rule set most of all, and now and then everything else. */

import { DAY_COUNTS } from '../../../src/domain/day-count.ts'
import { SCOPES } from '../../../src/domain/scopes.ts'
import { routes } from '../../../src/http/routes.ts'
import type { Random } from '../../support/random.ts'
import { anyValue, CANARY, createGrammar, damage, type Grammar } from './grammar.ts'

export type Sent = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/** The identifiers to use: of the own book, of others, and unknown ones. */
export type Subjects = {
  keys: { test: string; live: string; narrow: string; revoked: string; foreign: string }
  deposits: string[]
  customers: string[]
  accounts: string[]
  /** Of another caller or of the other mode. */
  strangers: string[]
}

export function drawRequest(random: Random, subjects: Subjects): Sent {
  const slip = random.pick([0, 0, 0, 0.02, 0.05, 0.15, 0.5])
  const grammar = createGrammar(random, slip)
  const { method, path, body } = drawOperation(random, grammar, subjects)
  const damaged = body !== undefined && random.chance(slip / 3)
  return {
    method: random.chance(slip / 10) ? random.pick(METHODS) : method,
    path: random.chance(slip / 2) ? oddPath(random, path) : path,
    headers: drawHeaders(random, slip, subjects),
    body: damaged ? damage(random, body) : body,
  }
}

const METHODS = 'GET POST PUT PATCH DELETE HEAD OPTIONS TRACE PROPFIND QUERY'.split(' ')

type Operation = { method: string; path: string; body: string | undefined }

function drawOperation(random: Random, grammar: Grammar, subjects: Subjects): Operation {
  const deposit = `/v2/fixed-deposits/${drawId(random, subjects, subjects.deposits)}`
  const dice = random.below(100)
  if (dice < 30)
    return { method: 'POST', path: `${deposit}/liquidate`, body: partBody(random, grammar, false) }
  if (dice < 40) {
    return { method: 'POST', path: `${deposit}/liquidation-quote`, body: partBody(random, grammar, true) }
  }
  if (dice < 65) {
    const path = `/v2/customer/${drawId(random, subjects, subjects.customers)}`
    return { method: 'PUT', path, body: customerBody(random, grammar) }
  }
  if (dice < 85) return { method: 'PUT', path: '/v2/liquidation-rules', body: rulesBody(random, grammar) }
  if (dice < 90)
    return { method: 'POST', path: '/v2/fixed-deposits', body: openingBody(random, grammar, subjects) }
  return anyRoute(random, subjects)
}

/** Absent identifiers are well formed and name nothing. */
function drawId(random: Random, subjects: Subjects, own: readonly string[]): string {
  const dice = random.below(20)
  if (dice < 16) return random.pick(own)
  if (dice < 18) return random.pick(subjects.strangers)
  return random.pick(['fd_', 'cus_', '']) + 'A'.repeat(random.pick([1, 24, 24, 300]))
}

function partBody(random: Random, grammar: Grammar, quoted: boolean): string {
  const type = random.chance(0.2) ? 'FULL' : 'PARTIAL'
  return grammar.object({
    liquidation_type: grammar.value(JSON.stringify(type)),
    amount: type === 'PARTIAL' || random.chance(0.1) ? grammar.value(amount(random)) : undefined,
    as_of: quoted ? grammar.maybe(() => grammar.value(JSON.stringify(date(random)))) : undefined,
  })
}

function customerBody(random: Random, grammar: Grammar): string {
  const number = random.below(10_000)
  return grammar.object({
    email: grammar.maybe(() => grammar.value(`"${CANARY}.${number}@example.com"`)),
    phone_number: grammar.maybe(() => grammar.value(`"+234 801 ${1000 + number}"`)),
    address: grammar.maybe(() => grammar.value(`"${number} ${CANARY} Road\\nLagos"`)),
  })
}

function openingBody(random: Random, grammar: Grammar, { accounts }: Subjects): string {
  return grammar.object({
    account_number: grammar.value(JSON.stringify(random.pick(accounts))),
    amount: grammar.value(amount(random)),
    tenor: grammar.value(String(1 + random.below(random.pick([10, 400, 36_500])))),
    interest_rate: grammar.value(percent(random, 1)),
    auto_rollover: grammar.maybe(() => grammar.value(String(random.chance(0.5)))),
    start_date: grammar.maybe(() => grammar.value(JSON.stringify(date(random)))),
  })
}

function rulesBody(random: Random, grammar: Grammar): string {
  const small = () => `${random.below(50)}.${random.below(90) + 10}`
  const range = (bound: () => string) => {
    const [low, high] = [bound(), bound()].sort((left, right) => Number(left) - Number(right))
    const gte = random.chance(0.6) ? grammar.value(low!) : undefined
    const lt = gte === undefined || random.chance(0.5) ? grammar.value(high!) : undefined
    return grammar.object({ gte, lt })
  }
  const days = () => grammar.maybe(() => range(() => String(random.below(800))))
  const percents = () => grammar.maybe(() => range(() => percent(random, 0)))
  const rate = () => {
    const fixed = random.chance(0.5)
    return grammar.object({
      of: grammar.value(fixed ? '"FIXED"' : '"CONTRACT"'),
      value: fixed ? grammar.value(percent(random, 0)) : undefined,
      multiply: grammar.maybe(() =>
        grammar.value(random.pick(['"ELAPSED_FRACTION"', '0', '10', '1.5', '0.0001'])),
      ),
      add: grammar.maybe(() => grammar.value(random.pick(['-100', '100', '-1', '0.5', '-0.0001']))),
    })
  }
  const terms = [
    () => grammar.object({ kind: '"FIXED"', amount: grammar.value(small()) }),
    () =>
      grammar.object({
        kind: '"PERCENT"',
        of: grammar.choice(['ACCRUED_INTEREST', 'PRINCIPAL', 'TERM_INTEREST']),
        percent: grammar.value(percent(random, 0)),
      }),
    () =>
      grammar.object({
        kind: '"PERIOD_INTEREST"',
        period: random.chance(0.5)
          ? grammar.value('"REMAINING"')
          : grammar.object({ days: grammar.value(String(1 + random.below(36_500))) }),
        rate: grammar.maybe(rate),
      }),
    () => grammar.object({ kind: '"RERATE"', rate: rate() }),
    () => grammar.object({ kind: anyValue(random), rate: rate() }),
  ]
  // The last kind of term is none, and rarer than the others.
  const term = () => (random.chance(0.02) ? terms[4]! : random.pick(terms.slice(0, 4)))()
  const rule = () =>
    grammar.object({
      when: grammar.object({
        elapsed_days: days(),
        elapsed_percent: percents(),
        remaining_days: days(),
        remaining_percent: percents(),
        term_days: days(),
        amount: grammar.maybe(() => range(() => amount(random))),
      }),
      terms: grammar.list(Array.from({ length: 1 + random.below(random.pick([2, 8, 9])) }, term)),
      combine: grammar.maybe(() => grammar.choice(['SUM', 'MAX', 'MIN'])),
      min: grammar.maybe(() => grammar.value('0.00')),
      max: grammar.maybe(() => grammar.value(random.pick(['null', small()]))),
    })
  return grammar.object({
    day_count: grammar.choice(DAY_COUNTS),
    rounding: grammar.choice(['HALF_UP', 'HALF_EVEN', 'DOWN']),
    allow_partial: grammar.value(String(random.chance(0.9))),
    min_partial_amount: grammar.value(small()),
    min_remaining_principal: grammar.value(small()),
    min_holding_days: grammar.value(random.pick(['0', '0', '0', '30'])),
    penal_rules: grammar.list(Array.from({ length: random.below(random.pick([2, 4, 21])) }, rule)),
  })
}

function amount(random: Random): string {
  const cents = 1 + random.below(10 ** (2 + random.below(7)))
  return random.pick([(cents / 100).toFixed(2), String(cents), '0.01', '9999999999999.99'])
}

function percent(random: Random, lowest: number): string {
  return random.pick([String(lowest + random.below(100)), `${lowest}.${1 + random.below(9999)}`, '100'])
}

function date(random: Random): string {
  const two = (limit: number) => String(1 + random.below(limit)).padStart(2, '0')
  return `${random.pick([1900, 2024, 2025, 2026, 2026, 2030, 9999])}-${two(12)}-${two(28)}`
}

/** Any route of the table, with any body: it must be answered, even if it is meaningless. */
function anyRoute(random: Random, subjects: Subjects): Operation {
  const route = random.pick(routes)
  const ids = [
    ...subjects.deposits,
    ...subjects.customers,
    ...subjects.accounts,
    ...subjects.strangers,
    '1',
    '2',
  ]
  const path = route.path.replaceAll(/:\w+/g, () => random.pick(ids))
  const query = random.chance(0.3) ? `?${random.pick(QUERIES)}` : ''
  // The book's own clock stays where it is, or nothing would be left to liquidate.
  const body = route.body === null || route.testModeOnly ? undefined : anyBody(random, subjects)
  return { method: route.method, path: path + query, body }
}

function anyBody(random: Random, subjects: Subjects): string {
  const grammar = createGrammar(random, 0.1)
  return grammar.object({
    customer_id: grammar.maybe(() => JSON.stringify(random.pick(subjects.customers))),
    amount: grammar.maybe(() => amount(random)),
    narration: grammar.maybe(() => anyValue(random)),
    scopes: grammar.maybe(() => grammar.list([grammar.choice(SCOPES)])),
    url: grammar.maybe(() =>
      random.pick(['"https://127.0.0.1/"', '"http://[::1]/"', '"file:///etc/passwd"']),
    ),
    overlap_seconds: grammar.maybe(() => anyValue(random)),
  })
}

const QUERIES = (
  'limit=1 limit=0 limit=101 limit=1e1 limit=%00 limit=1&limit=2 limit[]=1 cursor= cursor=AAAA __proto__=1 ' +
  '__proto__[polluted]=1 constructor[prototype][polluted]=1 toString=1 =1 &&& % %ZZ status=ACTIVE status=active ' +
  `matures_before=2026-02-30 from=0 type=* api_key=${CANARY} ${CANARY}=1 cursor=${'A'.repeat(5000)} a=b;c=d ` +
  `customer_id=${CANARY}%0d%0a account_number=%F0%9F%98%80 subject_id=%C0%AF`
).split(' ')

function oddPath(random: Random, path: string): string {
  const at = path.lastIndexOf('/') + 1
  const last = path.slice(at)
  switch (random.below(8)) {
    case 0:
      return `${path}/`
    case 1:
      return `${path}?${random.pick(QUERIES)}`
    case 2:
      return path.toUpperCase()
    case 3:
      return path.replace('/', random.pick(['//', '/./', '/../', '/%2e%2e/', '/%2F', '/;a=b/']))
    case 4:
      return path.slice(0, at) + [...last].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    case 5:
      return path.slice(0, at) + random.pick(SEGMENTS)
    case 6:
      return `${path}${random.pick(SEGMENTS)}`
    default:
      return path.replace(/[^/]+$|[^/]+(?=\/liquid)/, random.pick(SEGMENTS))
  }
}

const SEGMENTS = (
  '%00 %2e%2e %ZZ % %C0%AF %ED%A0%80 %F0%9F%98%80 %25%30%30 %20 + ; , : * ~ @ __proto__ constructor toString null ' +
  `undefined NaN -1 0 1e9 ' %27%20or%201=1-- %0d%0aX:%20y liquidate current fd_ ${CANARY} ${'x'.repeat(300)} ` +
  `${'x'.repeat(10_000)} ${'%41'.repeat(1000)}`
).split(' ')

function drawHeaders(random: Random, slip: number, subjects: Subjects): Record<string, string> {
  const slips = () => random.chance(slip / 2)
  const headers: Record<string, string> = {
    authorization: slips() ? random.pick(authorizations(subjects.keys)) : `Bearer ${subjects.keys.test}`,
    'content-type': slips() ? random.pick(CONTENT_TYPES) : 'application/json',
  }
  if (random.chance(0.3)) {
    // Few keys for many requests: most of them were used before, and for something else.
    headers['idempotency-key'] = slips() ? random.pick(IDEMPOTENCY_KEYS) : `key ${random.below(500)}`
  }
  if (slips()) Object.assign(headers, random.pick(ODD_HEADERS))
  for (const name of ['authorization', 'content-type']) if (random.chance(slip / 10)) delete headers[name]
  return headers
}

function authorizations({ test, live, narrow, revoked, foreign }: Subjects['keys']): string[] {
  const tokens = [
    live,
    foreign,
    narrow,
    revoked,
    test.slice(0, -1),
    `${test}a`,
    test.toLowerCase(),
    `${test},`,
  ]
    .concat(`${test} ${test}`, test.replace('test', 'live'), `bw_test_${'0'.repeat(38)}`, 'x'.repeat(5000))
    .concat(CANARY, 'null', '\u00e9', '__proto__', '')
  const others = ['', 'Bearer', test, `Basic ${test}`, `bearer ${test}`, `Digest username="${CANARY}"`]
  return [...tokens.map((token) => `Bearer ${token}`), ...others]
}

const CONTENT_TYPES = (
  ` |text/plain|application/json; charset=utf-8|APPLICATION/JSON|application/json;charset=utf-16|/|;|*/*|\u00e9` +
  '|application/json, application/json|application/json;|application/jsonx|application/x-www-form-urlencoded' +
  `|multipart/form-data; boundary=x|application/*| application/json|text/${CANARY}|application/problem+json` +
  `|application/json; charset="utf-8"|application/json; ${'a=b;'.repeat(500)}`
).split('|')

const IDEMPOTENCY_KEYS = (
  `| |"|""|"a|a"|"a"|"\\""|"\\x"|\\|\u00e9|a\tb|__proto__|constructor|${CANARY}-key|a,b|a, b|\u0000` +
  `|${'x'.repeat(255)}|${'x'.repeat(256)}|"${'x'.repeat(255)}"|"${'\\"'.repeat(255)}"`
).split('|')

const ODD_HEADERS: Record<string, string>[] = (
  `host:|host:${CANARY}.example.com|host:a b|content-length:0|content-length:1|content-length:99999999999999999999` +
  `|content-length:-1|content-length:${CANARY}|content-encoding:gzip|transfer-encoding:chunked|accept:${CANARY}` +
  `|transfer-encoding:identity|x-http-method-override:DELETE|x-forwarded-for:127.0.0.1, ${CANARY}|accept:text/html` +
  `|x-original-url:/v2/api-keys|accept-version:${CANARY}|range:bytes=0-1|if-none-match:*|origin:https://${CANARY}` +
  `|cookie:a=${CANARY}; __proto__=1|request-id:req_${CANARY}|constructor:1|x-large:${'x'.repeat(9000)}`
)
  .split('|')
  .map((header) => ({ [header.slice(0, header.indexOf(':'))]: header.slice(header.indexOf(':') + 1) }))
