/**
 * People and their sessions. Only the SHA-256 of links and sessions is stored: both are 256 random bits, so a stolen
 * database gives no access.
 */
import type { Actor } from '../../domain/actor.ts'
import type { Book } from '../../domain/book.ts'
import { emailKey } from '../../domain/email.ts'
import { decidesFrom, type Person, type PersonKey, type Rest } from '../../domain/people.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import {
  type Field,
  flag,
  group,
  instant,
  integer,
  rowMap,
  text,
  texts,
} from '../../engine/database/row-map.ts'
import {
  assignments,
  columnNames,
  parametersFor,
  type Rows,
  valuesOf,
  without,
} from '../../engine/database/rows.ts'
import { hashSecret } from '../../engine/database/secrets.ts'
import { membersInBook, membersOf, sql } from '../../engine/database/sql.ts'

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
  role: text<Person['role']>('role'),
  modes: texts<Person['modes']>('modes'),
  hadModes: texts<Person['hadModes']>('had_modes'),
  status: text<Person['status']>('status'),
  rest,
  factors: texts<Person['factors']>('factors'),
  issuer: text<string | null>('issuer'),
  subject: text<string | null>('subject'),
  breakGlass: flag('break_glass'),
  disabledReason: text<Person['disabledReason']>('disabled_reason'),
  lastSeenAt: instant<Date | null>('last_seen_at'),
  createdAt: instant('created_at'),
})

const personMap = rowMap<StoredPerson>({
  ...shownMap.fields,
  passwordHash: text<string | null>('password_hash'),
  link: group<Link>({
    hash: text('link_hash'),
    purpose: text<LinkPurpose>('link_purpose'),
    expiresAt: instant('link_expires_at'),
    by: text<string | null>('link_by'),
  }),
  pendingHash: text<string | null>('pending_hash'),
})

const keyOf = membersOf<PersonKey>('callerId', 'personId')

// Changes that depend on other people of the caller take turns here: two administrators who disable each other would
// otherwise both succeed.
export const lockCaller = sql`
    select caller_id
    from callers
    where caller_id = $1
    for no key update`.run((callerId: string) => [callerId])

const byKey = `
    select ${personMap.columns}
    from people
    where caller_id = $1
      and person_id = $2`
export const findPerson = sql`${byKey}`.first(personMap, keyOf)
export const lockPerson = sql`${byKey}
    for update`.first(personMap, keyOf)

/**
 * From when on somebody decides in a book; null: at once. Read in the transaction of the decision: an act on the person
 * that was answered before holds, also where they had signed in by then.
 */
export async function readDecidesFrom(tx: Queries, book: Book, { kind, id }: Actor): Promise<Date | null> {
  if (kind !== 'PERSON') return null
  const person = await findPerson(tx, { callerId: book.callerId, personId: id })
  return person === undefined ? null : decidesFrom(person, book.mode)
}

const addressOf = ({ callerId, email }: Pick<Person, 'callerId' | 'email'>) => [callerId, emailKey(email)]

export const lockPersonByEmail = sql`
    select ${personMap.columns}
    from people
    where caller_id = $1
      and email_key = $2
    for update`.first(personMap, addressOf)

type SubjectKey = { callerId: string; issuer: string; subject: string }
const subjectOf = membersOf<SubjectKey>('callerId', 'issuer', 'subject')

const bySubject = `
    select ${personMap.columns}
    from people
    where caller_id = $1
      and issuer = $2
      and subject = $3`
export const findPersonBySubject = sql`${bySubject}`.first(personMap, subjectOf)
export const lockPersonBySubject = sql`${bySubject}
    for update`.first(personMap, subjectOf)

/** How many others may always sign in with a password. */
export const countOtherBreakGlass = sql`
    select count(*)::int4 as people
    from people
    where caller_id = $1
      and person_id <> $2
      and break_glass`.only(integer('people'), keyOf)

