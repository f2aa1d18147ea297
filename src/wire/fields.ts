/**
 * The fields of the contract: each function returns a JSON Schema that is printed unchanged and carries, as a function
 * that printing leaves out, the reader which turns JSON into the domain value of its Static type.
 *
 * - Numbers are read from their source text, exactly.
 * - Text is kept as sent unless the field says that it is trimmed; no text contains a control character, nor one that
 *   changes the direction of writing: with those, a name or an amount beside it can be shown as another.
 * - Every reader takes time linear in its input.
 */
import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox'
import { type IsoDate, isIsoDate } from '../domain/dates.ts'
import { readDecimal } from '../domain/decimal.ts'
import { formatAmount, MINOR_MAX, minor, WHOLE_UNIT_CURRENCIES } from '../domain/money.ts'
import type { Metadata } from '../domain/own-reference.ts'
import {
  CONTROL,
  CONTROL_BUT_LINE_BREAK,
  CURRENCIES,
  CURRENCIES_OF_OTHER_DIGITS,
  INSTANT_MAX_MS,
  isEmail,
  isPhoneNumber,
  LETTER,
  LETTER_OR_DIGIT,
  LINES,
  NO_CONTROL,
  ONE_LINE,
  PHONE_NUMBER,
  readInstantMs,
} from './formats.ts'
import { isJsonObject, type Json, Numeral } from './json.ts'
import { type FieldReader, type Place, readField, refuse } from './reader.ts'

/** What the printed schema says to people. With a title it is printed once, under that name. */
export type Notes = { title?: string; description?: string; examples?: unknown[] }

/** An amount of money: a JSON number with at most two fractional digits. */
type MoneyNotes = { zeroAllowed?: boolean } & Notes

export function Money(notes: MoneyNotes = {}) {
  return amountField({ ...notes, max: MINOR_MAX }, minor)
}

/** Of many amounts, so it may be larger than any of them. */
export function MoneySum(notes: Notes = {}) {
  return amountField({ ...notes, zeroAllowed: true, max: SUM_MAX }, (units) => units)
}

const SUM_MAX = 1_000_000_000_000_000_000n

function amountField<Value extends bigint>(
  { zeroAllowed = false, max, ...notes }: MoneyNotes & { max: bigint },
  toValue: (units: bigint) => Value,
) {
  const lowest = zeroAllowed ? { minimum: 0 } : { exclusiveMinimum: 0 }
  const largest = formatAmount(max)
  return field<Value>(
    { type: 'number', format: 'double', ...lowest, maximum: Number(largest), ...notes },
    (value, place) => {
      if (!(value instanceof Numeral))
        return refuse(place, 'invalid_type', 'Send a JSON number, such as 1500.00.')
      const reading = readDecimal(value.source, { digits: 2, max })
      const isZero = typeof reading === 'object' && reading.units === 0n
      if (isZero && zeroAllowed) return toValue(0n)
      if (isZero || value.source.startsWith('-')) {
        return zeroAllowed
          ? refuse(place, 'out_of_range', 'Send an amount that is not below zero.')
          : refuse(place, 'not_positive', 'Send an amount greater than zero.')
      }
      if (reading === 'too_precise') return refuse(place, reading, 'Send at most two fractional digits.')
      if (reading === 'out_of_range') return refuse(place, reading, `Send at most ${largest}.`)
      return toValue(reading.units)
    },
  )
}

type Bounds = { min: number; max: number; exclusiveMin?: boolean; positive?: boolean } & Notes

/** Percent as parts per million: 12.5 is 125000. The bounds are whole percents. */
export function Percent(range: Bounds) {
  return scaledNumber(range, 1)
}

/** Above zero; zero and less are rejected as not positive. */
export function PositivePercent({ max, ...notes }: { max: number } & Notes) {
  return scaledNumber({ min: 0, max, exclusiveMin: true, positive: true, ...notes }, 1)
}

/** A factor as parts per million: 1.5 is 1500000. The bounds are whole numbers. */
export function Multiplier(range: Bounds) {
  return scaledNumber(range, 100)
}

