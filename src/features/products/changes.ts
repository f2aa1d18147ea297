/** Products: reading versions and rate sheets, writing the next version, adding a sheet. */
import assert from 'node:assert/strict'
import type { Book } from '../../domain/book.ts'
import type { IsoDate } from '../../domain/dates.ts'
import { newAccount, type PinnedTo, type RulesOf } from '../../domain/deposit.ts'
import { decideProductOpening } from '../../domain/opening.ts'
import { type Foreseen, foreseeByDay } from '../../domain/outlook.ts'
import { NO_REFERENCE } from '../../domain/own-reference.ts'
import { PRODUCTS_MAX, type Product, type ProductVersion } from '../../domain/product.ts'
import { quoteProduct } from '../../domain/product-quote.ts'
import { type RateGrid, type RateSheet, refuseSheet } from '../../domain/rate-sheet.ts'
import { refuse } from '../../domain/refusal.ts'
import { cardRatesIn } from '../../domain/rules.ts'
import { taxationOf, taxDaysOf } from '../../domain/tax.ts'
import { type AnswerWriter, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { readBookSnapshot, record } from '../../engine/change/recording.ts'
import { inTurns } from '../../engine/change/turns.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { readCalendar } from '../calendar/changes.ts'
import { held } from '../holding/changes.ts'
import { readRules, readRulesInForce } from '../rules/changes.ts'
import { readTaxVersions } from '../tax/changes.ts'
import { lockBook } from '../versions/store.ts'
import {
  formatGrid,
  formatProduct,
  ProductRecord,
  parseGrid,
  parseProduct,
  RateSheetRecord,
  type StoredSheet,
} from './record.ts'
import {
  countProducts,
  findLastRateSheet,
  findNewestProducts,
  findProducts,
  findRateSheets,
  hasDeposits,
  insertProduct,
  insertRateSheet,
  type StoredGrid,
  type StoredProduct,
} from './store.ts'

/** Names a version that a deposit keeps. */
export type ProductName = { productCode: string; version: number }

export function nameOf({ productCode, version }: ProductName): string {
  return `${productCode} ${version}`
}

/** Products by name. Versions never change, so each is read and parsed once. */
export async function readProducts(
  db: Queries,
  cache: VersionCache,
  bookId: string,
  names: readonly ProductName[],
): Promise<Map<string, Product>> {
  const wanted = [...new Map(names.map((name) => [nameOf(name), name])).values()]
  const missing = wanted.filter(
    ({ productCode, version }) => !cache.get(kindOf(productCode), bookId, version),
  )
  const read = missing.length === 0 ? [] : await findProducts(db, bookId, missing)
  for (const stored of read) versionOf(cache, bookId, stored)
  return new Map(
    wanted.flatMap((name) => {
      const product = cache.get<Product>(kindOf(name.productCode), bookId, name.version)
      return product === undefined ? [] : [[nameOf(name), product] as const]
    }),
  )
}

/** The newest version of each code that exists. */
export async function readNewestProducts(
  db: Queries,
  cache: VersionCache,
  bookId: string,
  codes: Iterable<string>,
): Promise<Map<string, ProductVersion>> {
  const wanted = [...new Set(codes)]
  const read = wanted.length === 0 ? [] : await findNewestProducts(db, bookId, wanted)
  return new Map(read.map((stored) => [stored.productCode, versionOf(cache, bookId, stored)]))
}

/** All sheets of each code, by number. */
export async function readSheets(
  db: Queries,
  cache: VersionCache,
  bookId: string,
  codes: Iterable<string>,
): Promise<Map<string, StoredSheet[]>> {
  const wanted = [...new Set(codes)]
  const read = wanted.length === 0 ? [] : await findRateSheets(db, bookId, wanted)
  return Map.groupBy(
    read.map((stored) => sheetOf(cache, bookId, stored)),
    ({ productCode }) => productCode,
  )
}

/**
 * The rules of deposits, with the rate sheets that they start from. For deposits without product nothing more is read
 * than the caller's rules.
 */
export async function readRulesOf(
  db: Queries,
  cache: VersionCache,
  bookId: string,
  deposits: Iterable<PinnedTo>,
): Promise<RulesOf> {
  const all = [...deposits]
  const callersRules = await readRules(
    db,
    cache,
    bookId,
    all.map(({ rulesVersion }) => rulesVersion),
  )
  const ofCaller: RulesOf = ({ rulesVersion }) => {
    const rules = callersRules.get(rulesVersion)
    assert(rules !== undefined, 'the rules a deposit is pinned to exist')
    return rules
  }
  const names = all.flatMap((deposit) => productNameOf(deposit) ?? [])
  if (names.length === 0) return ofCaller
  const products = await readProducts(db, cache, bookId, names)
  const usesCards = ({ rules }: Product) => rules !== null && cardRatesIn(rules).length > 0
  const codes = names
    .filter((name) => usesCards(products.get(nameOf(name))!))
    .map(({ productCode }) => productCode)
  const sheets = await readSheets(db, cache, bookId, codes)
  return (deposit) => {
    const name = productNameOf(deposit)
    const product = name && products.get(nameOf(name))
    if (!product?.rules) return ofCaller(deposit)
    return { ...product.rules, sheets: sheets.get(name!.productCode) ?? [] }
  }
}

/** null: without product. */
export function productNameOf({ productCode, productVersion }: PinnedTo): ProductName | null {
  return productCode === null ? null : { productCode, version: productVersion! }
}

export function versionOf(cache: VersionCache, bookId: string, stored: StoredProduct): ProductVersion {
  const { productCode, version, text, createdAt } = stored
  const product = cache.get<Product>(kindOf(productCode), bookId, version) ?? parseProduct(text)
  cache.set(kindOf(productCode), bookId, version, product)
  return { productCode, version, product, createdAt }
}

export function sheetOf(cache: VersionCache, bookId: string, stored: StoredGrid): StoredSheet {
  const { productCode, number, text, createdAt } = stored
  const kind = `RATE_SHEET ${productCode}`
  const grid = cache.get<RateGrid>(kind, bookId, number) ?? parseGrid(text)
  cache.set(kind, bookId, number, grid)
  return { ...grid, productCode, number, createdAt }
}

function kindOf(productCode: string): string {
  return `PRODUCT ${productCode}`
}

export type ProductRequest = { productCode: string; product: Product }
type KnownProduct = { newest: StoredProduct | undefined; products: number }
type WrittenProduct = ProductVersion & { ordinal: bigint }

export const productReplacement = held<ProductRequest, void, KnownProduct, WrittenProduct>({
  operation: 'putProduct',
  batchMax: 1,
  lock: lockBook,
  read: async (tx, at) => ({
    newest: (await findNewestProducts(tx, at.book.bookId, [at.requests[0]!.productCode]))[0],
    products: await countProducts(tx, at.book.bookId),
  }),
  decider:
    ({ newest, products }, { moment }, hold) =>
    ({ productCode, product }) => {
      if (newest === undefined && products >= PRODUCTS_MAX) {
        return refuse('too_many_products', { maximum: PRODUCTS_MAX })
      }
      const currency = newest && parseProduct(newest.text).currency
      if (currency !== undefined && currency !== product.currency)
        return refuse('currency_mismatch', { currency })
      const waits = hold(() => ({}))
      if (waits !== null) return waits
      return made({
        productCode,
        version: (newest?.version ?? 0) + 1,
        product,
        ordinal: newest?.ordinal ?? nextOrdinal(),
        createdAt: moment.at,
      })
    },
  write(tx, bookId, values, recording) {
    for (const { product, ...version } of values) {
      insertProduct(tx, bookId, { ...version, status: product.status, text: formatProduct(product) })
    }
    record(tx, bookId, recording)
  },
  events: (written) => [
    {
      type: 'product.updated',
      announced: true,
      subjectId: written.productCode,
      data: ProductRecord.json(written),
      changes: null,
    },
  ],
})

export function putProduct(
  engine: Engine,
  origin: Origin,
  request: ProductRequest,
  answer?: AnswerWriter<ProductVersion>,
): Promise<Result<ProductVersion>> {
  return engine.submit(productReplacement, origin, request, answer)
}

export type SheetRequest = { productCode: string; grid: RateGrid }
type KnownSheets = {
  product: StoredProduct | undefined
  last: RateSheet | undefined
  isSold: boolean
}

export const sheetAddition = held<SheetRequest, void, KnownSheets, StoredSheet>({
  operation: 'addRateSheet',
  batchMax: 1,
  lock: lockBook,
  read: async (tx, at) => {
    const { bookId } = at.book
    const { productCode } = at.requests[0]!
    const last = await findLastRateSheet(tx, bookId, productCode)
    return {
      product: (await findNewestProducts(tx, bookId, [productCode]))[0],
      last: last && sheetOf(at.versions, bookId, last),
      isSold: await hasDeposits(tx, bookId, productCode),
    }
  },
  decider:
    ({ product, last, isSold }, { moment }, hold) =>
    ({ productCode, grid }) => {
      if (product === undefined) return refuse('product_not_found')
      const refused = refuseSheet(grid, { last, isSold }, moment.today)
      if (refused !== null) return refused
      const waits = hold(() => ({}))
      if (waits !== null) return waits
      return made({ ...grid, productCode, number: (last?.number ?? 0) + 1, createdAt: moment.at })
    },
  write(tx, bookId, sheets, recording) {
    for (const sheet of sheets) insertRateSheet(tx, bookId, { ...sheet, text: formatGrid(sheet) })
    record(tx, bookId, recording)
  },
  events: (sheet) => [
    {
      type: 'rate_sheet.added',
      announced: true,
      subjectId: sheet.productCode,
      data: RateSheetRecord.json(sheet),
      changes: null,
    },
  ],
})

export function addRateSheet(
  engine: Engine,
  origin: Origin,
  request: SheetRequest,
  answer?: AnswerWriter<StoredSheet>,
): Promise<Result<StoredSheet>> {
  return engine.submit(sheetAddition, origin, request, answer)
}

type QuotedWish = Parameters<typeof quoteProduct>[0]

/** What a product would pay now; null of the start date is today. */
export async function quote(
  engine: Engine,
  book: Book,
  productCode: string,
  wish: QuotedWish,
): Promise<ReturnType<typeof quoteProduct>> {
  const known = await readOffering(engine, book, productCode)
  if (known === undefined) return refuse('product_not_found')
  const { version, inForce, taxVersions, calendar, sheets, moment } = known
  const { product } = version
  const rules = product.rules ?? inForce.rules
  const taxation = taxationOf(taxVersions, STANDARD, moment.today)
  return quoteProduct(wish, { product, sheets, calendar: calendar.document, rules, taxation }, moment)
}

/** What breaking a deposit that is opened now would pay on the days to come, in the class STANDARD. */
export async function foreseeProduct(
  engine: Engine,
  book: Book,
  productCode: string,
  wish: QuotedWish,
): Promise<Foreseen> {
  const known = await readOffering(engine, book, productCode)
  if (known === undefined) return refuse('product_not_found')
  const { version, taxVersions, moment } = known
  const { amount } = wish
  const { currency } = version.product
  const nobody = { customerId: '', accountNumber: '' }
  const account = newAccount({ ...nobody, currency, balance: amount, createdAt: moment.at })
  const taxationOn = (day: IsoDate) => taxationOf(taxVersions, STANDARD, day)
  const decided = decideProductOpening(
    { ...known, account, taken: new Set(), taxation: taxationOn(moment.today) },
    { ...wish, ...NO_REFERENCE, depositId: '', accountNumber: '', productCode, instruction: null },
    moment,
  )
  if (decided.outcome === 'refused') return decided
  const { deposit, rules, balance } = decided
  const taxDays = taxDaysOf(taxVersions, STANDARD)
  const context = { rules, amount: null, balance, taxationOn, taxDays, taxedParts: [], moment }
  return inTurns(foreseeByDay(deposit, context))
}

const STANDARD = { taxClass: null, taxValidUntil: null }

/** What an opening by a product depends on, besides the account; undefined: there is no such product. */
async function readOffering(engine: Engine, book: Book, productCode: string) {
  const { db, versions } = engine
  const { bookId } = book
  const version = (await readNewestProducts(db, versions, bookId, [productCode])).get(productCode)
  if (version === undefined) return undefined
  const moment = await engine.momentIn(book)
  const sheets = (await readSheets(db, versions, bookId, [productCode])).get(productCode) ?? []
  const snapshot = await readBookSnapshot(db, bookId, [])
  const taxVersions = await readTaxVersions(db, { book, snapshot, versions })
  const inForce = await readRulesInForce(db, versions, bookId)
  const calendar = await readCalendar(db, { book, snapshot, versions })
  return { version, moment, sheets, taxVersions, inForce, calendar }
}
