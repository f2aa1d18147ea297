/**
 * People and their sessions. Only the SHA-256 of links and sessions is stored: both are 256 random bits, so a stolen
 * database gives no access.
 */
import type { Actor } from '../../domain/actor.ts'
import type { Book, Mode } from '../../domain/book.ts'
import { emailKey } from '../../domain/email.ts'
import type { FactorKind } from '../../domain/factors.ts'
import {
  decidesFrom,
  type Person,
  type PersonKey,
  type PersonStatus,
  type Rest,
  type Role,
} from '../../domain/people.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import {
  type Page,
  type PageRequest,
  type Placed,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import { type Field, flag, group, instant, rowMap, text, texts } from '../../engine/database/row-map.ts'
import { hashSecret } from '../../engine/database/secrets.ts'

const LINK_PURPOSES = ['INVITE', 'RESET'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]
/** `by`: the person who made it; null where it was the operator. */
export type Link = { hash: string; purpose: LinkPurpose; expiresAt: Date; by: string | null }

/** `pendingHash`: of the first administrator, who has not given a name yet. */
export type StoredPerson = Person & {
  passwordHash: string | null
  link: Link | null
  pendingHash: string | null
}

/** How many people with one e-mail address, each of another caller, are tried at a sign-in. */
export const SHARED_MAX = 4

export const rest: Field<Rest | null> = {
  columns: {
    rests_until: ['timestamptz', (value) => value?.until ?? null],
    rest_by: ['text[]', (value) => value?.actors ?? []],
  },
  read: ({ rests_until: until, rest_by: actors }) =>
    until === null ? null : { until: until as Date, actors: actors as string[] },
}

/** A person without its secrets. */
export const shownMap = rowMap<Person>({
  callerId: text('caller_id'),
  personId: text('person_id'),
  name: text('name'),
  email: text('email'),
  role: text<Role>('role'),
  modes: texts<readonly Mode[]>('modes'),
  hadModes: texts<readonly Mode[]>('had_modes'),
  status: text<PersonStatus>('status'),
  rest,
  factors: texts<readonly FactorKind[]>('factors'),
  issuer: text<string | null>('issuer'),
  subject: text<string | null>('subject'),
  breakGlass: flag('break_glass'),
  disabledReason: text<Person['disabledReason']>('disabled_reason'),
  lastSeenAt: instant<Date | null>('last_seen_at'),
  createdAt: instant('created_at'),
})

const secretMap = rowMap<Omit<StoredPerson, keyof Person>>({
  passwordHash: text<string | null>('password_hash'),
  link: group<Link>({
    hash: text('link_hash'),
    purpose: text<LinkPurpose>('link_purpose'),
    expiresAt: instant('link_expires_at'),
    by: text<string | null>('link_by'),
  }),
  pendingHash: text<string | null>('pending_hash'),
})
const personColumns = `${shownMap.columns},
      ${secretMap.columns}`

function personOf(row: object): StoredPerson {
  return { ...shownMap.read(row), ...secretMap.read(row) }
}

