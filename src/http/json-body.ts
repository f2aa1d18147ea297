/** The body: declared as plain JSON, within the size limit, then parsed exactly. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { FailureError } from '../wire/failure.ts'
import { parseJson } from '../wire/json.ts'

const JSON_TYPE = /^application\/json *(?:; *charset=(?:utf-8|"utf-8") *)?;? *$/i

export function requireJson(headers: IncomingHttpHeaders): void {
  if (JSON_TYPE.test(headers['content-type'] ?? '')) return
  throw new FailureError({ code: 'unsupported_media_type' })
}

const LINES_TYPE = /^application\/x-ndjson *(?:; *charset=(?:utf-8|"utf-8") *)?;? *$/i

export function requireJsonLines(headers: IncomingHttpHeaders): void {
  if (LINES_TYPE.test(headers['content-type'] ?? '')) return
  throw new FailureError({
    code: 'unsupported_media_type',
    message: 'The body must be JSON lines. Send "Content-Type: application/x-ndjson".',
  })
}

export function sendsNoBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

/** Nothing is decompressed: a small body could become a large one. */
export function requirePlainBody(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']
  if (coding === undefined || coding.toLowerCase() === 'identity') return
  throw new FailureError(
    {
      code: 'unsupported_media_type',
      message: 'The body must not be compressed. Send it without the Content-Encoding header.',
    },
    { 'accept-encoding': 'identity' },
  )
}

/** Checks the announced length; Fastify counts the bytes of a chunked body. */
export function announcesTooLarge(headers: IncomingHttpHeaders, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes
}

export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-ndjson', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    // An empty body is no body: an operation that needs one rejects it later.
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}
