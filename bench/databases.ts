/** Databases of the private PostgreSQL server on which everything is measured. */
import { totalmem } from 'node:os'
import pg from 'pg'
import { type PostgresServer, startPostgresServer } from '../test/support/postgres-server.ts'

/** What a service or a command is started with: where its database is, and its settings. */
export type Env = Record<string, string>

/**
 * Durable, as in production, with a quarter of the memory for the data, as usual. Checkpoints are started by the
 * benchmark: otherwise one begins after half of max_wal_size, in the middle of a comparison.
 */
export const POSTGRES_SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  `shared_buffers=${Math.floor(totalmem() / 2 ** 20 / 4)}MB`,
  'max_wal_size=64GB',
  'checkpoint_timeout=1h',
]

export async function startServer(further: readonly string[] = []): Promise<PostgresServer> {
  const server = await startPostgresServer([...POSTGRES_SETTINGS, ...further])
  if (typeof server === 'string') throw new Error(`The benchmark needs PostgreSQL: ${server}.`)
  return server
}

export async function createDatabase(
  server: PostgresServer,
  name: string,
  template = 'template1',
): Promise<{ DATABASE_URL: string }> {
  await ask(server.url, `create database ${name} template ${template}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return { DATABASE_URL: url.href }
}

export async function ask(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<string, string>>(text)
  await client.end()
  return rows
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
