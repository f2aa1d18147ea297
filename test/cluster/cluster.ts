/**
 * Three PostgreSQL nodes under Patroni in strict synchronous mode, etcd and haproxy, from Debian's packages, on loopback
 * ports and in a directory of their own, as a user who is not root.
 *
 * A change is answered only when a second node has it on its disk, and only that node may become the next primary.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../support/postgres-server.ts'
import { killAll, launch, type Owner, signalAll, sweepAtEnd } from './processes.ts'

export type Node = { name: string; directory: string; postgresPort: number; patroniPort: number }

export type Cluster = {
  directory: string
  /** Through haproxy, which connects to the primary. */
  url: string
  urlOf: (node: Node) => string
  nodes: readonly Node[]
  versions: Record<string, string>
  /** null while no node claims to be the primary. */
  findPrimary: () => Promise<Node | null>
  untilWhole: () => Promise<void>
  start: (node: Node) => void
  kill: (node: Node) => Promise<void>
  freeze: (node: Node) => void
  thaw: (node: Node) => void
  /** The standbys receive nothing any more, although every connection stays open. */
  holdBack: (node: Node) => void
  killServer: (node: Node) => Promise<void>
  switchOver: (from: Node) => void
  /** The end of every log, for a run that failed. */
  lastWords: () => string
  stop: () => Promise<void>
}

/** What decides how long an outage lasts and whether anything is lost; docs/cluster.md explains them. */
export const SAFE_SETTINGS = {
  ttl: 20,
  loop_wait: 1,
  retry_timeout: 3,
  maximum_lag_on_failover: 64 * 1024 * 1024,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: {
      synchronous_commit: 'on',
      wal_log_hints: 'on',
      wal_retrieve_retry_interval: '500ms',
      max_connections: 60,
      shared_buffers: '64MB',
    },
  },
} as const

/** Patroni's own default: a change is acknowledged when the primary alone has it. */
export const ASYNCHRONOUS_SETTINGS = {
  ...SAFE_SETTINGS,
  synchronous_mode: false,
  synchronous_mode_strict: false,
}

type ClusterSettings = typeof SAFE_SETTINGS | typeof ASYNCHRONOUS_SETTINGS

const NODES = ['node1', 'node2', 'node3'] as const
const WAIT_MAX_MS = 120_000

/** Returns a sentence when a cluster cannot be started. */
export async function startCluster(settings: ClusterSettings): Promise<Cluster | string> {
  const programs = findPrograms()
  if (typeof programs === 'string') return programs
  const owner = findOwner()
  if (owner === null) return 'PostgreSQL does not run as root and there is no user "postgres" or "nobody"'

  const directory = giveTo(owner, mkdtempSync(join(tmpdir(), 'breakwater-cluster-')))
  const { sweep } = sweepAtEnd(directory)
  const logPath = (name: string) => join(directory, `${name}.log`)
  const configPath = (name: string) => join(directory, `${name}.yml`)
  try {
    const etcdUrl = `http://127.0.0.1:${await findFreePort()}`
    const peerUrl = `http://127.0.0.1:${await findFreePort()}`
    const haproxyPort = await findFreePort()
    const nodes: Node[] = []
    for (const name of NODES) {
      nodes.push({
        name,
        directory: makeDirectory(owner, join(directory, name)),
        postgresPort: await findFreePort(),
        patroniPort: await findFreePort(),
      })
    }
    for (const node of nodes) {
      const config = patroniConfig(node, { etcdUrl, binaries: programs.postgres, settings })
      // JSON is YAML.
      writeFileSync(configPath(node.name), JSON.stringify(config, null, 2))
    }
    const haproxyConfig = join(directory, 'haproxy.cfg')
    writeFileSync(haproxyConfig, haproxyText(haproxyPort, nodes))

    const run = (name: string, command: readonly [string, ...string[]], where = directory) =>
      void launch(command, { directory: where, log: logPath(name), owner })
    const start = (node: Node) => run(node.name, [programs.patroni, configPath(node.name)], node.directory)
    const cluster: Cluster = {
      directory,
      url: `postgresql://breakwater@127.0.0.1:${haproxyPort}/breakwater`,
      urlOf: (node) => `postgresql://breakwater@127.0.0.1:${node.postgresPort}/breakwater`,
      nodes,
      versions: versionsOf(programs),
      findPrimary: async () => (await nodesThatAre('primary', nodes))[0] ?? null,
      untilWhole: () => untilWhole(nodes, settings),
      start,
      kill: (node) => killAll(node.directory),
      freeze: (node) => signalAll(node.directory, 'SIGSTOP'),
      thaw: (node) => signalAll(node.directory, 'SIGCONT'),
      holdBack: (node) => signalAll(dataDirectory(node), 'SIGSTOP', / walsender /),
      killServer: (node) => killAll(dataDirectory(node)),
      switchOver: (from) =>
        void execFileSync(
          programs.patronictl,
          ['-c', configPath(from.name), 'switchover', SCOPE, '--leader', from.name, '--force'],
          { cwd: from.directory, stdio: 'pipe', timeout: WAIT_MAX_MS },
        ),
      lastWords: () => lastWords(directory),
      stop: sweep,
    }

    run('etcd', [
      programs.etcd,
      ...['--data-dir', join(directory, 'etcd')],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `default=${peerUrl}`],
    ])
    run('haproxy', [programs.haproxy, '-db', '-f', haproxyConfig])
    for (const node of nodes) start(node)
    await untilWhole(nodes, settings)
    await createDatabase(`postgresql://postgres@127.0.0.1:${haproxyPort}/postgres`)
    return cluster
  } catch (error) {
    process.stderr.write(lastWords(directory))
    await sweep()
    throw error
  }
}

