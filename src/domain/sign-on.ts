/**
 * What the groups of an identity provider mean here: which role and which books they give, and what a sign-in does to a
 * person. The provider's word counts at every sign-in, the first one included.
 */
import { MODES, type Mode } from './book.ts'
import { type Person, ROLES, type Role, reachOf } from './people.ts'

/** One entry of OIDC_ROLES. */
export type GroupRole = { group: string; role: Role; modes: readonly Mode[] }

export type Granted = { role: Role; modes: readonly Mode[] }

/** `group=ROLE[:modes]`, comma separated, modes joined by +. undefined: it is not that. */
export function readGroupRoles(text: string): GroupRole[] | undefined {
  const entries = text.split(',').map((entry) => {
    const [, group, role, joined] = /^([^=]+)=([A-Z]+)(?::([a-z+]+))?$/.exec(entry.trim()) ?? []
    const modes = joined === undefined ? [...MODES] : MODES.filter((mode) => joined.split('+').includes(mode))
    const isWhole = joined === undefined || joined.split('+').length === modes.length
    const known = ROLES.find((one) => one === role)
    return group !== undefined && known !== undefined && isWhole
      ? { group: withoutSlash(group.trim()), role: known, modes }
      : undefined
  })
  return entries.every((entry) => entry !== undefined) ? entries : undefined
}

/** Keycloak writes groups as paths. */
function withoutSlash(group: string): string {
  return group.replace(/^\//, '')
}

/** The most powerful role of the groups; an administrator moves no money, and so is nothing else as well. */
export function grantedBy(
  groups: readonly string[],
  table: readonly GroupRole[],
): Granted | 'no_group' | 'roles_conflict' {
  const own = new Set(groups.map(withoutSlash))
  const matching = table.filter(({ group }) => own.has(group))
  const role = ROLES.findLast((one) => matching.some((entry) => entry.role === one))
  if (role === undefined) return 'no_group'
  const isMixed = matching.some((entry) => entry.role !== 'ADMINISTRATOR')
  if (role === 'ADMINISTRATOR' && isMixed) return 'roles_conflict'
  const given = matching.filter((entry) => entry.role === role)
  return { role, modes: MODES.filter((mode) => given.some(({ modes }) => modes.includes(mode))) }
}

/** Whether a book would be left without an administrator; then the person keeps the role. */
export function isLastToLeave(
  person: Person,
  granted: Granted | null,
  otherAdministrators: Record<Mode, number>,
): boolean {
  if (person.role !== 'ADMINISTRATOR' || person.status !== 'ACTIVE') return false
  const remaining = granted?.role === 'ADMINISTRATOR' ? granted.modes : []
  return person.modes.some((mode) => otherAdministrators[mode] === 0 && !remaining.includes(mode))
}

/** The same person with the role and books that the groups give; nobody acted on it, so it does not rest. */
export function withGranted(person: Person, { role, modes }: Granted): Person {
  return { ...person, role, modes, hadModes: reachOf(person) }
}
