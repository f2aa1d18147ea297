import type { Route } from '../../route/route.ts'
import { documentRoutes } from '../documents/routes.ts'
import { accountingDocument } from './changes.ts'
import { AccountingBody, accountingFrom, FIRST_ACCOUNTING } from './record.ts'

export const accountingRoutes: Route[] = documentRoutes(accountingDocument, {
  path: '/v2/accounting',
  tag: 'Ledger',
  body: AccountingBody,
  from: accountingFrom,
  scopes: { read: 'accounting:read', write: 'accounting:write' },
  get: {
    operationId: 'getAccounting',
    summary: 'Get how interest is accrued, and the codes of the general ledger',
  },
  replace: {
    operationId: 'replaceAccounting',
    summary: 'Write the next version of accruals and codes, in force from the close of this business date on',
  },
  version: { operationId: 'getAccountingVersion', summary: 'Get one version of accruals and codes' },
  shown: 'The accounting document.',
  replaced: 'The accounting document was replaced.',
  first: FIRST_ACCOUNTING,
})
