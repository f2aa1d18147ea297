/** The body: declared as JSON, then read exactly. Fastify enforces the size between the two. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { FailureError } from '../wire/failure.ts'
import { parseJson } from '../wire/json.ts'

const JSON_TYPE = /^application\/json *(?:; *charset=(?:utf-8|"utf-8") *)?;? *$/i

export function requireJson(headers: IncomingHttpHeaders): void {
  if (JSON_TYPE.test(headers['content-type'] ?? '')) return
  throw new FailureError({ code: 'unsupported_media_type' })
}

export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
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
