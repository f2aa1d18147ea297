/** Why something is refused, for people. */
import type { Refusal } from '../domain/refusal.ts'
import type { Words } from './words.ts'

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
    case 'decider_too_new':
      return say.decider_too_new(words.instant(new Date(String(details.decides_from))))
    default:
      return code in say.plain ? say.plain[code as keyof typeof say.plain] : say.other
  }
}
