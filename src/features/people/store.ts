/**
 * People and their sessions. Only the SHA-256 of links and sessions is stored: both are 256 random bits, so a stolen
 * database gives no access.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Book, Mode } from '../../domain/book.ts'
import { emailKey, oldestOpen, type Person, type PersonStatus, type Role } from '../../domain/people.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'

const SECRET_BYTES = 32

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

const LINK_PURPOSES = ['INVITE', 'RESET'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]
export type Link = { hash: string; purpose: LinkPurpose; expiresAt: Date }

export type StoredPerson = Person & { passwordHash: string | null; link: Link | null }

export type Session = {
  callerId: string
  personId: string
  sessionId: string
  address: string | null
  userAgent: string | null
  startedAt: Date
  /** When the password was last given. */
  signedInAt: Date
  lastSeenAt: Date
}

/** How many people with one e-mail address, each of another caller, are tried at a sign-in. */
export const SHARED_MAX = 4
const SESSIONS_LISTED_MAX = 100

const shownColumns = `caller_id, person_id, name, email, role, modes, status, last_seen_at, created_at`
const personColumns = `${shownColumns},
      password_hash, link_hash, link_purpose, link_expires_at`
const sessionColumns = `caller_id, person_id, session_id, address, user_agent, started_at, signed_in_at, last_seen_at`

