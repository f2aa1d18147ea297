/** What was done to people, for themselves and the administrators, until they have read it. */
import type { Actor, ActorKind } from '../../domain/actor.ts'
import type { PersonNotice } from '../../domain/people.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { instant, ordinal, rowMap, text } from '../../engine/database/row-map.ts'

type Reader = { callerId: string; personId: string }

const SHOWN_MAX = 20
const KEPT_MS = 90 * 24 * 60 * 60_000

const noticeMap = rowMap<PersonNotice>({
  ordinal: ordinal('ordinal'),
  act: text('act'),
  subjectId: text('subject_id'),
  subjectName: text<string | null>('subject_name'),
  actorKind: text<ActorKind>('actor_kind'),
  actorName: text<string | null>('actor_name'),
  at: instant('noted_at'),
})

export const statements = {
  // To the administrators and to the person, but not to the one who did it. Who is invited for the first time knows it.
  insertNotices: `
    insert into person_notices (caller_id, person_id, ordinal, act, subject_id, actor_kind, actor_id, noted_at)
    select caller_id, person_id, $3, $4, $2, $5, $6, $7
    from people
    where caller_id = $1
      and person_id <> $6
      and (status = 'ACTIVE' and role = 'ADMINISTRATOR'
        or person_id = $2 and status <> 'DISABLED' and $4::text <> 'person.invited')`,

  insertOwnNotice: `
    insert into person_notices (caller_id, person_id, ordinal, act, subject_id, actor_kind, actor_id, noted_at)
    values ($1, $2, $3, $4, $2, $5, $6, $7)`,

  listNotices: `
    select notice.ordinal, notice.act, notice.subject_id, subject.name as subject_name, notice.actor_kind,
           actor.name as actor_name, notice.noted_at
    from person_notices notice
    left join people subject on subject.caller_id = notice.caller_id and subject.person_id = notice.subject_id
    left join people actor on actor.caller_id = notice.caller_id and actor.person_id = notice.actor_id
    where notice.caller_id = $1
      and notice.person_id = $2
    order by notice.ordinal
    limit $3`,

  removeNotices: `
    delete from person_notices
    where caller_id = $1
      and person_id = $2
      and ordinal <= $3`,

  forgetNotices: `
    delete from person_notices
    where caller_id = $1
      and noted_at < $2`,
}

type Noted = { callerId: string; subjectId: string; act: string; actor: Actor; at: Date }

export function insertNotices(tx: Transaction, noted: Noted): void {
  const { callerId, subjectId, act, actor, at } = noted
  tx.write(statements.forgetNotices, [callerId, new Date(at.getTime() - KEPT_MS)])
  tx.write(statements.insertNotices, [callerId, subjectId, nextOrdinal(), act, actor.kind, actor.id, at])
}

/** The notice is for the person alone, also where somebody else did it. */
export function insertOwnNotice(tx: Transaction, { callerId, subjectId, act, actor, at }: Noted): void {
  tx.write(statements.insertOwnNotice, [callerId, subjectId, nextOrdinal(), act, actor.kind, actor.id, at])
}

/** The oldest first. */
export async function listNotices(db: Queries, { callerId, personId }: Reader): Promise<PersonNotice[]> {
  const rows = await db.query<object>(statements.listNotices, [callerId, personId, SHOWN_MAX])
  return rows.map(noticeMap.read)
}

/** Those up to and including the last one that was shown. */
export async function removeNotices(
  db: Queries,
  { callerId, personId }: Reader,
  upTo: bigint,
): Promise<void> {
  await db.query(statements.removeNotices, [callerId, personId, upTo])
}
