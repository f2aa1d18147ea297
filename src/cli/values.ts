/** Options are read by the contract's own fields, so what is made here obeys the same bounds as what is made over HTTP. */
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

/** A whole number as JSON has it; any other text stays text, which the contract then refuses. */
export function asNumber(text: string | undefined): Json | undefined {
  return text !== undefined && /^(?:0|[1-9]\d*)$/.test(text) ? new Numeral(text) : text
}

export function asList(text: string | undefined): Json | undefined {
  return text?.split(',').map((item) => item.trim())
}
