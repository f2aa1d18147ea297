import { found } from '../../wire/failure.ts'
import { type Reply, type Route, reply, replyWith, route, success } from '../../wire/route.ts'
import { findDocument, findNewestDocument, type KeptDocument } from '../documents/store.ts'
import { putTaxStatus, replaceTaxRules } from './changes.ts'
import {
  parseTaxRules,
  TaxRulesBody,
  TaxRulesRecord,
  TaxStatusBody,
  TaxStatusRecord,
  taxRulesFrom,
  taxStatusFrom,
} from './record.ts'
import { findTaxStatus } from './store.ts'

export const taxRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/tax-rules',
    operationId: 'getTaxRules',
    summary: 'Get the newest version of the tax rules',
    tag: 'Tax',
    scope: 'tax:read',
    success: { status: 200, data: TaxRulesRecord },
    refusals: ['document_version_not_found'],
    answer: async ({ service, book }) =>
      shown(await findNewestDocument(service.db, book.bookId, 'TAX_RULES')),
  }),
  route({
    method: 'PUT',
    path: '/v2/tax-rules',
    operationId: 'replaceTaxRules',
    summary: 'Write the next version of the tax rules: what is withheld of interest when it is paid',
    tag: 'Tax',
    scope: 'tax:write',
    body: TaxRulesBody,
    success: { status: 200, data: TaxRulesRecord },
    refusals: ['approval_required'],
    answer: ({ service, origin, body }) =>
      replyWith(
        replaceTaxRules(
          service,
          origin,
          taxRulesFrom(body),
          success(200, 'The tax rules were replaced.', TaxRulesRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/tax-rules/:version',
    operationId: 'getTaxRulesVersion',
    summary: 'Get one version of the tax rules',
    tag: 'Tax',
    scope: 'tax:read',
    success: { status: 200, data: TaxRulesRecord },
    refusals: ['document_version_not_found'],
    answer: async ({ service, book, params }) => {
      const version = /^[1-9]\d{0,8}$/.test(params.version!) ? Number(params.version) : 0
      return shown(await findDocument(service.db, book.bookId, 'TAX_RULES', version))
    },
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

function shown(kept: KeptDocument | undefined): Reply {
  const { version, text, createdAt } = found(kept, 'document_version_not_found')
  return reply('The tax rules.', TaxRulesRecord.write({ version, rules: parseTaxRules(text), createdAt }))
}
