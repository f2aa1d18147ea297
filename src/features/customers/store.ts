import type { Book } from '../../domain/book.ts'
import type { Customer } from '../../domain/customer.ts'
import { emailKey } from '../../domain/email.ts'
import { type PhonePlace, phoneKeyOf, spellingsOf } from '../../domain/phone.ts'
import { digitsOf, reversed, withOneError, wordsOf } from '../../domain/search.ts'
import { type Recording, recordingCtes, recordingRows } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import type { Page, PageRequest } from '../../engine/database/pages.ts'
import { instant, metadata, rowMap, text } from '../../engine/database/row-map.ts'
import { columnNames, type Rows, statementOverRows } from '../../engine/database/rows.ts'
import { table } from '../../engine/database/table.ts'
import { selectTakenNames, TAKING_NAMES, takenNamesReader } from '../../engine/database/taken-names.ts'
import type { ListWindow } from '../../engine/database/window.ts'

const customer = rowMap<Customer>({
  customerId: text('customer_id'),
  firstName: text('first_name'),
  lastName: text('last_name'),
  email: text('email'),
  phoneNumber: text('phone_number'),
  address: text('address'),
  createdAt: instant('created_at'),
  updatedAt: instant('updated_at'),
  contactChangedAt: instant<Date | null>('contact_changed_at'),
  externalId: text<string | null>('external_id'),
  metadata: metadata('metadata'),
})

/** phoneKey: the canonical form of the telephone number; the number itself stays as it was sent. */
export type FiledCustomer = Customer & { phoneKey: string }

/** Columns for searching a customer, besides the words of the name. */
const contactKeys: Rows<FiledCustomer> = {
  email_key: ['text', ({ email }) => emailKey(email)],
  phone_digits: ['text', ({ phoneNumber }) => digitsOf(phoneNumber)],
  phone_digits_reversed: ['text', ({ phoneNumber }) => reversed(digitsOf(phoneNumber))],
  phone_key: ['text', ({ phoneKey }) => phoneKey],
}
const keyColumns = columnNames(contactKeys)

type NameWord = { customerId: string; word: string }
const nameWords: Rows<NameWord> = {
  customer_id: ['text', ({ customerId }) => customerId],
  word: ['text', ({ word }) => word],
}

const insertion = statementOverRows(
  { created: { ordinal: ['bigint', nextOrdinal], ...customer.rows, ...contactKeys }, spelt: nameWords },
  (from, book) => `
    with written_words as (
      insert into customer_words (book_id, customer_id, word)
      select ${book.spelt}, customer_id, word
      from ${from.spelt}
      returning 1
    ),
    written_customers as (
      insert into customers (book_id, ordinal, ${customer.columns}, ${keyColumns})
      select ${book.created}, ordinal, ${customer.columns}, ${keyColumns}
      from ${from.created}
      order by ${TAKING_NAMES}
      returning 1
    )
    select 1`,
)

const changeable = customer.pick(
  'customerId',
  'email',
  'phoneNumber',
  'address',
  'updatedAt',
  'contactChangedAt',
)

const update = statementOverRows(
  { changed: { ...changeable.rows, ...contactKeys }, ...recordingRows },
  (from, book) => `
    with ${recordingCtes(from, book)}
    update customers
    set email = changed.email,
        phone_number = changed.phone_number,
        address = changed.address,
        updated_at = changed.updated_at,
        contact_changed_at = changed.contact_changed_at,
        email_key = changed.email_key,
        phone_digits = changed.phone_digits,
        phone_digits_reversed = changed.phone_digits_reversed,
        phone_key = changed.phone_key
    from ${from.changed}
    where customers.book_id = ${book.changed}
      and customers.customer_id = changed.customer_id`,
)

const customers = table('customers', customer, { key: 'customerId' })
const { find, lock, list } = customers.statements

