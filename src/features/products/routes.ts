import { Type } from 'typebox'
import { PRODUCT_STATUSES, type ProductVersion } from '../../domain/product.ts'
import {
  ListQuery,
  listReply,
  pageQuery,
  type Route,
  reply,
  replyWith,
  route,
  type Service,
  success,
} from '../../route/route.ts'
import { found } from '../../wire/failure.ts'
import { Choice } from '../../wire/fields.ts'
import { addRateSheet, putProduct, readNewestProducts, sheetOf, versionOf } from './changes.ts'
import {
  gridFrom,
  ProductBody,
  ProductRecord,
  productCodeErrors,
  productFrom,
  RateSheetBody,
  RateSheetRecord,
} from './record.ts'
import { findProduct, findRateSheet, listProducts, listRateSheets, type ProductFilters } from './store.ts'

const ProductsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Choice(PRODUCT_STATUSES, { title: 'ProductStatus', description: 'Only products in this state.' }),
  ),
})

export const productRoutes: Route[] = [
  route({
    method: 'PUT',
    path: '/v2/products/:product_code',
    operationId: 'putProduct',
    summary: 'Write the next version of a product; deposits opened earlier keep theirs',
    tag: 'Products',
    scope: 'products:write',
    pathErrors: (params) => productCodeErrors(params.product_code!, 'product_code'),
    body: ProductBody,
    success: { status: 200, data: ProductRecord },
    refusals: ['too_many_products', 'currency_mismatch', 'approval_required'],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        putProduct(
          service,
          origin,
          { productCode: params.product_code!, product: productFrom(body) },
          success(200, 'The product was written.', ProductRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/products',
    operationId: 'listProducts',
    summary: 'List the newest version of each product, newest product first',
    tag: 'Products',
    scope: 'products:read',
    query: ProductsQuery,
    success: { status: 200, data: ProductRecord, list: true },
    answer: (asked) => {
      const { service, book, query } = asked
      const filters: ProductFilters = query.status === undefined ? {} : { status: query.status }
      return listReply(asked, {
        operationId: 'listProducts',
        message: 'The products.',
        read: (page) => listProducts(service.db, book.bookId, filters, page),
        show: (stored) => ProductRecord.write(versionOf(service.versions, book.bookId, stored)),
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/products/:product_code',
    operationId: 'getProduct',
    summary: 'Get the newest version of a product',
    tag: 'Products',
    scope: 'products:read',
    success: { status: 200, data: ProductRecord },
    refusals: ['product_not_found'],
    answer: async ({ service, book, params }) =>
      reply('The product.', ProductRecord.write(await newestOf(service, book.bookId, params.product_code!))),
  }),
  route({
    method: 'GET',
    path: '/v2/products/:product_code/versions/:version',
    operationId: 'getProductVersion',
    summary: 'Get one version of a product',
    tag: 'Products',
    scope: 'products:read',
    success: { status: 200, data: ProductRecord },
    refusals: ['product_not_found', 'document_version_not_found'],
    answer: async ({ service, book, params }) => {
      const { productCode } = await newestOf(service, book.bookId, params.product_code!)
      const name = { productCode, version: numberFrom(params.version!) }
      const stored = found(await findProduct(service.db, book.bookId, name), 'document_version_not_found')
      return reply('The product.', ProductRecord.write(versionOf(service.versions, book.bookId, stored)))
    },
  }),
  route({
    method: 'POST',
    path: '/v2/products/:product_code/rate-sheets',
    operationId: 'addRateSheet',
    summary: 'Add a rate sheet: rates by tenor and amount from a day on',
    tag: 'Products',
    scope: 'products:write',
    body: RateSheetBody,
    success: { status: 201, data: RateSheetRecord },
    refusals: [
      'product_not_found',
      'effective_date_before_last',
      'effective_date_in_past',
      'too_many_rate_sheets',
      'approval_required',
    ],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        addRateSheet(
          service,
          origin,
          { productCode: params.product_code!, grid: gridFrom(body) },
          success(201, 'The rate sheet was added.', RateSheetRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/products/:product_code/rate-sheets',
    operationId: 'listRateSheets',
    summary: 'List the rate sheets of a product, newest first',
    tag: 'Products',
    scope: 'products:read',
    query: ListQuery,
    success: { status: 200, data: RateSheetRecord, list: true },
    refusals: ['product_not_found'],
    answer: async (asked) => {
      const { service, book, params } = asked
      const { productCode } = await newestOf(service, book.bookId, params.product_code!)
      return listReply(asked, {
        operationId: 'listRateSheets',
        message: 'The rate sheets.',
        read: (page) => listRateSheets(service.db, book.bookId, { productCode }, page),
        show: (stored) => RateSheetRecord.write(sheetOf(service.versions, book.bookId, stored)),
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/products/:product_code/rate-sheets/:number',
    operationId: 'getRateSheet',
    summary: 'Get a rate sheet',
    tag: 'Products',
    scope: 'products:read',
    success: { status: 200, data: RateSheetRecord },
    refusals: ['product_not_found', 'rate_sheet_not_found'],
    answer: async ({ service, book, params }) => {
      const { productCode } = await newestOf(service, book.bookId, params.product_code!)
      const name = { productCode, number: numberFrom(params.number!) }
      const stored = found(await findRateSheet(service.db, book.bookId, name), 'rate_sheet_not_found')
      return reply('The rate sheet.', RateSheetRecord.write(sheetOf(service.versions, book.bookId, stored)))
    },
  }),
]

async function newestOf(
  { db, versions }: Pick<Service, 'db' | 'versions'>,
  bookId: string,
  code: string,
): Promise<ProductVersion> {
  return found((await readNewestProducts(db, versions, bookId, [code])).get(code), 'product_not_found')
}

/** 0 where the text is no number that a version or a sheet can have. */
function numberFrom(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
}
