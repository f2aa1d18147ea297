/** Settles what the job of the service would settle, in every book; both may run at the same time. */
import type { Command } from 'commander'
import { requireSameClock } from '../features/clock/watch.ts'
import type { MaturityRun } from '../features/maturity/job.ts'
import { errors } from '../wire/errors.ts'
import { type Environment, sentenceOf } from './command.ts'
import { readConfig } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import { print, printJson } from './output.ts'
import { createProgress } from './progress.ts'

export function addMature(program: Command, env: Environment): void {
  program
    .command('mature')
    .description(
      'Pay out or roll over every deposit that is due, and pay the interest that is due, in every book.',
    )
    .option('--json', 'Print the result as JSON.')
    .action(async (options: { json?: true }) => {
      const config = readConfig(env)
      const progress = createProgress()
      const run = await withDatabase(config, async (db) => {
        const { maturity, clock } = createServiceOver(db, config)
        await requireSameClock(db, clock)
        return maturity.settleAll({ observe: (sofar) => progress.show(sentenceFor(sofar)) })
      }).finally(progress.end)
      if (options.json) printJson(resultOf(run))
      else print(sentenceFor(run))
      reportTrouble(run)
    })
}

function sentenceFor({ matured, rolledOver, paid }: Readonly<MaturityRun>): string {
  return `Matured ${matured}, rolled over ${rolledOver}, made ${paid} interest payments.`
}

function resultOf({ matured, rolledOver, paid, unsettled, failed }: MaturityRun) {
  return {
    matured,
    rolled_over: rolledOver,
    interest_payments: paid,
    unsettled: unsettled.map(({ bookId, depositId, code }) => ({
      book_id: bookId,
      deposit_id: depositId,
      code,
    })),
    failed_books: failed.map(({ bookId }) => bookId),
  }
}

/** Throws, for the exit code, after everything is printed. */
function reportTrouble({ unsettled, failed }: MaturityRun): void {
  for (const { depositId, code, error } of unsettled) {
    const reason = error === null ? errors[code].message : sentenceOf(error)
    process.stderr.write(`${depositId} could not be settled: ${reason}\n`)
  }
  for (const { bookId, error } of failed) {
    process.stderr.write(`${bookId} could not be gone through: ${sentenceOf(error)}\n`)
  }
  if (unsettled.length + failed.length > 0)
    throw new Error('Not everything was settled; see the lines above.')
}
