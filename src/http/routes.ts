/** Every route of the JSON door. */
import type { Route } from './route.ts'
import { accountRoutes } from './routes/accounts.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { auditRoutes } from './routes/audit.ts'
import { customerRoutes } from './routes/customers.ts'
import { depositRoutes } from './routes/deposits.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { liquidationRoutes } from './routes/liquidations.ts'
import { ruleRoutes } from './routes/rules.ts'
import { testClockRoutes } from './routes/test-clock.ts'

export const routes: readonly Route[] = [
  ...liquidationRoutes,
  ...customerRoutes,
  ...accountRoutes,
  ...depositRoutes,
  ...ruleRoutes,
  ...ledgerRoutes,
  ...apiKeyRoutes,
  ...testClockRoutes,
  ...auditRoutes,
]
