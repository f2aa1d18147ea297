/** Sessions of people. Like links, they are 256 random bits of which only the SHA-256 is stored. */
import type { Book } from '../../domain/book.ts'
import { oldestOpen, type Person, type PersonKey, type Session } from '../../domain/people.ts'
import { bookMap } from '../../engine/database/book-map.ts'
import type { Queries } from '../../engine/database/database.ts'
import { computed, instant, nested, rowMap, text } from '../../engine/database/row-map.ts'
import { hashSecret } from '../../engine/database/secrets.ts'
import { membersOf, sql } from '../../engine/database/sql.ts'
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

const personOf = membersOf<PersonKey>('callerId', 'personId')
type SessionKey = PersonKey & { sessionId: string }
const keyOf = membersOf<SessionKey>('callerId', 'personId', 'sessionId')
type NewSession = Session & { secret: string }

export const insertSession = sql`
    insert into person_sessions (caller_id, person_id, session_id, session_hash, address, user_agent, started_at,
      signed_in_at, last_seen_at, method, provider_session)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`.write((session: NewSession) => [
  ...[...keyOf(session), hashSecret(session.secret), session.address, session.userAgent, session.startedAt],
  ...[session.signedInAt, session.lastSeenAt, session.method, session.providerSession],
])

// The person and its session have a column of the same name.
const foundMap = rowMap({
  session: computed((row) => sessionMap.read({ ...row, last_seen_at: row.session_seen_at })),
  person: nested(shownMap),
  book: nested(bookMap),
})

export const statements = {
  findSession: sql`
    select session.session_id, session.address, session.user_agent, session.started_at, session.signed_in_at,
           session.method, session.provider_session, session.last_seen_at as session_seen_at, ${shownMap.columnsOf('person')},
           book.book_id, book.mode, caller.time_zone, caller.currency
    from person_sessions session
    join people person on person.caller_id = session.caller_id and person.person_id = session.person_id
    join callers caller on caller.caller_id = person.caller_id
    join books book on book.caller_id = person.caller_id and book.mode = any(person.modes)
    where session.session_hash = $1
      and session.ended_at is null
    order by book.mode desc`.all(foundMap, (secret: string) => [hashSecret(secret)]),

  touchSession: sql`
    update person_sessions
    set last_seen_at = greatest(last_seen_at, $4)
    where caller_id = $1
      and person_id = $2
      and session_id = $3`.run((key: SessionKey, at: Date) => [...keyOf(key), at]),
}

/** The books are those of the person's modes, the test book first. */
export async function findSession(
  db: Queries,
  secret: string,
): Promise<{ session: Session; person: Person; books: Book[] } | undefined> {
  const found = await statements.findSession(db, secret)
  if (found[0] === undefined) return undefined
  const { session, person } = found[0]
  return { session, person, books: found.map(({ book }) => book) }
}

export const lockSession = sql`
    select ${sessionMap.columns}
    from person_sessions
    where caller_id = $1
      and person_id = $2
      and session_id = $3
      and ended_at is null
    for update`.first(sessionMap, keyOf)

/** The newest first. */
export const listOpenSessions = sql`
    select ${sessionMap.columns}
    from person_sessions
    where caller_id = $1
      and person_id = $2
      and started_at > $3
      and last_seen_at > $4
      and ended_at is null
    order by started_at desc, session_id
    limit $5`.all(sessionMap, (person: PersonKey, now: Date) => {
  const { startedAt, lastSeenAt } = oldestOpen(now)
  return [...personOf(person), startedAt, lastSeenAt, SESSIONS_LISTED_MAX]
})

export async function touchSession(db: Queries, key: SessionKey, at: Date): Promise<void> {
  await statements.touchSession(db, key, at)
  await touchSeen(db, key, at)
}

/** Returns whether there was such a session to end. */
export const endSession = sql`
    update person_sessions
    set ended_at = $4
    where caller_id = $1
      and person_id = $2
      and session_id = $3
      and ended_at is null
    returning session_id`.some((key: SessionKey, at: Date) => [...keyOf(key), at])

type Ended = { callerId: string; issuer: string; subject: string | null; session: string | null }
const endedOf = membersOf<Ended>('callerId', 'issuer', 'subject', 'session')

/** What the identity provider ended: `session` by its own name for it, or all of `subject`. */
export const endProviderSessions = sql`
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
      and session.ended_at is null`.run((ended: Ended, at: Date) => [...endedOf(ended), at])

/** The same session under another secret: the old one no longer works. */
export const renewSession = sql`
    update person_sessions
    set session_hash = $4,
        signed_in_at = $5,
        last_seen_at = $5
    where caller_id = $1
      and person_id = $2
      and session_id = $3`.write((session: NewSession) => [
  ...[...keyOf(session), hashSecret(session.secret), session.signedInAt],
])

export const forgetSessions = sql`
    delete from person_sessions
    where caller_id = $1
      and person_id = $2
      and last_seen_at < $3`.write((person: PersonKey, unusedSince: Date) => [
  ...personOf(person),
  unusedSince,
])
