/**
 * An overview for operators: which database, how much it holds, pending work, and when the books were last verified.
 */

import { resolve } from 'node:path'
import type { Command } from 'commander'
import { addDays, businessDate, daysBetween } from '../domain/dates.ts'
import { isUnavailable, type Queries } from '../engine/database/database.ts'
import { readSchemaVersion } from '../engine/database/migrations.ts'
import { listBooks, listCallers, listVerifications } from '../features/callers/store.ts'
import { countMaturitiesDue } from '../features/maturity/backlog.ts'
import { findEarlierSize, listLargestTables, readSize } from '../features/retention/store.ts'
import { countPending } from '../features/webhooks/store.ts'
import { release } from '../observe/release.ts'
import { timestamp } from '../wire/envelope.ts'
import type { Environment } from './command.ts'
import { type Config, readConfig } from './config.ts'
import { listText, print, printJson } from './output.ts'
import { type Read, type ReadSource, runRead } from './reads.ts'

type Status = Awaited<ReturnType<typeof readStatus>>

export const statusRead: Read<Status> = { name: 'status', answer: readStatus }

export function addStatus(program: Command, env: Environment): void {
  program
    .command('status')
    .description('Print the schema, the books, what waits to be done, and when the books were last verified.')
    .option('--json', 'Print the status as JSON.')
    .action(async (options: { json?: true }) => {
      const status = await runRead(readConfig(env), statusRead, {})
      if (options.json) return printJson(status)
      print(statusText(status))
    })
}

export function statusText(status: Status): string {
  const { last_verify, size, ...members } = status
  const rows = Object.entries(members).map(([member, value]) => [member, String(value ?? UNKNOWN)] as const)
  const differences = last_verify.differences.map(
    ({ caller_id, mode, claim, finished_at }) =>
      ['difference', `${mode} book of ${caller_id}, ${finished_at}. Not so: ${claim}.`] as const,
  )
  return listText([...rows, ...sizeRows(status), ['last_verify', verifyText(status)], ...differences])
}

async function readStatus({ db, clock, config }: ReadSource) {
  const books = await listBooks(db)
  const verified = await listVerifications(db)
  return {
    version: release().version,
    database: databaseName(config),
    schema_version: await readSchemaVersion(db),
    callers: (await listCallers(db)).length,
    books: books.length,
    /** null: a server that holds some of the books cannot be reached. */
    maturities_due: await orUnknown(countMaturitiesDue(db, clock())),
    webhook_deliveries_pending: await orUnknown(countPending(db)),
    size: db.isSharded ? null : await readSizes(db, clock()),
    last_verify: {
      books: verified.length,
      /** When the book was verified that was verified longest ago. */
      oldest_at: verified[0] === undefined ? null : timestamp(verified[0].finishedAt),
      differences: verified.flatMap(({ callerId, mode, finishedAt, difference }) =>
        difference === null
          ? []
          : [{ caller_id: callerId, mode, claim: difference, finished_at: timestamp(finishedAt) }],
      ),
    },
  }
}

const GROWTH_DAYS = 30
const TABLES_SHOWN = 3

/** Growth: the average of the last 30 days, or of those that were measured; null: none was. */
async function readSizes(db: Queries, now: Date) {
  const today = businessDate(now, 'UTC')
  const bytes = await readSize(db)
  const earlier = await findEarlierSize(db, { from: addDays(today, -GROWTH_DAYS), before: today })
  const days = earlier === undefined ? 0 : daysBetween(earlier.on, today)
  return {
    bytes: Number(bytes),
    growth_bytes_per_day: earlier === undefined ? null : Math.round(Number(bytes - earlier.bytes) / days),
    largest_tables: (await listLargestTables(db, TABLES_SHOWN)).map((table) => ({
      name: table.name,
      bytes: Number(table.bytes),
    })),
  }
}

function sizeRows({ size }: Status): (readonly [string, string])[] {
  if (size === null) return []
  const { bytes, growth_bytes_per_day: growth, largest_tables: tables } = size
  const shown = (value: number) => `${(value / 1e6).toFixed(1)} MB`
  return [
    ['size', shown(bytes)],
    ['growth', growth === null ? 'not known before tomorrow' : `${shown(growth)} a day`],
    ['largest_tables', tables.map((table) => `${table.name} ${shown(table.bytes)}`).join(', ')],
  ]
}

const UNKNOWN = 'unknown: a server that holds some of the books cannot be reached'

async function orUnknown(counting: Promise<number>): Promise<number | null> {
  try {
    return await counting
  } catch (error) {
    if (isUnavailable(error)) return null
    throw error
  }
}

function databaseName({ databaseUrl, dataDirectory }: Config): string {
  return databaseUrl === null ? `embedded in ${resolve(dataDirectory)}` : 'PostgreSQL'
}

function verifyText({ books, last_verify }: Status): string {
  const { oldest_at, books: verified, differences } = last_verify
  if (oldest_at === null) return 'never'
  const outcome = differences.length === 0 ? 'no difference' : `a difference in ${differences.length}`
  return `${verified} of ${books} books since ${oldest_at}: ${outcome}`
}
