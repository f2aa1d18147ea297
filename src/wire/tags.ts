/** The chapters of the reference, in reading order. */
export const TAGS = {
  Liquidations:
    'Break a fixed deposit, wholly or in part, and see beforehand and afterwards how the sum came about.',
  Customers: 'The profiles of those who own accounts and deposits.',
  Accounts: 'Where a deposit is paid from and paid back to.',
  'Fixed deposits': 'Open and find fixed deposits.',
  Liens: 'Hold principal of a deposit, for a loan or a court, until it is released.',
  'Liquidation rules':
    'What breaking a deposit early costs: day count, minimums, holding period and penal rules.',
  Tax: 'What is withheld of interest when it is paid, and the tax class of each customer.',
  Approvals: 'Let other people decide before an operation is carried out, and set when they have to.',
  Reports:
    'What was paid, charged and waived in a span of business dates, and the records behind it as files.',
  Ledger: 'Every movement of money, as entries whose lines sum to zero.',
  Events: 'One record per committed change, and sending it again.',
  'Webhook endpoints': 'Where events are sent to, and what became of each message.',
  'API keys': 'Make, list, roll and revoke keys. A key never makes one that may do more than itself.',
  'Test clock': 'Move the clock of a test book forward, to see deposits mature today.',
  'Audit log': 'Who changed what and when, with old and new values.',
  Service: 'The reference itself and what an operator watches. No key is needed here.',
} as const

export type Tag = keyof typeof TAGS
