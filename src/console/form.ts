/** The fields of a form or a query: each name once, text without NUL. */
import { hash } from 'node:crypto'
import { FailureError } from '../wire/failure.ts'
import type { Fields } from './page.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const FORM_MAX_BYTES = 32_768

export function readFields(text: string): Fields {
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    // Two values of one name could be interpreted differently by two readers.
    if (values.has(name)) throw new FailureError({ code: 'malformed_request' })
    values.set(name, value.replaceAll('\0', '\ufffd'))
  }
  return { get: (name) => values.get(name) ?? '', has: (name) => values.has(name), text }
}

/** Under one key only the same form may be submitted again. */
export function fingerprintOfForm(path: string, form: Fields): string {
  const sorted = new URLSearchParams(form.text)
  sorted.sort()
  return hash('sha256', `console ${path} ${sorted}`)
}

/** Fields of a form that are passed through another page; passwords are not. */
export function keptFields(form: Fields): string {
  const kept = new URLSearchParams(form.text)
  for (const name of [...kept.keys()]) if (/password|token/.test(name)) kept.delete(name)
  return kept.toString()
}