export const statements = {
  // Changes that depend on other people of the caller take turns here: two administrators who disable each other would
  // otherwise both succeed.
  lockCaller: `
    select caller_id
    from callers
    where caller_id = $1
    for no key update`,

  findPerson: `
    select ${personColumns}
    from people
    where caller_id = $1
      and person_id = $2`,

  lockPerson: `
    select ${personColumns}
    from people
    where caller_id = $1
      and person_id = $2
    for update`,

  lockPersonByEmail: `
    select ${personColumns}
    from people
    where caller_id = $1
      and email_key = $2
    for update`,

  countOtherAdministrators: `
    select count(*)::int4 as people
    from people
    where caller_id = $1
      and person_id <> $2
      and role = 'ADMINISTRATOR'
      and status = 'ACTIVE'`,

  listPeople: `
    select ordinal, ${shownColumns}
    from people
    where caller_id = $1
      and ordinal < $2
    order by ordinal desc
    limit $3`,

  savePerson: `
    insert into people (caller_id, ordinal, email_key, person_id, name, email, role, modes, status, password_hash,
      link_hash, link_purpose, link_expires_at, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    on conflict (caller_id, person_id) do update
    set name = excluded.name,
        email = excluded.email,
        email_key = excluded.email_key,
        role = excluded.role,
        modes = excluded.modes,
        status = excluded.status,
        password_hash = excluded.password_hash,
        link_hash = excluded.link_hash,
        link_purpose = excluded.link_purpose,
        link_expires_at = excluded.link_expires_at`,

  findPersonByLink: `
    select ${personColumns}
    from people
    where link_hash = $1`,

  // A sign-in names an address; the caller is one of those where it is known.
  findPeopleByEmail: `
    select ${personColumns}
    from people
    where email_key = $1
      and caller_id = coalesce($2::text, caller_id)
    order by last_seen_at desc nulls last, caller_id
    limit $3`,

  readMostShared: `
    select count(*)::int4 as people
    from people
    group by email_key
    order by 1 desc
    limit 1`,

  insertSession: `
    insert into person_sessions (caller_id, person_id, session_id, session_hash, address, user_agent, started_at,
      signed_in_at, last_seen_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,

  findSession: `
    select session.session_id, session.address, session.user_agent, session.started_at, session.signed_in_at,
           session.last_seen_at as session_seen_at, person.caller_id, person.person_id, person.name, person.email,
           person.role, person.modes, person.status, person.last_seen_at, person.created_at,
           book.book_id, book.mode, caller.time_zone, caller.currency
    from person_sessions session
    join people person on person.caller_id = session.caller_id and person.person_id = session.person_id
    join callers caller on caller.caller_id = person.caller_id
    join books book on book.caller_id = person.caller_id and book.mode = any(person.modes)
    where session.session_hash = $1
      and session.ended_at is null
    order by book.mode desc`,

  // The owner of a browser, whether or not its session has ended.
  findBrowserOwner: `
    select person.email_key
    from person_sessions session
    join people person on person.caller_id = session.caller_id and person.person_id = session.person_id
    where session.session_hash = $1`,

  lockSession: `
    select ${sessionColumns}
    from person_sessions
    where caller_id = $1
      and person_id = $2
      and session_id = $3
      and ended_at is null
    for update`,

  listOpenSessions: `
    select ${sessionColumns}
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

  touchPerson: `
    update people
    set last_seen_at = greatest(last_seen_at, $3)
    where caller_id = $1
      and person_id = $2`,

  endSession: `
    update person_sessions
    set ended_at = $4
    where caller_id = $1
      and person_id = $2
      and session_id = $3
      and ended_at is null
    returning session_id`,

  endSessions: `
    update person_sessions
    set ended_at = $3
    where caller_id = $1
      and person_id = $2
      and session_id <> coalesce($4::text, '')
      and ended_at is null`,

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

export type PersonKey = { callerId: string; personId: string }
type SessionKey = PersonKey & { sessionId: string }

export async function lockCaller(tx: Queries, callerId: string): Promise<void> {
  await tx.query(statements.lockCaller, [callerId])
}

export async function findPerson(
  db: Queries,
  { callerId, personId }: PersonKey,
): Promise<StoredPerson | undefined> {
  const [row] = await db.query<PersonRow>(statements.findPerson, [callerId, personId])
  return row && personOf(row)
}

export async function lockPerson(
  tx: Queries,
  { callerId, personId }: PersonKey,
): Promise<StoredPerson | undefined> {
  const [row] = await tx.query<PersonRow>(statements.lockPerson, [callerId, personId])
  return row && personOf(row)
}

export async function lockPersonByEmail(
  tx: Queries,
  { callerId, email }: { callerId: string; email: string },
): Promise<StoredPerson | undefined> {
  const [row] = await tx.query<PersonRow>(statements.lockPersonByEmail, [callerId, emailKey(email)])
  return row && personOf(row)
}

export async function countOtherAdministrators(
  tx: Queries,
  { callerId, personId }: PersonKey,
): Promise<number> {
  const [row] = await tx.query<{ people: number }>(statements.countOtherAdministrators, [callerId, personId])
  return row!.people
}

export async function listPeople(db: Queries, callerId: string, page: PageRequest): Promise<Page<Person>> {
  const rows = await db.query<ShownRow & { ordinal: bigint }>(statements.listPeople, [
    callerId,
    ...pageParameters(page),
  ])
  return pageOf(rows, page, shownPersonOf)
}

export function savePerson(tx: Transaction, person: StoredPerson): void {
  tx.write(statements.savePerson, [
    person.callerId,
    nextOrdinal(),
    emailKey(person.email),
    person.personId,
    person.name,
    person.email,
    person.role,
    person.modes,
    person.status,
    person.passwordHash,
    person.link?.hash ?? null,
    person.link?.purpose ?? null,
    person.link?.expiresAt ?? null,
    person.createdAt,
  ])
}

export async function findPersonByLink(db: Queries, token: string): Promise<StoredPerson | undefined> {
  const [row] = await db.query<PersonRow>(statements.findPersonByLink, [hashSecret(token)])
  return row && personOf(row)
}

/** At most SHARED_MAX, those most recently seen first. */
export async function findPeopleByEmail(
  db: Queries,
  asked: { email: string; callerId: string | null },
): Promise<StoredPerson[]> {
  const values = [emailKey(asked.email), asked.callerId, SHARED_MAX]
  return (await db.query<PersonRow>(statements.findPeopleByEmail, values)).map(personOf)
}

/** The largest number of people who share one e-mail address. */
export async function readMostShared(db: Queries): Promise<number> {
  const [row] = await db.query<{ people: number }>(statements.readMostShared)
  return row?.people ?? 0
}

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
  ])
}

