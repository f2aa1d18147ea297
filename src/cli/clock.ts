/** What an operator decides about the clock of the service. */
import type { Command } from 'commander'
import { confirmClock } from '../features/clock/changes.ts'
import { listLiveBooks } from '../features/clock/store.ts'
import { requireSameClock } from '../features/clock/watch.ts'
import { type Environment, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { print, printJson, tableText } from './output.ts'
import { type Read, runRead } from './reads.ts'

type Confirmed = { caller_id: string; from: string; to: string }

export const clockConfirmation: Read<Confirmed[]> = {
  name: 'clock confirm',
  async answer({ db, clock, momentIn, perform }, { caller }) {
    await requireSameClock(db, clock)
    const books = (await listLiveBooks(db)).filter((book) => book.callerId === (caller ?? book.callerId))
    if (caller !== undefined && books.length === 0) {
      throw new Error(`There is no caller ${caller}; see breakwater callers list.`)
    }
    const confirmed: Confirmed[] = []
    for (const book of books) {
      const { today } = await momentIn(book)
      if (book.latest === null || book.latest === today) continue
      await confirmClock({ perform }, book)
      confirmed.push({ caller_id: book.callerId, from: book.latest, to: today })
    }
    return confirmed
  },
}

export function addClock(program: Command, env: Environment): void {
  program
    .command('clock')
    .description('Decide about the clock of the service.')
    .command('confirm')
    .description(
      'Confirm that today is right, so that live books whose business date jumped take changes again.',
    )
    .addOption(valueOption('--caller <ID>', 'Only the live book of this caller.'))
    .option('--json', 'Print the result as JSON.')
    .action(async (options: { caller?: string; json?: true }) => {
      const confirmed = await runRead(readConfig(env), clockConfirmation, { caller: options.caller })
      if (options.json) return printJson(confirmed)
      if (confirmed.length === 0) return print('Every live book already continues from today.')
      print(tableText([{ name: 'caller_id' }, { name: 'from' }, { name: 'to' }], confirmed))
    })
}
