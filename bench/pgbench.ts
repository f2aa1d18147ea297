/**
 * The reference: PostgreSQL's own benchmark on the same server. One of its TPC-B-like transactions changes three rows,
 * reads one and inserts one, without an index on what it inserts, an event or an idempotency record. At this scale
 * clients rarely wait for the same branch.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { PostgresServer } from '../test/support/postgres-server.ts'

export type PgbenchRun = { clients: number; perSecond: number; latencyMs: number }

const SCALE = 50

export function preparePgbench(server: PostgresServer): void {
  run(server, ['--initialize', '--quiet', '--scale', String(SCALE)])
}

export function runPgbench(
  server: PostgresServer,
  { clients, seconds }: { clients: number; seconds: number },
): PgbenchRun {
  const text = run(server, ['-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)])
  return {
    clients,
    perSecond: numberIn(text, /^tps = ([\d.]+)/m),
    latencyMs: numberIn(text, /^latency average = ([\d.]+) ms/m),
  }
}

function run(server: PostgresServer, args: readonly string[]): string {
  const ended = spawnSync(join(server.binaries, 'pgbench'), [...args, server.url], { encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(`pgbench failed: ${ended.stderr}`)
  return ended.stdout
}

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`pgbench did not say ${pattern}.`)
  return Number(found)
}
