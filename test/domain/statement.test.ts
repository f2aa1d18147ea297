import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import {
  type LedgerEntry,
  openingPostings,
  type Posting,
  ROLLOVER_CLEARING,
  settlementPostings,
} from '../../src/domain/ledger.ts'
import { minor } from '../../src/domain/money.ts'
import { openStatement, STATEMENT_LINES_MAX, type StatementEvent } from '../../src/domain/statement.ts'
import { depositWith } from './deposits.ts'

const START = isoDate('2026-01-01')
const deposit = depositWith()

let entries = 0
function entry(date: IsoDate, kind: LedgerEntry['kind'], postings: Posting[]): StatementEvent {
  entries += 1
  const made: LedgerEntry = {
    entryId: `le_${entries}`,
    kind,
    accountNumber: deposit.accountNumber,
    depositId: deposit.depositId,
    liquidationId: null,
    narration: null,
    createdAt: new Date(0),
    postings,
  }
  return { kind: 'ENTRY', date, entry: made }
}

const opening = entry(
  START,
  'DEPOSIT_OPENING',
  openingPostings({ ...deposit, fundedFrom: deposit.accountNumber }),
)

const settled = (principal: bigint, interest: bigint, charged: bigint, waived: bigint, paidTo: string) =>
  settlementPostings({
    depositId: deposit.depositId,
    accountNumber: paidTo,
    principal: minor(principal),
    interest: minor(interest),
    penal: minor(charged),
    waived: minor(waived),
    total: minor(principal + interest - charged),
  })

/** Parts with charges and waivers, liens between, each some days after the one before. */
const anyLife = fc
  .array(
    fc.record({
      days: fc.integer({ min: 0, max: 40 }),
      part: fc.bigInt({ min: 1n, max: 20_000_00n }),
      interest: fc.bigInt({ min: 0n, max: 5_000_00n }),
      chargePercent: fc.bigInt({ min: 0n, max: 100n }),
      waivedPercent: fc.bigInt({ min: 0n, max: 100n }),
      lien: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((parts) => {
    const events: StatementEvent[] = [opening]
    let date = START
    let remaining: bigint = deposit.principal
    for (const { days, part, interest, chargePercent, waivedPercent, lien } of parts) {
      date = addDays(date, days)
      if (lien) events.push({ kind: 'LIEN_PLACED', date, amount: 1n, reason: 'Collateral' })
      if (part > remaining) continue
      remaining -= part
      const assessed = (interest * chargePercent) / 100n
      const waived = (assessed * waivedPercent) / 100n
      const postings = settled(part, interest, assessed - waived, waived, deposit.accountNumber)
      events.push(entry(date, 'LIQUIDATION', postings))
    }
    return { events, last: date, remaining }
  })

const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

test('the lines add up to the ledger, in one statement and in two that meet', () => {
  fc.assert(
    fc.property(anyLife, fc.integer({ min: 0, max: 500 }), ({ events, last, remaining }, cutDays) => {
      const linesOf = (from: IsoDate, to: IsoDate) => {
        const statement = openStatement(deposit, { from, to })
        for (const event of events) assert(statement.add(event))
        return statement.close()
      }
      const whole = linesOf(START, last)
      const sums = whole.at(-1)!
      const posted = events.flatMap((event) => (event.kind === 'ENTRY' ? [...event.entry.postings] : []))
      const of = (account: string) =>
        total(posted.filter((posting) => posting.account === account).map(({ amount }) => amount))

      assert.equal(sums.kind, 'SUMS')
      assert.equal(sums.amount, total(whole.slice(0, -1).map(({ amount }) => amount)))
      assert.equal(sums.amount, of(deposit.accountNumber))
      assert.equal(sums.remaining, remaining)
      assert.equal(sums.remaining, of(deposit.depositId))
      assert.equal(
        sums.amount + sums.remaining,
        -of('interest_expense') - of('penal_income') - of('penal_waived'),
      )

      const cut = addDays(START, cutDays)
      const first = linesOf(START, cut)
      const second = linesOf(addDays(cut, 1), last > cut ? last : addDays(cut, 1))
      const [forward, ...rest] = second
      assert.equal(forward!.kind, 'BROUGHT_FORWARD')
      assert.deepEqual(
        { amount: forward!.amount, remaining: forward!.remaining, moved: forward!.moved },
        { amount: first.at(-1)!.amount, remaining: first.at(-1)!.remaining, moved: first.at(-1)!.moved },
      )
      assert.deepEqual([...first.slice(0, -1), ...rest.slice(0, -1)], whole.slice(0, -1))
      assert.deepEqual(rest.at(-1)!.moved, sums.moved)
    }),
  )
})

test('a waiver is a line of its own behind the whole charge, and a rollover goes to no account', () => {
  const broken = entry(
    isoDate('2026-03-02'),
    'LIQUIDATION',
    settled(40_000_00n, 657_53n, 82_19n, 82_19n, deposit.accountNumber),
  )
  const rolled = entry(
    isoDate('2027-01-01'),
    'MATURITY',
    settled(60_000_00n, 6_000_00n, 0n, 0n, ROLLOVER_CLEARING),
  )
  const statement = openStatement(deposit, { from: START, to: deposit.maturityDate })
  for (const event of [opening, broken, rolled]) statement.add(event)
  const shown = statement
    .close()
    .map(({ kind, amount, remaining, rolled }) => [kind, amount, remaining, rolled])
  assert.deepEqual(shown, [
    ['DEPOSIT_OPENING', -100_000_00n, 100_000_00n, false],
    ['LIQUIDATION', 40_493_15n, 60_000_00n, false],
    ['WAIVER', 82_19n, 60_000_00n, false],
    ['MATURITY', 66_000_00n, 0n, true],
    ['SUMS', 6_575_34n, 0n, false],
  ])
})

test('a statement that ends before the deposit starts has no lines, and one that begins before has none before it', () => {
  const before = openStatement(deposit, { from: isoDate('2025-01-01'), to: isoDate('2025-12-31') })
  before.add(opening)
  assert.deepEqual(before.close(), [])
  const around = openStatement(deposit, { from: isoDate('2025-01-01'), to: START })
  around.add(opening)
  assert.deepEqual(
    around.close().map(({ kind, date }) => [kind, date]),
    [
      ['DEPOSIT_OPENING', START],
      ['SUMS', START],
    ],
  )
})

test('a statement has a maximum length; movements before its range do not count', () => {
  const lien: StatementEvent = { kind: 'LIEN_PLACED', date: START, amount: 1n, reason: 'Fees' }
  const long = openStatement(deposit, { from: START, to: START })
  for (let line = 0; line < STATEMENT_LINES_MAX; line += 1) assert(long.add(lien))
  assert(!long.add(lien))
  const later = openStatement(deposit, { from: addDays(START, 1), to: addDays(START, 1) })
  for (let line = 0; line <= STATEMENT_LINES_MAX; line += 1) assert(later.add(lien))
})
