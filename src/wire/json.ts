/**
 * JSON whose numbers keep their source text, so that money never passes through a double.
 *
 * - Exactly RFC 8259 in well-formed UTF-8: what another parser might read differently is rejected.
 * - A member name appears once per object, however it is escaped; '__proto__' is a name like any other.
 * - Time is linear in the input and recursion is bounded by the depth limit.
 * - An error names a position, never the content.
 */
import { canonicalNumber } from '../domain/decimal.ts'

export type Json = null | boolean | string | Numeral | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

/** A JSON number as it was written. */
export class Numeral {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  toJSON(): unknown {
    return rawJson(this.source)
  }
}

/** Its message is a sentence for the client. */
export class MalformedJsonError extends Error {}

const DEPTH_MAX = 16

/** An object in an object is depth 2. */
export function parseJson(
  input: Uint8Array | string,
  limits: { depthMax: number } = { depthMax: DEPTH_MAX },
): Json {
  const cursor: Cursor = { text: decode(input), at: 0, depthMax: limits.depthMax, depth: 0 }
  const value = readValue(cursor)
  skipSpace(cursor)
  if (cursor.at < cursor.text.length) throw unexpected(cursor.at, cursor)
  return value
}

/** The same value in another member order or number spelling gives the same text. */
export function canonicalJson(value: Json): string {
  if (value instanceof Numeral) return canonicalNumber(value.source)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name]!)}`)
  return `{${members.join(',')}}`
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Numeral)
}

/** Raw JSON text inside JSON.stringify, which the type library does not know yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }

type Cursor = { readonly text: string; at: number; readonly depthMax: number; depth: number }

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_F = 0x66
const LETTER_N = 0x6e
const LETTER_T = 0x74
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

// ignoreBOM keeps a byte order mark in the text, where it is an unexpected character.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(input: Uint8Array | string): string {
  if (typeof input === 'string') {
    if (input.isWellFormed()) return input
    throw new MalformedJsonError('The body is not well-formed Unicode.')
  }
  try {
    return utf8.decode(input)
  } catch {
    throw new MalformedJsonError('The body is not valid UTF-8.')
  }
}

function readValue(cursor: Cursor): Json {
  skipSpace(cursor)
  const code = cursor.text.charCodeAt(cursor.at)
  switch (code) {
    case QUOTE:
      return readString(cursor)
    case OPEN_BRACE:
      return readObject(cursor)
    case OPEN_BRACKET:
      return readArray(cursor)
    case LETTER_T:
      return readWord(cursor, 'true', true)
    case LETTER_F:
      return readWord(cursor, 'false', false)
    case LETTER_N:
      return readWord(cursor, 'null', null)
    default:
      if (code === MINUS || isDigit(code)) return readNumeral(cursor)
      throw unexpected(cursor.at, cursor)
  }
}

function readObject(cursor: Cursor): Json {
  enter(cursor)
  const members: JsonObject = Object.create(null)
  if (closes(cursor, CLOSE_BRACE)) return members
  do {
    skipSpace(cursor)
    const nameAt = cursor.at
    if (cursor.text.charCodeAt(nameAt) !== QUOTE) throw unexpected(nameAt, cursor)
    const name = readString(cursor)
    if (name in members) throw malformed(`a member name appears twice in one object, at position ${nameAt}`)
    skipSpace(cursor)
    if (cursor.text.charCodeAt(cursor.at) !== COLON) throw unexpected(cursor.at, cursor)
    cursor.at += 1
    members[name] = readValue(cursor)
  } while (continues(cursor, CLOSE_BRACE))
  return members
}

function readArray(cursor: Cursor): Json {
  enter(cursor)
  const items: Json[] = []
  if (closes(cursor, CLOSE_BRACKET)) return items
  do items.push(readValue(cursor))
  while (continues(cursor, CLOSE_BRACKET))
  return items
}

function enter(cursor: Cursor): void {
  if (cursor.depth === cursor.depthMax) {
    throw new MalformedJsonError(`The body is nested deeper than ${cursor.depthMax} levels.`)
  }
  cursor.depth += 1
  cursor.at += 1
}

/** Consumes the closing character of an empty object or array. */
function closes(cursor: Cursor, close: number): boolean {
  skipSpace(cursor)
  if (cursor.text.charCodeAt(cursor.at) !== close) return false
  cursor.depth -= 1
  cursor.at += 1
  return true
}

/** Consumes what follows a member or an item: a comma continues, the closing character ends. */
function continues(cursor: Cursor, close: number): boolean {
  if (closes(cursor, close)) return false
  if (cursor.text.charCodeAt(cursor.at) !== COMMA) throw unexpected(cursor.at, cursor)
  cursor.at += 1
  return true
}

function readString(cursor: Cursor): string {
  const { text, at: start } = cursor
  let escaped = false
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      cursor.at = at + 1
      return escaped ? unescapeString(text.slice(start, at + 1), start) : text.slice(start + 1, at)
    }
    if (code === BACKSLASH) {
      escaped = true
      at += 1
    } else if (!(code >= SPACE)) throw unexpected(at, cursor)
  }
}

/** The native parser knows every escape; a pair of surrogates may be written as two, half a pair is not a character. */
function unescapeString(literal: string, at: number): string {
  try {
    const text: string = JSON.parse(literal)
    if (text.isWellFormed()) return text
  } catch {
    throw malformed(`an escape is not valid in the string at position ${at}`)
  }
  throw malformed(`half a surrogate pair is escaped in the string at position ${at}`)
}

function readNumeral(cursor: Cursor): Numeral {
  const { text, at: start } = cursor
  if (text.charCodeAt(cursor.at) === MINUS) cursor.at += 1
  if (text.charCodeAt(cursor.at) === ZERO) cursor.at += 1
  else takeDigits(cursor)
  if (text.charCodeAt(cursor.at) === DOT) {
    cursor.at += 1
    takeDigits(cursor)
  }
  if (text[cursor.at] === 'e' || text[cursor.at] === 'E') {
    cursor.at += 1
    const sign = text.charCodeAt(cursor.at)
    if (sign === PLUS || sign === MINUS) cursor.at += 1
    takeDigits(cursor)
  }
  return new Numeral(text.slice(start, cursor.at))
}

function takeDigits(cursor: Cursor): void {
  const { text, at: start } = cursor
  let at = start
  while (isDigit(text.charCodeAt(at))) at += 1
  if (at === start) throw unexpected(at, cursor)
  cursor.at = at
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

function readWord<Value>(cursor: Cursor, word: string, value: Value): Value {
  if (!cursor.text.startsWith(word, cursor.at)) throw unexpected(cursor.at, cursor)
  cursor.at += word.length
  return value
}

function skipSpace(cursor: Cursor): void {
  const { text } = cursor
  for (;;) {
    const code = text.charCodeAt(cursor.at)
    if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return
    cursor.at += 1
  }
}

function unexpected(at: number, { text }: Cursor): MalformedJsonError {
  return malformed(at < text.length ? `unexpected character at position ${at}` : 'it ends too early')
}

function malformed(reason: string): MalformedJsonError {
  return new MalformedJsonError(`The body is not valid JSON: ${reason}.`)
}
