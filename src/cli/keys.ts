/** Keys made and revoked by the operator, who may do so in every book; each change is in the audit trail of its book. */

import { type Book, MODES } from '../domain/book.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Answered } from '../engine/change/change.ts'
import type { Queries } from '../engine/database/database.ts'
import { createApiKey, revokeApiKey } from '../features/api-keys/changes.ts'
import { apiKeyData, NewApiKey } from '../features/api-keys/record.ts'
import { type ApiKey, findApiKey, listApiKeys } from '../features/api-keys/store.ts'
import { findBook, listBooks } from '../features/callers/store.ts'
import { errors } from '../wire/errors.ts'
import { type Command, UsageError } from './command.ts'
import type { Service } from './compose.ts'
import { readConfig } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import { printRecord, printRecords } from './output.ts'
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

const PAGE_ITEMS = 100

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create a key for one book of a caller and print it, once.',
  options: {
    caller: { value: 'ID', required: true, help: 'The caller, as callers list shows it.' },
    mode: { value: 'test|live', required: true, help: 'Which of its two books the key opens.' },
    scopes: { value: 'a,b', help: 'What the key may do, with commas between; * (everything) unless named.' },
    name: { value: 'NAME', help: 'What the key is for.' },
    expires: { value: 'TIME', help: 'When it stops, such as 2031-12-31T23:59:59Z; never unless named.' },
    'rate-limit': {
      value: 'N',
      help: 'Requests a minute, 0 for no limit; RATE_LIMIT_PER_MINUTE unless named.',
    },
    json: { help: 'Print the record as JSON.' },
  },
  run: async ({ env, options }) => {
    const mode = readMode(options.mode!)
    const asked = readValues(NewApiKey, {
      name: { option: 'name', value: options.name },
      scopes: { option: 'scopes', value: asList(options.scopes ?? '*') },
      expires_at: { option: 'expires', value: options.expires },
      rate_limit_per_minute: { option: 'rate-limit', value: asNumber(options['rate-limit']) },
    })
    const config = readConfig(env)
    const record = await withDatabase(config, async (db) => {
      const book = await findBook(db, { callerId: options.caller!, mode })
      if (book === undefined) throw noCaller(options.caller!)
      const issued = await createApiKey(asOperator(createServiceOver(db, config), book), asked)
      return { ...answeredRecord(issued), caller_id: book.callerId }
    })
    printRecord(record, {
      json: options.json !== undefined,
      headline: 'The key was created. Keep it now: it cannot be shown again.',
      members: [...KEY_MEMBERS, 'key'],
    })
  },
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'List keys, newest first in each book. Of a key itself only the beginning is kept.',
  options: {
    caller: { value: 'ID', help: 'Only the keys of this caller.' },
    mode: { value: 'test|live', help: 'Only the keys of this mode.' },
    json: { help: 'Print the records as JSON.' },
  },
  run: async ({ env, options }) => {
    const { caller } = options
    const mode = options.mode === undefined ? null : readMode(options.mode)
    const records = await withDatabase(readConfig(env), async (db) => {
      const books = (await listBooks(db)).filter((book) => book.callerId === (caller ?? book.callerId))
      if (caller !== undefined && books.length === 0) throw noCaller(caller)
      const found: Record<string, unknown>[] = []
      for (const book of books.filter((one) => one.mode === (mode ?? one.mode))) {
        for (const key of await listKeysOf(db, book)) {
          found.push({ ...apiKeyData(key, book.mode), caller_id: book.callerId })
        }
      }
      return found
    })
    printRecords(records, {
      json: options.json !== undefined,
      columns: KEY_MEMBERS,
      none: 'There is no key.',
    })
  },
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Stop a key for good; every running service refuses it within a second.',
  operands: ['KEY_ID'],
  options: { json: { help: 'Print the record as JSON.' } },
  run: async ({ env, operands, options }) => {
    const apiKeyId = operands[0]!
    const config = readConfig(env)
    const record = await withDatabase(config, async (db) => {
      const book = await findBookOfKey(db, apiKeyId)
      if (book === undefined) throw new Error(`There is no key ${apiKeyId}.`)
      const revoked = await revokeApiKey(asOperator(createServiceOver(db, config), book), apiKeyId)
      return { ...answeredRecord(revoked), caller_id: book.callerId }
    })
    printRecord(record, {
      json: options.json !== undefined,
      headline: 'The key is revoked.',
      members: KEY_MEMBERS,
    })
  },
}

function asOperator(service: Service, book: Book) {
  return {
    service,
    origin: { book, apiKeyId: null, requestId: null, idempotency: null },
    heldScopes: ['*'],
  }
}

function answeredRecord(answer: Answered | Refusal): Record<string, unknown> {
  if (answer.outcome === 'refused') throw new Error(errors[answer.code].message)
  return (JSON.parse(answer.body) as { data: Record<string, unknown> }).data
}

function readMode(text: string): Book['mode'] {
  const mode = MODES.find((known) => known === text)
  if (mode === undefined) throw new UsageError('--mode is not valid. Name test or live.')
  return mode
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
