import { type Static, Type } from 'typebox'
import type { Lien } from '../../domain/lien.ts'
import { money, timestamp } from '../../wire/envelope.ts'
import { Money, PlainText } from '../../wire/fields.ts'

export const NewLien = Type.Object({
  amount: Money(),
  reason: PlainText({ max: 200 }),
  reference: Type.Optional(PlainText({ max: 64 })),
  note: Type.Optional(PlainText({ max: 200 })),
})
export type NewLien = Static<typeof NewLien>

export const LienRelease = Type.Object({ reason: PlainText({ max: 200 }) })
export type LienRelease = Static<typeof LienRelease>

/** The note is for the audit log alone. */
export function lienData(lien: Lien) {
  return {
    lien_id: lien.lienId,
    deposit_id: lien.depositId,
    amount: money(lien.amount),
    reason: lien.reason,
    reference: lien.reference,
    status: lien.status,
    created_at: timestamp(lien.createdAt),
    released_at: lien.releasedAt === null ? null : timestamp(lien.releasedAt),
    release_reason: lien.releaseReason,
  }
}

export function lienFrom(depositId: string, body: NewLien) {
  return {
    depositId,
    amount: body.amount,
    reason: body.reason,
    reference: body.reference ?? null,
    note: body.note ?? null,
  }
}