/** A whole number in any spelling: 1.0 and 1e2 are whole. */
export function WholeNumber({ min, max, ...notes }: { min: number; max: number } & Notes) {
  const largest = BigInt(Math.max(Math.abs(min), Math.abs(max)))
  return field<number>({ type: 'integer', minimum: min, maximum: max, ...notes }, (value, place) => {
    if (!(value instanceof Numeral)) return refuse(place, 'invalid_type', 'Send a JSON number.')
    const reading = readDecimal(value.source, { digits: 0, max: largest })
    if (reading === 'too_precise') return refuse(place, reading, 'Send a whole number.')
    const units = reading === 'out_of_range' ? Number.NaN : Number(reading.units)
    if (units >= min && units <= max) return units
    return refuse(place, 'out_of_range', `Send a whole number from ${min} to ${max}.`)
  })
}

/** Exactly one of the values: no trimming, no other case. */
export function Choice<const Value extends string>(values: readonly Value[], notes: Notes = {}) {
  return field<Value>({ type: 'string', enum: values, ...notes }, (value, place) => {
    if (typeof value !== 'string') return refuse(place, 'invalid_type', `Send ${listed(values)} as a string.`)
    return values.find((one) => one === value) ?? refuse(place, 'invalid_value', `Send ${listed(values)}.`)
  })
}

/** true or absent. */
export function OnlyTrue(notes: Notes = {}) {
  return field<true>({ type: 'boolean', ...notes }, (value, place) => {
    if (typeof value !== 'boolean') return refuse(place, 'invalid_type', 'Send true, or leave it out.')
    return value ? true : refuse(place, 'invalid_value', 'Send true, or leave it out.')
  })
}

export function Flag(notes: Notes = {}) {
  return field<boolean>({ type: 'boolean', ...notes }, (value, place) =>
    typeof value === 'boolean' ? value : refuse(place, 'invalid_type', 'Send true or false, without quotes.'),
  )
}

/** A caller's own short code, such as DEATH_OF_OWNER. */
export function Code(notes: Notes = {}) {
  return Text({ min: 2, max: 32, pattern: '^[A-Z][A-Z0-9_]{1,31}$', ...notes })
}

export function Email(notes: Notes = {}) {
  return text<string>({ format: 'email', minLength: 3, maxLength: 254, ...notes }, (value, place) =>
    isEmail(value)
      ? value
      : refuse(
          place,
          'invalid_format',
          'Send an e-mail address of the form name@example.com, without spaces.',
        ),
  )
}

export function PhoneNumber(notes: Notes = {}) {
  return text<string>(
    { minLength: 7, maxLength: 32, pattern: PHONE_NUMBER.source, ...notes },
    (value, place) =>
      isPhoneNumber(value)
        ? value
        : refuse(
            place,
            'invalid_format',
            'Send 7 to 15 digits, with a leading + if you like, and single spaces, hyphens, dots or brackets between.',
          ),
  )
}

/** Trimmed; may have several lines. */
export function Address(notes: Notes = {}) {
  return trimmedText({ minLength: 1, maxLength: 500, pattern: LINES, ...notes }, (value, place) => {
    if (CONTROL_BUT_LINE_BREAK.test(value))
      return refuse(place, 'invalid_format', 'Leave out control characters.')
    if (!LETTER_OR_DIGIT.test(value))
      return refuse(place, 'invalid_format', 'Send at least one letter or digit.')
    return value
  })
}

/** Trimmed. */
export function PersonName(notes: Notes = {}) {
  return trimmedText({ minLength: 1, maxLength: 100, pattern: ONE_LINE, ...notes }, (value, place) => {
    if (CONTROL.test(value)) return refuse(place, 'invalid_format', NO_CONTROL)
    if (!LETTER.test(value)) return refuse(place, 'invalid_format', 'Send a name with at least one letter.')
    return value
  })
}

