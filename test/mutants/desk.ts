/** Broken variants of liens, batches, imports, accruals, products, rate sheets, closed days, tax status and parties. */
type Row = [name: string, suite: string, file: string, search: string, replace: string]

const inLiens = 'test/features/liens/liens.test.ts'
const inBatches = 'test/features/batches/batches.test.ts'
const inCancelling = 'test/features/batches/cancelling.test.ts'
const inImports = 'test/features/imports/imports.test.ts'
const inAccruals = 'test/features/accruals/accruals.test.ts'
const inAccrualYear = 'test/faults/accrual-year.test.ts'
const inOpenings = 'test/features/products/opening.test.ts'
const inProducts = 'test/features/products/products.test.ts'
const inSheets = 'test/domain/rate-sheet.test.ts'
const inLienLimits = 'test/domain/lien.test.ts'
const inBatchLimits = 'test/domain/batch.test.ts'
const inOffers = 'test/domain/product.test.ts'
const inCalendar = 'test/domain/calendar.test.ts'
const inTax = 'test/domain/tax.test.ts'
const inParties = 'test/features/parties/parties.test.ts'
const inReversals = 'test/features/reversal/reversal.test.ts'

const lien = 'src/domain/lien.ts'
const batch = 'src/domain/batch.ts'
const imported = 'src/domain/import.ts'
const accrual = 'src/domain/accrual.ts'
const accrualStore = 'src/features/accruals/store.ts'
const product = 'src/domain/product.ts'
const sheet = 'src/domain/rate-sheet.ts'
const calendar = 'src/domain/calendar.ts'

