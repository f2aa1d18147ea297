import type { Book, Mode } from '../../domain/book.ts'
import type { IsoDate } from '../../domain/dates.ts'
import type { LanguageCode } from '../../domain/language.ts'
import type { Sender } from '../../domain/letterhead.ts'
import { bookMap } from '../../engine/database/book-map.ts'
import {
  calendarDateOrNull,
  type ItemOf,
  instant,
  ordinal,
  rowMap,
  text,
} from '../../engine/database/row-map.ts'
import { membersInBook, membersOf, ofBook, sql } from '../../engine/database/sql.ts'
import { insertOne } from '../../engine/database/table.ts'

const sender = rowMap<Sender>({
  bank: text('bank'),
  bankAddress: text<string | null>('letter_address'),
  logo: text<string | null>('letter_logo'),
  language: text<LanguageCode | null>('letter_language'),
})

const callerMap = rowMap({
  callerId: text('caller_id'),
  name: text('name'),
  timeZone: text('time_zone'),
  currency: text('currency'),
  createdAt: instant('created_at'),
})
export type Caller = ItemOf<typeof callerMap>

const verificationMap = rowMap({
  callerId: text('caller_id'),
  mode: text<Mode>('mode'),
  finishedAt: instant('verified_at'),
  difference: text<string | null>('verified_difference'),
})
export type BookVerification = ItemOf<typeof verificationMap>

const clockMoveMap = rowMap({
  offsetMs: ordinal('clock_offset_ms'),
  /** The business date before a move of a test clock, until what it made due is settled. */
  from: calendarDateOrNull('clock_moved_from'),
})
type ClockMove = ItemOf<typeof clockMoveMap>

export const insertCaller = insertOne('callers', callerMap).run

type BookName = Pick<Book, 'bookId' | 'callerId' | 'mode'>

export const insertBook = sql`
    insert into books (book_id, caller_id, mode, clock_offset_ms)
    values ($1, $2, $3, 0)`.write(membersOf<BookName>('bookId', 'callerId', 'mode'))

export const listCallers = sql`
    select ${callerMap.columns}
    from callers
    order by created_at, caller_id`.all(callerMap)

export const findCallerName = sql`
    select name
    from callers
    where caller_id = $1`.only(text('name'), (callerId: string) => [callerId])

/** undefined: there is no such caller. */
export const findSender = sql`
    select coalesce(letter_name, name) as bank, letter_address, letter_logo, letter_language
    from callers
    where caller_id = $1`.first(sender, (callerId: string) => [callerId])

type SenderChanges = Record<'name' | 'address' | 'logo' | 'language', string | null>

/** A member that is null stays as it is; an empty text removes it. */
export const updateSender = sql`
    update callers
    set letter_name = nullif(coalesce($2::text, letter_name), ''),
        letter_address = nullif(coalesce($3::text, letter_address), ''),
        letter_logo = nullif(coalesce($4::text, letter_logo), ''),
        letter_language = nullif(coalesce($5::text, letter_language), '')
    where caller_id = $1`.run(membersInBook<SenderChanges>('name', 'address', 'logo', 'language'))

const selectBooks = `
    select book.book_id, book.caller_id, book.mode, caller.time_zone, caller.currency
    from books book
    join callers caller on caller.caller_id = book.caller_id`

export const findBook = sql`${selectBooks}
    where book.caller_id = $1
      and book.mode = $2`.first(bookMap, membersOf<Omit<BookName, 'bookId'>>('callerId', 'mode'))

/** Every book of every caller, for operators and jobs. */
export const listBooks = sql`${selectBooks}
    order by caller.created_at, caller.caller_id, book.mode`.all(bookMap)

/** Stores when the verification of a book ended, and the claim that failed, if any. */
export const recordVerification = sql`
    update books
    set verified_at = $2, verified_difference = $3
    where book_id = $1`.run(membersInBook<{ at: Date; difference: string | null }>('at', 'difference'))

/** The last verification of each book that was ever verified, oldest first. */
export const listVerifications = sql`
    select book.caller_id, book.mode, book.verified_at, book.verified_difference
    from books book
    where book.verified_at is not null
    order by book.verified_at, book.book_id`.all(verificationMap)

export const advanceClock = sql`
    update books
    set clock_offset_ms = clock_offset_ms + $2::bigint,
        clock_moved_from = coalesce(clock_moved_from, $3::date)
    where book_id = $1`.write(membersInBook<{ byMs: number; from: IsoDate }>('byMs', 'from'))

export const findClockMove = sql`
    select clock_offset_ms, clock_moved_from
    from books
    where book_id = $1`.only(clockMoveMap, ofBook)

// Not if the clock was moved again meanwhile.
export const endClockMove = sql`
    update books
    set clock_moved_from = null
    where book_id = $1
      and clock_offset_ms = $2
      and clock_moved_from is not null`.run(membersInBook<ClockMove>('offsetMs'))
