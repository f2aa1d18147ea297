/** Every page of the console. */
import { keyPages } from '../features/api-keys/pages.ts'
import { approvalPages } from '../features/approvals/pages.ts'
import { auditPages } from '../features/audit/pages.ts'
import { customerPages } from '../features/customers/pages.ts'
import { depositPages } from '../features/deposits/pages.ts'
import { homePages } from '../features/home/pages.ts'
import { liquidationPages } from '../features/liquidation/pages.ts'
import { accessPages, mePages } from '../features/people/pages.ts'
import { reportPages } from '../features/reports/pages.ts'
import { reversalPages } from '../features/reversal/pages.ts'
import { rulePages } from '../features/rules/pages.ts'
import { clockPages } from '../features/test-clock/pages.ts'
import { webhookPages } from '../features/webhooks/pages.ts'
import type { Page } from './page.ts'

export const pages: readonly Page[] = [
  ...homePages,
  ...depositPages,
  ...liquidationPages,
  ...reversalPages,
  ...approvalPages,
  ...reportPages,
  ...rulePages,
  ...customerPages,
  ...auditPages,
  ...accessPages,
  ...keyPages,
  ...webhookPages,
  ...clockPages,
  ...mePages,
]