const rows: Row[] = [
  [
    'a lien holds principal that another holds',
    inLiens,
    lien,
    'deposit.remaining - deposit.lien',
    'deposit.remaining - 0n',
  ],
  [
    'a lien cannot hold all that is free',
    inLienLimits,
    lien,
    'request.amount > available',
    'request.amount >= available',
  ],
  ['one lien too many', inLiens, lien, 'activeLiens >= ACTIVE_LIENS_MAX', 'activeLiens > ACTIVE_LIENS_MAX'],
  [
    'a lien is released twice',
    inLiens,
    lien,
    "if (lien.status !== 'ACTIVE') return refuse('lien_not_active', { lien_status: lien.status })\n",
    '',
  ],
  [
    'a part is sent again with other lines',
    inBatches,
    batch,
    "  if (known.earlier !== undefined) return refuse('part_already_sent')\n",
    '',
  ],
  ['a part may be left out', inBatches, batch, 'sent.part !== batch.parts + 1', 'sent.part <= batch.parts'],
  [
    'parts pass the limit of lines together',
    inBatches,
    batch,
    'batch.lines + sent.lines > BATCH_LINES_MAX',
    'sent.lines > BATCH_LINES_MAX',
  ],
  [
    'lines are added while the start waits for approval',
    inBatches,
    batch,
    'known.pendingApproval !== null',
    'known.pendingApproval === undefined',
  ],
  [
    'a batch starts with another total',
    inBatchLimits,
    batch,
    'expected.lines !== lines || expected.total !== total',
    'expected.lines !== lines',
  ],
  [
    'a batch starts with other lines',
    inBatchLimits,
    batch,
    'expected.lines !== lines || expected.total !== total',
    'expected.total !== total',
  ],
  ['a fourth batch runs', inBatchLimits, batch, 'running < RUNNING_MAX', 'running <= RUNNING_MAX'],
  [
    'one batch more may be filled',
    inBatchLimits,
    batch,
    'uploading < UPLOADING_MAX',
    'uploading <= UPLOADING_MAX',
  ],
  [
    'a finished batch is cancelled',
    inBatches,
    batch,
    'batch.finishedAt !== null',
    'batch.finishedAt === undefined',
  ],
  [
    'an approval covers the last part alone',
    inBatchLimits,
    batch,
    'digest: digestOf(',
    "digest: ((text: string) => text.split('\\n').at(-1)!)(",
  ],
  [
    'lines are recorded twice',
    inBatches,
    'src/features/batches/changes.ts',
    'lines[0]!.line === triedOf(batch) + 1',
    'lines[0]!.line > 0',
  ],
  [
    'a cancellation skips lines that were carried out',
    inCancelling,
    'src/features/batches/changes.ts',
    "batch?.status === 'RUNNING' ? await findUnrecorded(tx, bookId, batch) : []",
    '[]',
  ],
  [
    'lines are carried out after their batch was cancelled',
    inCancelling,
    'src/features/batches/job.ts',
    "      if (!isRunning) throw new BatchEndedError('The batch has ended.')\n",
    '',
  ],
  [
    'a line that the cancellation recorded is recorded again',
    inCancelling,
    'src/features/batches/changes.ts',
    '!recorded.has(line)',
    'line > 0',
  ],
  [
    'skipped lines between those that were carried out are not listed',
    inCancelling,
    'src/features/batches/changes.ts',
    'triedOf(batch) - CHUNK_LINES',
    'triedOf(batch)',
  ],
  [
    'lines that were carried out after many that failed are not listed',
    inCancelling,
    'src/features/batches/changes.ts',
    'upTo < triedOf(batch) + CHUNK_LINES',
    'upTo < 0',
  ],
  [
    'a page of skipped lines ends too early',
    inCancelling,
    'src/features/batches/changes.ts',
    'limit + CHUNK_LINES',
    'limit',
  ],
  [
    'the start of a batch needs no scope for its waivers',
    inBatches,
    batch,
    "return batch.waives ? [scope, 'penal_charges:waive'] : [scope]",
    'return [scope]',
  ],
  ['an import matures before it was agreed', inImports, imported, 'maturityDate >= agreedMaturity && ', ''],
  [
    'an import matures later than a closed day explains',
    inImports,
    imported,
    'maturityDate <= latest',
    'maturityDate <= addDays(latest, 1)',
  ],
  [
    'an import is paid up to a day that is no boundary',
    inImports,
    imported,
    'previous !== interestPaidTo',
    'previous > interestPaidTo',
  ],
  [
    'an import is paid up to the future',
    inImports,
    imported,
    'interestPaidTo < today ? interestPaidTo : today',
    'interestPaidTo',
  ],
  [
    'an import takes a number that exists',
    inImports,
    imported,
    'known.takenNumbers.has(request.accountNumber)',
    'known.takenNumbers.has(request.currency)',
  ],
  [
    'the day that closes earns nothing',
    inAccruals,
    accrual,
    'earnedBy(addDays(closed, 1),',
    'earnedBy(closed,',
  ],
  ['what was paid is owed again', inAccruals, accrual, 'const owed = earned - paid', 'const owed = earned'],
  [
    'a month closes a day late',
    inAccruals,
    accrual,
    "addDays(date, 1).endsWith('-01')",
    "date.endsWith('-01')",
  ],
  [
    'a day is closed twice',
    inAccruals,
    'src/features/accruals/changes.ts',
    'day.date >= date',
    'day.date > date',
  ],
  [
    'what moved at the first instant of the next day counts for the day that closes',
    inAccruals,
    accrualStore,
    'ledger_entries.created_at >= $4',
    'ledger_entries.created_at > $4',
  ],
  [
    'what was paid on the day that closes is taken back',
    inAccrualYear,
    accrualStore,
    'interest_payments.business_date > $5',
    'interest_payments.business_date >= $5',
  ],
  [
    'what a later part took counts though it was reversed',
    inAccrualYear,
    accrualStore,
    'when business_date > $5 and reversed_at is null then paid_share_minor',
    'when business_date > $5 then paid_share_minor',
  ],
  [
    'a later reversal counts for the day that closes',
    inAccrualYear,
    accrualStore,
    'reversed_at >= $4 then -paid_share_minor',
    'reversed_at >= $4 then 0',
  ],
  [
    'a deposit that ended since earned nothing',
    inAccrualYear,
    accrualStore,
    "(deposits.status = 'ACTIVE' or deposits.updated_at >= $4)",
    "deposits.status = 'ACTIVE'",
  ],
  [
    'a deposit of which nothing was paid yet is paid up to its start',
    inAccrualYear,
    accrualStore,
    'paidFrom === deposit.startDate ? null : paidFrom',
    'deposit.paidTo',
  ],
  ['interest is not prepaid', inAccruals, accrual, 'owed < 0n ? -owed : 0n', 'owed < 0n ? 0n : 0n'],
  [
    'a day is closed as accruals are now',
    inAccruals,
    accrual,
    'versions.findLast(({ from }) => from <= date)?.mode',
    'versions.at(-1)?.mode',
  ],
  [
    'what was accrued stays when accruals end',
    inAccruals,
    'src/features/accruals/changes.ts',
    "if (mode === 'OFF' && isEmpty) continue",
    "if (mode === 'OFF') continue",
  ],
  [
    'a currency without deposits keeps what was accrued',
    inAccruals,
    'src/features/accruals/changes.ts',
    'new Set([...targets.keys(), ...last.map(({ currency }) => currency)])',
    'new Set([...targets.keys()])',
  ],
  [
    'an accrual is dated on the day on which it is made',
    inAccruals,
    'src/features/accruals/changes.ts',
    'businessDate: date, postings',
    'businessDate: moment.today, postings',
  ],
  [
    'deposits have the code of accounts',
    inAccruals,
    accrual,
    "account.startsWith('fd_') ? 'deposits' : 'accounts'",
    "'accounts'",
  ],
  ['more days are caught up', inAccruals, accrual, 'DAYS_CAUGHT_UP_MAX = 31', 'DAYS_CAUGHT_UP_MAX = 32'],
  ['fewer days are caught up', inAccruals, accrual, 'DAYS_CAUGHT_UP_MAX = 31', 'DAYS_CAUGHT_UP_MAX = 30'],
  [
    'the largest amount of a product is refused',
    inOffers,
    product,
    'amount > maxAmount',
    'amount >= maxAmount',
  ],
  [
    'the smallest amount of a product is refused',
    inOffers,
    product,
    'amount < minAmount',
    'amount <= minAmount',
  ],
  ['a tenor between two is sold', inOpenings, product, ' && wished.count % multiple === 0', ''],
  ['the longest tenor is refused', inOpenings, product, 'wished.count <= max', 'wished.count < max'],
  [
    'a rate of nothing is sold',
    inOpenings,
    product,
    '  if (sheetPpm === 0) return tenorNotOffered(product)\n',
    '',
  ],
  [
    'a rate above the negotiable is sold',
    inOffers,
    product,
    'negotiatedPpm <= maxPpm',
    'negotiatedPpm <= maxPpm + 1',
  ],
  [
    'negotiated points leave the bonus out',
    inOffers,
    product,
    'rate - sheetPpm,',
    'rate - sheetPpm - bonusPpm,',
  ],
  [
    'a closed product is sold',
    inOpenings,
    'src/domain/opening.ts',
    "  if (product.status === 'CLOSED') return refuse('product_closed')\n",
    '',
  ],
  [
    'a sheet begins before the last one',
    inProducts,
    sheet,
    'grid.effectiveFrom < last.effectiveFrom',
    'grid.effectiveFrom < ``',
  ],
  [
    'a sheet changes what was sold',
    inSheets,
    sheet,
    'isSold && grid.effectiveFrom < today',
    'isSold && grid.effectiveFrom < ``',
  ],
  ['a column of rates begins above its amount', inSheets, sheet, 'first <= amount', 'first < amount'],
  ['a row of rates begins above its tenor', inSheets, sheet, 'first <= tenor', 'first < tenor'],
  ['a sheet is in force a day late', inSheets, sheet, 'effectiveFrom <= on', 'effectiveFrom < on'],
  [
    'the bank may be closed a day longer',
    inCalendar,
    calendar,
    'isClosed) > CLOSED_DAYS_MAX',
    'isClosed) > CLOSED_DAYS_MAX + 1',
  ],
  [
    'a status counts no more on its last day',
    inTax,
    'src/domain/tax.ts',
    'on > status.taxValidUntil',
    'on >= status.taxValidUntil',
  ],
  [
    'a class that the rules lack is free',
    inTax,
    'src/domain/tax.ts',
    'given !== null && classes.has(given) ? given : STANDARD_CLASS',
    'given ?? STANDARD_CLASS',
  ],
  [
    'tax rules are in force a day late',
    inTax,
    'src/domain/tax.ts',
    'rules.effectiveFrom <= on',
    'rules.effectiveFrom < on',
  ],
  [
    'the holder is a party',
    inParties,
    'src/domain/parties.ts',
    'customerId === deposit.customerId',
    'customerId === deposit.depositId',
  ],
  [
    'a reversal takes more than the account has',
    inReversals,
    'src/domain/reversal.ts',
    'if (balance < liquidation.net) {',
    'if (balance < 0n) {',
  ],
]

export const deskMutants = rows.map(([name, file, edited, search, replace]) => ({
  name: `desk: ${name}`,
  edits: [{ file: edited, search, replace }],
  suites: [{ kind: 'tests' as const, file, ...(!file.includes('/domain/') && { pattern: 'PGlite' }) }],
}))
