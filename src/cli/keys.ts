/** Keys created, rolled and revoked by the operator, in every book; each change is in the audit log of its book. */
import type { Command } from 'commander'
import { OPERATOR } from '../domain/actor.ts'
import type { ApiKey } from '../domain/api-key.ts'
import { FULL_AUTHORITY } from '../domain/authority.ts'
import { type Book, MODES } from '../domain/book.ts'
import { SCOPES } from '../domain/scopes.ts'
import type { Origin, Result } from '../engine/change/change.ts'
import type { Queries } from '../engine/database/database.ts'
import { createApiKey, revokeApiKey, rollApiKey } from '../features/api-keys/changes.ts'
import {
  ApiKeyRecord,
  IssuedApiKeyRecord,
  keyTerms,
  NewApiKey,
  Overlap,
} from '../features/api-keys/record.ts'
import { findApiKey, listApiKeys } from '../features/api-keys/store.ts'
import { findBook, listBooks, listCallers } from '../features/callers/store.ts'
import { errors } from '../wire/errors.ts'
import { type Environment, requiredOption, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import { listText, print, printJson, recordText, tableText } from './output.ts'
import { type Read, runRead } from './reads.ts'
import { asList, asNumber, readValues } from './values.ts'

const KEY_MEMBERS = [
  'api_key_id',
  'caller_id',
  'mode',
  'key_prefix',
  'name',
  'scopes',
  'rate_limit_per_minute',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'created_at',
] as const
const KEY_COLUMNS = [
  { name: 'api_key_id' },
  { name: 'key_prefix' },
  { name: 'name', shrinks: true },
  { name: 'scopes', shrinks: true },
  { name: 'state' },
  { name: 'last_used' },
] as const

const PAGE_ITEMS = 100

/** A key as it is printed with --json. */
type KeyRecord = Record<string, unknown> & {
  caller_id: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

type KeyList = { records: KeyRecord[]; names: Record<string, string> }

export const keysRead: Read<KeyList> = {
  name: 'keys list',
  async answer({ db }, { caller, mode }) {
    const books = (await listBooks(db)).filter((book) => book.callerId === (caller ?? book.callerId))
    if (caller !== undefined && books.length === 0) throw noCaller(caller)
    const records: KeyRecord[] = []
    for (const book of books.filter((one) => one.mode === (mode ?? one.mode))) {
      for (const key of await listKeysOf(db, book)) {
        records.push(keyRecord(key, book))
      }
    }
    const names = Object.fromEntries((await listCallers(db)).map(({ callerId, name }) => [callerId, name]))
    return { records, names }
  },
}

export function addKeys(program: Command, env: Environment): void {
  const keys = program.command('keys').description('Create, list, roll and revoke API keys.')
  addCreate(keys, env)
  addList(keys, env)
  addRoll(keys, env)
  addRevoke(keys, env)
}

type NewOptions = {
  caller: string
  mode: Book['mode']
  scopes?: string
  name?: string
  expires?: string
  rateLimit?: string
  json?: true
}

function addCreate(keys: Command, env: Environment): void {
  keys
    .command('create')
    .description('Create a key for one book of a caller and print it, once.')
    .addOption(requiredOption('--caller <ID>', 'The caller, as callers list shows it.'))
    .addOption(requiredOption('--mode <MODE>', 'Which of its two books the key opens.', MODES))
    .addOption(
      valueOption('--scopes <LIST>', 'What the key may do, separated by commas; * (everything) by default.'),
    )
    .addOption(valueOption('--name <NAME>', 'What the key is for.'))
    .addOption(
      valueOption('--expires <TIME>', 'When it stops, such as 2031-12-31T23:59:59Z; never by default.'),
    )
    .addOption(
      valueOption('--rate-limit <N>', 'Requests a minute, 0 for no limit; RATE_LIMIT_PER_MINUTE by default.'),
    )
    .option('--json', 'Print the record as JSON.')
    .addHelpText('after', `\nScopes:\n${listText([['', SCOPES.join(', ')]])}`)
    .action(async (options: NewOptions) => {
      const asked = readValues(NewApiKey, {
        name: { option: 'name', value: options.name },
        scopes: { option: 'scopes', value: asList(options.scopes ?? '*') },
        expires_at: { option: 'expires', value: options.expires },
        rate_limit_per_minute: { option: 'rate-limit', value: asNumber(options.rateLimit) },
      })
      const config = readConfig(env)
      const record = await withDatabase(config, async (db) => {
        const book = await findBook(db, { callerId: options.caller, mode: options.mode })
        if (book === undefined) throw noCaller(options.caller)
        const request = { ...keyTerms(asked), held: FULL_AUTHORITY }
        const issued = await createApiKey(createServiceOver(db, config), asOperator(book), request)
        return { ...IssuedApiKeyRecord.write(madeBy(issued)), caller_id: book.callerId }
      })
      if (options.json) return printJson(record)
      print('The key was created. Keep it now: it cannot be shown again.')
      print(recordText(record, [...KEY_MEMBERS, 'key']))
    })
}

type ListOptions = { caller?: string; mode?: Book['mode']; json?: true }

function addList(keys: Command, env: Environment): void {
  keys
    .command('list')
    .description('List keys, newest first in each book. Only the beginning of a key is stored.')
    .addOption(valueOption('--caller <ID>', 'Only the keys of this caller.'))
    .addOption(valueOption('--mode <MODE>', 'Only the keys of this mode.', MODES))
    .option('--json', 'Print the records as JSON.')
    .action(async (options: ListOptions) => {
      const now = new Date()
      const { caller, mode } = options
      const { records, names } = await runRead(readConfig(env), keysRead, { caller, mode })
      if (options.json) return printJson(records)
      if (records.length === 0) return print('There is no key.')
      const ofCallers = Object.entries(Object.groupBy(records, (record) => record.caller_id))
      const tables = ofCallers.map(
        ([callerId, ofCaller = []]) =>
          `${callerId}  ${names[callerId]}\n${tableText(
            KEY_COLUMNS,
            ofCaller.map((record) => shortRecord(record, now)),
          )}`,
      )
      print(tables.join('\n\n'))
    })
}

function addRoll(keys: Command, env: Environment): void {
  keys
    .command('roll')
    .description('Replace a key by a new one with the same access, and print it once.')
    .argument('<KEY_ID>', 'The key, as keys list shows it.')
    .addOption(
      valueOption(
        '--overlap <SECONDS>',
        'How long the old key still works, in seconds, at most 604800; 0 by default.',
      ),
    )
    .option('--json', 'Print the record as JSON.')
    .action(async (apiKeyId: string, options: { overlap?: string; json?: true }) => {
      const { overlap_seconds: overlapSeconds = 0 } = readValues(Overlap, {
        overlap_seconds: { option: 'overlap', value: asNumber(options.overlap) },
      })
      const config = readConfig(env)
      const record = await withDatabase(config, async (db) => {
        const book = await findBookOfKey(db, apiKeyId)
        if (book === undefined) throw new Error(`There is no key ${apiKeyId}.`)
        const request = { apiKeyId, overlapSeconds, held: FULL_AUTHORITY }
        const rolled = await rollApiKey(createServiceOver(db, config), asOperator(book), request)
        return { ...IssuedApiKeyRecord.write(madeBy(rolled).successor), caller_id: book.callerId }
      })
      if (options.json) return printJson(record)
      print('The key was rolled. Keep the new one now: it cannot be shown again.')
      print(recordText(record, [...KEY_MEMBERS, 'key']))
    })
}

function addRevoke(keys: Command, env: Environment): void {
  keys
    .command('revoke')
    .description('Revoke a key permanently; every running service rejects it within a second.')
    .argument('<KEY_ID>', 'The key, as keys list shows it.')
    .option('--json', 'Print the record as JSON.')
    .action(async (apiKeyId: string, options: { json?: true }) => {
      const config = readConfig(env)
      const record = await withDatabase(config, async (db) => {
        const book = await findBookOfKey(db, apiKeyId)
        if (book === undefined) throw new Error(`There is no key ${apiKeyId}.`)
        const revoked = await revokeApiKey(createServiceOver(db, config), asOperator(book), {
          apiKeyId,
          held: FULL_AUTHORITY,
        })
        return keyRecord(madeBy(revoked).key, book)
      })
      if (options.json) return printJson(record)
      print(`The key is revoked.\n${recordText(record, KEY_MEMBERS)}`)
    })
}

function keyRecord(key: ApiKey, { mode, callerId }: Book): KeyRecord {
  return { ...ApiKeyRecord.write({ ...key, mode }), caller_id: callerId } as KeyRecord
}

/** What fits into a row; --json has the whole record. */
function shortRecord(record: KeyRecord, now: Date) {
  const isPast = (time: string | null) => time !== null && new Date(time) <= now
  return {
    ...record,
    state: isPast(record.revoked_at) ? 'revoked' : isPast(record.expires_at) ? 'expired' : 'active',
    last_used: record.last_used_at?.slice(0, 10) ?? null,
  }
}

function asOperator(book: Book): Origin {
  return { book, actor: OPERATOR, requestId: null, idempotency: null }
}

function madeBy<Value>(result: Result<Value>): Value {
  if (result.outcome === 'refused') throw new Error(errors[result.code].message)
  if (result.outcome === 'replayed') throw new Error('A command has no idempotency key.')
  return result.value
}

function noCaller(callerId: string): Error {
  return new Error(`There is no caller ${callerId}; see breakwater callers list.`)
}

async function listKeysOf(db: Queries, book: Book): Promise<ApiKey[]> {
  const keys: ApiKey[] = []
  let page = await listApiKeys(db, book.bookId, { limit: PAGE_ITEMS, before: null })
  keys.push(...page.items)
  while (page.next !== null) {
    page = await listApiKeys(db, book.bookId, { limit: PAGE_ITEMS, before: page.next })
    keys.push(...page.items)
  }
  return keys
}

async function findBookOfKey(db: Queries, apiKeyId: string): Promise<Book | undefined> {
  for (const book of await listBooks(db)) {
    if ((await findApiKey(db, book.bookId, apiKeyId)) !== undefined) return book
  }
}
