/** Books whose deposits pay interest every month: those of books.ts, sold by a product. */
import { createService } from '../src/cli/compose.ts'
import { OPERATOR } from '../src/domain/actor.ts'
import { addDays, addMonths, businessDate, daysBetween } from '../src/domain/dates.ts'
import type { Database } from '../src/engine/database/database.ts'
import { hashSecret } from '../src/engine/database/secrets.ts'
import { findByHash } from '../src/features/api-keys/store.ts'
import { addRateSheet, putProduct } from '../src/features/products/changes.ts'
import { parseGrid, parseProduct } from '../src/features/products/record.ts'
import { type LoadedBook, loadBook } from './books.ts'

const MONTHS = 24
const CODE = 'MONTHLY'

const PRODUCT = JSON.stringify({
  name: 'Monthly income',
  currency: 'NGN',
  status: 'OPEN',
  min_amount: 1,
  max_amount: null,
  tenor: { unit: 'MONTH', min: 1, max: 36, multiple: 1 },
  interest: { method: 'PAYOUT', every: 'MONTH', recover_paid_interest: false },
  maturity: { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null },
  negotiated_rate: null,
  bonuses: {},
  rules: null,
})

/** The rate of the books for every tenor and amount. */
const SHEET = JSON.stringify({
  effective_from: '2020-01-01',
  tenor_unit: 'DAY',
  tenor_from: [0],
  amount_from: [0],
  rates: [[12]],
})

/** No payment was made yet: those that were due since the start are due now. */
export async function loadPayingBook(
  db: Database,
  { deposits, elapsedDays }: { deposits: number; elapsedDays: number },
): Promise<LoadedBook> {
  const start = addDays(businessDate(new Date(), 'UTC'), -elapsedDays)
  const ends = Array.from({ length: MONTHS + 1 }, (_, month) => addMonths(start, month))
  const periods = ends.slice(1).map((end, index) => daysBetween(ends[index]!, end))
  const tenorDays = daysBetween(start, ends.at(-1)!)
  const loaded = await loadBook(db, { deposits, tenorDays, elapsedDays, idsInOrder: true })
  const { book } = (await findByHash(db, hashSecret(loaded.key)))!
  const limits = { workers: 1, batchMax: 1, queueMax: 1 }
  const service = createService({ db, clock: () => new Date(), limits })
  const origin = { book, actor: OPERATOR, requestId: null, idempotency: null }
  await putProduct(service, origin, { productCode: CODE, product: parseProduct(PRODUCT) })
  await addRateSheet(service, origin, { productCode: CODE, grid: parseGrid(SHEET) })
  await db.script(`
    update deposits
    set product_code = '${CODE}', product_version = 1, sheet_no = 1, negotiated = false, calendar_version = 0,
        agreed_unit = 'MONTH', agreed_count = ${MONTHS}, method = 'PAYOUT', every = 'MONTH', instruction = 'PAY_OUT',
        next_interest_date = start_date + interval '1 month',
        expected_interest_minor = (
          select sum(round(principal_minor::numeric * 12 * days / 36500))
          from unnest(array[${periods}]) as days)
    where book_id = '${book.bookId}'`)
  await db.script('vacuum full deposits')
  await db.script('analyze deposits')
  return loaded
}
