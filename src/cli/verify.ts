/** Checks the books for differences; may run while the service runs. */
import type { Command } from 'commander'
import type { Book } from '../domain/book.ts'
import { createVersionCache } from '../engine/change/version-cache.ts'
import { isUnavailable, type Queries } from '../engine/database/database.ts'
import { listBooks, recordVerification } from '../features/callers/store.ts'
import { type Difference, type Verification, verify } from '../features/verification/verify.ts'
import { type Environment, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { openCertified } from './database.ts'
import { listText, print, printJson, recordText } from './output.ts'
import { type Read, runRead } from './reads.ts'

/** Adding up an account with a million entries takes longer than a request may. */
export const STATEMENT_TIMEOUT_MS = 600_000

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
      const result = await runRead(config, verifyRead, { caller: options.caller })
      if (options.json) printJson(result)
      else print(textOf(result))
      if (result.difference !== null) throw new Error(`Not so: ${result.difference.claim}.`)
    })
}

type Result = {
  checked: Verification['checked']
  difference: (Record<string, string> & { claim: string }) | null
}

export const verifyRead: Read<Result> = {
  name: 'verify',
  async answer({ db, config, clock, pageKeys, progress, signal }, { caller }) {
    const books = (await listBooks(db)).filter((book) => book.callerId === (caller ?? book.callerId))
    if (caller !== undefined && books.length === 0) {
      throw new Error(`There is no caller ${caller}; see breakwater callers list.`)
    }
    const versions = createVersionCache()
    const ofBooks: Verification['checked'][] = []
    const certified = await openCertified(config, db)
    try {
      for (const book of books) {
        const { checked, difference } = await verify([book], {
          db: certified.db,
          versions,
          ...(pageKeys !== undefined && { pageKeys }),
          observe: ({ callerId, mode }, table, sofar) => {
            signal.throwIfAborted()
            progress(`${callerId} ${mode}: ${sofar[table]} ${wordsOf(table)}`)
          },
        })
        await certified.recheck()
        ofBooks.push(checked)
        await record(db, book, { at: clock(), difference: difference?.claim ?? null })
        if (difference !== null) return { checked: sumOf(ofBooks), difference: differenceRecord(difference) }
      }
      return { checked: sumOf(ofBooks), difference: null }
    } finally {
      await certified.close()
    }
  },
}

/** A database that accepts no changes now, such as one on a full disk, must not hide the result. */
async function record(db: Queries, { bookId }: Book, ended: Parameters<typeof recordVerification>[2]) {
  try {
    await recordVerification(db, bookId, ended)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
}

function sumOf(counts: readonly Verification['checked'][]): Verification['checked'] {
  const total: Record<string, number> = {}
  for (const [table, count] of counts.flatMap((one) => Object.entries(one))) {
    total[table] = (total[table] ?? 0) + count
  }
  return total as Verification['checked']
}

function textOf({ checked, difference }: Result): string {
  if (difference !== null) {
    return `A difference was found.\n${recordText(difference, Object.keys(difference))}`
  }
  const rows = Object.entries(checked).map(([table, count]) => [wordsOf(table), String(count)] as const)
  return `There is no difference. Looked at:\n${listText(rows)}`
}

function differenceRecord({ callerId, mode, ids, claim, found, expected }: Difference) {
  return { caller_id: callerId, mode, ...ids, claim, found, expected }
}

function wordsOf(table: string): string {
  return table.replaceAll('_', ' ')
}
