/** Broken variants of what a deposit goes through: offers, days, tax, payments, maturity, reversals, imports, clocks and seals. */
type Row = [name: string, suite: string, file: string, search: string, replace: string]

const inOffers = 'test/domain/product.test.ts'
const inSheets = 'test/domain/rate-sheet.test.ts'
const inCalendar = 'test/domain/calendar.test.ts'
const inSchedules = 'test/domain/schedule-vectors.test.ts'
const inTax = 'test/domain/tax.test.ts'
const inSettlements = 'test/domain/settlement.test.ts'
const inLiquidations = 'test/domain/liquidation.test.ts'
const inSums = 'test/domain/day-sums.test.ts'
const inPayments = 'test/domain/payments.test.ts'
const inMaturities = 'test/domain/maturity.test.ts'
const inRenewals = 'test/domain/payout-vectors.test.ts'
const inLives = 'test/domain/product-lives.test.ts'
const inReversals = 'test/domain/reversal.test.ts'
const inImports = 'test/domain/import.test.ts'
const inImportedBatches = 'test/features/imports/imports.test.ts'
const inDates = 'test/domain/clock.test.ts'
const inClocks = 'test/features/clock/clock.test.ts'
const inSeals = 'test/features/seals/seals.test.ts'

const product = 'src/domain/product.ts'
const sheet = 'src/domain/rate-sheet.ts'
const calendar = 'src/domain/calendar.ts'
const schedule = 'src/domain/schedule.ts'
const tax = 'src/domain/tax.ts'
const liquidation = 'src/domain/liquidation.ts'
const payments = 'src/domain/payments.ts'
const maturity = 'src/domain/maturity.ts'
const rollover = 'src/domain/rollover.ts'
const reversal = 'src/domain/reversal.ts'
const imported = 'src/domain/import.ts'
const dates = 'src/domain/clock.ts'
const watch = 'src/features/clock/watch.ts'
const seals = 'src/features/seals/job.ts'