export const statements = {
  endSessions: `
    update person_sessions
    set ended_at = $3
    where caller_id = $1
      and person_id = $2
      and session_id <> coalesce($4::text, '')
      and ended_at is null`,

  removeFactors: `
    delete from person_factors
    where caller_id = $1
      and person_id = $2`,

  removeCodes: `
    delete from person_recovery_codes
    where caller_id = $1
      and person_id = $2`,

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

  findPersonBySubject: `
    select ${personColumns}
    from people
    where caller_id = $1
      and issuer = $2
      and subject = $3`,

  lockPersonBySubject: `
    select ${personColumns}
    from people
    where caller_id = $1
      and issuer = $2
      and subject = $3
    for update`,

  countBreakGlass: `
    select count(*)::int4 as people
    from people
    where caller_id = $1
      and person_id <> $2
      and break_glass`,

  countOtherAdministrators: `
    select (count(*) filter (where 'test' = any(modes)))::int4 as test,
           (count(*) filter (where 'live' = any(modes)))::int4 as live
    from people
    where caller_id = $1
      and person_id <> $2
      and role = 'ADMINISTRATOR'
      and status = 'ACTIVE'`,

  listPeople: `
    select ordinal, ${shownMap.columns}
    from people
    where caller_id = $1
      and ordinal < $2
    order by ordinal desc
    limit $3`,

  listResting: `
    select ${shownMap.columns}
    from people
    where caller_id = $1
      and status = 'ACTIVE'
      and rests_until > $2
    order by ordinal desc
    limit $3`,

  savePerson: `
    insert into people (caller_id, ordinal, email_key, person_id, name, email, role, modes, status, password_hash,
      link_hash, link_purpose, link_expires_at, created_at, link_by, rests_until, rest_by, had_modes, factors,
      issuer, subject, break_glass, disabled_reason)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
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
        link_expires_at = excluded.link_expires_at,
        link_by = excluded.link_by,
        rests_until = excluded.rests_until,
        rest_by = excluded.rest_by,
        had_modes = excluded.had_modes,
        factors = excluded.factors,
        issuer = excluded.issuer,
        subject = excluded.subject,
        break_glass = excluded.break_glass,
        disabled_reason = excluded.disabled_reason,
        pending_hash = null`,

  keepPassword: `
    update people
    set pending_hash = $4
    where caller_id = $1
      and person_id = $2
      and link_hash = $3`,

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
    order by person_id = any($4::text[]) desc, last_seen_at desc nulls last, caller_id
    limit $3`,

  readMostShared: `
    select count(*)::int4 as people
    from people
    group by email_key
    order by 1 desc
    limit 1`,

  touchPerson: `
    update people
    set last_seen_at = greatest(last_seen_at, $3)
    where caller_id = $1
      and person_id = $2`,
}

export async function lockCaller(tx: Queries, callerId: string): Promise<void> {
  await tx.query(statements.lockCaller, [callerId])
}

export async function findPerson(
  db: Queries,
  { callerId, personId }: PersonKey,
): Promise<StoredPerson | undefined> {
  const [row] = await db.query<object>(statements.findPerson, [callerId, personId])
  return row && personOf(row)
}

/**
 * From when on somebody decides in a book; null: at once. Read in the transaction of the decision: an act on the person
 * that was answered before holds, also where they had signed in by then.
 */
export async function readDecidesFrom(tx: Queries, book: Book, { kind, id }: Actor): Promise<Date | null> {
  if (kind !== 'PERSON') return null
  const person = await findPerson(tx, { callerId: book.callerId, personId: id })
  return person === undefined ? null : decidesFrom(person, book.mode)
}

export async function lockPerson(
  tx: Queries,
  { callerId, personId }: PersonKey,
): Promise<StoredPerson | undefined> {
  const [row] = await tx.query<object>(statements.lockPerson, [callerId, personId])
  return row && personOf(row)
}

export async function lockPersonByEmail(
  tx: Queries,
  { callerId, email }: { callerId: string; email: string },
): Promise<StoredPerson | undefined> {
  const [row] = await tx.query<object>(statements.lockPersonByEmail, [callerId, emailKey(email)])
  return row && personOf(row)
}

type SubjectKey = { callerId: string; issuer: string; subject: string }

export async function findPersonBySubject(
  db: Queries,
  { callerId, issuer, subject }: SubjectKey,
): Promise<StoredPerson | undefined> {
  const [row] = await db.query<object>(statements.findPersonBySubject, [callerId, issuer, subject])
  return row && personOf(row)
}

export async function lockPersonBySubject(
  tx: Queries,
  { callerId, issuer, subject }: SubjectKey,
): Promise<StoredPerson | undefined> {
  const [row] = await tx.query<object>(statements.lockPersonBySubject, [callerId, issuer, subject])
  return row && personOf(row)
}

/** How many others may always sign in with a password. */
export async function countOtherBreakGlass(tx: Queries, { callerId, personId }: PersonKey): Promise<number> {
  const [row] = await tx.query<{ people: number }>(statements.countBreakGlass, [callerId, personId])
  return row!.people
}

/** The ACTIVE ones of each book. */
export async function countOtherAdministrators(
  tx: Queries,
  { callerId, personId }: PersonKey,
): Promise<Record<Mode, number>> {
  const values = [callerId, personId]
  const [row] = await tx.query<Record<Mode, number>>(statements.countOtherAdministrators, values)
  return row!
}

export async function listPeople(db: Queries, callerId: string, page: PageRequest): Promise<Page<Person>> {
  const rows = await db.query<Placed>(statements.listPeople, [callerId, ...pageParameters(page)])
  return pageOf(rows, page, shownMap.read)
}

/** Those whose access was set by somebody else and is not confirmed, newest first. */
export async function listRestingPeople(
  db: Queries,
  callerId: string,
  asked: { now: Date; limit: number },
): Promise<Person[]> {
  const rows = await db.query<object>(statements.listResting, [callerId, asked.now, asked.limit])
  return rows.map(shownMap.read)
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
    person.link?.by ?? null,
    person.rest?.until ?? null,
    person.rest?.actors ?? [],
    person.hadModes,
    person.factors,
    person.issuer,
    person.subject,
    person.breakGlass,
    person.disabledReason,
  ])
}

/** Until the person has a name; a new link removes it. */
export async function keepPassword(
  db: Queries,
  { callerId, personId }: PersonKey,
  kept: { token: string; hash: string },
): Promise<void> {
  await db.query(statements.keepPassword, [callerId, personId, hashSecret(kept.token), kept.hash])
}

export async function findPersonByLink(db: Queries, token: string): Promise<StoredPerson | undefined> {
  const [row] = await db.query<object>(statements.findPersonByLink, [hashSecret(token)])
  return row && personOf(row)
}

/** At most SHARED_MAX, those that the browser is known to first, then those most recently seen. */
export async function findPeopleByEmail(
  db: Queries,
  asked: { email: string; callerId: string | null; known?: readonly string[] },
): Promise<StoredPerson[]> {
  const values = [emailKey(asked.email), asked.callerId, SHARED_MAX, asked.known ?? []]
  return (await db.query<object>(statements.findPeopleByEmail, values)).map(personOf)
}

/** The largest number of people who share one e-mail address. */
export async function readMostShared(db: Queries): Promise<number> {
  const [row] = await db.query<{ people: number }>(statements.readMostShared)
  return row?.people ?? 0
}

export async function touchSeen(db: Queries, { callerId, personId }: PersonKey, at: Date): Promise<void> {
  await db.query(statements.touchPerson, [callerId, personId, at])
}

export function touchPerson(tx: Transaction, { callerId, personId }: PersonKey, at: Date): void {
  tx.write(statements.touchPerson, [callerId, personId, at])
}

/** All sessions of a person, or all but one. */
export function endSessions(
  tx: Transaction,
  { callerId, personId }: PersonKey,
  ended: { at: Date; except: string | null },
): void {
  tx.write(statements.endSessions, [callerId, personId, ended.at, ended.except])
}

/** All second factors of a person, and the recovery codes. */
export function removeFactors(tx: Transaction, { callerId, personId }: PersonKey): void {
  tx.write(statements.removeFactors, [callerId, personId])
  tx.write(statements.removeCodes, [callerId, personId])
}
