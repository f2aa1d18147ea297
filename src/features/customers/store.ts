import type { Book } from '../../domain/book.ts'
import type { Customer } from '../../domain/customer.ts'
import { emailKey } from '../../domain/email.ts'
import { type PhonePlace, phoneKeyOf, spellingsOf } from '../../domain/phone.ts'
import { digitsOf, reversed, withOneError, wordsOf } from '../../domain/search.ts'
import { type Recording, recordedRows, recordingCtes, recordingRows } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { type FiltersOf, where } from '../../engine/database/list.ts'
import { instant, integer, metadata, rowMap, text } from '../../engine/database/row-map.ts'
import { assignments, columnNames, type Rows, statementOverRows } from '../../engine/database/rows.ts'
import { idOfBook, sql } from '../../engine/database/sql.ts'
import { table } from '../../engine/database/table.ts'
import { TAKING_NAMES, takenNamesOf } from '../../engine/database/taken-names.ts'

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

const nameWords = rowMap({ customerId: text('customer_id'), word: text('word') }).rows

const changedRows: Rows<FiledCustomer> = {
  ...customer.pick('customerId', 'email', 'phoneNumber', 'address', 'updatedAt', 'contactChangedAt').rows,
  ...contactKeys,
}

const customers = table('customers', customer, { key: 'customerId' })

export const findTakenNames = takenNamesOf('customers')
export const { find: findCustomers, findOne: findCustomer, lock: lockCustomers } = customers
export const listCustomers = customers.list({
  email: where('email_key = ?', emailKey),
  phoneNumber: where('phone_digits = ?', digitsOf),
  externalId: where('external_id = ?'),
})
export type CustomerFilters = FiltersOf<typeof listCustomers>

export const FOUND_MAX = 20
const WORDS_MAX = 3
/** Fewer digits are in too many numbers. */
const MIDDLE_MIN = 6
/** Shorter words have more neighbours than meaning. */
const TYPO_MIN = 4
const TYPO_ROWS_MAX = 2_000
/**
 * Customers that are looked at for the other words. A rarer word has no more, so all its customers are found. Of two more
 * common words in a book of a million, as many have both as are shown.
 */
const CANDIDATES_MAX = 4_000

const customerId = text('customer_id')

/** One probe for each candidate: limit 1 keeps PostgreSQL from reading all customers with that word instead. */
const alsoNamed = (as: string, from: string, to: string) => `
    cross join lateral (
      select
      from customer_words
      where book_id = $1
        and customer_id = candidate.customer_id
        and ${hasPrefix('word', from, to)}
      limit 1
    ) as ${as}`

/** Those of a record of the table. */
const customersOf = (table: string, condition: string) => `select customer_id
    from ${table}
    where book_id = $1
      and ${condition}`
const hasPrefix = (column: string, from = '$2', to = '$3') => `${column} ~>=~ ${from} and ${column} ~<~ ${to}`

/** The array of all runs of six digits is that of the index. The first run finds few rows, like keeps those with all. */
function hasDigits(column: string, runs: number): string {
  const each = Array.from({ length: runs }, (_, index) => `substr(${column}, ${index + 1}, ${MIDDLE_MIN})`)
  return `array[${each.join(', ')}] @> array[$2::text]
      and ${column} like $3`
}

export const statements = {
  insertCustomers: statementOverRows(
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
  ),

  updateCustomers: statementOverRows(
    { changed: changedRows, ...recordingRows },
    (from, book) => `
    with ${recordingCtes(from, book)}
    update customers
    set ${assignments(changedRows, 'changed').slice(1).join(',\n        ')}
    from ${from.changed}
    where customers.book_id = ${book.changed}
      and customers.customer_id = changed.customer_id`,
  ),

  // Up to a limit, because only the rarest word matters.
  countWord: sql`
    select count(*)::int4 as candidates
    from (
      select
      from customer_words
      where book_id = $1
        and word ~>=~ $2 and word ~<~ $3
      limit $4
    ) as candidate`.only(integer('candidates'), (bookId: string, word: string) => [
    ...[bookId, ...beginningWith(word), CANDIDATES_MAX],
  ]),

  // Prefixes are compared by bytes, as the indexes are ordered.
  searchByName: sql`
    select candidate.customer_id
    from (
      select customer_id
      from customer_words
      where book_id = $1
        and word ~>=~ $2 and word ~<~ $3
      limit $8
    ) as candidate${alsoNamed('second', '$4', '$5')}${alsoNamed('third', '$6', '$7')}
    limit $9`.all(customerId, (bookId: string, words: readonly string[]) => [
    ...[bookId, ...words.flatMap(beginningWith), CANDIDATES_MAX, FOUND_MAX * 2],
  ]),

  searchByEmail: sql`
    ${customersOf('customers', hasPrefix('email_key'))}
    order by email_key using ~<~
    limit $4`.all(customerId, byBeginning),

  searchByPhone: sql`
    (${customersOf('customers', hasPrefix('phone_digits'))}
    limit $6)
    union all
    (${customersOf('customers', hasPrefix('phone_digits_reversed', '$4', '$5'))}
    limit $6)`.all(customerId, (bookId: string, digits: string) => [
    ...[bookId, ...beginningWith(digits), ...beginningWith(reversed(digits)), FOUND_MAX],
  ]),

  // The last digits differ where an instance of the version before changed the number, and so not the key.
  searchByPhoneKey: sql`
    ${customersOf('customers', hasPrefix('phone_key'))}
      and right(phone_key, 6) = right(phone_digits, 6)
    limit $4`.all(customerId, byBeginning),

  searchByMiddleDigits: sql`
    (${customersOf('customers', hasDigits('phone_digits', 10))}
    limit $4)
    union all
    (${customersOf('accounts', hasDigits('account_number', 5))}
    limit $4)`.all(customerId, (bookId: string, digits: string) => [
    ...[bookId, digits.slice(0, MIDDLE_MIN), `%${digits}%`, FOUND_MAX],
  ]),

  searchByWords: sql`
    select customer_id, word
    from customer_words
    where book_id = $1
      and word = any($2::text[])
    limit $3`.groups(customerId, text('word'), (bookId: string, words: readonly string[]) => [
    ...[bookId, words, TYPO_ROWS_MAX],
  ]),

  searchByRecord: sql`
    ${[
      customersOf('accounts', 'account_number = $2'),
      customersOf('deposits', 'deposit_id = $2'),
      ...['customers', 'accounts', 'deposits'].map((table) => customersOf(table, 'external_id = $2')),
    ].join('\n    union all\n    ')}`.all(customerId, idOfBook),
}

