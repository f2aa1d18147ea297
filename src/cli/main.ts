/**
 * The program: its commands, and how the service starts and stops.
 *
 * - A start that cannot succeed ends with one sentence on stderr and an exit code, never with a stack trace.
 * - SIGTERM drains: for DRAIN_MS requests are still accepted while /readyz tells load balancers to use other instances.
 *   SIGINT, from a terminal, does not wait. Then requests in flight finish within SHUTDOWN_TIMEOUT_MS, and the database
 *   is closed.
 */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { readDurability } from '../engine/database/durability.ts'
import type { Standby } from '../engine/database/standby.ts'
import { findBook } from '../features/callers/store.ts'
import { type ClockWatch, createClockWatch } from '../features/clock/watch.ts'
import { createChangeCount } from '../features/seals/job.ts'
import { createAddressGuard } from '../features/webhooks/address-guard.ts'
import { createClientAddresses } from '../http/client-address.ts'
import { buildServer, type FurtherDoor, type HttpLimits } from '../http/server.ts'
import { createLog, type Log } from '../observe/log.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { release } from '../observe/release.ts'
import { findCallerWithoutPeople, inviteCommand, inviteFirstAdministrator } from './administrator.ts'
import { readLastBackup } from './backup-job.ts'
import { runCommandLine, UsageError } from './command.ts'
import { createConsoleDoor, createSignInOver, createSignOnOver, type Service } from './compose.ts'
import { BODY_MAX_BYTES, baseUrl, type Config, clientSecretOf } from './config.ts'
import { createServiceOver, openDatabase, openStandby, requireFreeDirectory } from './database.ts'
import { demoAtStart, demoSamples } from './demo.ts'
import type { DemoPerson } from './demo-people.ts'
import { type Fellow, joinFellows, leaveFellows } from './fellow.ts'
import { startEmbeddedJobs, startJobs } from './jobs.ts'
import { readMarker } from './moved.ts'
import { boundNewObjects } from './new-objects.ts'
import { print } from './output.ts'
import { superviseProcesses } from './processes.ts'
import { createProgram, type ServeOptions } from './program.ts'
import { consoleUrl, greeting } from './welcome.ts'

async function serve(config: Config, { force, processes }: ServeOptions): Promise<void> {
  if (!force) await requireNotMoved(config)
  if (cluster.isPrimary && processes > 1) return supervise(config, processes)
  try {
    await serveHere(config)
  } finally {
    leaveFellows()
  }
}

