/** The fields of a form or a query: each name once, text without NUL. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Fields } from '../page/form.ts'
import { FailureError } from '../wire/failure.ts'
import { readUpload } from './upload.ts'

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

export function formOf(request: FastifyRequest): Fields {
  if (request.body instanceof Readable) throw new FailureError({ code: 'unsupported_media_type' })
  return readFields(typeof request.body === 'string' ? request.body : '')
}

/** A form with a file where the page takes one; one without is read too. */
export async function uploadOf(request: FastifyRequest, takesFile: boolean): Promise<Upload> {
  if (!takesFile || !(request.body instanceof Readable)) return { form: formOf(request), file: null }
  const type = String(request.headers['content-type'])
  const { fields, file } = await readUpload(request.body, type, FORM_MAX_BYTES)
  return { form: readFields(fields), file }
}

export type Upload = { form: Fields; file: AsyncIterable<Buffer> | null }

export function queryOf(request: FastifyRequest): Fields {
  const question = request.url.indexOf('?')
  return readFields(question === -1 ? '' : request.url.slice(question + 1))
}

/** Fields of a form that are passed through another page; passwords and codes are not. */
export function keptFields(form: Fields): string {
  const kept = new URLSearchParams(form.text)
  for (const name of [...kept.keys()]) if (/password|token|own_/.test(name)) kept.delete(name)
  return kept.toString()
}

/** The same form without some of its fields. */
export function withoutFields(form: Fields, names: readonly string[]): Fields {
  const rest = new URLSearchParams(form.text)
  for (const name of names) rest.delete(name)
  return readFields(rest.toString())
}
