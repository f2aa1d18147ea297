/** Members of a record that is stored as JSON. */
import assert from 'node:assert/strict'
import { readDecimal } from '../domain/decimal.ts'
import { MINOR_MAX } from '../domain/money.ts'
import { isJsonObject, type Json, Numeral } from './json.ts'

/** An amount, never through a double. */
export function keptAmount(kept: Json, member: string): bigint {
  const value = isJsonObject(kept) ? kept[member] : undefined
  assert(value instanceof Numeral, 'a stored record has its amounts')
  const read = readDecimal(value.source.replace('-', ''), { digits: 2, max: MINOR_MAX })
  assert(typeof read !== 'string', 'a stored amount has two decimals')
  return value.source.startsWith('-') ? -read.units : read.units
}

/** Empty where the record does not have it. */
export function textOf(kept: Json | undefined, member: string): string {
  const value = kept !== undefined && isJsonObject(kept) ? kept[member] : undefined
  if (value instanceof Numeral) return value.source
  return typeof value === 'string' ? value : ''
}
