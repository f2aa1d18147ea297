/** The cards that nouns give to pages, in the order in which they are shown. */
import { customerAccountsCard } from '../features/accounts/card.ts'
import {
  depositRequestsCard,
  liquidationApprovalCard,
  waitingNotice,
  withdrawnNotice,
} from '../features/approvals/card.ts'
import { customerHistoryCard, depositHistoryCard, liquidationWhoCard } from '../features/audit/card.ts'
import { counterNotice, holdCard, openAccountAction } from '../features/counter/card.ts'
import { customerDepositsCard, termsCard } from '../features/deposits/card.ts'
import { interestCertificateAction } from '../features/interest-certificate/card.ts'
import { paymentsCard } from '../features/interest-payments/card.ts'
import { ledgerCard, liquidationEntriesCard } from '../features/ledger/card.ts'
import { letterActions } from '../features/letters/card.ts'
import { lienCard } from '../features/liens/card.ts'
import { adviceAction, breakCard, paidNotice } from '../features/liquidation/card.ts'
import { figuresCard } from '../features/maturity/card.ts'
import { instructionCard } from '../features/maturity-instruction/card.ts'
import { partiesCard } from '../features/parties/card.ts'
import { paidCard, reversalNotice, takeBackCard } from '../features/reversal/card.ts'
import { taxClassCard, taxClassNotice } from '../features/withholding/card.ts'
import type { Cards } from '../page/page.ts'

export const cards: Cards = {
  deposit: [
    ...[counterNotice, paidNotice, reversalNotice, withdrawnNotice, waitingNotice],
    ...[letterActions, adviceAction, figuresCard, breakCard],
    ...[
      termsCard,
      instructionCard,
      partiesCard,
      paymentsCard,
      lienCard,
      holdCard,
      paidCard,
      depositRequestsCard,
      depositHistoryCard,
      ledgerCard,
    ],
  ],
  liquidation: [liquidationApprovalCard, takeBackCard, liquidationWhoCard, liquidationEntriesCard],
  customer: [
    interestCertificateAction,
    openAccountAction,
    customerDepositsCard,
    customerAccountsCard,
    taxClassNotice,
    taxClassCard,
    customerHistoryCard,
  ],
}
