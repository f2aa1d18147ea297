/** How a book is kept for the general ledger of the bank, as sent, stored and shown. */
import { type Static, Type } from 'typebox'
import { ACCRUAL_MODES, type Accounting, GL_ACCOUNTS, NO_ACCOUNTING } from '../../domain/accrual.ts'
import { Choice, PlainText } from '../../wire/fields.ts'
import { kind, oneOf } from '../../wire/record.ts'
import { describeDocument } from '../versions/document.ts'

const ACCRUALS = 'Whether interest is accrued, at the close of every day or of the last day of each month.'
const GL_CODES =
  "Codes of the bank's general ledger by account: its own accounts, and accounts and deposits for those of customers."

const GlCodes = Type.Object(
  Object.fromEntries(
    GL_ACCOUNTS.map((name) => [name, Type.Optional(PlainText({ max: 32, description: `Code of ${name}.` }))]),
  ),
  { title: 'GlCodes', description: GL_CODES },
)

const AccountingBody = Type.Object({
  accruals: Choice(ACCRUAL_MODES, { title: 'AccrualMode', description: ACCRUALS }),
  gl_codes: GlCodes,
})
type AccountingBody = Static<typeof AccountingBody>

function accountingFrom(body: AccountingBody): Accounting {
  const codes = Object.entries(body.gl_codes as Record<string, string | undefined>)
  return {
    accruals: body.accruals,
    glCodes: new Map(codes.flatMap(([name, code]) => (code === undefined ? [] : [[name, code] as const]))),
  }
}

export const accounting = describeDocument<typeof AccountingBody, Accounting>({
  kind: 'ACCOUNTING',
  name: 'Accounting',
  title: 'Accounting',
  noun: 'document',
  event: 'accounting.updated',
  path: '/v2/accounting',
  tag: 'Ledger',
  scopes: { read: 'accounting:read', write: 'accounting:write' },
  summaries: {
    get: 'Get how interest is accrued, and the codes of the general ledger',
    replace: 'Write the next version of accruals and codes, in force from the close of this business date on',
    version: 'Get one version of accruals and codes',
  },
  shown: 'The accounting document.',
  replaced: 'The accounting document was replaced.',
  example:
    '{"accruals": "DAILY", "gl_codes": {"interest_payable": "2150", "interest_expense": "5110", "deposits": "2100"}}',
  texts: {
    en: { operation: 'Change accruals and codes', action: 'Accounting changed' },
    fr: { operation: 'Modifier la comptabilité', action: 'Comptabilité modifiée' },
  },
  body: AccountingBody,
  from: accountingFrom,
  members: {
    accruals: oneOf('AccrualMode', ACCRUAL_MODES).as(ACCRUALS, ({ accruals }) => accruals),
    gl_codes: kind<Accounting['glCodes']>(GlCodes, (codes) => Object.fromEntries(codes)).as(
      GL_CODES,
      ({ glCodes }) => glCodes,
    ),
  },
  empty: NO_ACCOUNTING,
})
