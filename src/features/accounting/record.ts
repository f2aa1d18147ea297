/** How a book is kept for the general ledger of the bank, as sent, stored and shown. */
import assert from 'node:assert/strict'
import { type Static, Type } from 'typebox'
import { ACCRUAL_MODES, type Accounting, GL_ACCOUNTS, NO_ACCOUNTING } from '../../domain/accrual.ts'
import type { Version } from '../../domain/document.ts'
import { Choice, PlainText } from '../../wire/fields.ts'
import { parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { count, createdAt, kind, type Members, oneOf, orNull, record, within } from '../../wire/record.ts'

const ACCRUALS = 'Whether interest is accrued, at the close of every day or of the last day of each month.'
const GL_CODES =
  "Codes of the bank's general ledger by account: its own accounts, and accounts and deposits for those of customers."

const GlCodes = Type.Object(
  Object.fromEntries(
    GL_ACCOUNTS.map((name) => [name, Type.Optional(PlainText({ max: 32, description: `Code of ${name}.` }))]),
  ),
  { title: 'GlCodes', description: GL_CODES },
)

export const AccountingBody = Type.Object({
  accruals: Choice(ACCRUAL_MODES, { title: 'AccrualMode', description: ACCRUALS }),
  gl_codes: GlCodes,
})
type AccountingBody = Static<typeof AccountingBody>

export function accountingFrom(body: AccountingBody): Accounting {
  const codes = Object.entries(body.gl_codes as Record<string, string | undefined>)
  return {
    accruals: body.accruals,
    glCodes: new Map(codes.flatMap(([name, code]) => (code === undefined ? [] : [[name, code] as const]))),
  }
}

export function parseAccounting(stored: string): Accounting {
  const reading = readBody(AccountingBody, parseJson(stored))
  assert(reading.ok, 'a stored accounting document is valid')
  return accountingFrom(reading.value)
}

export function formatAccounting(accounting: Accounting): string {
  return StoredAccountingRecord.json(accounting)
}

const accountingMembers: Members<Accounting> = {
  accruals: oneOf('AccrualMode', ACCRUAL_MODES).as(ACCRUALS, ({ accruals }) => accruals),
  gl_codes: kind<Accounting['glCodes']>(GlCodes, (codes) => Object.fromEntries(codes)).as(
    GL_CODES,
    ({ glCodes }) => glCodes,
  ),
}
const StoredAccountingRecord = record('StoredAccounting', accountingMembers)

/** What is shown before the first version is written: nothing is accrued. */
export const FIRST_ACCOUNTING: Version<Accounting> = {
  version: 0,
  document: NO_ACCOUNTING,
  createdAt: new Date(0),
}

export const AccountingRecord = record<Version<Accounting>>('Accounting', {
  version: count.as('Version of the document; 0 before the first one.', ({ version }) => version),
  ...within(({ document }) => document, accountingMembers),
  created_at: orNull(createdAt).of((accounting) => (accounting.version === 0 ? null : accounting.createdAt)),
})

/** What subscribers can receive. */
export const accountingEvents = {
  'accounting.updated': AccountingRecord,
}
