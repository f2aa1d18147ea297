/** Every page of the console. */
import { accountPages } from '../features/accounts/pages.ts'
import { accountingPages } from '../features/accruals/pages.ts'
import { keyPages } from '../features/api-keys/pages.ts'
import { approvalPages } from '../features/approvals/pages.ts'
import { auditPages } from '../features/audit/pages.ts'
import { batchPages } from '../features/batch-files/pages.ts'
import { breakingPages } from '../features/breaking/pages.ts'
import { productPages } from '../features/catalogue/pages.ts'
import { calendarPages } from '../features/closed-days/pages.ts'
import { counterPages } from '../features/counter/pages.ts'
import { customerPages } from '../features/customers/pages.ts'
import { depositPages } from '../features/deposits/pages.ts'
import { factorPages } from '../features/factors/pages.ts'
import { homePages } from '../features/home/pages.ts'
import { interestCertificatePages } from '../features/interest-certificate/pages.ts'
import { letterPages } from '../features/letters/pages.ts'
import { lienPages } from '../features/liens/pages.ts'
import { limitPages } from '../features/limits/pages.ts'
import { liquidationPages } from '../features/liquidation/pages.ts'
import { instructionPages } from '../features/maturity-instruction/pages.ts'
import { mePages } from '../features/me/pages.ts'
import { movementPages } from '../features/movements/pages.ts'
import { openingPages } from '../features/opening/pages.ts'
import { partyPages } from '../features/party-changes/pages.ts'
import { accessPages } from '../features/people/pages.ts'
import { rulePages } from '../features/proposals/pages.ts'
import { rateSheetPages } from '../features/rate-sheets/pages.ts'
import { reportPages } from '../features/reports/pages.ts'
import { requestPages } from '../features/requests/pages.ts'
import { reversalPages } from '../features/reversal/pages.ts'
import { searchPages } from '../features/search/pages.ts'
import { clockPages } from '../features/test-clock/pages.ts'
import { webhookPages } from '../features/webhooks/pages.ts'
import { withholdingPages } from '../features/withholding/pages.ts'
import type { Page } from '../page/page.ts'

export const pages: readonly Page[] = [
  ...homePages,
  ...depositPages,
  ...instructionPages,
  ...partyPages,
  ...breakingPages,
  ...liquidationPages,
  ...letterPages,
  ...interestCertificatePages,
  ...movementPages,
  ...lienPages,
  ...reversalPages,
  ...approvalPages,
  ...requestPages,
  ...reportPages,
  ...accountingPages,
  ...rulePages,
  ...limitPages,
  ...withholdingPages,
  ...productPages,
  ...rateSheetPages,
  ...calendarPages,
  ...searchPages,
  ...counterPages,
  ...openingPages,
  ...accountPages,
  ...customerPages,
  ...batchPages,
  ...auditPages,
  ...accessPages,
  ...keyPages,
  ...webhookPages,
  ...clockPages,
  ...mePages,
  ...factorPages,
]
