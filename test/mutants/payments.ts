/** Interest that is paid before maturity, what it does to a liquidation, rollovers by a product, and instructions. */
type Suite = { kind: 'tests'; file: string; pattern?: string }

const inLives: Suite = { kind: 'tests', file: 'test/domain/product-lives.test.ts' }
const inVectors: Suite = { kind: 'tests', file: 'test/domain/payout-vectors.test.ts' }
const inPayments: Suite = {
  kind: 'tests',
  file: 'test/features/interest-payments/payments.test.ts',
  pattern: 'PGlite',
}
const inRollovers: Suite = {
  kind: 'tests',
  file: 'test/features/maturity/rollovers.test.ts',
  pattern: 'PGlite',
}
const inReversalsOfParts: Suite = {
  kind: 'tests',
  file: 'test/features/reversal/reversal.test.ts',
  pattern: 'PGlite',
}
const inReversals: Suite = {
  kind: 'tests',
  file: 'test/features/reversal/paid-interest.test.ts',
  pattern: 'PGlite',
}
const inInstructions: Suite = {
  kind: 'tests',
  file: 'test/features/maturity-instruction/maturity-instruction.test.ts',
  pattern: 'PGlite',
}
const inLiquidations: Suite = {
  kind: 'tests',
  file: 'test/features/liquidation/liquidate.test.ts',
  pattern: 'PGlite',
}
type Row = [name: string, suite: Suite, file: string, search: string, replace: string]

const PLAIN = 'return deposit.productCode === null && earlierToday === null && earlierLiquidations === 0'

const rows: Row[] = [
  [
    'a deposit with a product is written like one without',
    inPayments,
    'src/features/liquidation/store.ts',
    PLAIN,
    PLAIN.replace('deposit.productCode === null', 'true'),
  ],
  [
    'a second part of the day is written like a first one',
    inLiquidations,
    'src/features/liquidation/store.ts',
    PLAIN,
    PLAIN.replace('earlierToday === null', 'true'),
  ],
  [
    'a part of a later day is written like a first one',
    inReversalsOfParts,
    'src/features/liquidation/store.ts',
    PLAIN,
    PLAIN.replace('earlierLiquidations === 0', 'true'),
  ],
  [
    'a boundary is paid a day late',
    inPayments,
    'src/domain/payments.ts',
    'if (due > moment.today ||',
    'if (due >= moment.today ||',
  ],
  [
    'a liquidation leaves due interest unpaid',
    inPayments,
    'src/domain/liquidation.ts',
    '    const forward = bringForward(deposit, { terms, moment, taxationOn: () => taxation, balance })\n',
    '    const forward = bringForward(deposit, { terms, moment, taxationOn: () => taxation, balance }, 0)\n',
  ],
  [
    'what was paid stays with the rest',
    inLives,
    'src/domain/liquidation.ts',
    'paid: minor(deposit.paid - paidShare),',
    'paid: deposit.paid,',
  ],
  [
    'unearned interest is kept',
    inLives,
    'src/domain/penal.ts',
    'const unearned = minor(difference(shares.paid, earned) - (earlierToday?.unearned ?? 0n))',
    'const unearned = minor(0n)',
  ],
  [
    'a charge is recovered though the product does not say so',
    inLives,
    'src/domain/penal.ts',
    'const cap = minor(recover ? interest + paidShare - unearned : interest)',
    'const cap = minor(interest + paidShare - unearned)',
  ],
  [
    'tax on interest that went back is kept',
    inLives,
    'src/domain/tax.ts',
    "if (taxation === null || taxation.onRecovery === 'KEEP') return minor(0n)",
    'if (taxation !== null) return minor(0n)',
  ],
  [
    'a payment moves no boundary',
    inPayments,
    'src/domain/payments.ts',
    'brought.deposit = { ...withPayment(brought.deposit, payment), paidTo: due, nextInterestDate: next }',
    'brought.deposit = { ...withPayment(brought.deposit, payment), nextInterestDate: next }',
  ],
  [
    'a test clock taxes all payments by the rules of today',
    inPayments,
    'src/domain/tax.ts',
    'return taxationOf(taxVersions, status, movedFrom === null ? today : passed)',
    'return taxationOf(taxVersions, status, today)',
  ],
  [
    'a move of the clock counts no payments',
    inPayments,
    'src/features/test-clock/changes.ts',
    'if (rollovers + payments > rolloversMax) {',
    'if (rollovers > rolloversMax) {',
  ],
  [
    'the limit of rollovers is that of the newest version',
    inRollovers,
    'src/domain/rollover.ts',
    'if (rolloverLimit !== null && deposit.rollovers >= rolloverLimit)',
    'if (product.maturity.rolloverLimit !== null && deposit.rollovers >= product.maturity.rolloverLimit)',
  ],
  [
    'a closed product renews',
    inRollovers,
    'src/domain/rollover.ts',
    "  if (product.status === 'CLOSED') return { refused: 'product_closed' }\n",
    '',
  ],
  [
    'a bonus that the product lost still counts',
    inVectors,
    'src/domain/rollover.ts',
    'deposit.bonusCodes.filter((code) => product.bonuses.has(code))',
    'deposit.bonusCodes',
  ],
  [
    'interest paid out rolls over',
    inRollovers,
    'src/domain/maturity.ts',
    "return instruction === 'ROLL_OVER' && (method === 'AT_MATURITY' || method === 'COMPOUND')",
    "return instruction === 'ROLL_OVER'",
  ],
  [
    'a PARTIAL is reversed after a payment on the rest',
    inReversals,
    'src/domain/reversal.ts',
    'return deposit.paidTo === liquidation.paidTo && countDue(',
    'return countDue(',
  ],
  [
    'a reversal forgets what was paid on the part',
    inLives,
    'src/domain/reversal.ts',
    'paid: minor(deposit.paid + liquidation.paidShare),',
    'paid: deposit.paid,',
  ],
  [
    'an instruction is changed on the day of maturity',
    inInstructions,
    'src/domain/deposit.ts',
    'if (today >= deposit.maturityDate) {',
    'if (today > deposit.maturityDate) {',
  ],
  [
    'the same instruction again is another event',
    inInstructions,
    'src/domain/deposit.ts',
    "if (deposit.instruction === instruction) return { outcome: 'instructed', deposit, changed: false }",
    "if (deposit.instruction === instruction) return { outcome: 'instructed', deposit, changed: true }",
  ],
]

export const paymentMutants = rows.map(([name, suite, file, search, replace]) => ({
  name: `payments: ${name}`,
  edits: [{ file, search, replace }],
  suites: [suite],
}))