async function serveHere(config: Config): Promise<void> {
  boundMemory(config)
  const log = startLog(config)
  // Registered first, so that a signal during the start also stops the service cleanly.
  const signalled = untilSignalled(config, log)
  if (cluster.isPrimary) await checkAddress(config)
  const { db, applied } = await openDatabase(config, {
    onWait: (reason) => log('warn', 'database_waiting', { reason, wait_s: config.databaseWaitSeconds }),
    stopped: signalled,
  })
  let standby: Standby | null = null
  let clockWatch: ClockWatch | null = null
  let fellow: Fellow | null = null
  try {
    standby = await openStandby(config, db, (reason) => log('warn', 'standby_unavailable', { reason }))
    if (applied.length > 0) log('info', 'migrated', { applied: applied.join(', ') })
    log('info', 'durability', await readDurability(db))
    if (db.pooler) log('info', 'pooler_found', { named_statements: db.pooler.namesKept ? 'on' : 'off' })
    const metrics = createMetrics()
    clockWatch = createClockWatch({ db, clock: () => new Date(), log })
    await clockWatch.check()
    clockWatch.start()
    const changes = createChangeCount()
    fellow = await joinFellows({ counted: metrics.counted, onChanges: changes.add })
    const noteChanges = fellow?.noteChanges ?? changes.add
    const service = createServedService(db, config, { metrics, clockWatch, noteChanges })
    await requireCallerOfSignOn(service, config)
    const found = config.databaseUrl === null ? await demoAtStart(service, config.dataDirectory) : null
    const demo = found?.demo ?? null
    const demoPeople = demo?.people ?? []
    const doors = [createConsoleOver(service, config, { standby, demoPeople, log, fellow })]
    const { trustedProxies, publicUrl } = config
    const clients = createClientAddresses({ trustedProxies, logged: config.logAddresses })
    const limits = httpLimits(config, fellow?.processes ?? 1)
    const app = await buildServer({
      ...{ service, log, limits, clients, doors, publicUrl },
      metrics: fellow === null ? metrics : { ...metrics, print: fellow.printMetrics },
      ...(fellow !== null && { createTake: fellow.createTake }),
      demo: found?.isUsedUp === false ? demoSamples(found.demo) : null,
    })
    const url = await listen(app, config)
    log('info', 'listening', { url })
    const consoleAt = consoleUrl({ publicUrl, port: portOf(app) })
    // Only a terminal gets keys, passwords and links: what is written elsewhere is a log, which many can read.
    const isTerminal = process.stdout.isTTY === true && config.logFormat !== 'json'
    if (isTerminal && config.databaseUrl === null) print(greeting({ url, consoleAt, found }))
    const hasJobs = fellow?.hasJobs ?? true
    if (hasJobs) await welcomeFirstAdministrator(service, { log, consoleAt, isTerminal })
    const jobs = hasJobs ? startJobs(config, service, { log, changes, metrics }) : []
    if (config.databaseUrl === null) jobs.push(...(await startEmbeddedJobs(service, { config, url, log })))
    const reason = await Promise.race([signalled, ...(fellow === null ? [] : [fellow.retired])])
    await Promise.all([finishRequests(app, reason, config), ...jobs.map((job) => job.stop())])
  } finally {
    await clockWatch?.stop()
    await standby?.close()
    await db.close()
  }
  log('info', 'stopped')
}

function boundMemory({ databaseUrl }: Config): void {
  // By default the heap may grow to four times what is in use before a full collection; this is twice.
  setFlagsFromString('--heap-growing-percent=100')
  if (databaseUrl === null) boundNewObjects(NEW_OBJECTS_MAX_BYTES)
}

function startLog(config: Config): Log {
  const log = createLog({ level: config.logLevel, format: config.logFormat, faultsShown: config.logFaults })
  log('info', 'starting', { ...release() })
  process.prependListener('uncaughtException', (error) =>
    log('error', 'uncaught', { error: error?.name }, error),
  )
  return log
}

/** The service over its database, with all that is measured and noted of its changes. */
function createServedService(
  db: Parameters<typeof createServiceOver>[0],
  config: Config,
  parts: { metrics: Metrics; clockWatch: ClockWatch; noteChanges: (count: number) => void },
): Service {
  const { metrics, clockWatch, noteChanges } = parts
  return createServiceOver(metrics.observeDatabase(db), config, {
    clockWatch,
    observeBatch: (batchSize) => {
      metrics.observeBatch(batchSize)
      noteChanges(batchSize)
    },
    addressGuard: createAddressGuard({ loopbackAllowed: config.webhookAllowLoopback }),
    ...(config.backupEveryHours > 0 && {
      lastBackup: () => readLastBackup(config, new Date()),
    }),
  })
}

async function supervise(config: Config, count: number): Promise<void> {
  if (config.databaseUrl === null) {
    throw new UsageError(
      'The embedded engine is used by one process. Set DATABASE_URL, or leave out --processes.',
    )
  }
  const log = createLog({ level: config.logLevel, format: config.logFormat, faultsShown: config.logFaults })
  const signalled = untilSignalled(config, log)
  await checkAddress(config)
  await superviseProcesses({ count, log, signalled })
}

/** Two copies of a book would each accept changes that the other lacks. */
async function requireNotMoved({ databaseUrl, dataDirectory }: Config): Promise<void> {
  const moved = databaseUrl === null ? await readMarker(dataDirectory) : null
  if (moved === null) return
  throw new UsageError(
    `The books in ${dataDirectory} were moved to ${moved.to} at ${moved.at}. Serve those; --force serves these.`,
  )
}

