/** When the approval policy asks for another person, in words. */
import type { ApprovalConditions } from '../domain/approvals.ts'
import { formatPpm } from '../domain/decimal.ts'
import type { Range } from '../domain/rules.ts'
import type { Words } from './words.ts'

export function conditionsText(when: ApprovalConditions, words: Words): string {
  const { approvals: say } = words.say
  const range = <Bound>(
    name: keyof typeof say.whyOf,
    bounds: Range<Bound> | undefined,
    text: (bound: Bound) => string,
  ) =>
    bounds === undefined
      ? []
      : [
          `${say.whyOf[name]} ${[
            ...(bounds.gte === undefined ? [] : [say.orMore(text(bounds.gte))]),
            ...(bounds.lt === undefined ? [] : [say.below(text(bounds.lt))]),
          ].join(', ')}`,
        ]
  const percent = (ppm: number) => `${formatPpm(ppm)} %`
  const parts = [
    ...range('amount', when.amount, words.money),
    ...range('netCredited', when.netCredited, words.money),
    ...range('waivedAmount', when.waivedAmount, words.money),
    ...range('waivedPercent', when.waivedPercent, percent),
    ...range('contactChangedHours', when.contactChangedHours, (hours) => say.hoursAgo(hours)),
    ...(when.waiver ? [say.anyWaiver] : []),
  ]
  return parts.length === 0 ? say.always : parts.join(' · ')
}