export const statements = {
  find,
  lock,
  list,
  insertCustomers: insertion,
  updateCustomers: update,

  findTakenNames: selectTakenNames('customers'),

  // Up to a limit, because only the rarest word matters.
  countWord: `
    select count(*)::int4 as candidates
    from (
      select
      from customer_words
      where book_id = $1
        and word ~>=~ $2 and word ~<~ $3
      limit $4
    ) as candidate`,

  // Prefixes are compared by bytes, as the indexes are ordered. Each additional word is one probe for each candidate:
  // limit 1 keeps PostgreSQL from reading all customers with that word instead.
  searchByName: `
    select candidate.customer_id
    from (
      select customer_id
      from customer_words
      where book_id = $1
        and word ~>=~ $2 and word ~<~ $3
      limit $8
    ) as candidate
    cross join lateral (
      select
      from customer_words
      where book_id = $1
        and customer_id = candidate.customer_id
        and word ~>=~ $4 and word ~<~ $5
      limit 1
    ) as second
    cross join lateral (
      select
      from customer_words
      where book_id = $1
        and customer_id = candidate.customer_id
        and word ~>=~ $6 and word ~<~ $7
      limit 1
    ) as third
    limit $9`,

  searchByEmail: `
    select customer_id
    from customers
    where book_id = $1
      and email_key ~>=~ $2 and email_key ~<~ $3
    order by email_key using ~<~
    limit $4`,

  searchByPhone: `
    (select customer_id
    from customers
    where book_id = $1
      and phone_digits ~>=~ $2 and phone_digits ~<~ $3
    limit $6)
    union all
    (select customer_id
    from customers
    where book_id = $1
      and phone_digits_reversed ~>=~ $4 and phone_digits_reversed ~<~ $5
    limit $6)`,

  // The last digits differ where an instance of the version before changed the number, and so not the key.
  searchByPhoneKey: `
    select customer_id
    from customers
    where book_id = $1
      and phone_key ~>=~ $2 and phone_key ~<~ $3
      and right(phone_key, 6) = right(phone_digits, 6)
    limit $4`,

  // The arrays are those of the indexes; the first run of six digits finds few rows, like keeps those with all digits.
  searchByMiddleDigits: `
    (select customer_id
    from customers
    where book_id = $1
      and array[
        substr(phone_digits, 1, 6), substr(phone_digits, 2, 6), substr(phone_digits, 3, 6), substr(phone_digits, 4, 6),
        substr(phone_digits, 5, 6), substr(phone_digits, 6, 6), substr(phone_digits, 7, 6), substr(phone_digits, 8, 6),
        substr(phone_digits, 9, 6), substr(phone_digits, 10, 6)] @> array[$2::text]
      and phone_digits like $3
    limit $4)
    union all
    (select customer_id
    from accounts
    where book_id = $1
      and array[
        substr(account_number, 1, 6), substr(account_number, 2, 6), substr(account_number, 3, 6),
        substr(account_number, 4, 6), substr(account_number, 5, 6)] @> array[$2::text]
      and account_number like $3
    limit $4)`,

  searchByWords: `
    select customer_id, word
    from customer_words
    where book_id = $1
      and word = any($2::text[])
    limit $3`,

  searchByRecord: `
    select customer_id
    from accounts
    where book_id = $1
      and account_number = $2
    union all
    select customer_id
    from deposits
    where book_id = $1
      and deposit_id = $2
    union all
    select customer_id
    from customers
    where book_id = $1
      and external_id = $2
    union all
    select customer_id
    from accounts
    where book_id = $1
      and external_id = $2
    union all
    select customer_id
    from deposits
    where book_id = $1
      and external_id = $2`,
}

export function insertCustomers(tx: Transaction, bookId: string, customers: readonly FiledCustomer[]): void {
  const spelt = customers.flatMap(({ customerId, firstName, lastName }) =>
    wordsOf(`${firstName} ${lastName}`).map((word) => ({ customerId, word })),
  )
  tx.write(statements.insertCustomers.of(bookId, { created: customers, spelt }))
}

export const findTakenNames = takenNamesReader(statements.findTakenNames)

/** Each customer at most once. */
export function updateCustomers(
  tx: Transaction,
  bookId: string,
  customers: readonly FiledCustomer[],
  { events, answers }: Recording,
): void {
  const rows = statements.updateCustomers.of(bookId, { changed: customers, event: events, answer: answers })
  tx.write(rows)
}

export const findCustomers = customers.find
export const findCustomer = customers.findOne
export const lockCustomers = customers.lock

export const FOUND_MAX = 20
const WORDS_MAX = 3

/** The best matches of a search text: a record's own number first, then e-mail, name and telephone number. */
export async function searchCustomers(
  db: Queries,
  { bookId, ...place }: PhonePlace & Pick<Book, 'bookId'>,
  typed: string,
): Promise<Customer[]> {
  // Part of an e-mail address is not part of a name.
  const words = typed.includes('@') ? [] : wordsOf(typed)
  const digits = /^[\d\s+().-]+$/.test(typed) ? digitsOf(typed) : ''
  const key = digits === '' ? '' : phoneKeyOf(typed, place)
  const byEmail = [bookId, ...beginningWith(emailKey(typed.trim())), FOUND_MAX]
  const found = await Promise.all([
    db.query<Found>(statements.searchByRecord, [bookId, typed.trim()]),
    db.query<Found>(statements.searchByEmail, byEmail),
    words.length === 0 ? [] : searchByName(db, bookId, words),
    key === ''
      ? []
      : db.query<Found>(statements.searchByPhoneKey, [bookId, ...beginningWith(key), FOUND_MAX]),
    digits === '' ? [] : searchByPhone(db, bookId, digits),
    digits.length < MIDDLE_MIN ? [] : searchByMiddleDigits(db, bookId, digits),
  ])
  const rows = found.flat()
  const best = rows.length > 0 ? rows : await searchWider(db, bookId, { words, digits, place })
  const ids = [...new Set(best.map((row) => row.customer_id))].slice(0, FOUND_MAX)
  const customers = await findCustomers(db, bookId, ids)
  return ids.flatMap((customerId) => customers.get(customerId) ?? [])
}

