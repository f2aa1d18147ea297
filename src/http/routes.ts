/** Every route of the JSON door. */

import { accountRoutes } from '../features/accounts/routes.ts'
import { accrualRoutes } from '../features/accruals/routes.ts'
import { apiKeyRoutes } from '../features/api-keys/routes.ts'
import { approvalRoutes } from '../features/approvals/routes.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { batchRoutes } from '../features/batches/routes.ts'
import { customerRoutes } from '../features/customers/routes.ts'
import { depositRoutes } from '../features/deposits/routes.ts'
import { documentKindRoutes } from '../features/documents/routes.ts'
import { eventRoutes } from '../features/events/routes.ts'
import { exportRoutes } from '../features/exports/routes.ts'
import { impactRoutes } from '../features/impact/routes.ts'
import { interestCertificateRoutes } from '../features/interest-certificate/routes.ts'
import { interestPaymentRoutes } from '../features/interest-payments/routes.ts'
import { ledgerRoutes } from '../features/ledger/routes.ts'
import { letterRoutes } from '../features/letters/routes.ts'
import { lienRoutes } from '../features/liens/routes.ts'
import { liquidationRoutes, outlookRoutes } from '../features/liquidation/routes.ts'
import { maturityInstructionRoutes } from '../features/maturity-instruction/routes.ts'
import { partyRoutes } from '../features/parties/routes.ts'
import { approvalPolicyRoutes } from '../features/policies/routes.ts'
import { productQuoteRoutes } from '../features/product-quotes/routes.ts'
import { productRoutes } from '../features/products/routes.ts'
import { reportRoutes } from '../features/reports/routes.ts'
import { reversalRoutes } from '../features/reversal/routes.ts'
import { ruleRoutes } from '../features/rules/routes.ts'
import { sealRoutes } from '../features/seals/routes.ts'
import { taxRoutes } from '../features/tax/routes.ts'
import { testClockRoutes } from '../features/test-clock/routes.ts'
import { redeliveryRoutes, webhookRoutes } from '../features/webhooks/routes.ts'
import type { Route } from '../route/route.ts'

const routesOfNouns: Route[] = [
  ...liquidationRoutes,
  ...outlookRoutes,
  ...impactRoutes,
  ...reversalRoutes,
  ...interestPaymentRoutes,
  ...maturityInstructionRoutes,
  ...partyRoutes,
  ...customerRoutes,
  ...accountRoutes,
  ...depositRoutes,
  ...productRoutes,
  ...productQuoteRoutes,
  ...ruleRoutes,
  ...letterRoutes,
  ...interestCertificateRoutes,
  ...taxRoutes,
  ...lienRoutes,
  ...approvalRoutes,
  ...approvalPolicyRoutes,
  ...batchRoutes,
  ...reportRoutes,
  ...accrualRoutes,
  ...exportRoutes,
  ...ledgerRoutes,
  ...eventRoutes,
  ...redeliveryRoutes,
  ...sealRoutes,
  ...webhookRoutes,
  ...apiKeyRoutes,
  ...testClockRoutes,
  ...auditRoutes,
]

/** Those of a document follow the last one of their chapter. */
export const routes: readonly Route[] = documentKindRoutes.reduce(
  (all, own) => all.toSpliced(all.findLastIndex(({ tag }) => tag === own.tag) + 1, 0, own),
  routesOfNouns,
)
