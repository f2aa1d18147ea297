/** Sessions of people. Like links, they are 256 random bits of which only the SHA-256 is stored. */
import type { Book } from '../../domain/book.ts'
import { oldestOpen, type Person, type PersonKey, type Session } from '../../domain/people.ts'
import { bookMap } from '../../engine/database/book-map.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { instant, rowMap, text } from '../../engine/database/row-map.ts'
import { hashSecret } from '../../engine/database/secrets.ts'
import { shownMap, touchSeen } from '../people/store.ts'

const SESSIONS_LISTED_MAX = 100

const sessionMap = rowMap<Session>({
  callerId: text('caller_id'),
  personId: text('person_id'),
  sessionId: text('session_id'),
  address: text<string | null>('address'),
  userAgent: text<string | null>('user_agent'),
  startedAt: instant('started_at'),
  signedInAt: instant('signed_in_at'),
  lastSeenAt: instant('last_seen_at'),
  method: text<Session['method']>('method'),
  providerSession: text<string | null>('provider_session'),
})

export const statements = {
  insertSession: `
    insert into person_sessions (caller_id, person_id, session_id, session_hash, address, user_agent, started_at,
      signed_in_at, last_seen_at, method, provider_session)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,

  findSession: `
    select session.session_id, session.address, session.user_agent, session.started_at, session.signed_in_at,
           session.method, session.provider_session, session.last_seen_at as session_seen_at, ${shownMap.columnsOf('person')},
           book.book_id, book.mode, caller.time_zone, caller.currency
    from person_sessions session
    join people person on person.caller_id = session.caller_id and person.person_id = session.person_id
    join callers caller on caller.caller_id = person.caller_id
    join books book on book.caller_id = person.caller_id and book.mode = any(person.modes)
    where session.session_hash = $1
      and session.ended_at is null
    order by book.mode desc`,

  lockSession: `
    select ${sessionMap.columns}
    from person_sessions
    where caller_id = $1
      and person_id = $2
      and session_id = $3
      and ended_at is null
    for update`,

  listOpenSessions: `
    select ${sessionMap.columns}
    from person_sessions
    where caller_id = $1
      and person_id = $2
      and started_at > $3
      and last_seen_at > $4
      and ended_at is null
    order by started_at desc, session_id
    limit $5`,

  touchSession: `
    update person_sessions
    set last_seen_at = greatest(last_seen_at, $4)
    where caller_id = $1
      and person_id = $2
      and session_id = $3`,

  endSession: `
    update person_sessions
    set ended_at = $4
    where caller_id = $1
      and person_id = $2
      and session_id = $3
      and ended_at is null
    returning session_id`,

  // Of one session of the provider, or of all of a person.
  endProviderSessions: `
    update person_sessions session
    set ended_at = $5
    from people person
    where session.caller_id = $1
      and person.caller_id = $1
      and person.person_id = session.person_id
      and person.issuer = $2
      and person.subject = coalesce($3::text, person.subject)
      and session.method = 'SSO'
      and ($4::text is null or session.provider_session = $4)
      and session.ended_at is null`,

  renewSession: `
    update person_sessions
    set session_hash = $4,
        signed_in_at = $5,
        last_seen_at = $5
    where caller_id = $1
      and person_id = $2
      and session_id = $3`,

  forgetSessions: `
    delete from person_sessions
    where caller_id = $1
      and person_id = $2
      and last_seen_at < $3`,
}

type SessionKey = PersonKey & { sessionId: string }

export function insertSession(tx: Transaction, session: Session & { secret: string }): void {
  tx.write(statements.insertSession, [
    session.callerId,
    session.personId,
    session.sessionId,
    hashSecret(session.secret),
    session.address,
    session.userAgent,
    session.startedAt,
    session.signedInAt,
    session.lastSeenAt,
    session.method,
    session.providerSession,
  ])
}

/** The books are those of the person's modes, the test book first. */
export async function findSession(
  db: Queries,
  secret: string,
): Promise<{ session: Session; person: Person; books: Book[] } | undefined> {
  const rows = await db.query<{ session_seen_at: Date }>(statements.findSession, [hashSecret(secret)])
  const [row] = rows
  return (
    row && {
      // The person and its session have a column of the same name.
      session: sessionMap.read({ ...row, last_seen_at: row.session_seen_at }),
      person: shownMap.read(row),
      books: rows.map(bookMap.read),
    }
  )
}

export async function lockSession(tx: Queries, key: SessionKey): Promise<Session | undefined> {
  const values = [key.callerId, key.personId, key.sessionId]
  const [row] = await tx.query<object>(statements.lockSession, values)
  return row && sessionMap.read(row)
}

/** The newest first. */
export async function listOpenSessions(
  db: Queries,
  { callerId, personId }: PersonKey,
  now: Date,
): Promise<Session[]> {
  const oldest = oldestOpen(now)
  const rows = await db.query<object>(statements.listOpenSessions, [
    callerId,
    personId,
    oldest.startedAt,
    oldest.lastSeenAt,
    SESSIONS_LISTED_MAX,
  ])
  return rows.map(sessionMap.read)
}

export async function touchSession(
  db: Queries,
  { callerId, personId, sessionId }: SessionKey,
  at: Date,
): Promise<void> {
  await db.query(statements.touchSession, [callerId, personId, sessionId, at])
  await touchSeen(db, { callerId, personId }, at)
}

/** Returns whether there was such a session to end. */
export async function endSession(
  db: Queries,
  { callerId, personId, sessionId }: SessionKey,
  at: Date,
): Promise<boolean> {
  return (await db.query(statements.endSession, [callerId, personId, sessionId, at])).length === 1
}

/** What the identity provider ended: `session` by its own name for it, or all of `subject`. */
export async function endProviderSessions(
  db: Queries,
  ended: { callerId: string; issuer: string; subject: string | null; session: string | null },
  at: Date,
): Promise<void> {
  const { callerId, issuer, subject, session } = ended
  await db.query(statements.endProviderSessions, [callerId, issuer, subject, session, at])
}

/** The same session under another secret: the old one no longer works. */
export function renewSession(tx: Transaction, session: Session & { secret: string }): void {
  tx.write(statements.renewSession, [
    session.callerId,
    session.personId,
    session.sessionId,
    hashSecret(session.secret),
    session.signedInAt,
  ])
}

export function forgetSessions(tx: Transaction, { callerId, personId }: PersonKey, unusedSince: Date): void {
  tx.write(statements.forgetSessions, [callerId, personId, unusedSince])
}
