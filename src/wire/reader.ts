/**
 * Reads requests into domain values, guided by the same schema that is printed as OpenAPI.
 *
 * - Every field error is found, in the order of the schema's members, then unknown members in the order sent.
 * - An unknown member is always an error: a request about money never ignores what it does not know.
 * - A value holds only what was sent: no defaults, no undefined members.
 * - No message repeats what was sent.
 */
import type { Static, TSchema } from 'typebox'
import { isJsonObject, type Json, Numeral } from './json.ts'
import { nearest } from './nearest.ts'

/** What can be wrong with a field. */
export const FIELD_ERRORS = {
  required: 'The field is missing.',
  null_not_allowed: 'The field is null.',
  invalid_type: 'The value has another type.',
  invalid_value: 'The value is not one of those allowed here.',
  invalid_format: 'The text does not have the right form.',
  blank: 'The text is empty or white space.',
  too_long: 'The text is too long.',
  too_short: 'The text is too short.',
  not_positive: 'The amount is zero or less.',
  too_precise: 'The number has too many decimals.',
  out_of_range: 'The number, date or time is outside its range.',
  conflicting_field: 'Another field was sent that excludes this one.',
  unknown_field: 'No field has this name here.',
  not_updatable: 'The field exists but cannot be changed.',
  too_many: 'The list is too long.',
  too_few: 'The list is too short.',
  forbidden_address: 'Messages are not sent to this address.',
} as const

export type FieldErrorCode = keyof typeof FIELD_ERRORS
export type FieldError = { field: string; code: FieldErrorCode; message: string }
export type Reading<Value> = { ok: true; value: Value } | { ok: false; fields: FieldError[] }

/** The path of a value in the request, and the list its errors are added to. */
export type Place = { readonly path: string; readonly errors: FieldError[] }

/** The keyword `read` of a field schema; undefined means that an error was added. A function is not printed. */
export type FieldReader = (value: Json, place: Place) => unknown

export function readBody<Schema extends TSchema>(schema: Schema, body: Json): Reading<Static<Schema>> {
  const errors: FieldError[] = []
  return conclude(readField(schema, body, { path: '', errors }), errors)
}

/** Query values are text: numbers and booleans are read from their text. */
export function readQuery<Schema extends TSchema>(
  schema: Schema,
  query: Record<string, string | string[] | undefined>,
): Reading<Static<Schema>> {
  const errors: FieldError[] = []
  return conclude(readMembers(schema, query, { path: '', errors }, readQueryText), errors)
}

export function readField(schema: TSchema, value: Json, place: Place): unknown {
  const { read } = schema as { read?: FieldReader }
  if (read !== undefined) return read(value, place)
  if (value === null)
    return refuse(place, 'null_not_allowed', 'Send a JSON object; null is not allowed here.')
  if (!isJsonObject(value)) return refuse(place, 'invalid_type', 'Send a JSON object.')
  return readMembers(schema, value, place, readField)
}

export function refuse(place: Place, code: FieldErrorCode, message: string): undefined {
  if (place.errors.length < FIELD_ERRORS_MAX) place.errors.push({ field: place.path, code, message })
}

/** A hostile body must not cause an answer many times its size. */
const FIELD_ERRORS_MAX = 1000

type ObjectSchema = {
  properties: Record<string, TSchema>
  required?: string[]
  notUpdatable?: readonly string[]
  /** Gets the members that were valid, and everything that was sent. */
  refine?: (value: object, sent: object) => FieldError[]
}

function readMembers<Sent>(
  schema: TSchema,
  sent: Record<string, Sent | undefined>,
  place: Place,
  readMember: (schema: TSchema, value: Sent, place: Place) => unknown,
): object | undefined {
  const { properties, required = [], notUpdatable = [], refine } = schema as ObjectSchema
  const errors: FieldError[] = []
  const value: Record<string, unknown> = {}
  for (const name in properties) {
    const member = { path: memberPath(place.path, name), errors }
    const given = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (given !== undefined) {
      const read = readMember(properties[name]!, given, member)
      if (read !== undefined) value[name] = read
    } else if (required.includes(name)) refuse(member, 'required', 'Send this field; it is required.')
  }
  if (refine !== undefined) addRefinements(refine(value, sent), { path: place.path, errors }, properties)
  for (const name of Object.keys(sent)) {
    if (Object.hasOwn(properties, name) || sent[name] === undefined) continue
    const member = { path: memberPath(place.path, name), errors }
    if (notUpdatable.includes(name))
      refuse(member, 'not_updatable', 'Leave this field out; it cannot be changed.')
    else refuse(member, 'unknown_field', unknownField(name, Object.keys(properties)))
  }
  if (errors.length === 0) return value
  for (const { field, code, message } of errors) refuse({ path: field, errors: place.errors }, code, message)
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  if (meant === null) return 'Leave this field out, or check its spelling; it is not known here.'
  return `Did you mean ${meant}? If not, leave this field out; it is not known here.`
}

/** An invalid member already has its error: refine, which sees it as absent, adds none to it. */
function addRefinements(found: FieldError[], { path, errors }: Place, properties: object): void {
  if (found.length === 0) return
  const refined = found.map((error) => ({
    ...error,
    field: error.field === '' ? path : memberPath(path, error.field),
  }))
  const order = Object.keys(properties).map((name) => memberPath(path, name))
  const member = ({ field }: FieldError) => order.findIndex((name) => isWithin(field, name))
  const failed = new Set(errors.map(member))
  errors.push(...refined.filter((error) => !failed.has(member(error))))
  errors.sort((left, right) => member(left) - member(right))
}

function isWithin(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`)
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function readQueryText(schema: TSchema, text: string | string[], place: Place): unknown {
  if (typeof text !== 'string') return refuse(place, 'invalid_value', 'Send this parameter only once.')
  const { type } = schema as { type?: string | string[] }
  return readField(schema, fromText(text, type), place)
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Text that is not of the expected type stays text, which its reader then rejects. */
function fromText(text: string, type: string | string[] | undefined): Json {
  const wanted = typeof type === 'string' ? type : type?.[0]
  if ((wanted === 'number' || wanted === 'integer') && NUMBER.test(text)) return new Numeral(text)
  if (wanted === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function conclude<Value>(value: unknown, errors: FieldError[]): Reading<Value> {
  return errors.length === 0 ? { ok: true, value: value as Value } : { ok: false, fields: errors }
}
