/**
 * The program: its commands, and how the service starts and stops.
 *
 * - A start that cannot succeed ends with one sentence on stderr and an exit code, never with a stack trace.
 * - SIGTERM drains: for DRAIN_MS requests are still accepted while /readyz tells load balancers to use other instances.
 *   SIGINT, from a terminal, does not wait. Then requests in flight finish within SHUTDOWN_TIMEOUT_MS, and the database
 *   is closed.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../engine/database/database.ts'
import { readDurability } from '../engine/database/durability.ts'
import { startApprovalJob } from '../features/approvals/job.ts'
import { startMaturityJob } from '../features/maturity/job.ts'
import { createAddressGuard } from '../features/webhooks/address-guard.ts'
import { createSender } from '../features/webhooks/sender.ts'
import { createPost } from '../features/webhooks/transport.ts'
import { createClientAddresses } from '../http/client-address.ts'
import { buildServer, type FurtherDoor, type HttpLimits } from '../http/server.ts'
import { createLog, type Log } from '../observe/log.ts'
import { createMetrics } from '../observe/metrics.ts'
import { inviteFirstAdministrator } from './administrator.ts'
import { callersRead } from './callers.ts'
import { runCommandLine } from './command.ts'
import { createConsoleDoor, createSignInOver, type Service } from './compose.ts'
import { BODY_MAX_BYTES, baseUrl, type Config } from './config.ts'
import { createServiceOver, openDatabase, openStandby, requireFreeDirectory } from './database.ts'
import { demoAtStart, demoRead } from './demo.ts'
import type { DemoPerson } from './demo-people.ts'
import { keysRead } from './keys.ts'
import { boundNewObjects } from './new-objects.ts'
import { print } from './output.ts'
import { peopleRead } from './people.ts'
import { createProgram } from './program.ts'
import { openReadSocket } from './read-socket.ts'
import { answerReads } from './reads.ts'
import { statusRead } from './status.ts'
import { verifyRead } from './verify.ts'
import { consoleUrl, greeting } from './welcome.ts'

async function serve(config: Config): Promise<void> {
  // By default the heap may grow to four times what is in use before a full collection; this is twice.
  setFlagsFromString('--heap-growing-percent=100')
  if (config.databaseUrl === null) boundNewObjects(NEW_OBJECTS_MAX_BYTES)
  const log = createLog({ level: config.logLevel, format: config.logFormat, faultsShown: config.logFaults })
  process.prependListener('uncaughtException', (error) =>
    log('error', 'uncaught', { error: error?.name }, error),
  )
  // Registered first, so that a signal during the start also stops the service cleanly.
  const signalled = untilSignalled(config, log)
  await checkAddress(config)
  const { db, applied } = await openDatabase(config, {
    onWait: (reason) => log('warn', 'database_waiting', { reason, wait_s: config.databaseWaitSeconds }),
    stopped: signalled,
  })
  let standby: Database | null = null
  try {
    standby = await openStandby(config, db, (reason) => log('warn', 'standby_unavailable', { reason }))
    if (applied.length > 0) log('info', 'migrated', { applied: applied.join(', ') })
    log('info', 'durability', await readDurability(db))
    if (db.pooler) log('info', 'pooler_found', { named_statements: db.pooler.namesKept ? 'on' : 'off' })
    const metrics = createMetrics()
    const service = createServiceOver(metrics.observeDatabase(db), config, {
      observeBatch: metrics.observeBatch,
      addressGuard: createAddressGuard({ loopbackAllowed: config.webhookAllowLoopback }),
    })
    const demo = config.databaseUrl === null ? await demoAtStart(service, config.dataDirectory) : null
    const doors = [createConsoleOver(service, config, { standby, demoPeople: demo?.people ?? [] })]
    const clients = createClientAddresses({
      trustedProxies: config.trustedProxies,
      logged: config.logAddresses,
    })
    const app = await buildServer({ service, log, limits: httpLimits(config), metrics, clients, doors })
    const url = await listen(app, config)
    log('info', 'listening', { url })
    const consoleAt = consoleUrl({ publicUrl: config.publicUrl, port: portOf(app) })
    if (config.databaseUrl === null) print(greeting({ url, consoleAt, demo }))
    const welcome = await inviteFirstAdministrator(service)
    if (welcome !== null) print(`Nobody can sign in yet. As an administrator: ${consoleAt}${welcome}`)
    const jobs = startJobs(config, service, log)
    if (config.databaseUrl === null) {
      const { db, clock, momentIn } = service
      const source = { db, clock, momentIn, config, url, pageKeys: READ_PAGE_KEYS }
      const answer = answerReads(READS, source)
      jobs.push(await openReadSocket({ directory: config.dataDirectory, answer, log }))
    }
    const signal = await signalled
    await Promise.all([finishRequests(app, drainMsOf(signal, config)), ...jobs.map((job) => job.stop())])
  } finally {
    await standby?.close()
    await db.close()
  }
  log('info', 'stopped')
}

/** Beside the embedded engine, which shares the memory of the process. */
const NEW_OBJECTS_MAX_BYTES = 64 * 2 ** 20

function createConsoleOver(
  service: Service,
  config: Config,
  more: { standby: Database | null; demoPeople: readonly DemoPerson[] },
): FurtherDoor {
  const triesPerAddressPerMinute = config.signInsPerMinute
  const signIn = createSignInOver(service, { triesPerAddressPerMinute })
  const { standby, demoPeople } = more
  return createConsoleDoor({
    service,
    standby: standby ?? undefined,
    signIn,
    publicUrl: config.publicUrl,
    demoPeople,
  })
}

