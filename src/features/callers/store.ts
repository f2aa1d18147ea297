import type { Book, Mode } from '../../domain/book.ts'
import type { IsoDate } from '../../domain/dates.ts'
import type { LanguageCode } from '../../domain/language.ts'
import type { Sender } from '../../domain/letterhead.ts'
import { bookMap } from '../../engine/database/book-map.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { calendarDateOrNull, instant, ordinal, rowMap, text } from '../../engine/database/row-map.ts'

export type Caller = { callerId: string; name: string; timeZone: string; currency: string; createdAt: Date }

const sender = rowMap<Sender>({
  bank: text('bank'),
  bankAddress: text<string | null>('letter_address'),
  logo: text<string | null>('letter_logo'),
  language: text<LanguageCode | null>('letter_language'),
})

const callerMap = rowMap<Caller>({
  callerId: text('caller_id'),
  name: text('name'),
  timeZone: text('time_zone'),
  currency: text('currency'),
  createdAt: instant('created_at'),
})

export type BookVerification = {
  callerId: string
  mode: Mode
  finishedAt: Date
  difference: string | null
}

const verificationMap = rowMap<BookVerification>({
  callerId: text('caller_id'),
  mode: text<Mode>('mode'),
  finishedAt: instant('verified_at'),
  difference: text<string | null>('verified_difference'),
})

/** from: the business date before a move of a test clock, until what it made due is settled. */
export type ClockMove = { offsetMs: bigint; from: IsoDate | null }

const clockMoveMap = rowMap<ClockMove>({
  offsetMs: ordinal('clock_offset_ms'),
  from: calendarDateOrNull('clock_moved_from'),
})

export const statements = {
  insertCaller: `
    insert into callers (${callerMap.columns})
    values ($1, $2, $3, $4, $5)`,

  insertBook: `
    insert into books (book_id, caller_id, mode, clock_offset_ms)
    values ($1, $2, $3, 0)`,

  listCallers: `
    select ${callerMap.columns}
    from callers
    order by created_at, caller_id`,

  findCallerName: `
    select name
    from callers
    where caller_id = $1`,

  findSender: `
    select coalesce(letter_name, name) as bank, letter_address, letter_logo, letter_language
    from callers
    where caller_id = $1`,

  // What is null stays as it is; an empty text removes it.
  updateSender: `
    update callers
    set letter_name = nullif(coalesce($2::text, letter_name), ''),
        letter_address = nullif(coalesce($3::text, letter_address), ''),
        letter_logo = nullif(coalesce($4::text, letter_logo), ''),
        letter_language = nullif(coalesce($5::text, letter_language), '')
    where caller_id = $1`,

  findBook: `
    select book.book_id, book.caller_id, book.mode, caller.time_zone, caller.currency
    from books book
    join callers caller on caller.caller_id = book.caller_id
    where book.caller_id = $1
      and book.mode = $2`,

  listBooks: `
    select book.book_id, book.caller_id, book.mode, caller.time_zone, caller.currency
    from books book
    join callers caller on caller.caller_id = book.caller_id
    order by caller.created_at, caller.caller_id, book.mode`,

  recordVerification: `
    update books
    set verified_at = $2, verified_difference = $3
    where book_id = $1`,

  listVerifications: `
    select book.caller_id, book.mode, book.verified_at, book.verified_difference
    from books book
    where book.verified_at is not null
    order by book.verified_at, book.book_id`,

  advanceClock: `
    update books
    set clock_offset_ms = clock_offset_ms + $2::bigint,
        clock_moved_from = coalesce(clock_moved_from, $3::date)
    where book_id = $1`,

  findClockMove: `
    select clock_offset_ms, clock_moved_from
    from books
    where book_id = $1`,

  // Not if the clock was moved again meanwhile.
  endClockMove: `
    update books
    set clock_moved_from = null
    where book_id = $1
      and clock_offset_ms = $2
      and clock_moved_from is not null`,
}

export async function insertCaller(tx: Queries, caller: Caller): Promise<void> {
  await tx.query(statements.insertCaller, [
    caller.callerId,
    caller.name,
    caller.timeZone,
    caller.currency,
    caller.createdAt,
  ])
}

export function insertBook(tx: Transaction, book: { bookId: string; callerId: string; mode: Mode }): void {
  tx.write(statements.insertBook, [book.bookId, book.callerId, book.mode])
}

export async function listCallers(db: Queries): Promise<Caller[]> {
  return (await db.query<object>(statements.listCallers)).map(callerMap.read)
}

export async function findBook(
  db: Queries,
  caller: { callerId: string; mode: Mode },
): Promise<Book | undefined> {
  const [row] = await db.query<object>(statements.findBook, [caller.callerId, caller.mode])
  return row && bookMap.read(row)
}

/** Every book of every caller, for operators and jobs. */
export async function listBooks(db: Queries): Promise<Book[]> {
  return (await db.query<object>(statements.listBooks)).map(bookMap.read)
}

/** Stores when the verification of a book ended, and the claim that failed, if any. */
export async function recordVerification(
  db: Queries,
  bookId: string,
  ended: { at: Date; difference: string | null },
): Promise<void> {
  await db.query(statements.recordVerification, [bookId, ended.at, ended.difference])
}

/** The last verification of each book that was ever verified, oldest first. */
export async function listVerifications(db: Queries): Promise<BookVerification[]> {
  return (await db.query<object>(statements.listVerifications)).map(verificationMap.read)
}

export function advanceClock(tx: Transaction, bookId: string, move: { byMs: number; from: IsoDate }): void {
  tx.write(statements.advanceClock, [bookId, move.byMs, move.from])
}

export async function findClockMove(db: Queries, bookId: string): Promise<ClockMove> {
  const [row] = await db.query<object>(statements.findClockMove, [bookId])
  return clockMoveMap.read(row!)
}

export async function endClockMove(db: Queries, bookId: string, { offsetMs }: ClockMove): Promise<void> {
  await db.query(statements.endClockMove, [bookId, offsetMs])
}

export async function findCallerName(db: Queries, callerId: string): Promise<string> {
  const [row] = await db.query<{ name: string }>(statements.findCallerName, [callerId])
  return row!.name
}

/** undefined: there is no such caller. */
export async function findSender(db: Queries, callerId: string): Promise<Sender | undefined> {
  const [row] = await db.query<object>(statements.findSender, [callerId])
  return row && sender.read(row)
}

/** A member that is null stays as it is; an empty text removes it. */
export async function updateSender(
  db: Queries,
  callerId: string,
  changes: Record<'name' | 'address' | 'logo' | 'language', string | null>,
): Promise<void> {
  const { name, address, logo, language } = changes
  await db.query(statements.updateSender, [callerId, name, address, logo, language])
}
