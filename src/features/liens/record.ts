import { type Static, Type } from 'typebox'
import { LIEN_STATUSES, type Lien } from '../../domain/lien.ts'
import { Money, PlainText } from '../../wire/fields.ts'
import {
  amount,
  createdAt,
  depositId,
  instant,
  lienId,
  oneOf,
  orNull,
  record,
  text,
} from '../../wire/record.ts'

const REASON = 'Why the principal is held.'
const REFERENCE = 'Your own reference, stored as sent.'

export const NewLien = Type.Object({
  amount: Money({ description: 'Principal to hold; at most what remains and is not held yet.' }),
  reason: PlainText({ max: 200, description: REASON }),
  reference: Type.Optional(PlainText({ max: 64, description: REFERENCE })),
  note: Type.Optional(
    PlainText({
      max: 200,
      description: 'A line for the audit log. Events and answers do not carry it.',
    }),
  ),
})
export type NewLien = Static<typeof NewLien>

export const LienRelease = Type.Object({
  reason: PlainText({ max: 200, description: 'Why the lien is released.' }),
})
export type LienRelease = Static<typeof LienRelease>

/** The note is for the audit log alone. */
export const LienRecord = record<Lien>('Lien', {
  lien_id: lienId.of((lien) => lien.lienId),
  deposit_id: depositId.of((lien) => lien.depositId),
  amount: amount.as('Principal that the lien holds.', (lien) => lien.amount),
  reason: text.as(REASON, (lien) => lien.reason),
  reference: orNull(text).as(REFERENCE, (lien) => lien.reference),
  status: oneOf('LienStatus', LIEN_STATUSES).as('ACTIVE until it is released.', (lien) => lien.status),
  created_at: createdAt.of((lien) => lien.createdAt),
  released_at: orNull(instant).as('Time of the release.', (lien) => lien.releasedAt),
  release_reason: orNull(text).as('Why the lien was released.', (lien) => lien.releaseReason),
})

export function lienFrom(depositId: string, body: NewLien) {
  return {
    depositId,
    amount: body.amount,
    reason: body.reason,
    reference: body.reference ?? null,
    note: body.note ?? null,
  }
}

/** What subscribers can receive. */
export const lienEvents = {
  'fixed_deposit.lien_placed': LienRecord,
  'fixed_deposit.lien_released': LienRecord,
}
