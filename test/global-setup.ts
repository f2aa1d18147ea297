/**
 * Once per test run: one PostgreSQL server, whose address the test processes inherit as DATABASE_URL_TEST. A server
 * named from outside by that variable is used as it is.
 */
import { fileURLToPath } from 'node:url'
import { type PostgresServer, startPostgresServer } from './support/postgres-server.ts'

let server: PostgresServer | null = null

export async function globalSetup(): Promise<void> {
  // Most processes of a run load the same files: a fifth of their CPU time is spent on reading TypeScript.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url))
  if (process.env.DATABASE_URL_TEST) return
  const started = await startPostgresServer()
  if (typeof started === 'string') {
    process.env.DATABASE_URL_TEST_ABSENT = started
    console.log(`The PostgreSQL tests are skipped: ${started}.`)
    return
  }
  server = started
  process.env.DATABASE_URL_TEST = started.url
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
