/** How records become rows of a table. */
import type { RecordKind, Written } from '../../wire/record.ts'
import { ExportedEntryRecord } from '../ledger/record.ts'

export function columnsOf({ schema }: Pick<RecordKind<never>, 'schema'>): string[] {
  return Object.keys((schema as { properties: object }).properties)
}

const LINES_MAX = 8
const numbers = Array.from({ length: LINES_MAX }, (_, index) => index + 1)

/** An entry is one row: its lines stand beside each other. */
export const entryTable = {
  columns: [
    ...columnsOf(ExportedEntryRecord).filter((column) => column !== 'lines'),
    ...numbers.flatMap((number) => [`account_${number}`, `amount_${number}`, `gl_code_${number}`]),
  ],
  flat({ lines, ...entry }: Written): Written {
    const flat = { ...entry }
    for (const [index, { account, amount, gl_code }] of (lines as Written[]).entries()) {
      flat[`account_${index + 1}`] = account
      flat[`amount_${index + 1}`] = amount
      flat[`gl_code_${index + 1}`] = gl_code
    }
    return flat
  },
}
