/** Every route of the JSON door. */

import { accountRoutes } from '../features/accounts/routes.ts'
import { apiKeyRoutes } from '../features/api-keys/routes.ts'
import { approvalPolicyRoutes } from '../features/approval-policy/routes.ts'
import { approvalRoutes } from '../features/approvals/routes.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { customerRoutes } from '../features/customers/routes.ts'
import { depositRoutes } from '../features/deposits/routes.ts'
import { eventRoutes } from '../features/events/routes.ts'
import { exportRoutes } from '../features/exports/routes.ts'
import { ledgerRoutes } from '../features/ledger/routes.ts'
import { letterRoutes } from '../features/letters/routes.ts'
import { lienRoutes } from '../features/liens/routes.ts'
import { liquidationRoutes } from '../features/liquidation/routes.ts'
import { reportRoutes } from '../features/reports/routes.ts'
import { reversalRoutes } from '../features/reversal/routes.ts'
import { ruleRoutes } from '../features/rules/routes.ts'
import { taxRoutes } from '../features/tax/routes.ts'
import { testClockRoutes } from '../features/test-clock/routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import type { Route } from '../wire/route.ts'

export const routes: readonly Route[] = [
  ...liquidationRoutes,
  ...reversalRoutes,
  ...customerRoutes,
  ...accountRoutes,
  ...depositRoutes,
  ...ruleRoutes,
  ...letterRoutes,
  ...taxRoutes,
  ...lienRoutes,
  ...approvalRoutes,
  ...approvalPolicyRoutes,
  ...reportRoutes,
  ...exportRoutes,
  ...ledgerRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...apiKeyRoutes,
  ...testClockRoutes,
  ...auditRoutes,
]
