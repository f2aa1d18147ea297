import type { Command } from 'commander'
import { Type } from 'typebox'
import { createCaller } from '../features/callers/changes.ts'
import { type Caller, listCallers } from '../features/callers/store.ts'
import { timestamp } from '../wire/envelope.ts'
import { CurrencyCode, PlainText } from '../wire/fields.ts'
import { type Environment, requiredOption, UsageError, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { withDatabase } from './database.ts'
import { addLetterhead } from './letterhead.ts'
import { print, printJson, recordText, tableText } from './output.ts'
import { type Read, runRead } from './reads.ts'
import { readValues } from './values.ts'

const CALLER_MEMBERS = ['caller_id', 'name', 'time_zone', 'currency', 'created_at'] as const
const CALLER_COLUMNS = [
  { name: 'caller_id' },
  { name: 'name', shrinks: true },
  { name: 'time_zone', shrinks: true },
  { name: 'currency' },
  { name: 'created_at' },
] as const

const NewCaller = Type.Object({ name: PlainText({ max: 100 }), currency: CurrencyCode() })

export const callersRead: Read<ReturnType<typeof callerRecord>[]> = {
  name: 'callers list',
  answer: async ({ db }) => (await listCallers(db)).map(callerRecord),
}

export function addCallers(program: Command, env: Environment): void {
  const callers = program
    .command('callers')
    .description('Create and list callers, the institutions that use the service.')

  type NewOptions = { name: string; timeZone?: string; currency?: string; json?: true }
  callers
    .command('create')
    .description('Create a caller with a test and a live book, and print one key for each, once.')
    .addOption(requiredOption('--name <NAME>', 'Name of the caller.'))
    .addOption(valueOption('--time-zone <ZONE>', 'IANA time zone of its business dates; UTC by default.'))
    .addOption(valueOption('--currency <CODE>', 'Currency of its accounts; NGN by default.'))
    .option('--json', 'Print the record as JSON.')
    .action(async (options: NewOptions) => {
      const asked = {
        ...readValues(NewCaller, {
          name: { option: 'name', value: options.name },
          currency: { option: 'currency', value: options.currency ?? 'NGN' },
        }),
        timeZone: readTimeZone(options.timeZone ?? 'UTC'),
        at: new Date(),
      }
      const { caller, keys } = await withDatabase(readConfig(env), (db) => createCaller(db, asked))
      const record = {
        ...callerRecord(caller),
        test_key: keys.find(({ mode }) => mode === 'test')!.key,
        live_key: keys.find(({ mode }) => mode === 'live')!.key,
      }
      if (options.json) return printJson(record)
      print('The caller was created. Keep its keys now: they cannot be shown again.')
      print(recordText(record, [...CALLER_MEMBERS, 'test_key', 'live_key']))
    })

  addLetterhead(callers, env)

  callers
    .command('list')
    .description('List the callers, oldest first.')
    .option('--json', 'Print the records as JSON.')
    .action(async (options: { json?: true }) => {
      const records = await runRead(readConfig(env), callersRead, {})
      if (options.json) return printJson(records)
      print(records.length === 0 ? 'There is no caller yet.' : tableText(CALLER_COLUMNS, records))
    })
}

function callerRecord(caller: Caller) {
  return {
    caller_id: caller.callerId,
    name: caller.name,
    time_zone: caller.timeZone,
    currency: caller.currency,
    created_at: timestamp(caller.createdAt),
  }
}

function readTimeZone(text: string): string {
  if (isTimeZone(text)) return text
  throw new UsageError('--time-zone is not valid. Name an IANA time zone, such as Africa/Lagos.')
}

/** Intl also accepts offsets like +01:00, which ignore daylight saving time. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
