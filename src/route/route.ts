/** A route is data: the server registers it, and the reference is printed from it. */
import { type Static, type TSchema, Type } from 'typebox'
import type { ApiKey } from '../domain/api-key.ts'
import type { Book, Mode } from '../domain/book.ts'
import type { Scope } from '../domain/scopes.ts'
import type { Examined } from '../domain/webhook.ts'
import type { AnswerWriter, Origin, Result } from '../engine/change/change.ts'
import type { Engine } from '../engine/change/engine.ts'
import type { Page, PageRequest } from '../engine/database/pages.ts'
import { formatCursor, type ListIdentity, ordinals, type Places, readCursor } from '../wire/cursor.ts'
import { type ListMeta, listBody, successBody, successBodyOf } from '../wire/envelope.ts'
import type { ErrorCode } from '../wire/errors.ts'
import { csvOf, type Exported, jsonLinesOf } from '../wire/export.ts'
import { orRefused } from '../wire/failure.ts'
import { Text, WholeNumber } from '../wire/fields.ts'
import type { FieldError } from '../wire/reader.ts'
import type { Tag } from '../wire/tags.ts'

export type Asked<Body, Query> = {
  service: Service
  book: Book
  apiKey: ApiKey
  origin: Origin
  params: Record<string, string>
  body: Body
  query: Query
  /** What was sent to a route that takes a file; empty elsewhere. */
  file: Buffer
  /** The format of the answer that the client prefers. */
  prefers: <Type extends string>(offered: readonly [Type, ...Type[]]) => Type
  /** Drops cached keys, because a key was changed. */
  forgetKeys: () => void
}

/** The newest of the backups that the service makes by itself; while there is none, the age of the service. */
export type LastBackup = { exists: boolean; ageSeconds: number }

/** What a handler works with. */
export type Service = Engine & {
  /** Settles everything that is due in a book. */
  settleBook: (origin: Pick<Origin, 'book' | 'actor' | 'requestId' | 'traceparent'>) => Promise<void>
  testClockRolloversMax: number
  backlog: {
    /** null where the service makes no backups. */
    lastBackup: () => Promise<LastBackup | null>
  }
  /** Whether a book may send to a URL. */
  addressGuard: (url: string, mode: Mode) => Promise<Examined>
}

export type Reply = {
  status: number
  /** A body that is too long to be held at once is sent in pieces. */
  body: string | AsyncIterable<string>
  replayed: boolean
  /** The content type, where it is not JSON. */
  headers?: Record<string, string>
}

export type Route<Body = unknown, Query = unknown> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  operationId: string
  summary: string
  /** Its chapter in the reference. */
  tag: Tag
  /** null: any key is accepted. */
  scope: Scope | null
  /** An additional scope that some bodies need; checked right after the fields were read. */
  scopeOfBody?: { scope: Scope; isNeeded: (body: Body) => boolean; when: string }
  /** Live keys are rejected. */
  testModeOnly?: true
  /** null: the route takes no body, or no query. */
  body: TSchema | null
  /** Instead of a JSON body it takes a file of JSON lines, of at most this size. */
  fileMaxBytes?: number
  /** What is wrong with what the path names, where that need not exist. */
  pathErrors?: (params: Record<string, string>) => FieldError[]
  /** No body is read as {}. */
  bodyOptional?: true
  query: TSchema | null
  /** What it returns on success: one record, or a page of them. */
  success: {
    status: 200 | 201
    data: { schema: TSchema }
    list?: true
    /** A client that prefers text/html gets a printable page. */
    page?: true
    /** The answer is a file of records. */
    file?: true
  }
  /** The refusals this route can return besides those that every route can. */
  refusals: readonly ErrorCode[]
  /** Whether a book's queue is full: then its requests are rejected before they are read. */
  isFull?: (service: Service, bookId: string) => boolean
  answer: (asked: Asked<Body, Query>) => Promise<Reply>
}

/** Gives the handler the types that its schemas read. Left out: no body, no query, no refusals of its own. */
export function route<Body extends TSchema | null = null, Query extends TSchema | null = null>(
  definition: Omit<Route, 'body' | 'query' | 'refusals' | 'answer' | 'scopeOfBody'> & {
    body?: Body
    query?: Query
    refusals?: Route['refusals']
    scopeOfBody?: Route<Read<Body>>['scopeOfBody']
    answer: (asked: Asked<Read<Body>, Read<Query>>) => Promise<Reply>
  },
): Route {
  return { body: null, query: null, refusals: [], ...definition } as unknown as Route
}
type Read<Schema> = Schema extends TSchema ? Static<Schema> : undefined