/** The books are those of the person's modes, the test book first. */
export async function findSession(
  db: Queries,
  secret: string,
): Promise<{ session: Session; person: Person; books: Book[] } | undefined> {
  type Row = ShownRow &
    Omit<SessionRow, 'last_seen_at'> & {
      session_seen_at: Date
      book_id: string
      mode: Mode
      time_zone: string
      currency: string
    }
  const rows = await db.query<Row>(statements.findSession, [hashSecret(secret)])
  const [row] = rows
  return (
    row && {
      session: sessionOf({ ...row, last_seen_at: row.session_seen_at }),
      person: shownPersonOf(row),
      books: rows.map((one) => ({
        bookId: one.book_id,
        callerId: one.caller_id,
        mode: one.mode,
        timeZone: one.time_zone,
        currency: one.currency,
      })),
    }
  )
}

export async function isBrowserOf(db: Queries, secret: string, email: string): Promise<boolean> {
  const [row] = await db.query<{ email_key: string }>(statements.findBrowserOwner, [hashSecret(secret)])
  return row?.email_key === emailKey(email)
}

export async function lockSession(tx: Queries, key: SessionKey): Promise<Session | undefined> {
  const values = [key.callerId, key.personId, key.sessionId]
  const [row] = await tx.query<SessionRow>(statements.lockSession, values)
  return row && sessionOf(row)
}

/** The newest first. */
export async function listOpenSessions(
  db: Queries,
  { callerId, personId }: PersonKey,
  now: Date,
): Promise<Session[]> {
  const oldest = oldestOpen(now)
  const rows = await db.query<SessionRow>(statements.listOpenSessions, [
    callerId,
    personId,
    oldest.startedAt,
    oldest.lastSeenAt,
    SESSIONS_LISTED_MAX,
  ])
  return rows.map(sessionOf)
}

export async function touchSession(
  db: Queries,
  { callerId, personId, sessionId }: SessionKey,
  at: Date,
): Promise<void> {
  await db.query(statements.touchSession, [callerId, personId, sessionId, at])
  await db.query(statements.touchPerson, [callerId, personId, at])
}

export function touchPerson(tx: Transaction, { callerId, personId }: PersonKey, at: Date): void {
  tx.write(statements.touchPerson, [callerId, personId, at])
}

/** Returns whether there was such a session to end. */
export async function endSession(
  db: Queries,
  { callerId, personId, sessionId }: SessionKey,
  at: Date,
): Promise<boolean> {
  return (await db.query(statements.endSession, [callerId, personId, sessionId, at])).length === 1
}

/** All of a person, or all but one. */
export function endSessions(
  tx: Transaction,
  { callerId, personId }: PersonKey,
  ended: { at: Date; except: Session | null },
): void {
  tx.write(statements.endSessions, [callerId, personId, ended.at, ended.except?.sessionId ?? null])
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

type ShownRow = {
  caller_id: string
  person_id: string
  name: string
  email: string
  role: Role
  modes: Mode[]
  status: PersonStatus
  last_seen_at: Date | null
  created_at: Date
}

type PersonRow = ShownRow & {
  password_hash: string | null
  link_hash: string | null
  link_purpose: LinkPurpose | null
  link_expires_at: Date | null
}

function personOf(row: PersonRow): StoredPerson {
  return {
    ...shownPersonOf(row),
    passwordHash: row.password_hash,
    link:
      row.link_hash === null
        ? null
        : { hash: row.link_hash, purpose: row.link_purpose!, expiresAt: row.link_expires_at! },
  }
}

function shownPersonOf(row: ShownRow): Person {
  return {
    callerId: row.caller_id,
    personId: row.person_id,
    name: row.name,
    email: row.email,
    role: row.role,
    modes: row.modes,
    status: row.status,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  }
}

type SessionRow = {
  caller_id: string
  person_id: string
  session_id: string
  address: string | null
  user_agent: string | null
  started_at: Date
  signed_in_at: Date
  last_seen_at: Date
}

function sessionOf(row: SessionRow): Session {
  return {
    callerId: row.caller_id,
    personId: row.person_id,
    sessionId: row.session_id,
    address: row.address,
    userAgent: row.user_agent,
    startedAt: row.started_at,
    signedInAt: row.signed_in_at,
    lastSeenAt: row.last_seen_at,
  }
}
