/** The chapters of the reference, in reading order. */
export const TAGS = {
  Liquidations:
    'Break a fixed deposit, fully or partially, with an explanation of the amounts before and afterwards.',
  Customers: 'The profiles of the owners of accounts and deposits.',
  Accounts: 'Where a deposit is paid from and paid back to.',
  'Fixed deposits': 'Open and find fixed deposits.',
  Liens: 'Hold principal of a deposit, for a loan or a court, until it is released.',
  Products: 'What the bank sells: amounts, tenors, interest and rules, with rates by tenor and amount.',
  'Liquidation rules':
    'What breaking a deposit early costs: day count, minimums, holding period and penal rules.',
  Tax: 'What is withheld of interest when it is paid, and the tax class of each customer.',
  Approvals:
    'Have other people approve an operation before it is carried out, and configure when that is required.',
  Batches:
    'Carry out many operations from a file: upload its lines in parts, start, and read what became of each.',
  Reports:
    'What was paid, charged and waived in a span of business dates, and the records behind it as files.',
  Ledger: 'Every movement of money, as entries whose lines sum to zero.',
  Events: 'One record per committed change, sending it again, and seals that prove it was not changed.',
  'Webhook endpoints': 'Where events are sent to, and the status of each message.',
  'API keys': 'Make, list, roll and revoke keys. A key cannot make a key with more access than its own.',
  'Test clock': 'Move the clock of a test book forward, to see deposits mature today.',
  'Audit log': 'Who changed what and when, with old and new values.',
  Service: 'The reference itself, probes and metrics. No key is needed.',
} as const

export type Tag = keyof typeof TAGS
