/** Versions of documents that a caller always writes as a whole. A version is written once and never changed. */
import type { Queries, Transaction } from '../../engine/database/database.ts'

type DocumentKind = 'APPROVAL_POLICY' | 'TAX_RULES'

export type KeptDocument = { version: number; effectiveFrom: string | null; text: string; createdAt: Date }

export const statements = {
  insertDocument: `
    insert into documents (book_id, kind, version, effective_from, text, created_at)
    values ($1, $2, $3, $4, $5, $6)`,

  findDocument: `
    select version, effective_from, text, created_at
    from documents
    where book_id = $1
      and kind = $2
      and version = $3`,

  findDocuments: `
    select version, effective_from, text, created_at
    from documents
    where book_id = $1
      and kind = $2
      and version = any($3::int4[])`,

  findNewestDocument: `
    select version, effective_from, text, created_at
    from documents
    where book_id = $1
      and kind = $2
    order by version desc
    limit 1`,
}

type Row = { version: number; effective_from: string | null; text: string; created_at: Date }

export function insertDocument(
  tx: Transaction,
  bookId: string,
  kind: DocumentKind,
  { version, effectiveFrom, text, createdAt }: KeptDocument,
): void {
  tx.write(statements.insertDocument, [bookId, kind, version, effectiveFrom, text, createdAt])
}

export async function findDocument(
  db: Queries,
  bookId: string,
  kind: DocumentKind,
  version: number,
): Promise<KeptDocument | undefined> {
  const [row] = await db.query<Row>(statements.findDocument, [bookId, kind, version])
  return row && documentOf(row)
}

export async function findDocuments(
  db: Queries,
  bookId: string,
  kind: DocumentKind,
  versions: readonly number[],
): Promise<KeptDocument[]> {
  const rows = await db.query<Row>(statements.findDocuments, [bookId, kind, versions])
  return rows.map(documentOf)
}

export async function findNewestDocument(
  db: Queries,
  bookId: string,
  kind: DocumentKind,
): Promise<KeptDocument | undefined> {
  const [row] = await db.query<Row>(statements.findNewestDocument, [bookId, kind])
  return row && documentOf(row)
}

function documentOf(row: Row): KeptDocument {
  const { version, effective_from, text, created_at } = row
  return { version, effectiveFrom: effective_from, text, createdAt: created_at }
}
