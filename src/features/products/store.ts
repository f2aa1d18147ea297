/** Versions of products, and rate sheets. Both are written once and never changed. */
import type { IsoDate } from '../../domain/dates.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  type Placed,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import { calendarDate, instant, integer, ordinal, rowMap, text } from '../../engine/database/row-map.ts'

export type StoredProduct = {
  productCode: string
  version: number
  /** The ordinal of the first version: its place in lists. */
  ordinal: bigint
  text: string
  createdAt: Date
}

const productMap = rowMap<StoredProduct>({
  productCode: text('product_code'),
  version: integer('version'),
  ordinal: ordinal('ordinal'),
  text: text('text'),
  createdAt: instant('created_at'),
})

export type StoredGrid = {
  productCode: string
  number: number
  effectiveFrom: IsoDate
  text: string
  createdAt: Date
}

const sheetMap = rowMap<StoredGrid>({
  productCode: text('product_code'),
  number: integer('number'),
  effectiveFrom: calendarDate('effective_from'),
  text: text('text'),
  createdAt: instant('created_at'),
})

export const statements = {
  insertProduct: `
    insert into products (book_id, product_code, version, ordinal, status, text, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,

  insertRateSheet: `
    insert into rate_sheets (book_id, product_code, number, effective_from, text, created_at)
    values ($1, $2, $3, $4, $5, $6)`,

  findProduct: `
    select ${productMap.columns}
    from products
    where book_id = $1
      and product_code = $2
      and version = $3`,

  findProducts: `
    select ${productMap.columns}
    from products
    where book_id = $1
      and (product_code, version) in (select * from unnest($2::text[], $3::int4[]))`,

  findNewestProducts: `
    select distinct on (product_code) product_code, version, ordinal, text, created_at
    from products
    where book_id = $1
      and product_code = any($2::text[])
    order by product_code, version desc`,

  countProducts: `
    select count(*)::int4 as products
    from products
    where book_id = $1
      and version = 1`,

  listProducts: (clauses: string) => `
    select ${productMap.columns}
    from products
    where book_id = $1
      and ordinal < $2
      and version = (
        select max(version)
        from products newest
        where newest.book_id = $1
          and newest.product_code = products.product_code)${clauses}
    order by ordinal desc
    limit $3`,

  findRateSheets: `
    select ${sheetMap.columns}
    from rate_sheets
    where book_id = $1
      and product_code = any($2::text[])
    order by product_code, number`,

  findRateSheet: `
    select ${sheetMap.columns}
    from rate_sheets
    where book_id = $1
      and product_code = $2
      and number = $3`,

  findLastRateSheet: `
    select ${sheetMap.columns}
    from rate_sheets
    where book_id = $1
      and product_code = $2
    order by number desc
    limit 1`,

  listRateSheets: `
    select ${sheetMap.columns}
    from rate_sheets
    where book_id = $1
      and product_code = $4
      and number < $2
    order by number desc
    limit $3`,

  findDepositByProduct: `
    select 1
    from deposits
    where book_id = $1
      and product_code = $2
    limit 1`,
}

export type ProductFilters = { status?: string }

export const productFilterClauses: Record<keyof ProductFilters, (parameter: string) => string> = {
  status: (parameter) => `status = ${parameter}`,
}

export function insertProduct(
  tx: Transaction,
  bookId: string,
  product: StoredProduct & { status: string },
): void {
  const { productCode, version, status, createdAt } = product
  tx.write(statements.insertProduct, [
    ...[bookId, productCode, version, product.ordinal, status, product.text, createdAt],
  ])
}

export function insertRateSheet(tx: Transaction, bookId: string, sheet: StoredGrid): void {
  const { productCode, number, effectiveFrom, createdAt } = sheet
  tx.write(statements.insertRateSheet, [bookId, productCode, number, effectiveFrom, sheet.text, createdAt])
}

export async function findProduct(
  db: Queries,
  bookId: string,
  { productCode, version }: { productCode: string; version: number },
): Promise<StoredProduct | undefined> {
  const [row] = await db.query<object>(statements.findProduct, [bookId, productCode, version])
  return row && productMap.read(row)
}

export async function findProducts(
  db: Queries,
  bookId: string,
  versions: readonly { productCode: string; version: number }[],
): Promise<StoredProduct[]> {
  const rows = await db.query<object>(statements.findProducts, [
    bookId,
    versions.map(({ productCode }) => productCode),
    versions.map(({ version }) => version),
  ])
  return rows.map(productMap.read)
}

/** The newest version of each code that exists. */
export async function findNewestProducts(
  db: Queries,
  bookId: string,
  codes: readonly string[],
): Promise<StoredProduct[]> {
  const rows = await db.query<object>(statements.findNewestProducts, [bookId, codes])
  return rows.map(productMap.read)
}

export async function countProducts(db: Queries, bookId: string): Promise<number> {
  const [row] = await db.query<{ products: number }>(statements.countProducts, [bookId])
  return row!.products
}

export async function listProducts(
  db: Queries,
  bookId: string,
  filters: ProductFilters,
  page: PageRequest,
): Promise<Page<StoredProduct>> {
  const { text, values } = filterClauses(filters, productFilterClauses, 4)
  const parameters = [bookId, ...pageParameters(page), ...values]
  return pageOf(await db.query<Placed>(statements.listProducts(text), parameters), page, productMap.read)
}

/** All of some products, by number. */
export async function findRateSheets(
  db: Queries,
  bookId: string,
  codes: readonly string[],
): Promise<StoredGrid[]> {
  return (await db.query<object>(statements.findRateSheets, [bookId, codes])).map(sheetMap.read)
}

export async function findRateSheet(
  db: Queries,
  bookId: string,
  { productCode, number }: { productCode: string; number: number },
): Promise<StoredGrid | undefined> {
  const [row] = await db.query<object>(statements.findRateSheet, [bookId, productCode, number])
  return row && sheetMap.read(row)
}

export async function findLastRateSheet(
  db: Queries,
  bookId: string,
  productCode: string,
): Promise<StoredGrid | undefined> {
  const [row] = await db.query<object>(statements.findLastRateSheet, [bookId, productCode])
  return row && sheetMap.read(row)
}

/** Numbers are the places of the list. */
export async function listRateSheets(
  db: Queries,
  bookId: string,
  productCode: string,
  page: PageRequest,
): Promise<Page<StoredGrid>> {
  const before = page.before === null || page.before > INT4_MAX ? INT4_MAX : page.before
  const rows = await db.query<{ number: number }>(statements.listRateSheets, [
    bookId,
    before,
    page.limit + 1,
    productCode,
  ])
  const numbered = rows.map((row) => ({ ...row, ordinal: BigInt(row.number) }))
  return pageOf(numbered, page, sheetMap.read)
}

const INT4_MAX = 2_147_483_647n

/** Whether a deposit was ever opened by it. */
export async function hasDeposits(db: Queries, bookId: string, productCode: string): Promise<boolean> {
  return (await db.query(statements.findDepositByProduct, [bookId, productCode])).length > 0
}
