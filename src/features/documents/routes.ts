/** The three operations of each kind of document: the newest version, writing the next, and any one version. */
import type { Static, TSchema } from 'typebox'
import type { Version } from '../../domain/document.ts'
import type { Scope } from '../../domain/scopes.ts'
import { type Route, reply, replyWith, route, success } from '../../route/route.ts'
import type { ErrorCode } from '../../wire/errors.ts'
import { found } from '../../wire/failure.ts'
import type { Tag } from '../../wire/tags.ts'
import { documentKinds } from '../document-kinds/document.ts'
import { type DocumentOf, documentOf } from './changes.ts'

type DocumentRoutes<Body extends TSchema, Document> = {
  path: string
  tag: Tag
  body: Body
  from: (body: Static<Body>) => Document
  scopes: { read: Scope; write: Scope }
  get: { operationId: string; summary: string }
  replace: { operationId: string; summary: string; refusals?: readonly ErrorCode[] }
  version: { operationId: string; summary: string }
  /** What is said with an answer. */
  shown: string
  replaced: string
  /** The refusal where there is no version, or not this one. */
  missing?: ErrorCode
  /** Shown before the first version is written; by default there is nothing to show. */
  first?: Version<Document>
}

export function documentRoutes<Body extends TSchema, Document>(
  document: DocumentOf<Document>,
  definition: DocumentRoutes<Body, Document>,
): Route[] {
  const { path, tag, scopes, missing = 'document_version_not_found', first } = definition
  const { record, reader } = document
  const data = { status: 200, data: record } as const
  const shown = (version: Version<Document> | undefined) =>
    reply(definition.shown, record.write(found(version, missing)))
  return [
    route({
      ...definition.get,
      method: 'GET',
      path,
      tag,
      scope: scopes.read,
      success: data,
      refusals: first === undefined && missing === 'document_version_not_found' ? [missing] : [],
      answer: async ({ service: { db, versions }, book }) =>
        shown((await reader.readNewest(db, versions, book.bookId)) ?? first),
    }),
    route({
      ...definition.replace,
      method: 'PUT',
      path,
      tag,
      scope: scopes.write,
      body: definition.body,
      success: data,
      refusals: [...(definition.replace.refusals ?? []), 'approval_required'],
      answer: ({ service, origin, body }) => {
        const answer = success(200, definition.replaced, record.write)
        return replyWith(document.replace(service, origin, definition.from(body as Static<Body>), answer))
      },
    }),
    route({
      ...definition.version,
      method: 'GET',
      path: `${path}/:version`,
      tag,
      scope: scopes.read,
      success: data,
      refusals: [missing],
      answer: async ({ service: { db, versions }, book, params }) => {
        const version = /^[1-9]\d{0,8}$/.test(params.version!) ? Number(params.version) : 0
        return shown(await reader.readVersion(db, versions, book.bookId, version))
      },
    }),
  ]
}

export const documentKindRoutes: Route[] = documentKinds.flatMap((kind) =>
  documentRoutes(documentOf(kind), kind),
)
