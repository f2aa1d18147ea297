/** Options are read by the fields of the API, so the same bounds apply as over HTTP. */
import type { Static, TSchema } from 'typebox'
import { type Json, Numeral } from '../wire/json.ts'
import { readBody } from '../wire/reader.ts'
import { UsageError } from './command.ts'

/** `option` names each member; an option that was not given is undefined. */
export function readValues<Schema extends TSchema>(
  schema: Schema,
  given: Record<string, { option: string; value: Json | undefined }>,
): Static<Schema> {
  const sent: Record<string, Json> = {}
  for (const [member, { value }] of Object.entries(given)) if (value !== undefined) sent[member] = value
  const reading = readBody(schema, sent)
  if (reading.ok) return reading.value
  const { field, message } = reading.fields[0]!
  const member = field.replace(/\[.*$/, '')
  throw new UsageError(`--${given[member]!.option} is not valid. ${message}`)
}

/** A whole number as in JSON; any other text stays text, which the field then rejects. */
export function asNumber(text: string | undefined): Json | undefined {
  return text !== undefined && /^(?:0|[1-9]\d*)$/.test(text) ? new Numeral(text) : text
}

export function asList(text: string | undefined): Json | undefined {
  return text?.split(',').map((item) => item.trim())
}
