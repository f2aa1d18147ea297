/** Versions of products, and rate sheets. Both are written once and never changed. */
import {
  type FiltersOf,
  listInOrder,
  listOf,
  newestOf,
  type Places,
  where,
} from '../../engine/database/list.ts'
import {
  calendarDate,
  type ItemOf,
  instant,
  integer,
  ordinal,
  rowMap,
  text,
} from '../../engine/database/row-map.ts'
import { idOfBook, idsOfBook, membersInBook, ofBook, sql } from '../../engine/database/sql.ts'

const productMap = rowMap({
  productCode: text('product_code'),
  version: integer('version'),
  /** The ordinal of the first version: its place in lists. */
  ordinal: ordinal('ordinal'),
  text: text('text'),
  createdAt: instant('created_at'),
})
export type StoredProduct = ItemOf<typeof productMap>

const sheetMap = rowMap({
  productCode: text('product_code'),
  number: integer('number'),
  effectiveFrom: calendarDate('effective_from'),
  text: text('text'),
  createdAt: instant('created_at'),
})
export type StoredGrid = ItemOf<typeof sheetMap>

type NewProduct = StoredProduct & { status: string }

export const insertProduct = sql`
    insert into products (book_id, product_code, version, ordinal, status, text, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)`.write(
  membersInBook<NewProduct>('productCode', 'version', 'ordinal', 'status', 'text', 'createdAt'),
)

export const insertRateSheet = sql`
    insert into rate_sheets (book_id, product_code, number, effective_from, text, created_at)
    values ($1, $2, $3, $4, $5, $6)`.write(
  membersInBook<StoredGrid>('productCode', 'number', 'effectiveFrom', 'text', 'createdAt'),
)

type ProductVersion = Pick<StoredProduct, 'productCode' | 'version'>

export const findProduct = sql`
    select ${productMap.columns}
    from products
    where book_id = $1
      and product_code = $2
      and version = $3`.first(productMap, membersInBook<ProductVersion>('productCode', 'version'))

export const findProducts = sql`
    select ${productMap.columns}
    from products
    where book_id = $1
      and (product_code, version) in (select * from unnest($2::text[], $3::int4[]))`.all(
  productMap,
  (bookId: string, versions: readonly ProductVersion[]) => [
    bookId,
    versions.map(({ productCode }) => productCode),
    versions.map(({ version }) => version),
  ],
)

/** The newest version of each code that exists. */
export const findNewestProducts = sql`
    select distinct on (product_code) ${productMap.columns}
    from products
    where book_id = $1
      and product_code = any($2::text[])
    order by product_code, version desc`.all(productMap, idsOfBook)

export const countProducts = sql`
    select count(*)::int4 as products
    from products
    where book_id = $1
      and version = 1`.only(integer('products'), ofBook)

export const listProducts = listOf(
  (clauses) => `
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
  { status: where('status = ?') },
  productMap,
)
export type ProductFilters = FiltersOf<typeof listProducts>

/** All of some products, by number. */
export const findRateSheets = sql`
    select ${sheetMap.columns}
    from rate_sheets
    where book_id = $1
      and product_code = any($2::text[])
    order by product_code, number`.all(sheetMap, idsOfBook)

export const findRateSheet = sql`
    select ${sheetMap.columns}
    from rate_sheets
    where book_id = $1
      and product_code = $2
      and number = $3`.first(
  sheetMap,
  membersInBook<Pick<StoredGrid, 'productCode' | 'number'>>('productCode', 'number'),
)

export const findLastRateSheet = sql`
    select ${sheetMap.columns}
    from rate_sheets
    where book_id = $1
      and product_code = $2
    order by number desc
    limit 1`.first(sheetMap, idOfBook)

const INT4_MAX = 2_147_483_647n
const byNumber: Places<bigint> = {
  parameter: (before) => (before > INT4_MAX ? INT4_MAX : before),
  behindAll: INT4_MAX,
  of: ({ number }: { number: number }) => BigInt(number),
}

/** Numbers are the places of the list. */
export const listRateSheets = listInOrder(
  newestOf(sheetMap.columns, 'rate_sheets', 'number'),
  { productCode: where('product_code = ?') },
  sheetMap,
  byNumber,
)

/** Whether a deposit was ever opened by it. */
export const hasDeposits = sql`
    select 1
    from deposits
    where book_id = $1
      and product_code = $2
    limit 1`.some(idOfBook)