export async function until(condition: () => Promise<boolean> | boolean, sentence: string): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MAX_MS
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`Not within ${WAIT_MAX_MS / 1000} s: ${sentence}.`)
    await sleep(100)
  }
}

const SCOPE = 'breakwater'

function patroniConfig(
  node: Node,
  given: { etcdUrl: string; binaries: string; settings: ClusterSettings },
): object {
  const { etcdUrl, binaries, settings } = given
  const patroniAddress = `127.0.0.1:${node.patroniPort}`
  const postgresAddress = `127.0.0.1:${node.postgresPort}`
  return {
    scope: SCOPE,
    name: node.name,
    restapi: { listen: patroniAddress, connect_address: patroniAddress },
    etcd3: { hosts: [new URL(etcdUrl).host] },
    bootstrap: {
      dcs: settings,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: postgresAddress,
      connect_address: postgresAddress,
      data_dir: dataDirectory(node),
      bin_dir: binaries,
      pgpass: join(node.directory, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      // Only this machine can connect, for a few minutes. In production: scram-sha-256.
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      // Shared memory as files of the node, so that a killed one leaves none behind.
      parameters: { unix_socket_directories: node.directory, dynamic_shared_memory_type: 'mmap' },
    },
  }
}

function haproxyText(port: number, nodes: readonly Node[]): string {
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.postgresPort} check port ${node.patroniPort}`,
  )
  return `
defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 1s

listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

function dataDirectory(node: Node): string {
  return join(node.directory, 'data')
}

/** One primary, two standbys that follow it, and one of those known to all as the synchronous one. */
async function untilWhole(nodes: readonly Node[], settings: ClusterSettings): Promise<void> {
  const synchronousCount = settings.synchronous_mode ? 1 : 0
  await until(async () => {
    const [primaries, replicas, synchronous] = await Promise.all(
      ['primary', 'replica', 'synchronous'].map((role) => nodesThatAre(role, nodes)),
    )
    if (primaries?.length !== 1 || replicas?.length !== 2) return false
    if (synchronous?.length !== synchronousCount) return false
    const status = await askPatroni(primaries[0]!, 'patroni')
    const { replication = [] } = JSON.parse(status?.body ?? '{}') as { replication?: { state: string }[] }
    return replication.filter((one) => one.state === 'streaming').length === 2
  }, 'a primary with two standbys, one of them synchronous')
}

async function nodesThatAre(role: string, nodes: readonly Node[]): Promise<Node[]> {
  const answers = await Promise.all(nodes.map((node) => askPatroni(node, role)))
  return nodes.filter((_, index) => answers[index]?.status === 200)
}

/** null where it does not answer: it is dead or frozen. */
async function askPatroni(node: Node, path: string): Promise<{ status: number; body: string } | null> {
  try {
    const signal = AbortSignal.timeout(1000)
    const answer = await fetch(`http://127.0.0.1:${node.patroniPort}/${path}`, { signal })
    return { status: answer.status, body: await answer.text() }
  } catch {
    return null
  }
}

/** haproxy checks the nodes once a second, so it may not have a primary at first. */
async function createDatabase(url: string): Promise<void> {
  await until(async () => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('create role breakwater login')
      await client.query('create database breakwater owner breakwater')
      return true
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw error
      return false
    } finally {
      await client.end()
    }
  }, 'haproxy leads to the primary')
}

type Programs = { postgres: string; patroni: string; patronictl: string; etcd: string; haproxy: string }

function findPrograms(): Programs | string {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  const postgres = versions
    .map((version) => join(packaged, version, 'bin'))
    .find((folder) =>
      ['postgres', 'initdb', 'pg_rewind', 'pg_basebackup'].every((name) => existsSync(join(folder, name))),
    )
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  const [patroni, patronictl, etcd, haproxy] = ['patroni', 'patronictl', 'etcd', 'haproxy'].map(find)
  if (!postgres || !patroni || !patronictl || !etcd || !haproxy) {
    return 'a program is missing; on Debian: apt-get install postgresql patroni etcd-server haproxy'
  }
  return { postgres, patroni, patronictl, etcd, haproxy }
}

function versionsOf(programs: Programs): Record<string, string> {
  const commands = {
    postgresql: [join(programs.postgres, 'postgres'), '--version'],
    patroni: [programs.patroni, '--version'],
    etcd: [programs.etcd, '--version'],
    haproxy: [programs.haproxy, '-v'],
  }
  const read = ([program, ...args]: string[]) =>
    /\d+(\.\d+)+/.exec(spawnSync(program!, args, { encoding: 'utf8' }).stdout)?.[0] ?? 'unknown'
  return Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, read(command)]))
}

function makeDirectory(owner: Owner, path: string): string {
  mkdirSync(path, { mode: 0o700 })
  return giveTo(owner, path)
}

function giveTo({ uid, gid }: Owner, path: string): string {
  if (uid !== undefined) chownSync(path, uid, gid!)
  return path
}

function lastWords(directory: string): string {
  const names = readdirSync(directory).filter((name) => name.endsWith('.log'))
  return names
    .map((name) => `${name}:\n${readFileSync(join(directory, name), 'utf8').slice(-2000)}\n`)
    .join('\n')
}

function findOwner(): Owner | null {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  return null
}
