/**
 * A private PostgreSQL server that can be killed like kill −9, all of its processes together, and restarted. Its
 * processes are found by its command line, and it keeps its settings.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

export type CrashingPostgres = PostgresServer & { crash(): Promise<void>; restart(): Promise<void> }

/** Returns a sentence when such a server cannot be started. */
export async function startCrashingPostgres(
  settings: readonly string[] = ['fsync=on'],
): Promise<CrashingPostgres | string> {
  if (process.platform !== 'linux')
    return 'the processes of a server are found through /proc, which only Linux has'
  const server = await startPostgresServer(settings)
  if (typeof server === 'string') return server
  const { uid, gid } = statSync(`/proc/${server.pid}`)
  const command = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  const pidPath = `${command[command.indexOf('-D') + 1]}/postmaster.pid`
  const pidNow = () => Number.parseInt(readFileSync(pidPath, 'utf8'), 10)
  let end = async () => undefined as unknown

  return {
    url: server.url,
    binaries: server.binaries,
    get pid() {
      return pidNow()
    },
    async crash() {
      const pid = pidNow()
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
      const family = [pid, ...children.map(Number)]
      for (const one of family) killIfAlive(one)
      // The next one does not start while a process of this one still holds its shared memory.
      while (family.some(isAlive)) await sleep(5)
      await end()
    },
    async restart() {
      const child = spawn('sh', ['-c', WATCHED, ...command], {
        uid,
        gid,
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      end = async () => {
        child.stdin.end()
        if (child.exitCode === null) await once(child, 'exit')
      }
      await untilReady(server.url)
    },
    async stop() {
      await end()
      await server.stop()
    },
  }
}

/** Its input ends however this process ends, and then so does the server. */
const WATCHED = `
  trap : INT TERM
  "$0" "$@" < /dev/null &
  server=$!
  cat > /dev/null
  kill -QUIT $server
  wait $server`

/** It first repeats what was written since its last checkpoint. */
async function untilReady(url: string): Promise<void> {
  const giveUpAt = Date.now() + 300_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
      await sleep(20)
    } finally {
      await client.end()
    }
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A zombie process still has an entry, but holds nothing any more. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
