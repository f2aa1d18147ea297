/** Versions of products, and rate sheets. Both are written once and never changed. */
import { type IsoDate, isoDate } from '../../domain/dates.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'

export const statements = {
  insertProduct: `
    insert into products (book_id, product_code, version, ordinal, status, text, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,

  insertRateSheet: `
    insert into rate_sheets (book_id, product_code, number, effective_from, text, created_at)
    values ($1, $2, $3, $4, $5, $6)`,

  findProduct: `
    select product_code, version, ordinal, text, created_at
    from products
    where book_id = $1
      and product_code = $2
      and version = $3`,

  findProducts: `
    select product_code, version, ordinal, text, created_at
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
    select product_code, version, ordinal, text, created_at
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
    select product_code, number, effective_from, text, created_at
    from rate_sheets
    where book_id = $1
      and product_code = any($2::text[])
    order by product_code, number`,

  findRateSheet: `
    select product_code, number, effective_from, text, created_at
    from rate_sheets
    where book_id = $1
      and product_code = $2
      and number = $3`,

  findLastRateSheet: `
    select product_code, number, effective_from, text, created_at
    from rate_sheets
    where book_id = $1
      and product_code = $2
    order by number desc
    limit 1`,

  listRateSheets: `
    select product_code, number, effective_from, text, created_at
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

export type StoredProduct = {
  productCode: string
  version: number
  /** The ordinal of the first version: its place in lists. */
  ordinal: bigint
  text: string
  createdAt: Date
}

type ProductRow = { product_code: string; version: number; ordinal: bigint; text: string; created_at: Date }

export type StoredGrid = {
  productCode: string
  number: number
  effectiveFrom: IsoDate
  text: string
  createdAt: Date
}

type SheetRow = {
  product_code: string
  number: number
  effective_from: string
  text: string
  created_at: Date
}

export type ProductFilters = { status?: string }

export const productFilterClauses: Record<keyof ProductFilters, (parameter: string) => string> = {
  status: (parameter) => `status = ${parameter}`,
}

export function insertProduct(
  tx: Transaction,
  bookId: string,
  { productCode, version, ordinal, status, text, createdAt }: StoredProduct & { status: string },
): void {
  tx.write(statements.insertProduct, [bookId, productCode, version, ordinal, status, text, createdAt])
}

export function insertRateSheet(tx: Transaction, bookId: string, sheet: StoredGrid): void {
  const { productCode, number, effectiveFrom, text, createdAt } = sheet
  tx.write(statements.insertRateSheet, [bookId, productCode, number, effectiveFrom, text, createdAt])
}

export async function findProduct(
  db: Queries,
  bookId: string,
  { productCode, version }: { productCode: string; version: number },
): Promise<StoredProduct | undefined> {
  const [row] = await db.query<ProductRow>(statements.findProduct, [bookId, productCode, version])
  return row && productOf(row)
}

export async function findProducts(
  db: Queries,
  bookId: string,
  versions: readonly { productCode: string; version: number }[],
): Promise<StoredProduct[]> {
  const rows = await db.query<ProductRow>(statements.findProducts, [
    bookId,
    versions.map(({ productCode }) => productCode),
    versions.map(({ version }) => version),
  ])
  return rows.map(productOf)
}

/** The newest version of each code that exists. */
export async function findNewestProducts(
  db: Queries,
  bookId: string,
  codes: readonly string[],
): Promise<StoredProduct[]> {
  const rows = await db.query<ProductRow>(statements.findNewestProducts, [bookId, codes])
  return rows.map(productOf)
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
  return pageOf(await db.query<ProductRow>(statements.listProducts(text), parameters), page, productOf)
}

/** All of some products, by number. */
export async function findRateSheets(
  db: Queries,
  bookId: string,
  codes: readonly string[],
): Promise<StoredGrid[]> {
  return (await db.query<SheetRow>(statements.findRateSheets, [bookId, codes])).map(sheetOf)
}

export async function findRateSheet(
  db: Queries,
  bookId: string,
  { productCode, number }: { productCode: string; number: number },
): Promise<StoredGrid | undefined> {
  const [row] = await db.query<SheetRow>(statements.findRateSheet, [bookId, productCode, number])
  return row && sheetOf(row)
}

export async function findLastRateSheet(
  db: Queries,
  bookId: string,
  productCode: string,
): Promise<StoredGrid | undefined> {
  const [row] = await db.query<SheetRow>(statements.findLastRateSheet, [bookId, productCode])
  return row && sheetOf(row)
}

/** Numbers are the places of the list. */
export async function listRateSheets(
  db: Queries,
  bookId: string,
  productCode: string,
  page: PageRequest,
): Promise<Page<StoredGrid>> {
  const before = page.before === null || page.before > INT4_MAX ? INT4_MAX : page.before
  const rows = await db.query<SheetRow>(statements.listRateSheets, [
    bookId,
    before,
    page.limit + 1,
    productCode,
  ])
  const numbered = rows.map((row) => ({ ...row, ordinal: BigInt(row.number) }))
  return pageOf(numbered, page, sheetOf)
}

const INT4_MAX = 2_147_483_647n

/** Whether a deposit was ever opened by it. */
export async function hasDeposits(db: Queries, bookId: string, productCode: string): Promise<boolean> {
  return (await db.query(statements.findDepositByProduct, [bookId, productCode])).length > 0
}

function productOf(row: ProductRow): StoredProduct {
  const { product_code, version, ordinal, text, created_at } = row
  return { productCode: product_code, version, ordinal, text, createdAt: created_at }
}

function sheetOf(row: SheetRow): StoredGrid {
  const { product_code, number, effective_from, text, created_at } = row
  return {
    productCode: product_code,
    number,
    effectiveFrom: isoDate(effective_from),
    text,
    createdAt: created_at,
  }
}