export function CalendarDate(notes: Notes = {}) {
  return text<IsoDate>({ format: 'date', ...notes }, (value, place) =>
    isIsoDate(value)
      ? value
      : refuse(place, 'invalid_format', 'Send a calendar date of the form YYYY-MM-DD.'),
  )
}

/** Digits below a millisecond are cut off. */
export function Instant(notes: Notes = {}) {
  return text<Date>({ format: 'date-time', ...notes }, (value, place) => {
    const instantMs = readInstantMs(value)
    if (instantMs === null) {
      return refuse(
        place,
        'invalid_format',
        'Send a time of the form YYYY-MM-DDTHH:mm:ssZ, or with an offset.',
      )
    }
    if (instantMs >= 0 && instantMs <= INSTANT_MAX_MS) return new Date(instantMs)
    return refuse(place, 'out_of_range', 'Send a time in the years 1970 to 9999.')
  })
}

/** One line of free text. */
export function PlainText({ max, ...notes }: { max: number } & Notes) {
  return Text({ min: 1, max, ...notes })
}

/** An identifier of a record, as issued; an unknown one is not found. */
export function Identifier({ description }: { description: string }) {
  return Text({ min: 1, max: 64, description })
}

/** One line of text; lengths count code points; a pattern contains its own anchors. */
export function Text({
  min,
  max,
  pattern,
  ...notes
}: { min: number; max: number; pattern?: string } & Notes) {
  const form = pattern === undefined ? null : new RegExp(pattern, 'u')
  const printed = { minLength: min, maxLength: max, pattern: pattern ?? ONE_LINE, ...notes }
  return text<string>(printed, (value, place) => {
    if (codePoints(value) < min) return refuse(place, 'too_short', `Send at least ${min} characters.`)
    if (CONTROL.test(value)) return refuse(place, 'invalid_format', NO_CONTROL)
    if (form?.test(value) === false)
      return refuse(place, 'invalid_format', 'Send this field in its documented form.')
    return value
  })
}

export function CurrencyCode(notes: Notes = {}) {
  return text<string>({ pattern: '^[A-Z]{3}$', ...notes }, (value, place) => {
    if (CURRENCIES.has(value) || WHOLE_UNIT_CURRENCIES.has(value)) return value
    return CURRENCIES_OF_OTHER_DIGITS.has(value)
      ? refuse(place, 'invalid_value', 'Send a currency with two minor digits or none; this one has more.')
      : refuse(
          place,
          'invalid_value',
          'Send an ISO 4217 code in capitals, such as NGN, with two minor digits or none.',
        )
  })
}

/** Any JSON object, kept as sent; the code that uses it reads its members. */
export function AnyObject(notes: Notes = {}) {
  const printed = { title: 'JsonObject', type: 'object', additionalProperties: true, ...notes }
  return field<{ [name: string]: Json }>(printed, (value, place) =>
    isJsonObject(value) ? value : refuse(place, 'invalid_type', 'Send a JSON object.'),
  )
}

/** The caller's own names and values. */
export function MetadataObject(notes: Notes = {}) {
  const value = { type: 'string', maxLength: METADATA_VALUE_MAX }
  const printed = {
    title: 'Metadata',
    type: 'object',
    maxProperties: METADATA_NAMES_MAX,
    additionalProperties: value,
    ...notes,
  }
  return field<Metadata>(printed, (sent, place) => {
    if (!isJsonObject(sent)) return refuse(place, 'invalid_type', 'Send a JSON object.')
    const entries = Object.entries(sent)
    if (entries.length > METADATA_NAMES_MAX)
      return refuse(place, 'too_many', `Send at most ${METADATA_NAMES_MAX} names.`)
    const texts = entries.map(([name, text]) =>
      readMetadata(name, text, { path: `${place.path}.${name}`, errors: place.errors }),
    )
    return texts.includes(undefined) ? undefined : (sent as Metadata)
  })
}

const METADATA_NAMES_MAX = 20
const METADATA_NAME_MAX = 40
const METADATA_VALUE_MAX = 200

