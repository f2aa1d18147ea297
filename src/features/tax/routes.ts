import { type Route, reply, replyWith, route, success } from '../../route/route.ts'
import { found } from '../../wire/failure.ts'
import { documentRoutes } from '../documents/routes.ts'
import { putTaxStatus, taxRulesDocument } from './changes.ts'
import { TaxRulesBody, TaxStatusBody, TaxStatusRecord, taxRulesFrom, taxStatusFrom } from './record.ts'
import { findTaxStatus } from './store.ts'

export const taxRoutes: Route[] = [
  ...documentRoutes(taxRulesDocument, {
    path: '/v2/tax-rules',
    tag: 'Tax',
    body: TaxRulesBody,
    from: taxRulesFrom,
    scopes: { read: 'tax:read', write: 'tax:write' },
    get: { operationId: 'getTaxRules', summary: 'Get the newest version of the tax rules' },
    replace: {
      operationId: 'replaceTaxRules',
      summary: 'Write the next version of the tax rules: what is withheld of interest when it is paid',
    },
    version: { operationId: 'getTaxRulesVersion', summary: 'Get one version of the tax rules' },
    shown: 'The tax rules.',
    replaced: 'The tax rules were replaced.',
  }),
  route({
    method: 'GET',
    path: '/v2/customer/:customer_id/tax-status',
    operationId: 'getTaxStatus',
    summary: 'Get the tax status of a customer; STANDARD where none was set',
    tag: 'Tax',
    scope: 'tax:read',
    success: { status: 200, data: TaxStatusRecord },
    refusals: ['customer_not_found'],
    answer: async ({ service, book, params }) => {
      const status = await findTaxStatus(service.db, book.bookId, params.customer_id!)
      return reply('The tax status.', TaxStatusRecord.write(found(status, 'customer_not_found')))
    },
  }),
  route({
    method: 'PUT',
    path: '/v2/customer/:customer_id/tax-status',
    operationId: 'putTaxStatus',
    summary: 'Set the tax class of a customer; what is left out becomes null',
    tag: 'Tax',
    scope: 'tax:write',
    body: TaxStatusBody,
    success: { status: 200, data: TaxStatusRecord },
    refusals: ['customer_not_found', 'approval_required'],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        putTaxStatus(
          service,
          origin,
          taxStatusFrom(params.customer_id!, body),
          success(200, 'The tax status was set.', ({ after }) => TaxStatusRecord.write(after)),
        ),
      ),
  }),
]
