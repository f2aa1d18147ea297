/** Looks through the books for a difference; may run beside the service. */
import type { Command } from 'commander'
import { createVersionCache } from '../engine/change/version-cache.ts'
import { listBooks } from '../features/callers/store.ts'
import { type Difference, type Verification, verify } from '../features/verification/verify.ts'
import { type Environment, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { withDatabase } from './database.ts'
import { listText, print, printJson, recordText } from './output.ts'
import { createProgress } from './progress.ts'

/** One account may have a million entries to add up, which takes longer than a request may. */
const STATEMENT_TIMEOUT_MS = 600_000

export function addVerify(program: Command, env: Environment): void {
  program
    .command('verify')
    .description(
      'Add up the ledger again, compute every liquidation and maturity again, and print the first difference.',
    )
    .addOption(valueOption('--caller <ID>', 'Only the books of this caller.'))
    .option('--json', 'Print the result as JSON.')
    .addHelpText('after', '\nAmounts of a difference are minor units. Exit code 1: a difference was found.')
    .action(async (options: { caller?: string; json?: true }) => {
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
          versions: createVersionCache(),
          observe: ({ callerId, mode }, table, checked) =>
            progress.show(`${callerId} ${mode}: ${checked[table]} ${wordsOf(table)}`),
        })
      }).finally(progress.end)
      if (options.json) printJson(recordOf(result))
      else print(textOf(result))
      if (result.difference !== null) throw new Error(`Not so: ${result.difference.claim}.`)
    })
}

function recordOf({ checked, difference }: Verification) {
  return { checked, difference: difference && differenceRecord(difference) }
}

function textOf({ checked, difference }: Verification): string {
  if (difference !== null) {
    const record = differenceRecord(difference)
    return `A difference was found.\n${recordText(record, Object.keys(record))}`
  }
  const rows = Object.entries(checked).map(([table, count]) => [wordsOf(table), String(count)] as const)
  return `There is no difference. Looked at:\n${listText(rows)}`
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
