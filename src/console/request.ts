/** What a request for approval is about, in words: a line for the queue, a heading and its terms. */
import type { Approval } from '../domain/approvals.ts'
import type { Customer } from '../domain/customer.ts'
import type { Account, Deposit } from '../domain/deposit.ts'
import type { MadeLiquidation } from '../domain/reversal.ts'
import { isJsonObject, type Json, Numeral, parseJson } from '../wire/json.ts'
import { keptAmount } from './settlement.ts'
import type { Words } from './words.ts'

/** The records that a request is about. */
export type Subject = {
  customer?: Customer | undefined
  deposit?: Deposit | undefined
  account?: Account | undefined
  liquidation?: MadeLiquidation | undefined
}

export type RequestInWords = {
  /** null: it is not about an amount. */
  amount: string | null
  heading: string
  terms: readonly [name: string, value: string][]
}

/** `words` in the currency of its subject. */
export function requestInWords(approval: Approval, subject: Subject, words: Words): RequestInWords {
  const { approvals: say, deposit: terms, breaking, operations, rules } = words.say
  const kept = parseJson(approval.preview)
  const money = (from: Json | undefined, member: string) => words.money(keptAmount(from ?? null, member))
  const customer = nameOf(subject)
  switch (approval.operation) {
    case 'liquidateFixedDeposit': {
      const heading = say.breaking(customer, words.money(subject.deposit!.principal))
      return { amount: money(kept, 'net_credited'), heading, terms: [] }
    }
    case 'openFixedDeposit': {
      const amount = money(kept, 'principal')
      const day = (member: string) => words.dayText(textOf(kept, member))
      const rollsOver = isJsonObject(kept) && kept.auto_rollover === true
      return {
        amount,
        heading: say.asks.open(customer, amount),
        terms: [
          [say.fromAccount, subject.account!.accountNumber],
          [terms.term, terms.fromTo(day('start_date'), day('maturity_date'))],
          [say.rate, rules.percent(textOf(kept, 'interest_rate'))],
          [say.interest, money(kept, 'expected_interest')],
          [terms.atMaturity, rollsOver ? terms.rollsOver : terms.paysOut],
        ],
      }
    }
    case 'reverseLiquidation': {
      const { net, principal, businessDate, accountNumber } = subject.liquidation!
      const deposit = isJsonObject(kept) ? kept.deposit : undefined
      return {
        amount: words.money(net),
        heading: say.asks.reverse(customer, words.money(net)),
        terms: [
          [say.paidOn, words.day(businessDate)],
          [say.fromAccount, accountNumber],
          [breaking.principal, words.money(principal)],
          [say.remainsThen, money(deposit, 'remaining_principal')],
        ],
      }
    }
    case 'placeLien': {
      const amount = money(kept, 'amount')
      const free = subject.deposit!.remaining - subject.deposit!.lien
      return {
        amount,
        heading: say.asks.hold(customer, amount),
        terms: [[say.freeNow, words.money(free)]],
      }
    }
    case 'releaseLien': {
      const amount = money(kept, 'amount')
      return {
        amount,
        heading: say.asks.release(customer, amount),
        terms: given([say.heldFor, textOf(kept, 'reason')], [say.lienReference, textOf(kept, 'reference')]),
      }
    }
    case 'creditAccount': {
      const lines = isJsonObject(kept) && Array.isArray(kept.lines) ? kept.lines : []
      const amount = money(lines.at(-1), 'amount')
      return {
        amount,
        heading: say.asks.credit(customer, amount),
        terms: given(
          [terms.account, subject.account!.accountNumber],
          [say.narration, textOf(kept, 'narration')],
        ),
      }
    }
    case 'putTaxStatus': {
      const until = words.dayText(textOf(kept, 'valid_until'))
      return {
        amount: null,
        heading: say.asks.taxStatus(customer, textOf(kept, 'tax_class')),
        terms: [[say.validUntil, until === '' ? say.noEnd : until]],
      }
    }
    case 'replaceRules':
    case 'replaceTaxRules':
    case 'replaceApprovalPolicy':
      return { amount: null, heading: operations[approval.operation]!, terms: [] }
    default:
      return approval.operation satisfies never
  }
}

export function nameOf({ customer }: Subject): string {
  return customer === undefined ? '' : `${customer.firstName} ${customer.lastName}`
}

function given(...terms: [string, string][]): [string, string][] {
  return terms.filter(([, value]) => value !== '')
}

/** Empty where the record does not have it. */
export function textOf(kept: Json | undefined, member: string): string {
  const value = kept !== undefined && isJsonObject(kept) ? kept[member] : undefined
  if (value instanceof Numeral) return value.source
  return typeof value === 'string' ? value : ''
}
