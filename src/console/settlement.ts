/** The result of breaking a deposit, for people: the amounts, sentences that explain them, and why it is refused. */
import assert from 'node:assert/strict'
import { formatPpm, readDecimal } from '../domain/decimal.ts'
import type { ExplainedSettlement } from '../domain/liquidation.ts'
import { MINOR_MAX } from '../domain/money.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { RuleSet, Term } from '../domain/rules.ts'
import { taxOf } from '../domain/settlement.ts'
import type { TaxExplanation } from '../domain/tax.ts'
import { type Html, html } from '../wire/html.ts'
import { isJsonObject, type Json, Numeral } from '../wire/json.ts'
import type { Words } from './words.ts'

export function sumTable(settlement: Omit<ExplainedSettlement, 'depositId'>, words: Words): Html {
  const { breaking: say } = words.say
  return html`<table class="sum"><caption class="hidden">${say.sum}</caption><tbody>
${sumRows(settlement, words)}<tr class="total"><th scope="row">${say.toAccount(settlement.accountNumber)}</th><td>${words.money(settlement.net)}</td></tr>
${settlement.remaining > 0n && html`<tr class="rest"><th scope="row">${say.stays}</th><td>${words.money(settlement.remaining)}</td></tr>`}</tbody></table>`
}

type Summed = Pick<
  ExplainedSettlement,
  'principal' | 'interest' | 'assessed' | 'waived' | 'adjustments' | 'explanation'
>

/** All rows but that of the result; `interest` names its row. */
export function sumRows(settled: Summed, words: Words, interest?: string): Html {
  const { breaking: say } = words.say
  const { elapsedDays, termDays, ruleIndex } = settled.explanation
  const label = interest ?? say.interest(Math.min(elapsedDays, termDays), termDays)
  return html`<tr><th scope="row">${say.principal}</th><td>${words.money(settled.principal)}</td></tr>
<tr><th scope="row">${label}</th><td>+ ${words.money(settled.interest)}</td></tr>
<tr class="charge"><th scope="row">${ruleIndex === null ? say.penal : say.penalRule(ruleIndex + 1)}</th><td>− ${words.money(settled.assessed)}</td></tr>
${settled.waived > 0n && html`<tr><th scope="row">${say.waived}</th><td>+ ${words.money(settled.waived)}</td></tr>`}${settled.adjustments.map(
  ({ kind, amount }) =>
    html`<tr><th scope="row">${words.say.adjustments[kind]}</th><td>${words.signed(amount)}</td></tr>`,
)}`
}

/** What a clerk can read to a customer on the phone. */
export function workedOut(
  settled: Summed & Pick<ExplainedSettlement, 'penal' | 'net'>,
  rules: RuleSet,
  words: Words,
): string[] {
  const { worked: say } = words.say
  const { explanation } = settled
  const { money } = words
  const days = Math.min(explanation.elapsedDays, explanation.termDays)
  const rate = formatPpm(explanation.annualRatePpm)
  const sentences = [
    say.interest(money(settled.principal), rate, days, explanation.dayCount, money(settled.interest)),
  ]
  const { earlierToday, ruleIndex, terms, combine, combined, limited, cappedFrom, tax } = explanation
  if (earlierToday !== null) sentences.push(say.earlier(money(earlierToday.principal)))
  if (explanation.noRuleReason !== null) {
    sentences.push(explanation.noRuleReason === 'MATURED' ? say.matured : say.noRule)
  }
  for (const [index, { amount }] of terms.entries()) {
    sentences.push(termSentence(rules.penalRules[ruleIndex!]!.terms[index]!, amount, words))
  }
  if (terms.length > 1 && combine !== null) sentences.push(say.combine[combine](money(combined!)))
  if (limited !== null && limited !== combined) sentences.push(say.limited(money(limited)))
  if (cappedFrom !== null) sentences.push(say.capped(money(settled.assessed)))
  if (settled.waived > 0n) sentences.push(say.waived(money(settled.waived)))
  if (tax !== null) sentences.push(taxSentence(tax, taxOf(settled), words))
  const { plain } = words
  const { principal, interest, penal, adjustments, net } = settled
  const parts = [`${plain(principal)} + ${plain(interest)} − ${plain(penal)}`]
  for (const { amount } of adjustments) parts.push(words.signedPlain(amount))
  return [...sentences, say.payout(parts.join(' '), money(net))]
}

function termSentence(term: Term, amount: bigint, { money, say }: Words): string {
  const { worked } = say
  switch (term.kind) {
    case 'FIXED':
      return worked.fixed(money(amount))
    case 'PERCENT':
      return worked.percent(formatPpm(term.percentPpm), worked.bases[term.of], money(amount))
    case 'PERIOD_INTEREST':
      return worked.period(money(amount))
    case 'RERATE':
      return worked.rerate(money(amount))
    default:
      return term satisfies never
  }
}

function taxSentence(
  { ratePpm, taxable, withheldEarlier }: TaxExplanation,
  tax: bigint,
  words: Words,
): string {
  const { worked: say } = words.say
  const { money } = words
  const rate = formatPpm(ratePpm)
  return withheldEarlier === 0n
    ? say.tax(rate, money(taxable), money(tax))
    : say.taxOfRest(rate, money(taxable), money(withheldEarlier), money(tax))
}

/** An amount of a record that is stored as JSON, never through a double. */
export function keptAmount(kept: Json, member: string): bigint {
  const value = isJsonObject(kept) ? kept[member] : undefined
  assert(value instanceof Numeral, 'a stored record has its amounts')
  const read = readDecimal(value.source.replace('-', ''), { digits: 2, max: MINOR_MAX })
  assert(typeof read !== 'string', 'a stored amount has two decimals')
  return value.source.startsWith('-') ? -read.units : read.units
}

/** Why nothing can be done, in a sentence for the clerk. */
export function refusalWord({ code, details }: Refusal, words: Words): string {
  const { refusals: say } = words.say
  const money = (name: string) => words.money(details[name] as bigint)
  switch (code) {
    case 'amount_exceeds_principal':
      return say.amount_exceeds_principal(money('remaining_principal'))
    case 'amount_below_minimum':
      return say.amount_below_minimum(money('minimum'))
    case 'remaining_below_minimum':
      return say.remaining_below_minimum(money('minimum'), money('maximum_amount'))
    case 'liquidation_locked':
      return say.liquidation_locked(words.dayText(String(details.unlocks_on)))
    case 'amount_under_lien':
      return say.amount_under_lien(money('lien_amount'), money('maximum_amount'))
    case 'deposit_under_lien':
      return say.deposit_under_lien(money('lien_amount'))
    case 'waiver_exceeds_charge':
      return say.waiver_exceeds_charge(money('charge'))
    default:
      return code in say.plain ? say.plain[code as keyof typeof say.plain] : say.other
  }
}
