/** Settles by hand what the job of the service would settle, in every book; both may run at once. */

import type { MaturityRun } from '../features/maturity/job.ts'
import { errors } from '../wire/errors.ts'
import { type Command, sentenceOf } from './command.ts'
import { readConfig } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import { print } from './output.ts'
import { createProgress } from './progress.ts'

export const matureCommand: Command = {
  name: 'mature',
  summary:
    'Pay out or roll over every deposit that is due, in every book. The service does so by itself too.',
  options: {
    now: { help: 'Do not wait for the next run of the service; this is what the command does anyway.' },
    json: { help: 'Print the result as JSON.' },
  },
  run: async ({ env, options }) => {
    const config = readConfig(env)
    const progress = createProgress()
    const run = await withDatabase(config, (db) =>
      createServiceOver(db, config).maturity.settleAll({
        observe: ({ matured, rolledOver }) => progress.show(`Matured ${matured}, rolled over ${rolledOver}.`),
      }),
    ).finally(progress.end)
    if (options.json !== undefined) print(JSON.stringify(resultOf(run), null, 2))
    else print(`Matured ${run.matured}, rolled over ${run.rolledOver}.`)
    reportTrouble(run)
  },
}

function resultOf({ matured, rolledOver, unsettled, failed }: MaturityRun) {
  return {
    matured,
    rolled_over: rolledOver,
    unsettled: unsettled.map(({ bookId, depositId, code }) => ({
      book_id: bookId,
      deposit_id: depositId,
      code,
    })),
    failed_books: failed.map(({ bookId }) => bookId),
  }
}

/** Throws, for the exit code, once everything is told. */
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