function readMetadata(name: string, text: Json, place: Place): string | undefined {
  if (name.trim() === '') return refuse(place, 'blank', 'Give the value a name.')
  if (codePoints(name) > METADATA_NAME_MAX)
    return refuse(place, 'too_long', `Send a name of at most ${METADATA_NAME_MAX} characters.`)
  if (typeof text !== 'string') return refuse(place, 'invalid_type', 'Send a string.')
  if (codePoints(text) > METADATA_VALUE_MAX)
    return refuse(place, 'too_long', `Send at most ${METADATA_VALUE_MAX} characters.`)
  if (CONTROL.test(name) || CONTROL.test(text)) return refuse(place, 'invalid_format', NO_CONTROL)
  return text
}

/** The value or null. */
export function Nullable<Schema extends TSchema>(schema: Schema, notes: Notes = {}) {
  const read: FieldReader = (value, place) => (value === null ? null : readField(schema, value, place))
  return Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }], ...notes, read })
}

export function ListOf<Schema extends TSchema>(
  schema: Schema,
  { min, max, ...notes }: { min: number; max: number } & Notes,
) {
  const printed = { type: 'array', items: schema, minItems: min, maxItems: max, ...notes }
  return field<Static<Schema>[]>(printed, (value, place) => {
    if (!Array.isArray(value)) return refuse(place, 'invalid_type', 'Send a JSON array.')
    if (value.length < min) return refuse(place, 'too_few', `Send at least ${min} in this list.`)
    if (value.length > max) return refuse(place, 'too_many', `Send at most ${max} in this list.`)
    const items = value.map((item, index) =>
      readField(schema, item, { path: `${place.path}[${index}]`, errors: place.errors }),
    )
    return items.includes(undefined) ? undefined : (items as Static<Schema>[])
  })
}

/** Values under names of the sender's choice; those in `needed`, with their descriptions, have to be there. */
export function NamedValues<Schema extends TSchema>(
  schema: Schema,
  { names, needed, max, ...notes }: { names: string; needed: Record<string, string>; max: number } & Notes,
) {
  const form = new RegExp(names, 'u')
  const printed = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(needed).map(([name, description]) => [name, { ...schema, description }]),
    ),
    propertyNames: { type: 'string', pattern: names },
    additionalProperties: schema,
    required: Object.keys(needed),
    maxProperties: max,
    ...notes,
  }
  return field<ReadonlyMap<string, Static<Schema>>>(printed, (value, { path, errors }) => {
    if (!isJsonObject(value)) return refuse({ path, errors }, 'invalid_type', 'Send a JSON object.')
    const sent = Object.keys(value)
    if (sent.length > max) return refuse({ path, errors }, 'too_many', `Send at most ${max} members.`)
    const before = errors.length
    const read = new Map<string, Static<Schema>>()
    for (const name of new Set([...Object.keys(needed), ...sent])) {
      const member = { path: `${path}.${name}`, errors }
      if (!Object.hasOwn(value, name)) refuse(member, 'required', 'Send this field; it is required.')
      else if (!form.test(name)) refuse(member, 'invalid_format', 'Send a name in its documented form.')
      else read.set(name, readField(schema, value[name]!, member) as Static<Schema>)
    }
    return errors.length === before ? read : undefined
  })
}

type Variants = Record<string, TObject>
type Tagged<Tag extends string, Members extends Variants> = {
  [Name in keyof Members & string]: Flat<{ [key in Tag]: Name } & Static<Members[Name]>>
}[keyof Members & string]
type Flat<Value> = { [Name in keyof Value]: Value[Name] }