/** The provider would send its people to nowhere. */
async function requireCallerOfSignOn({ db }: Service, { oidcCaller }: Config): Promise<void> {
  if (oidcCaller === null || (await findBook(db, { callerId: oidcCaller, mode: 'live' })) !== undefined)
    return
  throw new UsageError('OIDC_CALLER names no caller. npx breakwater callers list shows them.')
}

async function welcomeFirstAdministrator(
  service: Service,
  { log, consoleAt, isTerminal }: { log: Log; consoleAt: string; isTerminal: boolean },
): Promise<void> {
  const callerId = await findCallerWithoutPeople(service)
  if (callerId === null) return
  if (!isTerminal) return log('warn', 'nobody_can_sign_in', { command: inviteCommand(callerId) })
  const path = await inviteFirstAdministrator(service, callerId)
  if (path !== null) print(`Nobody can sign in yet. As an administrator: ${consoleAt}${path}`)
}

/** Beside the embedded engine, which shares the memory of the process. */
const NEW_OBJECTS_MAX_BYTES = 64 * 2 ** 20

function createConsoleOver(
  service: Service,
  config: Config,
  more: { standby: Standby | null; demoPeople: readonly DemoPerson[]; log: Log; fellow: Fellow | null },
): FurtherDoor {
  const triesPerAddressPerMinute = config.signInsPerMinute
  const { secondFactor: factorPolicy } = config
  const { standby, demoPeople, log, fellow } = more
  const settings = signOnSettingsOf(config)
  const signIn = createSignInOver(service, {
    triesPerAddressPerMinute,
    ...(fellow !== null && { take: fellow.createTake('sign-ins') }),
    factorPolicy,
    signOn: settings,
    noteBreakGlass: (personId) => log('warn', 'break_glass_used', { person_id: personId }),
  })
  return createConsoleDoor({
    service,
    standby: standby ?? undefined,
    signIn,
    publicUrl: config.publicUrl,
    demoPeople,
    signOn: createSignOnOver(service, settings),
    warn: (event, fields) => log('warn', event, fields),
  })
}

function signOnSettingsOf(config: Config): Parameters<typeof createSignOnOver>[1] {
  if (config.oidcIssuer === null) return null
  return {
    issuer: config.oidcIssuer,
    clientId: config.oidcClientId!,
    clientSecret: clientSecretOf(config),
    callerId: config.oidcCaller!,
    table: config.oidcRoles,
    groupsClaim: config.oidcGroupsClaim!,
    scopes: config.oidcScopes!,
    name: config.oidcName!,
    isOnly: config.oidcOnly,
    redirectUri: `${config.publicUrl}/console/sign-in/callback`,
  }
}

/** What one process may do; connections are shared out evenly. */
function httpLimits(config: Config, processes: number): HttpLimits {
  return {
    bodyMaxBytes: BODY_MAX_BYTES,
    requestTimeoutMs: config.requestTimeoutMs,
    headersTimeoutMs: config.headersTimeoutMs,
    keepAliveTimeoutMs: config.keepAliveTimeoutMs,
    answerTimeoutMs: config.answerTimeoutMs,
    connectionsMax: Math.ceil(config.connectionsMax / processes),
    inFlightMax: Math.ceil(config.inFlightMax / processes),
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

async function finishRequests(
  app: FastifyInstance,
  reason: NodeJS.Signals | 'retired',
  config: Config,
): Promise<void> {
  app.drain.begin({ isAnnounced: reason !== 'retired' })
  await sleep(drainMsOf(reason, config))
  const closed = once(app.server, 'close')
  await app.drain.stopListening()
  // A client may keep a connection whose last response began before the drain: it is closed as soon as it is idle.
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS)
  await closed
  clearInterval(sweep)
  await app.close()
}

function drainMsOf(reason: NodeJS.Signals | 'retired', { drainMs }: Config): number {
  return reason === 'SIGTERM' || reason === 'retired' ? drainMs : 0
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

const argv = process.argv.slice(2)
const program = await createProgram({ env: process.env, asked: argv[0], serve })
process.exitCode = await runCommandLine(program, argv)
