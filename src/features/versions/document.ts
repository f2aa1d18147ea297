/**
 * A kind of versioned document, described once. From the description come its change, reader, event and HTTP operations
 * (features/documents), and what people call it. A new kind is a description in `features/<noun>/document.ts` and its
 * place in the list of features/document-kinds.
 */
import assert from 'node:assert/strict'
import type { Static, TSchema } from 'typebox'
import type { DocumentOperation } from '../../domain/approvals.ts'
import type { Version } from '../../domain/document.ts'
import type { LanguageCode } from '../../domain/language.ts'
import type { Scope } from '../../domain/scopes.ts'
import { parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { count, createdAt, type Members, orNull, type RecordKind, record, within } from '../../wire/record.ts'
import type { Tag } from '../../wire/tags.ts'

type Described = {
  kind: string
  event: string
  path: string
  tag: Tag
  scopes: { read: Scope; write: Scope }
  /** What is said with an answer. */
  shown: string
  replaced: string
  /** A body, as the reference shows it. */
  example: string
  /** The name of the operation, and of the event, for people. */
  texts: Record<LanguageCode, { operation: string; action: string }>
}

type Description<Body extends TSchema, Document> = Described & {
  /** The name within those of its operations: getCalendar, replaceCalendar, getCalendarVersion. */
  name: string
  summaries: { get: string; replace: string; version: string }
  /** Title of the record, and what its version is the version of. */
  title: string
  noun: string
  body: Body
  from: (body: Static<Body>) => Document
  members: Members<Document>
  /** The document in force before the first version is written. */
  empty: Document
}

/** The functions are written as methods so that kinds of different documents fit into one list. */
export type DocumentDescription<Document> = Described & {
  operation: DocumentOperation
  get: { operationId: string; summary: string }
  replace: { operationId: string; summary: string }
  version: { operationId: string; summary: string }
  body: TSchema
  record: Pick<RecordKind<never>, 'schema'> & {
    write(version: Version<Document>): unknown
    json(version: Version<Document>): string
  }
  from(body: unknown): Document
  /** The stored text, which parse reads again. */
  format(document: Document): string
  parse(text: string): Document
  first: Version<Document>
}

export function describeDocument<Body extends TSchema, Document>(
  description: Description<Body, Document>,
): DocumentDescription<Document> {
  const { name, title, noun, summaries, body, from, members, empty, ...described } = description
  const stored = record(`Stored${title}`, members)
  const versionOf = `Version of the ${noun}; 0 before the first one.`
  return {
    ...described,
    body,
    from,
    operation: `replace${name}`,
    get: { operationId: `get${name}`, summary: summaries.get },
    replace: { operationId: `replace${name}`, summary: summaries.replace },
    version: { operationId: `get${name}Version`, summary: summaries.version },
    record: record<Version<Document>>(title, {
      version: count.as(versionOf, ({ version }) => version),
      ...within(({ document }: Version<Document>) => document, members),
      created_at: orNull(createdAt).of((shown) => (shown.version === 0 ? null : shown.createdAt)),
    }),
    format: stored.json,
    parse(text) {
      const reading = readBody(body, parseJson(text))
      assert(reading.ok, `a stored ${noun} is valid`)
      return from(reading.value)
    },
    first: { version: 0, document: empty, createdAt: new Date(0) },
  }
}
