import { type Static, Type } from 'typebox'
import type { Waiver } from '../../domain/settlement.ts'
import { Code, Money, OnlyTrue, PlainText, PositivePercent } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import { amount, flag, type Members, orNull, rate, record, text } from '../../wire/record.ts'

const CODE = "A code of the caller's own, such as DEATH_OF_OWNER."

export const WaiverBody = Type.Object(
  {
    percent: Type.Optional(
      PositivePercent({ max: 100, description: 'Percent of the charge to waive; not together with amount.' }),
    ),
    amount: Type.Optional(
      Money({ description: 'Amount of the charge to waive; not together with percent.' }),
    ),
    holding_period: Type.Optional(
      OnlyTrue({ description: 'Lifts the holding period of the rules; left out, it holds.' }),
    ),
    reason: Code({ description: CODE }),
    note: Type.Optional(
      PlainText({
        max: 200,
        description: 'A line for people, stored in the record and the audit log; events do not contain it.',
      }),
    ),
  },
  { title: 'NewWaiver', refine: waiverWaivesSomething },
)

function waiverWaivesSomething(_: object, sent: object): FieldError[] {
  const [percent, amount, period] = ['percent', 'amount', 'holding_period'].map((name) =>
    Object.hasOwn(sent, name),
  )
  if (percent && amount) {
    return [{ field: 'amount', code: 'conflicting_field', message: 'Send a percent or an amount, not both.' }]
  }
  if (percent || amount || period) return []
  const message = 'Say what is waived: send percent, amount or holding_period.'
  return [{ field: 'percent', code: 'required', message }]
}

export function waiverFrom(body: Static<typeof WaiverBody>): Waiver {
  return {
    percentPpm: body.percent ?? null,
    amount: body.amount ?? null,
    holdingPeriod: body.holding_period ?? false,
    reason: body.reason,
    note: body.note ?? null,
  }
}

const waiver: Members<Waiver> = {
  percent: orNull(rate).as('Percent of the charge that was waived, or null.', (waiver) => waiver.percentPpm),
  amount: orNull(amount).as('Amount of the charge that was waived, or null.', (waiver) => waiver.amount),
  holding_period: flag.as(
    'Whether the holding period of the rules was lifted.',
    (waiver) => waiver.holdingPeriod,
  ),
  reason: text.as(CODE, (waiver) => waiver.reason),
}
export const WaiverRecord = record('Waiver', waiver)
export const NotedWaiverRecord = record<Waiver>('NotedWaiver', {
  ...waiver,
  note: orNull(text).as('A line for people, or null.', (waiver) => waiver.note),
})

/** What the audit log shows: the note besides the data of the event. */
export function waiverChanges(waiver: Waiver): string | null {
  if (waiver.note === null) return null
  return JSON.stringify({ after: { waiver: NotedWaiverRecord.write(waiver) } })
}
