/** Second factors: who must have one, and which codes of an authenticator app are accepted. */
import type { Mode } from './book.ts'

export const FACTOR_KINDS = ['TOTP', 'PASSKEY'] as const
export type FactorKind = (typeof FACTOR_KINDS)[number]

/** Who must have a second factor. */
export const FACTOR_POLICIES = ['optional', 'deciders', 'everyone'] as const
export type FactorPolicy = (typeof FACTOR_POLICIES)[number]

export const PASSKEYS_MAX = 10
export const RECOVERY_CODES = 10

/** How long an authenticator app shows a code, and how many codes before and after the present one are good. */
export const STEP_SECONDS = 30
const STEPS_ASIDE = 1

/** The person has to add a factor before anything else. */
export function mustAddFactor(
  person: { role: string; modes: readonly Mode[]; factors: readonly FactorKind[] },
  policy: FactorPolicy,
): boolean {
  if (person.factors.length > 0) return false
  switch (policy) {
    case 'optional':
      return false
    case 'deciders':
      return ['SUPERVISOR', 'ADMINISTRATOR'].includes(person.role) && person.modes.includes('live')
    case 'everyone':
      return true
    default:
      return policy satisfies never
  }
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS)
}

/** The steps whose codes are good now. */
export function acceptedSteps(now: Date): number[] {
  const present = stepAt(now)
  return Array.from({ length: 2 * STEPS_ASIDE + 1 }, (_, index) => present - STEPS_ASIDE + index)
}