/** The ACTIVE ones of each book. */
export const countOtherAdministrators = sql`
    select (count(*) filter (where 'test' = any(modes)))::int4 as test,
           (count(*) filter (where 'live' = any(modes)))::int4 as live
    from people
    where caller_id = $1
      and person_id <> $2
      and role = 'ADMINISTRATOR'
      and status = 'ACTIVE'`.only(rowMap({ test: integer('test'), live: integer('live') }), keyOf)

export const listPeople = sql`
    select ordinal, ${shownMap.columns}
    from people
    where caller_id = $1
      and ordinal < $2
    order by ordinal desc
    limit $3`.page(shownMap)

/** Those whose access to the live book was set by somebody else and is not confirmed, newest first. */
export const listRestingPeople = sql`
    select ${shownMap.columns}
    from people
    where caller_id = $1
      and status = 'ACTIVE'
      and rests_until > $2 and 'live' = any(modes)
    order by ordinal desc
    limit $3`.all(shownMap, membersInBook<{ now: Date; limit: number }>('now', 'limit'))

const saved: Rows<StoredPerson> = {
  ...without(personMap.rows, /^(?:last_seen_at|pending_hash)$/),
  ordinal: ['bigint', nextOrdinal],
  email_key: ['text', ({ email }) => emailKey(email)],
}
const changeable = without(saved, /^(?:caller_id|person_id|created_at|ordinal)$/)

export const savePerson = sql`
    insert into people (${columnNames(saved)})
    values (${parametersFor(saved)})
    on conflict (caller_id, person_id) do update
    set ${assignments(changeable, 'excluded').join(', ')}, pending_hash = null`.write(
  (person: StoredPerson) => valuesOf(saved, person),
)

/** The password waits until the person has a name; a new link removes it. */
export const keepPassword = sql`
    update people
    set pending_hash = $4
    where caller_id = $1
      and person_id = $2
      and link_hash = $3`.run((key: PersonKey, { token, hash }: { token: string; hash: string }) => [
  ...[...keyOf(key), hashSecret(token), hash],
])

export const findPersonByLink = sql`
    select ${personMap.columns}
    from people
    where link_hash = $1`.first(personMap, (token: string) => [hashSecret(token)])

/**
 * A sign-in names an address; the caller is one of those where it is known. At most SHARED_MAX, those that the browser is
 * known to first, then those most recently seen.
 */
export const findPeopleByEmail = sql`
    select ${personMap.columns}
    from people
    where email_key = $1
      and caller_id = coalesce($2::text, caller_id)
    order by person_id = any($4::text[]) desc, last_seen_at desc nulls last, caller_id
    limit $3`.all(
  personMap,
  ({
    email,
    callerId,
    known = [],
  }: {
    email: string
    callerId: string | null
    known?: readonly string[]
  }) => [...[emailKey(email), callerId, SHARED_MAX, known]],
)

/** The largest number of people who share one e-mail address. */
export const readMostShared = sql`
    select count(*)::int4 as people
    from people
    group by email_key
    order by 1 desc
    limit 1`.first(integer('people'))

const touch = sql`
    update people
    set last_seen_at = greatest(last_seen_at, $3)
    where caller_id = $1
      and person_id = $2`
const touchedAt = (key: PersonKey, at: Date) => [...keyOf(key), at]
export const touchSeen = touch.run(touchedAt)
export const touchPerson = touch.write(touchedAt)

/** All sessions of a person, or all but one. */
export const endSessions = sql`
    update person_sessions
    set ended_at = $3
    where caller_id = $1
      and person_id = $2
      and session_id <> coalesce($4::text, '')
      and ended_at is null`.write((key: PersonKey, { at, except }: { at: Date; except: string | null }) => [
  ...[...keyOf(key), at, except],
])

const removeAll = (table: string) =>
  sql`
    delete from ${table}
    where caller_id = $1
      and person_id = $2`.write(keyOf)

export const statements = {
  removeFactors: removeAll('person_factors'),
  removeCodes: removeAll('person_recovery_codes'),
}

/** All second factors of a person, and the recovery codes. */
export function removeFactors(tx: Transaction, key: PersonKey): void {
  statements.removeFactors(tx, key)
  statements.removeCodes(tx, key)
}
