/**
 * The terms of a deposit: all that its interest depends on besides a principal and a date. They are made here alone, so
 * that a new member cannot be forgotten, or overwritten, where a deposit is put together with something else.
 */
import type { IsoDate } from './dates.ts'
import type { SpansAlike } from './day-count.ts'
import { smallestAmount } from './money.ts'
import type { RuleSet } from './rules.ts'
import {
  type AgreedTenor,
  agreedMaturityOf,
  type InterestEvery,
  type InterestMethod,
  type Schedule,
} from './schedule.ts'

export type Terms = Schedule & {
  method: InterestMethod
  annualRatePpm: number
  /** Those the deposit is pinned to. */
  rules: RuleSet
  rulesVersion: number
  /** Whatever is rounded is a multiple of this, in minor units. */
  unit: bigint
  /** Where interest is asked for on many days. */
  walk?: Walk
}

/** How many periods of each length there are by a day, as far as it was asked for. */
type Walk = {
  spansBy: Map<IsoDate, readonly SpansAlike[]>
  /** The last boundary up to which whole periods were counted. */
  mark: { on: IsoDate; spans: readonly SpansAlike[] } | null
}

/** What was agreed with the customer. None of it ever changes. */
export type Agreed = {
  currency: string
  method: InterestMethod
  every: InterestEvery | null
  annualRatePpm: number
  startDate: IsoDate
  /** The agreed one, or the business day that a holiday moved it to. */
  maturityDate: IsoDate
  /** null: the days from start to maturity. */
  agreedTenor: AgreedTenor | null
  /** The version of the caller's rules in force at the opening. */
  rulesVersion: number
}

export function termsOf(deposit: Agreed, rules: RuleSet): Terms {
  const { method, every, annualRatePpm, startDate, maturityDate, agreedTenor, rulesVersion } = deposit
  return {
    method,
    every,
    annualRatePpm,
    startDate,
    agreedMaturity: agreedTenor === null ? maturityDate : agreedMaturityOf(startDate, agreedTenor),
    maturityDate,
    rules,
    rulesVersion,
    unit: smallestAmount(deposit.currency),
  }
}