/** Where nothing was found: names with a typing error, and numbers that an instance of the version before wrote. */
async function searchWider(
  db: Queries,
  bookId: string,
  { words, digits, place }: { words: readonly string[]; digits: string; place: PhonePlace },
): Promise<Found[]> {
  if (digits === '') return searchByTypo(db, bookId, words)
  const spellings = spellingsOf(digits, place)
  return (await Promise.all(spellings.map((spelling) => searchByPhone(db, bookId, spelling)))).flat()
}

function searchByPhone(db: Queries, bookId: string, digits: string): Promise<Found[]> {
  const parameters = [bookId, ...beginningWith(digits), ...beginningWith(reversed(digits)), FOUND_MAX]
  return db.query<Found>(statements.searchByPhone, parameters)
}

/** Fewer digits are in too many numbers. */
const MIDDLE_MIN = 6

function searchByMiddleDigits(db: Queries, bookId: string, digits: string): Promise<Found[]> {
  const parameters = [bookId, digits.slice(0, MIDDLE_MIN), `%${digits}%`, FOUND_MAX]
  return db.query<Found>(statements.searchByMiddleDigits, parameters)
}

/** Shorter words have more neighbours than meaning. */
const TYPO_MIN = 4
const TYPO_ROWS_MAX = 2_000

/** Customers whose names have every word, each with at most one typing error; asked only where nothing was found. */
async function searchByTypo(db: Queries, bookId: string, words: readonly string[]): Promise<Found[]> {
  if (words.length === 0 || words.length > WORDS_MAX || words.some(({ length }) => length < TYPO_MIN))
    return []
  const neighbours = words.map((word) => new Set(withOneError(word)))
  const wanted = [...new Set(neighbours.flatMap((words) => [...words]))]
  type Row = { customer_id: string; word: string }
  const rows = await db.query<Row>(statements.searchByWords, [bookId, wanted, TYPO_ROWS_MAX])
  const spelt = Map.groupBy(rows, (row) => row.customer_id)
  return [...spelt]
    .filter(([, own]) => neighbours.every((near) => own.some(({ word }) => near.has(word))))
    .map(([customerId]) => ({ customer_id: customerId }))
}

type Found = { customer_id: string }

/**
 * Customers that are looked at for the other words. A rarer word has no more, so all its customers are found. Of two more
 * common words in a book of a million, as many have both as are shown.
 */
const CANDIDATES_MAX = 4_000

async function searchByName(db: Queries, bookId: string, words: readonly string[]): Promise<Found[]> {
  const counted = await Promise.all(
    words.slice(0, WORDS_MAX).map(async (word) => {
      const parameters = [bookId, ...beginningWith(word), CANDIDATES_MAX]
      const rows =
        words.length === 1 ? [] : await db.query<{ candidates: number }>(statements.countWord, parameters)
      return { word, candidates: rows[0]?.candidates ?? 0 }
    }),
  )
  const rarestFirst = counted
    .sort((left, right) => left.candidates - right.candidates || right.word.length - left.word.length)
    .map(({ word }) => word)
  const three = Array.from({ length: WORDS_MAX }, (_, index) => rarestFirst[index] ?? '')
  const parameters = [bookId, ...three.flatMap(beginningWith), CANDIDATES_MAX, FOUND_MAX * 2]
  return db.query<Found>(statements.searchByName, parameters)
}

/** The range of texts with this prefix, ordered by bytes. */
function beginningWith(text: string): [string, string] {
  return [text, `${text}\u{10ffff}`]
}

export type CustomerFilters = { email?: string; phoneNumber?: string; externalId?: string }

export const customerFilterClauses: Record<keyof CustomerFilters, (parameter: string) => string> = {
  email: (parameter) => `email_key = ${parameter}`,
  phoneNumber: (parameter) => `phone_digits = ${parameter}`,
  externalId: (parameter) => `external_id = ${parameter}`,
}

const listFiled = customers.list<CustomerFilters>(customerFilterClauses)

export function listCustomers(
  db: Queries,
  bookId: string,
  filters: CustomerFilters,
  page: PageRequest,
): Promise<Page<Customer>> {
  return listFiled(db, bookId, filedAs(filters), page)
}

/** The newest that people sort and count. */
export function customerWindow(bookId: string, filters: CustomerFilters): ListWindow {
  return customers.window<CustomerFilters>(customerFilterClauses)(bookId, filedAs(filters))
}

export const customerOf = customer.read

function filedAs({ email, phoneNumber, externalId }: CustomerFilters): CustomerFilters {
  return {
    ...(email !== undefined && { email: emailKey(email) }),
    ...(phoneNumber !== undefined && { phoneNumber: digitsOf(phoneNumber) }),
    ...(externalId !== undefined && { externalId }),
  }
}
