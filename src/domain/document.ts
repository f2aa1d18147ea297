/** Documents that a caller always writes as a whole. A version is written once and never changed. */

/** The kinds whose newest version stands in the row of the book, in the column `<name>_version`. */
export const DOCUMENT_KINDS = {
  APPROVAL_POLICY: 'policy',
  TAX_RULES: 'tax',
  CALENDAR: 'business_calendar',
  ACCOUNTING: 'accounting',
} as const
export type DocumentKind = keyof typeof DOCUMENT_KINDS

/** The newest version of each kind; 0 where there is none, so that a book without a document reads nothing more. */
export type NewestVersions = Readonly<Record<DocumentKind, number>>

export type Version<Document> = { version: number; document: Document; createdAt: Date }