/** What commands may read of a running service. */
const READS = [callersRead, keysRead, peopleRead, statusRead, verifyRead, demoRead]

/**
 * Requests wait for the page that is being read, because the embedded engine has one session. During a verify of 20,000
 * liquidations they waited at most 0.8 s with this and 3.5 s with pages of 2,000, and verify took no longer.
 */
const READ_PAGE_KEYS = 200

/** The background jobs of a running service. */
function startJobs(config: Config, service: Service, log: Log): { stop: () => Promise<void> }[] {
  const { db, clock, maturity, addressGuard } = service
  const sender = createSender({
    db,
    clock,
    log,
    post: createPost({ addressGuard, timeoutMs: config.webhookTimeoutMs }),
    limits: {
      inFlightMax: config.webhookInFlightMax,
      inFlightPerEndpointMax: config.webhookInFlightPerEndpointMax,
      pollMs: config.webhookPollMs,
      // Generous: another process that claims a message too early sends it twice.
      leaseMs: config.webhookTimeoutMs * 4,
      // The other half is for closing the database; a message that is cut off is sent again after its lease.
      stopMs: config.shutdownTimeoutMs / 2,
    },
  })
  sender.start()
  const everySeconds = config.maturityIntervalSeconds
  return [
    sender,
    startMaturityJob({ maturity, everySeconds, log }),
    startApprovalJob({ engine: service, everySeconds, log }),
  ]
}

function httpLimits(config: Config): HttpLimits {
  return {
    bodyMaxBytes: BODY_MAX_BYTES,
    requestTimeoutMs: config.requestTimeoutMs,
    headersTimeoutMs: config.headersTimeoutMs,
    keepAliveTimeoutMs: config.keepAliveTimeoutMs,
    answerTimeoutMs: config.answerTimeoutMs,
    connectionsMax: config.connectionsMax,
    inFlightMax: config.inFlightMax,
    rateLimitPerMinute: config.rateLimitPerMinute,
    failedAuthenticationsPerMinute: config.failedAuthenticationsPerMinute,
  }
}

/**
 * Checked before a database is created or waited for, so that a start that could not listen fails immediately. If the
 * data directory is in use as well, that is the better error, because it names the process to stop.
 */
async function checkAddress(config: Config): Promise<void> {
  const { host, port } = config
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    await requireFreeDirectory(config)
    throw addressError(error, config)
  }
  await once(server.close(), 'close')
}

function addressError(error: unknown, { host, port }: Config): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} on ${host} is in use; stop the other program or set PORT.`)
    case 'EACCES':
      return new Error(`Port ${port} on ${host} may not be used by this user; set PORT to 1024 or more.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new Error(`HOST ${host} is not an address of this machine; set HOST to one, such as 127.0.0.1.`)
    default:
      return error
  }
}

/** Returns the URL of the service. */
async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw addressError(error, config)
  }
  return baseUrl({ host, port: portOf(app) })
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port
}

async function finishRequests(app: FastifyInstance, drainMs: number): Promise<void> {
  app.drain.begin()
  await sleep(drainMs)
  const closed = once(app.server, 'close')
  await app.drain.stopListening()
  // A client may keep a connection whose last response began before the drain: it is closed as soon as it is idle.
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS)
  await closed
  clearInterval(sweep)
  await app.close()
}

function drainMsOf(signal: NodeJS.Signals, { drainMs }: Config): number {
  return signal === 'SIGTERM' ? drainMs : 0
}

/** Resolves at the first signal. A second one ends the process immediately, and so does a stop that takes too long. */
function untilSignalled(config: Config, log: Log): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let firstAtMs: number | null = null
  const stop = (signal: NodeJS.Signals) => {
    const nowMs = performance.now()
    if (firstAtMs === null) {
      firstAtMs = nowMs
      log('info', 'stopping', { signal })
      setTimeout(giveUp, drainMsOf(signal, config) + config.shutdownTimeoutMs).unref()
      resolve(signal)
    } else if (nowMs - firstAtMs > COPIES_MS) process.exit(1)
  }
  const giveUp = () => {
    log('error', 'stop_timed_out')
    process.exit(1)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  stopWithShell(stop)
  return promise
}

/**
 * npm runs the service through a shell that may end on SIGTERM without passing it on. The service would stay in the
 * background and hold its port and its directory, so the end of that shell counts as a signal too.
 */
function stopWithShell(stop: (signal: NodeJS.Signals) => void): void {
  if (!['start', 'dev', 'npx'].includes(process.env.npm_lifecycle_event ?? '')) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    stop('SIGTERM')
  }, SHELL_WATCH_MS)
  watch.unref()
}

/** Ctrl-C arrives from the terminal and again from npm, which passes it on: such copies are not a second signal. */
const COPIES_MS = 500
const SHELL_WATCH_MS = 100
const IDLE_SWEEP_MS = 50

process.on('uncaughtException', (error) => {
  process.stderr.write(`Breakwater ended because of an unexpected ${error?.name ?? 'error'}.\n`)
  process.exit(1)
})
// A reader that closes the pipe, such as head or a closed terminal, must not stop the service.
process.stdout.on('error', () => {})

const program = createProgram({ env: process.env, serve })
process.exitCode = await runCommandLine(program, process.argv.slice(2))