const rows: Row[] = [
  ['a tenor of months is sold for days', inOffers, product, 'wished.unit === unit && ', ''],
  ['the last bonus counts alone', inOffers, product, 'sum + (bonuses', '0 * sum + (bonuses'],
  ['a rate of nothing is offered', inOffers, product, 'offeredPpm > 0 && ', ''],
  ['a rate of 100 % is refused', inOffers, product, 'offeredPpm <= RATE', 'offeredPpm < RATE'],
  ['the lowest negotiable rate is refused', inOffers, product, 'negotiatedPpm >= min', 'negotiatedPpm > min'],
  [
    'the days of a holiday count for the rate',
    inOffers,
    product,
    'to: agreedMaturity, amount',
    'to: nextBusinessDay(calendar, agreedMaturity), amount',
  ],
  ['a thousandth sheet is refused', inSheets, sheet, '>= SHEETS_MAX', '>= SHEETS_MAX - 1'],
  ['one sheet more is added', inSheets, sheet, '>= SHEETS_MAX', '> SHEETS_MAX'],
  ['the rate for the time held lacks the bonus', inSheets, sheet, ' }) + bonusPpm', ' }) + 0 * bonusPpm'],
  ['a maturity moves by a day at most', inCalendar, calendar, 'while (isClosed(', 'if (isClosed('],
  [
    'closed days before the first holiday do not count',
    inCalendar,
    calendar,
    'days <= CLOSED_DAYS_MAX && isClosed(before)',
    'days < 0 && isClosed(before)',
  ],
  [
    'the days to a moved maturity are no period',
    inSchedules,
    schedule,
    'end === maturityDate ? 1 : 0',
    'end === startDate ? 1 : 0',
  ],
  [
    'boundaries are counted from one another',
    inSchedules,
    schedule,
    'return addMonths(startDate, months * (Math.floor(completedMonths(startDate, date) / months) + 1))',
    'return addMonths(date, months * (Math.floor(completedMonths(date, date) / months) + 1))',
  ],
  [
    'tax changes on the last day of a class',
    inTax,
    tax,
    'addDays(taxValidUntil, 1)',
    'addDays(taxValidUntil, 0)',
  ],
  ['more tax is withheld than is due', inTax, tax, 'minor(due < limit ? due : limit)', 'minor(limit)'],
  [
    'what fell due before a clock move has no rules',
    inMaturities,
    tax,
    'due < movedFrom ? movedFrom : due',
    'due < movedFrom ? due : due',
  ],
  [
    'an earlier charge stays in the base',
    inLiquidations,
    tax,
    'paid.interest + interest - paid.penal - penal',
    'paid.interest + interest - paid.penal',
  ],
  [
    'parts of an earlier day count for the parts of a batch',
    inLiquidations,
    liquidation,
    'earlierToday === null ? [] : before',
    'before',
  ],
  [
    'what was withheld of earlier parts is not shown',
    inTax,
    tax,
    'taxable, withheldEarlier: earlier?.tax ?? 0n',
    'taxable, withheldEarlier: earlier?.penal ?? 0n',
  ],
  [
    'a lien holds cents of a currency without them',
    'test/features/deposits/whole-units.test.ts',
    'src/domain/lien.ts',
    "  if (!existsIn(currency, request.amount)) return refuse('amount_not_whole', { currency })\n",
    '',
  ],
  [
    'tax on a recovered charge is kept',
    inLives,
    tax,
    "(sum('unearned') + sum('recovered'))",
    "sum('unearned')",
  ],
  [
    'tax leaves less than nothing',
    inSettlements,
    'src/domain/settlement.ts',
    'total: left, unit',
    'total, unit',
  ],
  [
    'the third part of a day forgets a charge that the first one recovered',
    inSums,
    'src/domain/day-sums.ts',
    'minor(before.recovered + part.recovered)',
    'part.recovered',
  ],
  [
    'the share of a part is that of what is left',
    inLives,
    'src/domain/assessment.ts',
    'const whole = remaining + (earlierToday?.principal ?? 0n)',
    'const whole = remaining + 0n',
  ],
  [
    'a deposit without a sheet cannot be broken at maturity',
    'test/domain/assessment.test.ts',
    'src/domain/assessment.ts',
    'if (on >= maturityDate) return false',
    'if (on > maturityDate) return false',
  ],
  [
    'overdue interest is taxed in a quote as of when it was due',
    inPayments,
    liquidation,
    'taxationOn(due > moment.today ? due : moment.today)',
    'taxationOn(due)',
  ],
  [
    'a payment may not fill the account',
    inPayments,
    payments,
    'brought.balance + payment.interest > MINOR_MAX',
    'brought.balance + payment.interest >= MINOR_MAX',
  ],
  [
    'tax takes up room in the account',
    inPayments,
    payments,
    'brought.balance += payment.net',
    'brought.balance += payment.interest',
  ],
  [
    'deposits of an account do not share its room',
    inPayments,
    payments,
    '    balances.set(accountNumber, forward.balance)\n',
    '',
  ],
  [
    'upfront interest exceeds the largest balance',
    inPayments,
    payments,
    'if (balance + payment.interest > MINOR_MAX) return',
    'if (balance > MINOR_MAX) return',
  ],
  [
    'upfront interest is taxed as at maturity',
    inPayments,
    payments,
    "terms.method === 'UPFRONT' ? period.from : period.to",
    'period.to',
  ],
  [
    'interest of a rollover exceeds the largest balance',
    inMaturities,
    maturity,
    'balance + value.paidOut > MINOR_MAX || paid?.blocked',
    'paid?.blocked',
  ],
  [
    'a maturity may not fill the account',
    inMaturities,
    maturity,
    'known.balance + value.paidOut > MINOR_MAX',
    'known.balance + value.paidOut >= MINOR_MAX',
  ],
  [
    'upfront interest of a successor takes up no room',
    inRenewals,
    maturity,
    'creditedAtMaturity(decided) + upfront)',
    'creditedAtMaturity(decided) + 0n * upfront)',
  ],
  [
    'parties follow from one successor to the next',
    inMaturities,
    maturity,
    'origins.get(deposit.depositId) ?? deposit.depositId',
    'deposit.depositId',
  ],
  ['the last broken day moves to the successor', inMaturities, rollover, '    lastBroken: null,\n', ''],
  ['broken days move to the successor', inMaturities, rollover, '    brokenDays: 0,\n', ''],
  ['a rate that did not roll counts as negotiated', inRenewals, rollover, '    negotiated: false,\n', ''],
  [
    'a successor lacks the rules of its product',
    inRenewals,
    rollover,
    'product.rules ?? inForce.rules',
    'inForce.rules',
  ],
  [
    'missed interest exceeds the largest balance',
    inReversals,
    reversal,
    "  if (missed.blocked) return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })\n",
    '',
  ],
  [
    'what a reversal takes makes no room',
    inReversals,
    reversal,
    'balance: balance - liquidation.net,',
    'balance,',
  ],
  [
    'the sums of the day before are lost',
    inReversals,
    reversal,
    'before && brokenOnDay(before)',
    'before && null',
  ],
  [
    'a reversed part is an earlier day',
    'test/features/reversal/reversal.test.ts',
    'src/features/reversal/store.ts',
    '        and liquidations.reversed_at is null\n',
    '',
  ],
  [
    'upfront interest takes all of an import',
    inImportedBatches,
    imported,
    'paid.paid >= rem',
    'paid.paid > rem',
  ],
  [
    'an import does without the sheet of its opening',
    inImports,
    imported,
    "sheet === undefined && namesCard(rules, 'CARD_AT_OPENING')",
    'sheet === undefined && !needed',
  ],
  [
    'an import has the currency of another product',
    inImports,
    imported,
    'product !== null && product.currency !== currency',
    "product !== null && product.currency === ''",
  ],
  [
    'a later part takes the waivers of an earlier one back',
    'test/domain/batch.test.ts',
    'src/domain/batch.ts',
    'waives: batch.waives || sent.waives',
    'waives: sent.waives',
  ],
  ['a date two days ahead is sure', inDates, dates, 'addDays(latest, 1)', 'addDays(latest, 2)'],
  [
    'an instance that is behind stops at midnight',
    inDates,
    dates,
    'book.timeZone) >= latest',
    'book.timeZone) > latest',
  ],
  [
    'a clock that is 60 s off stops changes',
    inClocks,
    watch,
    'Math.abs(differenceMs) > CLOCK_DIFFERENCE_MAX_MS)',
    'Math.abs(differenceMs) >= CLOCK_DIFFERENCE_MAX_MS)',
  ],
  [
    'a clock that is 5 s off is mentioned',
    inClocks,
    watch,
    '> CLOCK_DIFFERENCE_WARNED_MS',
    '>= CLOCK_DIFFERENCE_WARNED_MS',
  ],
  [
    'nothing is accepted before the first comparison',
    inClocks,
    watch,
    '!(Math.abs(differenceMs) > CLOCK_DIFFERENCE_MAX_MS)',
    'Math.abs(differenceMs) <= CLOCK_DIFFERENCE_MAX_MS',
  ],
  [
    'the time of a comparison counts',
    inClocks,
    watch,
    'theirs - before : theirs - after',
    'theirs - before : theirs - before',
  ],
  [
    'a book in doubt is reported every minute',
    inClocks,
    watch,
    '      if (unsure.has(book.bookId)) continue\n',
    '',
  ],
  [
    'the last minute is sealed',
    inSeals,
    seals,
    'settled.getTime() - marginMs',
    'settled.getTime() - 0 * marginMs',
  ],
  [
    'a stuck book stops the sealing of others',
    inSeals,
    seals,
    '      run.failed.push({ bookId: book.bookId, error })\n      return false',
    '      throw error',
  ],
  [
    'a book with more to seal waits for the next pass',
    inSeals,
    seals,
    'return seal.to < upTo',
    'return seal.to > upTo',
  ],
]

export const depositMutants = rows.map(([name, suite, file, search, replace]) => ({
  name: `deposits: ${name}`,
  edits: [{ file, search, replace }],
  suites: [{ kind: 'tests' as const, file: suite }],
}))