export const pageQuery = {
  limit: Type.Optional(WholeNumber({ min: 1, max: 100, description: 'Records on a page; 50 if left out.' })),
  cursor: Type.Optional(Text({ min: 1, max: 200, description: 'The next_cursor of the page before.' })),
}
export const ListQuery = Type.Object(pageQuery)

/** A record or other data. */
export function reply(message: string, data: unknown): Reply {
  return { status: 200, body: successBody(message, data), replayed: false }
}

/** The same with data that is already JSON text. */
export function replyOf(message: string, data: string): Reply {
  return { status: 200, body: successBodyOf(message, data), replayed: false }
}

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

/** A record as JSON, or as a page where the client prefers one. The page loads nothing: a logo is part of it. */
export function documentReply(
  { prefers }: Asked<unknown, unknown>,
  message: string,
  shown: { data: () => unknown; page: () => string; logo: string | null },
): Reply {
  if (prefers(['application/json', 'text/html']) === 'application/json') return reply(message, shown.data())
  return {
    status: 200,
    body: shown.page(),
    replayed: false,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': shown.logo === null ? PAGE_POLICY : `${PAGE_POLICY}; img-src data:`,
    },
  }
}

/** Records as a file, in the form that the client prefers. */
export function exportReply({ prefers }: Asked<unknown, unknown>, exported: Exported): Reply {
  const type = prefers(['application/x-ndjson', 'text/csv'])
  const isCsv = type === 'text/csv'
  return {
    status: 200,
    body: isCsv ? csvOf(exported) : jsonLinesOf(exported),
    replayed: false,
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8; header=present' : type,
      'content-disposition': `attachment; filename="${exported.name}.${isCsv ? 'csv' : 'ndjson'}"`,
    },
  }
}

/** How a change is answered over HTTP. */
export function success<Value>(
  status: 200 | 201,
  message: string | ((value: Value) => string),
  show: (value: Value) => unknown,
): AnswerWriter<Value> {
  return (value) => ({
    status,
    body: successBody(typeof message === 'string' ? message : message(value), show(value)),
  })
}

/** The same for an answer that shows a secret, which is stored sealed. */
export function secretSuccess<Value>(
  status: 200 | 201,
  message: string,
  show: (value: Value) => unknown,
): AnswerWriter<Value> {
  return (value) => ({ status, body: successBody(message, show(value)), secret: true })
}

/** The result of a change as an answer; a refusal is thrown, and answered by the only error handler. */
export async function replyWith<Value>(changing: Promise<Result<Value>>): Promise<Reply> {
  const result = orRefused(await changing)
  const { status, body } = result.answer!
  return { status, body, replayed: result.outcome === 'replayed' }
}

const LIMIT_DEFAULT = 50

/** Reads one page, with the cursor of the next. */
export async function listReply<Item, Place = bigint>(
  asked: Asked<unknown, { limit?: number; cursor?: string }>,
  list: {
    operationId: string
    message: string
    read: (page: PageRequest<Place>) => Promise<Page<Item, Place>>
    show: (item: Item) => unknown
    /** How places of a list are written that is not sorted by ordinal. */
    places?: Places<Place>
    /** The most records that a page of the list shows. */
    limitMax?: number
  },
): Promise<Reply> {
  const { limit: wanted = LIMIT_DEFAULT, cursor, ...filters } = asked.query
  const limit = Math.min(wanted, list.limitMax ?? wanted)
  const identity: ListIdentity = {
    operationId: list.operationId + Object.values(asked.params).join(' '),
    bookId: asked.book.bookId,
    filters,
  }
  const places = list.places ?? (ordinals as unknown as Places<Place>)
  const before = cursor === undefined ? null : readCursor(identity, cursor, places)
  const page = await list.read({ limit, before })
  const meta: ListMeta = {
    limit,
    has_more: page.next !== null,
    next_cursor: page.next === null ? null : formatCursor(identity, page.next, places),
  }
  return { status: 200, body: listBody(list.message, page.items.map(list.show), meta), replayed: false }
}
