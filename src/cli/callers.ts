import { Type } from 'typebox'
import { createCaller } from '../features/callers/changes.ts'
import { type Caller, listCallers } from '../features/callers/store.ts'
import { timestamp } from '../wire/envelope.ts'
import { CurrencyCode, PlainText } from '../wire/fields.ts'
import { type Command, UsageError } from './command.ts'
import { readConfig } from './config.ts'
import { withDatabase } from './database.ts'
import { printRecord, printRecords } from './output.ts'
import { readValues } from './values.ts'

const CALLER_MEMBERS = ['caller_id', 'name', 'time_zone', 'currency', 'created_at'] as const

const NewCaller = Type.Object({ name: PlainText({ max: 100 }), currency: CurrencyCode() })

export const callersCreate: Command = {
  name: 'callers create',
  summary: 'Create a caller with a test and a live book, and print one key for each, once.',
  options: {
    name: { value: 'NAME', required: true, help: 'What the caller is called.' },
    'time-zone': { value: 'ZONE', help: 'IANA time zone of its business dates; UTC unless named.' },
    currency: { value: 'CODE', help: 'Currency of its accounts; NGN unless named.' },
    json: { help: 'Print the record as JSON.' },
  },
  run: async ({ env, options }) => {
    const asked = {
      ...readValues(NewCaller, {
        name: { option: 'name', value: options.name },
        currency: { option: 'currency', value: options.currency ?? 'NGN' },
      }),
      timeZone: readTimeZone(options['time-zone'] ?? 'UTC'),
      at: new Date(),
    }
    const { caller, keys } = await withDatabase(readConfig(env), (db) => createCaller(db, asked))
    const record = {
      ...callerRecord(caller),
      test_key: keys.find(({ mode }) => mode === 'test')!.key,
      live_key: keys.find(({ mode }) => mode === 'live')!.key,
    }
    printRecord(record, {
      json: options.json !== undefined,
      headline: 'The caller was created. Keep its keys now: they cannot be shown again.',
      members: [...CALLER_MEMBERS, 'test_key', 'live_key'],
    })
  },
}

export const callersList: Command = {
  name: 'callers list',
  summary: 'List the callers, oldest first.',
  options: { json: { help: 'Print the records as JSON.' } },
  run: async ({ env, options }) => {
    const callers = await withDatabase(readConfig(env), listCallers)
    printRecords(callers.map(callerRecord), {
      json: options.json !== undefined,
      columns: CALLER_MEMBERS,
      none: 'There is no caller yet.',
    })
  },
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

/** Intl also takes offsets like +01:00, which would know nothing of daylight saving. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
