import { type Static, Type } from 'typebox'
import type { Outlook, OutlookPoint } from '../../domain/outlook.ts'
import { OUTLOOK_POINTS_MAX } from '../../domain/outlook.ts'
import { Money } from '../../wire/fields.ts'
import { amount, date, listOf, orNull, record } from '../../wire/record.ts'

export const OutlookQuery = Type.Object({
  amount: Type.Optional(Money({ description: 'Principal to withdraw; all that remains if left out.' })),
})
export type OutlookQuery = Static<typeof OutlookQuery>

const OutlookPointRecord = record<OutlookPoint>('OutlookPoint', {
  date: date.as('The day on which it would be broken.', (point) => point.on),
  net: amount.as(
    'What the account would receive: net_credited of a quote for the day.',
    (point) => point.net,
  ),
  interest_kept: amount.as(
    'Interest up to the day, paid before or then, less all that the charge takes, before tax.',
    (point) => point.interestKept,
  ),
  penal_charge: amount.as('Charge deducted from what is paid on the day.', (point) => point.penal),
  tax: amount.as('Tax withheld on the day.', (point) => point.tax),
})

const BetterDayRecord = record<NonNullable<Outlook['nextBetter']>>('BetterDay', {
  date: date.as('The first day of the lower charge.', ({ on }) => on),
  gains: amount.as('How much more is received in all than by breaking it first.', ({ gains }) => gains),
})

export const OutlookRecord = record<Outlook>('Outlook', {
  points: listOf(OutlookPointRecord).as(
    'Days on which something changes, in order: today, edges of the rules, payments of interest, other tax, month ends ' +
      `and maturity; at most ${OUTLOOK_POINTS_MAX}. Days of the holding period are left out.`,
    ({ points }) => points,
  ),
  break_even_on: orNull(date).as(
    'The first day on which more than the amount was received in all, payments counted and tax deducted; ' +
      'null: not before maturity, nor then.',
    ({ breakEvenOn }) => breakEvenOn,
  ),
  next_better_day: orNull(BetterDayRecord).as(
    'The next day on which the charge falls; null: there is none, or it cannot be broken today.',
    ({ nextBetter }) => nextBetter,
  ),
})
