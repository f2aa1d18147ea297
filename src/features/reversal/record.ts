import { type Static, Type } from 'typebox'
import type { Reversal, ReversalRequest } from '../../domain/reversal.ts'
import { PlainText } from '../../wire/fields.ts'
import { instant, liquidationId, record } from '../../wire/record.ts'
import { DepositRecord, type ShownDeposit } from '../deposits/record.ts'

export const NewReversal = Type.Object({
  reason: PlainText({ max: 200, description: 'Why the liquidation is taken back, for the audit log.' }),
  note: Type.Optional(
    PlainText({
      max: 200,
      description: 'A line for the audit log. Events and answers do not carry it.',
    }),
  ),
})
export type NewReversal = Static<typeof NewReversal>

/** A reversal with what is needed to show the deposit. */
export type ShownReversal = { reversal: Reversal } & Omit<ShownDeposit, 'deposit'>

/** The data of the answer and of the event. */
export const ReversalRecord = record<ShownReversal>('LiquidationReversal', {
  liquidation_id: liquidationId.of(({ reversal }) => reversal.liquidationId),
  reversed_at: instant.as('When the liquidation was taken back.', ({ reversal }) => reversal.at),
  deposit: DepositRecord.as(
    'The deposit, as if it had not been broken.',
    ({ reversal: { deposit }, ...shown }) => ({ ...shown, deposit }),
  ),
})

export function reversalFrom(liquidationId: string, body: NewReversal): ReversalRequest {
  return { liquidationId, reason: body.reason, note: body.note ?? null }
}

/** What subscribers can receive. */
export const reversalEvents = {
  'fixed_deposit.liquidation_reversed': ReversalRecord,
}
