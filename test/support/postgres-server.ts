/**
 * A private PostgreSQL server for one test run, from the binaries of this machine.
 *
 * It refuses to run as root, so as root it is started as another user. It is stopped and its directory removed when
 * the run ends, in whatever way it ends.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type PostgresServer = { url: string; pid: number; binaries: string; stop(): Promise<void> }

/** A later setting overrides an earlier one, so the given settings override the fast and unsafe ones of a test. */
const TEST_SETTINGS = ['max_connections=200', 'fsync=off', 'shared_buffers=64MB', 'timezone=UTC']

/** Returns a sentence when a server cannot be started. */
export function startPostgresServer(asked: readonly string[] = []): Promise<PostgresServer | string> {
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C']
  return start(asked, (cluster) => ['initdb', '-D', cluster, ...options])
}

/** A streaming standby of a running server. */
export function startStandby(primaryUrl: string): Promise<PostgresServer | string> {
  return start([], (cluster) => [
    'pg_basebackup',
    `--dbname=${primaryUrl}`,
    `--pgdata=${cluster}`,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  ])
}

async function start(
  asked: readonly string[],
  createCluster: (cluster: string) => [program: string, ...args: string[]],
): Promise<PostgresServer | string> {
  const binaries = findBinaries()
  if (binaries === null) return 'no PostgreSQL binaries were found on this machine'
  const user = findUser()
  if (user === null) return 'PostgreSQL does not run as root and there is no user "postgres" or "nobody"'

  const directory = mkdtempSync(join(tmpdir(), 'breakwater-postgres-'))
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid!)
  const options = { ...user, cwd: directory, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } }
  const cluster = join(directory, 'cluster')
  try {
    const [program, ...args] = createCluster(cluster)
    execFileSync(join(binaries, program), args, { ...options, stdio: 'pipe' })
    const port = await findFreePort()
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${directory}`,
      ...TEST_SETTINGS,
      ...asked,
    ].flatMap((setting) => ['-c', setting])
    const server = spawn('sh', ['-c', WATCHED_SERVER, directory, join(binaries, 'postgres'), ...settings], {
      ...options,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const ended = once(server, 'exit')
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
    await waitUntilReady(url, join(directory, 'log')).catch((error) => {
      server.stdin.end()
      throw error
    })
    return {
      url,
      pid: Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10),
      binaries,
      async stop() {
        server.stdin.end()
        await ended
      },
    }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
    throw error
  }
}

/**
 * The shell waits for its input to end, which happens however this process ends, and then cleans up. An interrupt from
 * the keyboard reaches it too and must not end it before that. SIGQUIT stops the server immediately, without an
 * unnecessary checkpoint.
 */
const WATCHED_SERVER = `
  trap : INT TERM
  directory=$0
  "$@" -D "$directory/cluster" > "$directory/log" 2>&1 < /dev/null &
  server=$!
  cat > /dev/null
  kill -QUIT $server
  wait $server
  rm -rf "$directory"`

function findBinaries(): string | null {
  const folders: string[] = []
  const reported = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  if (reported.status === 0) folders.push(reported.stdout.trim())
  const packaged = '/usr/lib/postgresql'
  if (existsSync(packaged)) {
    const versions = readdirSync(packaged).sort((left, right) => Number(right) - Number(left))
    folders.push(...versions.map((version) => join(packaged, version, 'bin')))
  }
  folders.push(...(process.env.PATH ?? '').split(delimiter))
  const complete = (folder: string) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))
  return folders.find(complete) ?? null
}

/** A user who is not root, or nothing where this process already runs as one. */
export function findUser(): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  return null
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP socket has no port.')
  return address.port
}

async function waitUntilReady(url: string, log: string): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (Date.now() > giveUpAt) {
        throw new Error(`The PostgreSQL server does not answer:\n${readFileSync(log, 'utf8')}`, {
          cause: error,
        })
      }
      await sleep(50)
    } finally {
      await client.end()
    }
  }
}
