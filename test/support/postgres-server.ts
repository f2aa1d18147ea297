/**
 * A private PostgreSQL server for one test run, from the binaries of this machine.
 *
 * It refuses to run as root, so as root it is started as another user. It is stopped and its directory removed when
 * the run ends; `pg_ctl` is not used, because a plain child process is easier to be sure of.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type PostgresServer = { url: string; pid: number; binaries: string; stop(): Promise<void> }

/** A later setting overrides an earlier one, so what is asked for overrides the fast and careless ones of a test. */
const TEST_SETTINGS = ['max_connections=200', 'fsync=off', 'shared_buffers=64MB', 'timezone=UTC']

/** Answers a sentence when there is no server to be had. */
export async function startPostgresServer(asked: readonly string[] = []): Promise<PostgresServer | string> {
  const binaries = findBinaries()
  if (binaries === null) return 'no PostgreSQL binaries were found on this machine'
  const user = findUser()
  if (user === null) return 'PostgreSQL does not run as root and there is no user "postgres" or "nobody"'

  const directory = mkdtempSync(join(tmpdir(), 'breakwater-postgres-'))
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid!)
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
  const options = { ...user, cwd: directory, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } }
  const cluster = join(directory, 'cluster')
  try {
    execFileSync(
      join(binaries, 'initdb'),
      ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
      { ...options, stdio: 'pipe' },
    )
    const port = await findFreePort()
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${directory}`,
      ...TEST_SETTINGS,
      ...asked,
    ].flatMap((setting) => ['-c', setting])
    const log = openSync(join(directory, 'log'), 'w')
    const server = spawn(join(binaries, 'postgres'), ['-D', cluster, ...settings], {
      ...options,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    // SIGQUIT: at once, without a checkpoint nobody will read. Also when the run is interrupted.
    const stopAtExit = () => {
      server.kill('SIGQUIT')
      remove()
    }
    process.once('exit', stopAtExit)
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
    await waitUntilReady(server, url, join(directory, 'log'))
    return {
      url,
      pid: server.pid!,
      binaries,
      async stop() {
        process.off('exit', stopAtExit)
        if (server.kill('SIGQUIT')) await once(server, 'exit')
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

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

function findUser(): { uid?: number; gid?: number } | null {
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

async function waitUntilReady(server: ChildProcess, url: string, log: string): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  while (server.exitCode === null) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
      await sleep(50)
    } finally {
      await client.end()
    }
  }
  throw new Error(`The PostgreSQL server ended before it was ready:\n${readFileSync(log, 'utf8')}`)
}
