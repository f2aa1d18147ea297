/** Principal and interest that fall due, by day, instruction and currency, if nothing is broken until then; before tax. */
import type { IsoDate } from './dates.ts'
import type { Deposit, MaturityInstruction } from './deposit.ts'
import { interestOfPeriod } from './interest.ts'
import { expectedAtMaturity } from './maturity.ts'
import type { RuleSet } from './rules.ts'
import { boundaryAfter } from './schedule.ts'
import { termsOf } from './terms.ts'

export type DueMoney = {
  on: IsoDate
  /** null: interest that is paid before maturity. */
  instruction: MaturityInstruction | null
  currency: string
  deposits: number
  principal: bigint
  interest: bigint
}

export function openCashFlow({ from, to }: { from: IsoDate; to: IsoDate }) {
  const days = new Map<string, DueMoney>()
  const add = (due: Omit<DueMoney, 'deposits'>) => {
    if (due.on < from || due.on > to) return
    const { on, instruction, currency } = due
    const key = `${on} ${currency} ${instruction ?? ''}`
    const known = days.get(key) ?? { on, instruction, currency, deposits: 0, principal: 0n, interest: 0n }
    known.deposits += 1
    known.principal += due.principal
    known.interest += due.interest
    days.set(key, known)
  }
  return {
    /** Adds what remains of an active deposit, and interest that was not paid before. */
    addMaturity(deposit: Deposit, rules: RuleSet): void {
      const { maturityDate: on, instruction, currency, remaining: principal } = deposit
      add({ on, instruction, currency, principal, interest: expectedAtMaturity(deposit, rules) - principal })
    },
    /** Adds each payment that is still to come of an active deposit whose interest is paid before maturity. */
    addPayments(deposit: Deposit, rules: RuleSet): void {
      const terms = termsOf(deposit, rules)
      const { currency, remaining } = deposit
      let start = deposit.paidTo ?? terms.startDate
      for (let on = deposit.nextInterestDate; on !== null && on < terms.maturityDate && on <= to; ) {
        const interest = interestOfPeriod(terms, remaining, { from: start, to: on })
        add({ on, instruction: null, currency, principal: 0n, interest })
        start = on
        on = boundaryAfter(terms, on)
      }
    },
    /** By day and currency; interest before maturity comes first. */
    close: (): DueMoney[] =>
      [...days].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, due]) => due),
  }
}
