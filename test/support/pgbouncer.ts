/**
 * PgBouncer in transaction mode in front of a PostgreSQL server, for every database of it. Like PostgreSQL it refuses to
 * run as root. It ends with this process, in whatever way that ends.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort, findUser } from './postgres-server.ts'
import { findProgram } from './programs.ts'

const program = process.env.PGBOUNCER ?? findProgram('pgbouncer')

/** A sentence where it cannot be started. */
export const poolerAbsent = program === undefined && 'pgbouncer is not installed'

/** From version 1.21 on it can keep named statements. */
export const keepsNames = program !== undefined && minorOf(program) >= 21

export type PgBouncer = { port: number; stop: () => Promise<void> }

export async function startPgBouncer(
  server: { port: number },
  settings: Readonly<Record<string, string | number>> = {},
): Promise<PgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), 'breakwater-pgbouncer-'))
  chmodSync(directory, 0o755)
  const port = await findFreePort()
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    // The proxy that cuts connections knows no request for TLS.
    server_tls_sslmode: 'disable',
    max_client_conn: 500,
    ...(keepsNames && { max_prepared_statements: 200 }),
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  const file = join(directory, 'pgbouncer.ini')
  const databases = `[databases]\n* = host=127.0.0.1 port=${server.port} user=postgres\n`
  writeFileSync(file, `${databases}[pgbouncer]\n${lines.join('\n')}\n`)
  const child = spawn('sh', ['-c', WATCHED, program!, file], {
    ...findUser(),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const stop = async () => {
    child.stdin.end()
    await once(child, 'exit')
    rmSync(directory, { recursive: true })
  }
  for (const giveUpAt = Date.now() + 10_000; !(await accepts(port)); await sleep(20)) {
    if (Date.now() < giveUpAt) continue
    await stop()
    throw new Error('PgBouncer does not answer.')
  }
  return { port, stop }
}

export function throughPort(url: string, port: number): string {
  const other = new URL(url)
  other.port = String(port)
  return other.href
}

/** The input ends with this process. */
const WATCHED = `
  trap : INT TERM
  "$0" "$1" &
  pooler=$!
  cat > /dev/null
  kill -KILL $pooler
  wait $pooler`

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function minorOf(program: string): number {
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return Number(/^PgBouncer 1\.(\d+)/.exec(version)?.[1])
}
