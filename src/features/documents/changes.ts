/**
 * A kind of versioned document: a caller writes it as a whole, the next version takes effect, and no version ever
 * changes. From its description come the change, the reader, the event and, in routes.ts, the HTTP operations.
 */
import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import type { ApprovableOperation } from '../../domain/approvals.ts'
import type { Version } from '../../domain/document.ts'
import type { Refusal } from '../../domain/refusal.ts'
import {
  type AnswerWriter,
  type Change,
  made,
  type Origin,
  type ReadingContext,
  type Result,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { Queries } from '../../engine/database/database.ts'
import { documentKinds } from '../document-kinds/document.ts'
import { held } from '../holding/changes.ts'
import type { DocumentDescription } from '../versions/document.ts'
import {
  documentStore,
  isInBook,
  lockBook,
  type VersionReader,
  type VersionStore,
  versionReader,
} from '../versions/store.ts'

/** Reads and writes one noun on the wire. */
type VersionRecord<Document> = {
  schema: TSchema
  write: (version: Version<Document>) => unknown
  json: (version: Version<Document>) => string
}

export type DocumentDefinition<Document, Facts> = {
  kind: string
  operation: ApprovableOperation
  event: string
  record: VersionRecord<Document>
  /** The stored text, which parse reads again. */
  format: (document: Document) => string
  parse: (text: string) => Document
  /** The place of its versions; by default among the documents. */
  store?: VersionStore
  reader?: VersionReader<Document>
  effectiveFrom?: (document: Document) => string
  /** What a refusal of its own depends on, and that refusal. */
  readFacts?: (tx: Queries, at: ReadingContext<Document>) => Promise<Facts>
  refuse?: (document: Document, facts: Facts) => Refusal | null
}

export type DocumentOf<Document> = {
  record: VersionRecord<Document>
  reader: VersionReader<Document>
  replacement: ReturnType<typeof held<Document, void, Known<unknown>, Version<Document>>>
  /** The same change without asking whether it has to wait, for the operator. */
  writing: Change<Document, void, Known<unknown>, Version<Document>>
  replace: (
    engine: Engine,
    origin: Origin,
    document: Document,
    answer?: AnswerWriter<Version<Document>>,
  ) => Promise<Result<Version<Document>>>
}

type Known<Facts> = { newest: number; facts: Facts }

export function defineDocument<Document, Facts = undefined>(
  definition: DocumentDefinition<Document, Facts>,
): DocumentOf<Document> {
  const { kind, operation, format, parse, effectiveFrom, readFacts, refuse } = definition
  const store = definition.store ?? documentStore(kind)
  const reader = definition.reader ?? versionReader(kind, store, parse)
  const writing: Change<Document, void, Known<Facts>, Version<Document>> = {
    batchMax: 1,
    lock: lockBook,
    read: async (tx, at) => ({
      newest: isInBook(kind)
        ? at.snapshot.versions[kind]
        : ((await store.findNewest(tx, at.book.bookId))?.version ?? 0),
      facts: (await readFacts?.(tx, at)) as Facts,
    }),
    decider:
      (known, { moment }) =>
      (document) =>
        made(next(known, document, moment.at)),
    write(tx, bookId, versions, recording) {
      for (const { version, document, createdAt } of versions) {
        const from = effectiveFrom?.(document) ?? null
        store.insert(tx, bookId, { version, effectiveFrom: from, text: format(document), createdAt })
      }
      record(tx, bookId, recording)
    },
    events: (written) => [
      {
        type: definition.event,
        announced: true,
        subjectId: String(written.version),
        data: definition.record.json(written),
        changes: null,
      },
    ],
  }
  const replacement = held<Document, void, Known<Facts>, Version<Document>>({
    ...writing,
    operation,
    decider:
      (known, { moment }, hold) =>
      (document) =>
        refuse?.(document, known.facts) ?? hold(() => ({})) ?? made(next(known, document, moment.at)),
  }) as DocumentOf<Document>['replacement']
  return {
    record: definition.record,
    reader,
    replacement,
    writing: writing as DocumentOf<Document>['writing'],
    replace: (engine, origin, document, answer) => engine.submit(replacement, origin, document, answer),
  }
}

function next<Document>({ newest }: Known<unknown>, document: Document, createdAt: Date): Version<Document> {
  return { version: newest + 1, document, createdAt }
}

/** Each kind of the list is made once, so that all its requests wait in one queue. */
const listed = new Map(documentKinds.map((kind) => [kind.kind, defineDocument(kind)]))

export function documentOf<Document>({ kind }: DocumentDescription<Document>): DocumentOf<Document> {
  const document = listed.get(kind)
  assert(document !== undefined, 'a kind of document is in the list of kinds')
  return document as DocumentOf<Document>
}
