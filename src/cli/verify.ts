/** Looks through the books for a difference; may run beside the service. */

import { listBooks } from '../features/callers/store.ts'
import { createRulesReader } from '../features/rules/changes.ts'
import { type Difference, type Verification, verify } from '../features/verification/verify.ts'
import type { Command } from './command.ts'
import { readConfig } from './config.ts'
import { withDatabase } from './database.ts'
import { alignColumns, print } from './output.ts'
import { createProgress } from './progress.ts'

/** One account may have a million entries to add up: that is not a request that somebody waits for. */
const STATEMENT_TIMEOUT_MS = 600_000

export const verifyCommand: Command = {
  name: 'verify',
  summary:
    'Add up the ledger again, compute every liquidation and maturity anew, and tell the first difference.',
  options: {
    caller: { value: 'ID', help: 'Only the books of this caller.' },
    json: { help: 'Print the result as JSON.' },
  },
  notes: () => 'Amounts of a difference are minor units. Exit code 1: a difference was found.',
  run: async ({ env, options }) => {
    const config = {
      ...readConfig(env),
      databaseStatementTimeoutMs: STATEMENT_TIMEOUT_MS,
      databaseQueryTimeoutMs: STATEMENT_TIMEOUT_MS,
    }
    const progress = createProgress()
    const result = await withDatabase(config, async (db) => {
      const books = (await listBooks(db)).filter(
        (book) => book.callerId === (options.caller ?? book.callerId),
      )
      if (options.caller !== undefined && books.length === 0) {
        throw new Error(`There is no caller ${options.caller}; see breakwater callers list.`)
      }
      return verify(books, {
        db,
        rules: createRulesReader(),
        observe: ({ callerId, mode }, table, checked) =>
          progress.show(`${callerId} ${mode}: ${checked[table]} ${wordsOf(table)}`),
      })
    }).finally(progress.end)
    print(options.json === undefined ? textOf(result) : JSON.stringify(recordOf(result), null, 2))
    if (result.difference !== null) throw new Error(`Not so: ${result.difference.claim}.`)
  },
}

function recordOf({ checked, difference }: Verification) {
  return { checked, difference: difference && differenceRecord(difference) }
}

function textOf({ checked, difference }: Verification): string {
  if (difference !== null) {
    const rows = Object.entries(differenceRecord(difference)).map(([name, value]) => [`  ${name}`, value])
    return `A difference was found.\n${alignColumns(rows)}`
  }
  const rows = Object.entries(checked).map(([table, count]) => [`  ${wordsOf(table)}`, String(count)])
  return `There is no difference. Looked at:\n${alignColumns(rows)}`
}

function differenceRecord({
  callerId,
  mode,
  ids,
  claim,
  found,
  expected,
}: Difference): Record<string, string> {
  return { caller_id: callerId, mode, ...ids, claim, found, expected }
}

function wordsOf(table: string): string {
  return table.replaceAll('_', ' ')
}
