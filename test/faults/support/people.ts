/** The people of a world: two administrators, two supervisors, and one who has not used the invitation yet. */
import assert from 'node:assert/strict'
import type { Service } from '../../../src/cli/compose.ts'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { MODES } from '../../../src/domain/book.ts'
import type { Queries } from '../../../src/engine/database/database.ts'
import { hashSecret } from '../../../src/engine/database/secrets.ts'
import { invitePerson } from '../../../src/features/people/changes.ts'
import { setPasswordByLink } from '../../../src/features/sessions/changes.ts'
import type { Random } from '../../support/random.ts'

type Named = { name: string; role: 'ADMINISTRATOR' | 'SUPERVISOR' }

const PEOPLE: Named[] = [
  { name: 'Ada', role: 'ADMINISTRATOR' },
  { name: 'Ben', role: 'ADMINISTRATOR' },
  { name: 'Sade', role: 'SUPERVISOR' },
  { name: 'Tola', role: 'SUPERVISOR' },
  { name: 'Nkem', role: 'SUPERVISOR' },
]
const [ADA, BEN, SADE, TOLA, NKEM] = PEOPLE.map(({ name }) => `per_${name.padEnd(24, '0')}`) as [
  ...[string, string, string, string, string],
]
export const PERSON_IDS = [ADA, BEN, SADE, TOLA, NKEM]
export const ADMINISTRATORS = [ADA, BEN]
export const SUPERVISORS = [SADE, TOLA, NKEM]

export function emailOf(personId: string): string {
  return `${personId.slice(4).replace(/0+$/, '').toLowerCase()}@example.com`
}

/** Invited by the operator: nobody rests. The last one has not used the link, whose hash is returned. */
export async function employ(
  service: Service,
  callerId: string,
): Promise<{ ids: string[]; linkHash: string }> {
  const ids: string[] = []
  let linkHash = ''
  for (const [index, { name, role }] of PEOPLE.entries()) {
    const terms = { callerId, name, email: emailOf(PERSON_IDS[index]!), role, modes: MODES }
    const invited = await invitePerson(service, { actor: OPERATOR, requestId: null }, terms)
    assert.equal(invited.outcome, 'linked')
    const { token } = invited.link
    ids.push(invited.person.personId)
    linkHash = hashSecret(token)
    if (index === PEOPLE.length - 1) continue
    const used = await setPasswordByLink(service, { token, passwordHash: 'a hash' })
    assert.equal(used.outcome, 'changed')
  }
  return { ids, linkHash }
}

/** The link that one person has from before the world began. */
export function earlierToken(bookId: string): string {
  return `link of ${bookId}`
}

/** How people stand when a world begins, which is long after they were invited. */
export type Standing = {
  /** Whom an act of the first administrator made rest, and until when. */
  rests: { personId: string; until: Date }[]
  link: { by: string | null; expiresAt: Date }
  /** When the rest of the key ends that the first administrator made; null: it was confirmed. */
  keyRests: Date | null
}

const MINUTE_MS = 60_000

export function drawStanding(random: Random, began: Date): Standing {
  const after = (minutes: number) => new Date(began.getTime() + minutes * MINUTE_MS)
  const drawRest = (personId: string, choices: readonly (number | null)[]) => {
    const minutes = random.pick(choices)
    return minutes === null ? [] : [{ personId, until: after(minutes) }]
  }
  const minutes = random.pick([null, -1, 45, 150, 900])
  return {
    keyRests: minutes === null ? null : after(minutes),
    rests: [...drawRest(TOLA, [null, -1, 45, 150, 900]), ...drawRest(BEN, [null, null, -1, 60, 900])],
    link: { by: random.pick([ADA, ADA, BEN, null]), expiresAt: after(random.pick([-1, 20, 29])) },
  }
}

export async function setStanding(
  db: Queries,
  callerIds: readonly string[],
  { rests, link }: Standing,
): Promise<void> {
  const values = [rests.map(({ personId }) => personId), rests.map(({ until }) => until)]
  await db.query(
    `update people
     set rests_until = rest.until,
         rest_by = case when rest.until is null then '{}' else array[$4::text] end,
         link_by = case when people.link_hash is null then null else $5 end,
         link_expires_at = case when people.link_hash is null then null else $6::timestamptz end
     from people one
     left join unnest($2::text[], $3::timestamptz[]) as rest (person_id, until) on rest.person_id = one.person_id
     where people.caller_id = any($1)
       and people.caller_id = one.caller_id
       and people.person_id = one.person_id`,
    [callerIds, ...values, ADA, link.by, link.expiresAt],
  )
}
