/** A lien holds a part of a deposit's principal until somebody releases it. Interest is not held. */
import assert from 'node:assert/strict'
import type { Deposit } from './deposit.ts'
import { existsIn, type Minor, minor } from './money.ts'
import { type Refusal, refuse } from './refusal.ts'

export const LIEN_STATUSES = ['ACTIVE', 'RELEASED'] as const

export type Lien = {
  lienId: string
  depositId: string
  amount: Minor
  reason: string
  reference: string | null
  note: string | null
  status: (typeof LIEN_STATUSES)[number]
  createdAt: Date
  releasedAt: Date | null
  releaseReason: string | null
}

/** Bounds the work of reading one deposit. */
export const ACTIVE_LIENS_MAX = 20

export type LienRequest = Pick<Lien, 'lienId' | 'depositId' | 'amount' | 'reason' | 'reference' | 'note'>

/** What a lien changes: itself, and the sum in the deposit's row. */
export type LienChange = { lien: Lien; deposit: Deposit }

export function placeLien(
  known: { deposit: Deposit | undefined; activeLiens: number },
  request: LienRequest,
  at: Date,
): ({ outcome: 'placed' } & LienChange) | Refusal {
  const { deposit, activeLiens } = known
  if (deposit === undefined) return refuse('deposit_not_found')
  if (deposit.status !== 'ACTIVE') return refuse('deposit_not_active', { deposit_status: deposit.status })
  const { currency } = deposit
  if (!existsIn(currency, request.amount)) return refuse('amount_not_whole', { currency })
  const available = deposit.remaining - deposit.lien
  if (request.amount > available) return refuse('lien_exceeds_principal', { available })
  if (activeLiens >= ACTIVE_LIENS_MAX) return refuse('too_many_liens', { maximum: ACTIVE_LIENS_MAX })

  // After this point the lien is placed.
  return {
    outcome: 'placed',
    lien: { ...request, status: 'ACTIVE', createdAt: at, releasedAt: null, releaseReason: null },
    deposit: { ...deposit, lien: minor(deposit.lien + request.amount) },
  }
}

export function releaseLien(
  known: { lien: Lien | undefined; deposit: Deposit | undefined },
  reason: string,
  at: Date,
): ({ outcome: 'released' } & LienChange) | Refusal {
  const { lien, deposit } = known
  if (lien === undefined) return refuse('lien_not_found')
  if (lien.status !== 'ACTIVE') return refuse('lien_not_active', { lien_status: lien.status })
  assert(
    deposit !== undefined && deposit.lien >= lien.amount,
    'a deposit carries the sum of its active liens',
  )
  return {
    outcome: 'released',
    lien: { ...lien, status: 'RELEASED', releasedAt: at, releaseReason: reason },
    deposit: { ...deposit, lien: minor(deposit.lien - lien.amount) },
  }
}
