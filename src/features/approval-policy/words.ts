/** When the approval policy asks for another person, in words. */

import type { ApprovalConditions } from '../../domain/approvals.ts'
import type { Range } from '../../domain/rules.ts'
import { count, type Text, type Texts } from '../../words/language.ts'
import type { Words } from '../../words/words.ts'
import { french } from './french.ts'

const english = {
  whyOf: {
    amount: 'Amount',
    netCredited: 'Payout',
    waivedAmount: 'Waived',
    waivedPercent: 'Waived part of the charge',
    negotiatedPoints: 'Rate above the sheet',
    contactChangedHours: 'Contact details changed',
  },
  sumOf: {
    DEPOSIT: (days: number) => `Parts of this deposit in ${count(days, 'day', 'days')}`,
    CUSTOMER: (days: number) => `All of this customer in ${count(days, 'day', 'days')}`,
    ACTOR: (days: number) => `All by the same person or key in ${count(days, 'day', 'days')}`,
  },
  orMore: (bound: Text) => `${bound} or more`,
  below: (bound: Text) => `less than ${bound}`,
  hoursAgo: (hours: Text) => `${hours} hours ago`,
  anyWaiver: 'A charge is waived',
  always: 'Always',
}

export const policyWords: Texts<typeof english> = { en: english, fr: french }

export function conditionsText(when: ApprovalConditions, words: Words): string {
  const say = words.of(policyWords)
  const range = <Bound>(
    name: keyof typeof say.whyOf,
    bounds: Range<Bound> | undefined,
    text: (bound: Bound) => string,
  ) => named(say.whyOf[name], bounds, text)
  const named = <Bound>(name: string, bounds: Range<Bound> | undefined, text: (bound: Bound) => string) =>
    bounds === undefined
      ? []
      : [
          `${name} ${[
            ...(bounds.gte === undefined ? [] : [say.orMore(text(bounds.gte))]),
            ...(bounds.lt === undefined ? [] : [say.below(text(bounds.lt))]),
          ].join(', ')}`,
        ]
  const percent = (ppm: number) => `${words.percent(ppm)} %`
  const parts = [
    ...range('amount', when.amount, words.money),
    ...range('netCredited', when.netCredited, words.money),
    ...range('waivedAmount', when.waivedAmount, words.money),
    ...range('waivedPercent', when.waivedPercent, percent),
    ...range('negotiatedPoints', when.negotiatedPoints, percent),
    ...range('contactChangedHours', when.contactChangedHours, (hours) => say.hoursAgo(hours)),
    ...(when.waiver ? [say.anyWaiver] : []),
    ...(when.sum ? named(say.sumOf[when.sum.of](when.sum.days), when.sum.amount, words.money) : []),
  ]
  return parts.length === 0 ? say.always : parts.join(' · ')
}