export function insertCustomers(tx: Transaction, bookId: string, customers: readonly FiledCustomer[]): void {
  const spelt = customers.flatMap(({ customerId, firstName, lastName }) =>
    wordsOf(`${firstName} ${lastName}`).map((word) => ({ customerId, word })),
  )
  tx.write(statements.insertCustomers.of(bookId, { created: customers, spelt }))
}

/** Each customer at most once. */
export function updateCustomers(
  tx: Transaction,
  bookId: string,
  customers: readonly FiledCustomer[],
  recording: Recording,
): void {
  tx.write(statements.updateCustomers.of(bookId, { changed: customers, ...recordedRows(recording) }))
}

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
  const found = await Promise.all([
    statements.searchByRecord(db, bookId, typed.trim()),
    statements.searchByEmail(db, bookId, emailKey(typed.trim())),
    words.length === 0 ? [] : searchByName(db, bookId, words),
    key === '' ? [] : statements.searchByPhoneKey(db, bookId, key),
    digits === '' ? [] : statements.searchByPhone(db, bookId, digits),
    digits.length < MIDDLE_MIN ? [] : statements.searchByMiddleDigits(db, bookId, digits),
  ])
  const ids = found.flat()
  const best = ids.length > 0 ? ids : await searchWider(db, bookId, { words, digits, place })
  const first = [...new Set(best)].slice(0, FOUND_MAX)
  const customers = await findCustomers(db, bookId, first)
  return first.flatMap((id) => customers.get(id) ?? [])
}

/** The search where nothing was found: names with a typing error, and numbers that an earlier version wrote. */
async function searchWider(
  db: Queries,
  bookId: string,
  { words, digits, place }: { words: readonly string[]; digits: string; place: PhonePlace },
): Promise<string[]> {
  if (digits === '') return searchByTypo(db, bookId, words)
  const spellings = spellingsOf(digits, place)
  return (await Promise.all(spellings.map((one) => statements.searchByPhone(db, bookId, one)))).flat()
}

/** Customers whose names have every word, each with at most one typing error; asked only where nothing was found. */
async function searchByTypo(db: Queries, bookId: string, words: readonly string[]): Promise<string[]> {
  if (words.length === 0 || words.length > WORDS_MAX || words.some(({ length }) => length < TYPO_MIN))
    return []
  const neighbours = words.map((word) => new Set(withOneError(word)))
  const wanted = [...new Set(neighbours.flatMap((words) => [...words]))]
  const spelt = [...(await statements.searchByWords(db, bookId, wanted))]
  return spelt
    .filter(([, own]) => neighbours.every((near) => own.some((word) => near.has(word))))
    .map(([id]) => id)
}

async function searchByName(db: Queries, bookId: string, words: readonly string[]): Promise<string[]> {
  const counted = await Promise.all(
    words.slice(0, WORDS_MAX).map(async (word) => ({
      word,
      candidates: words.length === 1 ? 0 : await statements.countWord(db, bookId, word),
    })),
  )
  const rarestFirst = counted
    .sort((left, right) => left.candidates - right.candidates || right.word.length - left.word.length)
    .map(({ word }) => word)
  const three = Array.from({ length: WORDS_MAX }, (_, index) => rarestFirst[index] ?? '')
  return statements.searchByName(db, bookId, three)
}

/** The range of texts with this prefix, ordered by bytes. */
function beginningWith(text: string): [string, string] {
  return [text, `${text}\u{10ffff}`]
}

function byBeginning(bookId: string, text: string): unknown[] {
  return [bookId, ...beginningWith(text), FOUND_MAX]
}
