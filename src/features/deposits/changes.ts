import { OPEN_EVERY_DAY } from '../../domain/calendar.ts'
import {
  type Account,
  type Deposit,
  decideOpening,
  type OpeningRequest,
  type RulesInForce,
} from '../../domain/deposit.ts'
import { type LedgerEntry, openingPostings } from '../../domain/ledger.ts'
import type { Moment } from '../../domain/moment.ts'
import { minor } from '../../domain/money.ts'
import {
  decideProductOpening,
  type KnownOfProduct,
  type OpenedByProduct,
  type ProductOpening,
} from '../../domain/opening.ts'
import {
  NO_REFERENCE,
  type OptionallyReferenced,
  type OwnReference,
  type TakenNames,
} from '../../domain/own-reference.ts'
import type { InterestPayment } from '../../domain/payments.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import { type TaxVersion, taxationOf } from '../../domain/tax.ts'
import {
  type AnswerWriter,
  made,
  type Origin,
  type ReadingContext,
  type Result,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { lockAccounts } from '../accounts/store.ts'
import { readCalendar } from '../calendar/changes.ts'
import { held } from '../holding/changes.ts'
import { paymentEvents } from '../interest-payments/changes.ts'
import { insertPayments, postedPayments } from '../interest-payments/store.ts'
import { newEntries, postEntries } from '../ledger/store.ts'
import { readNewestProducts, readSheets } from '../products/changes.ts'
import { inForce } from '../rules/changes.ts'
import { ruleSetStore } from '../rules/store.ts'
import { readTaxVersions } from '../tax/changes.ts'
import type { StoredVersion } from '../versions/store.ts'
import { DepositRecord, type ShownDeposit } from './record.ts'
import { findTakenNames, insertDeposits } from './store.ts'

type Locked = { accounts: Map<string, Account>; taken: TakenNames; newestRules: StoredVersion | undefined }
type Known = Omit<Locked, 'newestRules'> & {
  rulesInForce: RulesInForce
  products: (code: string) => KnownOfProduct
  taxVersions: readonly TaxVersion[]
}
/** What an opening writes. */
type Opened = ShownDeposit & { payments: readonly InterestPayment[] }

/** The deposit has its own terms, or those of a product; the rate is the one that the customer was shown. */
export type Opening = (OpeningRequest | ProductOpening) & { expectedRatePpm?: number | null }

export const depositOpening = held<Opening, Locked, Known, Opened>({
  operation: 'openFixedDeposit',
  about: ({ accounts }) => ({ accounts: accounts.keys() }),
  async lock(tx, bookId, requests) {
    const [accounts, taken, newestRules] = await Promise.all([
      lockAccounts(tx, bookId, [...new Set(requests.map(({ accountNumber }) => accountNumber))]),
      findTakenNames(tx, bookId, requests),
      ruleSetStore.findNewest(tx, bookId),
    ])
    return { accounts, taken, newestRules }
  },
  read: async (tx, at, { newestRules, ...locked }) => ({
    ...locked,
    rulesInForce: inForce(at.versions, at.book.bookId, newestRules),
    ...(await readProductsOf(tx, at)),
  }),
  decider: (known, { moment }, hold) => {
    const { accounts, taken } = known
    return (request) => {
      const account = accounts.get(request.accountNumber)
      const decided = decideEither(known, request, moment)
      if (decided.outcome === 'refused') return decided
      const { deposit, negotiatedPpm } = decided
      const { accountNumber, amount } = request
      const waits = hold(() => ({ amount, ...(negotiatedPpm !== null && { negotiatedPpm }) }), {
        accountNumber,
      })
      if (waits !== null) return waits
      const { annualRatePpm } = deposit
      if ((request.expectedRatePpm ?? annualRatePpm) !== annualRatePpm) {
        return refuse('figures_changed', { interest_rate: annualRatePpm / 10_000 })
      }
      accounts.set(accountNumber, { ...account!, balance: minor(decided.balance) })
      taken.add(deposit.externalId)
      const { rules, payments } = decided
      return made({ deposit, rules, payments, today: moment.today })
    }
  },
  write(tx, bookId, values, recording) {
    const deposits = values.map(({ deposit }) => deposit)
    insertDeposits(tx, bookId, deposits)
    // Entries are numbered in their order: what a deposit pays follows its opening.
    const openings = values.flatMap(entriesOf)
    const { entries, stored } = postedPayments(values.flatMap(({ payments }) => payments))
    postEntries(tx, bookId, [...openings, ...entries])
    insertPayments(tx, bookId, stored)
    record(tx, bookId, recording)
  },
  events: (opened) => [
    {
      type: 'fixed_deposit.created',
      announced: true,
      subjectId: opened.deposit.depositId,
      data: DepositRecord.json(opened),
      changes: null,
    },
    ...paymentEvents(opened.payments),
  ],
})

/** An opening that has no identifier yet. */
type NewOpening = WithoutId<OpeningRequest> | WithoutId<ProductOpening>
type WithoutId<Request extends OwnReference> = OptionallyReferenced<
  Omit<Request, 'depositId'> & { expectedRatePpm?: number | null }
>

export function openDeposit(
  engine: Engine,
  origin: Origin,
  request: NewOpening,
  answer?: AnswerWriter<ShownDeposit>,
): Promise<Result<ShownDeposit>> {
  return engine.submit(
    depositOpening,
    origin,
    { depositId: newId('fd'), ...NO_REFERENCE, ...request },
    answer,
  )
}

function entriesOf({ deposit }: { deposit: Deposit }): LedgerEntry[] {
  const { accountNumber, depositId, principal, createdAt: at } = deposit
  const postings = openingPostings({ depositId, principal, fundedFrom: accountNumber })
  return newEntries([{ kind: 'DEPOSIT_OPENING', postings }], { accountNumber, depositId, at })
}

type Decided = Pick<OpenedByProduct, 'deposit' | 'rules' | 'payments' | 'balance'> & {
  outcome: 'opened'
  /** Points above the sheet; null: the rate was not negotiated. */
  negotiatedPpm: number | null
}

function decideEither(known: Known, request: Opening, moment: Moment): Decided | Refusal {
  const { accounts, taken, rulesInForce, taxVersions } = known
  const account = accounts.get(request.accountNumber)
  if ('productCode' in request) {
    const status = account ?? { taxClass: null, taxValidUntil: null }
    const taxation = taxationOf(taxVersions, status, moment.today)
    const product = known.products(request.productCode)
    const decided = decideProductOpening(
      { ...product, account, inForce: rulesInForce, taken, taxation },
      request,
      moment,
    )
    if (decided.outcome === 'refused') return decided
    return { ...decided, negotiatedPpm: decided.offer.negotiatedPointsPpm }
  }
  const decided = decideOpening({ account, inForce: rulesInForce, taken }, request, moment)
  if (decided.outcome === 'refused') return decided
  const { deposit } = decided
  const balance = account!.balance - deposit.principal
  return { outcome: 'opened', deposit, rules: rulesInForce.rules, payments: [], balance, negotiatedPpm: null }
}

/** Openings by their own terms read nothing. */
async function readProductsOf(
  tx: Queries,
  at: ReadingContext<Opening>,
): Promise<Pick<Known, 'products' | 'taxVersions'>> {
  const { bookId } = at.book
  const codes = at.requests.flatMap((request) => ('productCode' in request ? request.productCode : []))
  if (codes.length === 0) return { products: () => NO_PRODUCT, taxVersions: [] }
  const versions = await readNewestProducts(tx, at.versions, bookId, codes)
  const sheets = await readSheets(tx, at.versions, bookId, versions.keys())
  const calendar = await readCalendar(tx, at)
  return {
    products: (code) => ({ version: versions.get(code), sheets: sheets.get(code) ?? [], calendar }),
    taxVersions: await readTaxVersions(tx, at),
  }
}

const NO_PRODUCT: KnownOfProduct = {
  version: undefined,
  sheets: [],
  calendar: { version: 0, document: OPEN_EVERY_DAY },
}
