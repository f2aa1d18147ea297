/** Every route of the JSON door. */
import type { Route } from './route.ts'
import { accountRoutes } from './routes/accounts.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { auditRoutes } from './routes/audit.ts'
import { customerRoutes } from './routes/customers.ts'
import { depositRoutes } from './routes/deposits.ts'
import { eventRoutes } from './routes/events.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { liquidationRoutes } from './routes/liquidations.ts'
import { ruleRoutes } from './routes/rules.ts'
import { testClockRoutes } from './routes/test-clock.ts'
import { webhookRoutes } from './routes/webhooks.ts'

export const routes: readonly Route[] = [
  ...liquidationRoutes,
  ...customerRoutes,
  ...accountRoutes,
  ...depositRoutes,
  ...ruleRoutes,
  ...ledgerRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...apiKeyRoutes,
  ...testClockRoutes,
  ...auditRoutes,
]
