/** Versions of documents. A version never changes, so each is read and parsed once. */
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type NewestVersions,
  type Version,
} from '../../domain/document.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { instant, integer, rowMap, text } from '../../engine/database/row-map.ts'

export type StoredVersion = { version: number; effectiveFrom: string | null; text: string; createdAt: Date }

/** The newest version of each kind stands in the row of its book: most transactions read only that. */
function setVersion(kind: DocumentKind): string {
  return `
    update books
    set ${DOCUMENT_KINDS[kind]}_version = $2
    where book_id = $1`
}

const versionMap = rowMap<StoredVersion>({
  version: integer('version'),
  effectiveFrom: text<string | null>('effective_from'),
  text: text('text'),
  createdAt: instant('created_at'),
})

export const statements = {
  // Two writers must not make the same version, so they take turns. Every book has this row; that of books is on every
  // server of a sharded database.
  lockBook: `
    select version
    from rule_sets
    where book_id = $1
      and version = 1
    for no key update`,

  insertDocument: `
    insert into documents (book_id, kind, version, effective_from, text, created_at)
    values ($1, $2, $3, $4, $5, $6)`,

  findDocuments: `
    select ${versionMap.columns}
    from documents
    where book_id = $1
      and kind = $2
      and version = any($3::int4[])`,

  findNewestDocument: `
    select ${versionMap.columns}
    from documents
    where book_id = $1
      and kind = $2
    order by version desc
    limit 1`,

  ...(Object.fromEntries(
    Object.keys(DOCUMENT_KINDS).map((kind) => [`set ${kind}`, setVersion(kind as DocumentKind)]),
  ) as Record<`set ${DocumentKind}`, string>),
}

export async function lockBook(tx: Queries, bookId: string): Promise<void> {
  await tx.query(statements.lockBook, [bookId])
}

/** The place where the versions of one kind are. */
export type VersionStore = {
  insert: (tx: Transaction, bookId: string, stored: StoredVersion) => void
  find: (db: Queries, bookId: string, versions: readonly number[]) => Promise<StoredVersion[]>
  findNewest: (db: Queries, bookId: string) => Promise<StoredVersion | undefined>
}

/** Kinds without a column in the row of their book read the newest version where they need it. */
export function documentStore(kind: string): VersionStore {
  return {
    insert(tx, bookId, stored) {
      const { version, effectiveFrom, createdAt } = stored
      tx.write(statements.insertDocument, [bookId, kind, version, effectiveFrom, stored.text, createdAt])
      if (isInBook(kind)) tx.write(statements[`set ${kind}`], [bookId, version])
    },
    async find(db, bookId, versions) {
      const rows = await db.query<object>(statements.findDocuments, [bookId, kind, versions])
      return rows.map(versionMap.read)
    },
    async findNewest(db, bookId) {
      const [row] = await db.query<object>(statements.findNewestDocument, [bookId, kind])
      return row && versionMap.read(row)
    },
  }
}

export function isInBook(kind: string): kind is DocumentKind {
  return Object.hasOwn(DOCUMENT_KINDS, kind)
}

type Place = { book: { bookId: string }; versions: VersionCache }

export type VersionReader<Document> = {
  /** Documents by version; those that do not exist are left out. */
  read: (
    db: Queries,
    cache: VersionCache,
    bookId: string,
    versions: Iterable<number>,
  ) => Promise<Map<number, Document>>
  /** Undefined where the book has none. */
  readNewest: (db: Queries, cache: VersionCache, bookId: string) => Promise<Version<Document> | undefined>
  readVersion: (
    db: Queries,
    cache: VersionCache,
    bookId: string,
    version: number,
  ) => Promise<Version<Document> | undefined>
  /** What was read beside other things. */
  remember: (cache: VersionCache, bookId: string, stored: Pick<StoredVersion, 'version' | 'text'>) => Document
}

export function versionReader<Document>(
  kind: string,
  store: VersionStore,
  parse: (text: string) => Document,
): VersionReader<Document> {
  const remember: VersionReader<Document>['remember'] = (cache, bookId, { version, text }) => {
    const known = cache.get<Document>(kind, bookId, version)
    if (known !== undefined) return known
    const document = parse(text)
    cache.set(kind, bookId, version, document)
    return document
  }
  const shown = (cache: VersionCache, bookId: string, stored: StoredVersion | undefined) =>
    stored && {
      version: stored.version,
      document: remember(cache, bookId, stored),
      createdAt: stored.createdAt,
    }
  return {
    remember,
    async read(db, cache, bookId, versions) {
      const wanted = [...new Set(versions)]
      const missing = wanted.filter((version) => cache.get(kind, bookId, version) === undefined)
      const found = missing.length === 0 ? [] : await store.find(db, bookId, missing)
      for (const stored of found) remember(cache, bookId, stored)
      return new Map(
        wanted.flatMap((version) => {
          const document = cache.get<Document>(kind, bookId, version)
          return document === undefined ? [] : [[version, document] as const]
        }),
      )
    },
    readNewest: async (db, cache, bookId) => shown(cache, bookId, await store.findNewest(db, bookId)),
    async readVersion(db, cache, bookId, version) {
      const [stored] = await store.find(db, bookId, [version])
      return shown(cache, bookId, stored)
    },
  }
}

/** The version that a transaction works with; null where the book has none, and then nothing is read. */
export async function readCurrent<Document>(
  reader: VersionReader<Document>,
  kind: DocumentKind,
  db: Queries,
  at: Place & { snapshot: { versions: NewestVersions } },
): Promise<Document | null> {
  const { bookId } = at.book
  const newest = at.snapshot.versions[kind]
  if (newest === 0) return null
  const document = (await reader.read(db, at.versions, bookId, [newest])).get(newest)
  if (document === undefined) throw new Error(`A book names a version of ${kind} that does not exist.`)
  return document
}