/** An object whose tag names its variant; a variant leaves the tag out of its members. The notes are the tag's. */
export function OneOf<const Tag extends string, Members extends Variants>(
  tag: Tag,
  variants: Members,
  notes: Notes = {},
) {
  const names = Object.keys(variants)
  const tagged = new Map<Json | undefined, TSchema>()
  for (const name of names) {
    const { type, required, properties, ...keywords } = variants[name]!
    const members = { [tag]: Choice([name], notes), ...properties }
    tagged.set(name, Type.Object(members, { additionalProperties: false, ...keywords }))
  }
  const tagAlone = Type.Object({ [tag]: Choice(names) })
  const printed = { type: 'object', oneOf: [...tagged.values()] }
  return field<Tagged<Tag, Members>>(printed, (value, place) => {
    if (!isJsonObject(value)) return refuse(place, 'invalid_type', 'Send a JSON object.')
    const variant = tagged.get(value[tag])
    if (variant !== undefined) return readField(variant, value, place) as Tagged<Tag, Members> | undefined
    // Without the variant it is not known which other members are allowed, so only the tag has an error.
    readField(tagAlone, value[tag] === undefined ? {} : { [tag]: value[tag] }, place)
    return undefined
  })
}

type ReadPresent<Value> = (value: Exclude<Json, null>, place: Place) => Value | undefined

function field<Value>(printed: object, readPresent: ReadPresent<Value>): TUnsafe<Value> {
  const read: FieldReader = (value, place) =>
    value === null
      ? refuse(
          place,
          'null_not_allowed',
          'Send a value, or leave the field out if it is optional; null is neither.',
        )
      : readPresent(value, place)
  return Type.Unsafe<Value>({ ...printed, read })
}

type ReadText<Value> = (value: string, place: Place) => Value | undefined
type TextKeywords = { maxLength?: number; [keyword: string]: unknown }

function trimmedText(keywords: TextKeywords, readText: ReadText<string>): TUnsafe<string> {
  return text<string>(keywords, readText, (sent) => sent.trim())
}

/** Text that is not blank and has at most maxLength code points. */
function text<Value>(
  keywords: TextKeywords,
  readText: ReadText<Value>,
  prepare = (sent: string) => sent,
): TUnsafe<Value> {
  const { maxLength = Number.POSITIVE_INFINITY } = keywords
  return field<Value>({ type: 'string', ...keywords }, (sent, place) => {
    if (typeof sent !== 'string') return refuse(place, 'invalid_type', 'Send a string.')
    if (sent.trim() === '') return refuse(place, 'blank', 'Send some text; white space alone is not enough.')
    const value = prepare(sent)
    if (value.length > maxLength && codePoints(value) > maxLength) {
      return refuse(place, 'too_long', `Send at most ${maxLength} characters.`)
    }
    return readText(value, place)
  })
}

function scaledNumber(bounds: Bounds, ppmPerUnit: number) {
  const { min, max, exclusiveMin = false, positive = false, ...notes } = bounds
  const lowest = exclusiveMin ? { exclusiveMinimum: min } : { minimum: min }
  const unitsMax = BigInt(Math.max(Math.abs(min), Math.abs(max))) * 10_000n
  return field<number>(
    { type: 'number', format: 'double', ...lowest, maximum: max, ...notes },
    (value, place) => {
      if (!(value instanceof Numeral))
        return refuse(place, 'invalid_type', 'Send a JSON number, without quotes.')
      const reading = readDecimal(value.source, { digits: 4, max: unitsMax })
      const isZero = typeof reading === 'object' && reading.units === 0n
      if (positive && (isZero || value.source.startsWith('-')))
        return refuse(place, 'not_positive', 'Send a number greater than zero.')
      if (reading === 'too_precise') return refuse(place, reading, 'Send at most four fractional digits.')
      const units = reading === 'out_of_range' ? Number.NaN : Number(reading.units)
      const isHighEnough = exclusiveMin ? units > min * 10_000 : units >= min * 10_000
      if (isHighEnough && units <= max * 10_000) return units * ppmPerUnit
      const range = exclusiveMin ? `above ${min} and at most ${max}` : `from ${min} to ${max}`
      return refuse(place, 'out_of_range', `Send a number ${range}.`)
    },
  )
}

function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** "FULL" or "PARTIAL" */
function listed(values: readonly string[]): string {
  return alternatives.format(values.map((value) => `"${value}"`))
}
