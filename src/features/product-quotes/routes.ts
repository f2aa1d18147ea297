import { type Route, reply, route } from '../../route/route.ts'
import type { ErrorCode } from '../../wire/errors.ts'
import { orRefused } from '../../wire/failure.ts'
import { foreseeProduct, quote } from '../products/changes.ts'
import { ForeseenQuoteRecord, ProductQuoteBody, ProductQuoteRecord, QuoteAnswer, wishFrom } from './record.ts'

export const productQuoteRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/products/:product_code/quote',
    operationId: 'quoteProduct',
    summary: 'What a product would pay, with its schedule; changes nothing',
    tag: 'Products',
    scope: 'products:read',
    body: ProductQuoteBody,
    success: { status: 200, data: QuoteAnswer },
    refusals: [
      ...['product_not_found', 'product_closed', 'amount_not_whole', 'start_date_in_future'],
      ...['start_date_too_early', 'amount_not_offered', 'tenor_not_offered', 'no_rate_sheet'],
      'bonus_not_offered',
      ...['rate_not_negotiable', 'rate_out_of_range', 'upfront_interest_too_high'],
      'maturity_value_out_of_range',
    ] as ErrorCode[],
    answer: async ({ service, book, params, body }) => {
      const wish = { amount: body.amount, startDate: body.start_date ?? null, ...wishFrom(body) }
      const code = params.product_code!
      const quoted = orRefused(await quote(service, book, code, wish))
      const foreseen =
        body.outlook === true ? orRefused(await foreseeProduct(service, book, code, wish)) : null
      const data =
        foreseen === null
          ? ProductQuoteRecord.write(quoted.quote)
          : ForeseenQuoteRecord.write({ ...quoted.quote, outlook: foreseen.outlook })
      return reply('The quote.', data)
    },
  }),
]
