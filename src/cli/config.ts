/**
 * Every setting and every limit of the service, with its unit, default and reason. They come from the environment
 * alone; an empty value is the same as none. An invalid value ends the start with one sentence that names its variable
 * and never repeats the value, which may be a secret.
 */
import { FACTOR_POLICIES, type FactorPolicy } from '../domain/factors.ts'
import { rangesOf } from '../http/client-address.ts'
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../observe/log.ts'
import type { Environment } from './command.ts'
import { databaseSettings, databaseUrl, databaseUrlReadonly } from './database-settings.ts'
import { createSecret, withSecretFiles } from './secret-files.ts'
import { flag, readOrigin, readPath, type Setting, secretFile, whole } from './setting.ts'
import { clientSecret, faultOfSignOn, signOnSettings } from './sign-on-settings.ts'

/** Fixed by the contract, so not a setting. */
export const BODY_MAX_BYTES = 64 * 1024

const NO_PROXIES: readonly string[] = []

/** Each has a setting of its own for the path of a file that holds it. */
const SECRETS = [databaseUrl, databaseUrlReadonly, clientSecret]

export const settings = {
  host: {
    name: 'HOST',
    unit: 'address',
    fallback: '127.0.0.1',
    expected: 'a host name or an IP address',
    reason: 'Where to listen. By default only this machine can reach the service.',
    read: (text) => (/^\S+$/.test(text) ? text : undefined),
  },
  port: whole('PORT', {
    unit: 'TCP port',
    fallback: 8080,
    min: 0,
    max: 65_535,
    reason: 'Port to listen on; 0 takes any free port.',
  }),
  publicUrl: {
    name: 'PUBLIC_URL',
    unit: 'URL',
    fallback: null as string | null,
    expected: 'a URL without a path, like https://bank.example.com',
    reason:
      'The URL under which browsers reach the service; links for people begin with it. By default http://localhost:PORT.',
    read: readOrigin,
  },
  databaseUrl,
  databaseUrlFile: secretFile(databaseUrl),
  databaseUrlReadonly,
  databaseUrlReadonlyFile: secretFile(databaseUrlReadonly),
  standbyWaitMs: whole('STANDBY_WAIT_MS', {
    unit: 'milliseconds',
    fallback: 5000,
    min: 0,
    max: 3_600_000,
    reason:
      'How long verify, reports, the audit log and files of lists wait until the standby has everything that the primary ' +
      'had when they began. After that verify ends with an error, and the others read the primary.',
  }),
  dataDirectory: {
    name: 'DATA_DIR',
    unit: 'path',
    fallback: './data',
    expected: 'a path',
    reason: 'The directory of the embedded engine, used by one process at a time.',
    read: readPath,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    unit: 'level',
    fallback: 'info' as LogLevel,
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    reason: 'The lowest level that is logged; info logs every request.',
    read: (text) => LOG_LEVELS.find((level) => level === text),
  },
  logFormat: {
    name: 'LOG_FORMAT',
    unit: 'format',
    fallback: 'auto' as LogFormat,
    expected: `one of ${LOG_FORMATS.join(', ')}`,
    reason: 'pretty is for people, json for programs; auto is pretty on a terminal and json elsewhere.',
    read: (text) => LOG_FORMATS.find((format) => format === text),
  },
  logAddresses: flag('LOG_ADDRESSES', {
    fallback: false,
    reason: 'Log the addresses of clients; otherwise a salted hash of each, which changes with every start.',
  }),
  logFaults: flag('LOG_FAULTS', {
    fallback: false,
    reason:
      'For development: log faults with message, stack and cause. They may hold personal data, so never in production.',
  }),
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    unit: 'addresses',
    fallback: NO_PROXIES,
    expected: 'addresses or ranges such as 10.0.0.0/8, separated by commas',
    reason: 'Proxies whose X-Forwarded-For is trusted, as addresses or ranges separated by commas.',
    read: (text) => {
      const ranges = text.split(',').map((range) => range.trim())
      return rangesOf(ranges) === undefined ? undefined : ranges
    },
  },
  rateLimitPerMinute: whole('RATE_LIMIT_PER_MINUTE', {
    unit: 'requests a minute',
    fallback: 6000,
    min: 0,
    max: 1_000_000_000,
    reason: 'Limit of a key that has no limit of its own; 0 is no limit.',
  }),
  failedAuthenticationsPerMinute: whole('FAILED_AUTHENTICATIONS_PER_MINUTE', {
    unit: 'requests a minute',
    fallback: 600,
    min: 0,
    max: 1_000_000_000,
    reason: 'Wrong keys that one client address may send before it is rejected with 429; 0 is no limit.',
  }),
  signInsPerMinute: whole('SIGN_INS_PER_MINUTE', {
    unit: 'tries a minute',
    fallback: 60,
    min: 0,
    max: 1_000_000,
    reason: 'Passwords that one address may try, right or wrong; 0 is no limit.',
  }),
  secondFactor: {
    name: 'SECOND_FACTOR',
    unit: 'people',
    fallback: 'optional' as FactorPolicy,
    expected: `one of ${FACTOR_POLICIES.join(', ')}`,
    reason:
      'Who must have a second factor: nobody, deciders (supervisors and administrators of the live book) or everyone.',
    read: (text) => FACTOR_POLICIES.find((policy) => policy === text),
  },
  ...signOnSettings,
  inFlightMax: whole('IN_FLIGHT_MAX', {
    unit: 'requests',
    fallback: 4096,
    min: 1,
    max: 1_000_000,
    reason:
      'Requests processed at the same time; more are rejected with 503 immediately, so that memory stays bounded.',
  }),
  connectionsMax: whole('CONNECTIONS_MAX', {
    unit: 'connections',
    fallback: 10_000,
    min: 1,
    max: 1_000_000,
    reason:
      'Open connections; more are closed immediately, so that the database does not run out of file descriptors.',
  }),
  batchMax: whole('BATCH_MAX', {
    unit: 'liquidations',
    fallback: 256,
    min: 1,
    max: 10_000,
    reason: 'Liquidations in one transaction; larger batches hold their locks longer and gain little.',
  }),
  batchLanes: whole('BATCH_LANES', {
    unit: 'transactions',
    fallback: 2,
    min: 1,
    max: 100,
    reason:
      'Batches of one book, or of the short queues of all, processed at the same time: while one waits for the database, ' +
      'the next is decided. Embedded: always 1.',
  }),
  queueMax: whole('QUEUE_MAX', {
    unit: 'requests',
    fallback: 2000,
    min: 1,
    max: 1_000_000,
    reason:
      'Liquidations of one book that may wait; more are rejected with 503 immediately instead of being answered too late.',
  }),
  queueWaitMaxMs: whole('QUEUE_WAIT_MAX_MS', {
    unit: 'milliseconds',
    fallback: 3000,
    min: 10,
    max: 3_600_000,
    reason:
      'How long a liquidation may wait for its batch, an eighth of it while the queue does not clear; requests that would ' +
      'wait longer are rejected with 503 immediately.',
  }),
  requestTimeoutMs: whole('REQUEST_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 30_000,
    min: 1000,
    max: 3_600_000,
    reason: 'How long a client may take to send a whole request.',
  }),
  headersTimeoutMs: whole('HEADERS_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 10_000,
    min: 1000,
    max: 3_600_000,
    reason: 'How long a client may take to send the headers; at most REQUEST_TIMEOUT_MS.',
  }),
  keepAliveTimeoutMs: whole('KEEP_ALIVE_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 72_000,
    min: 0,
    max: 3_600_000,
    reason:
      'How long an idle connection is kept open; longer than the 60 seconds for which load balancers keep theirs.',
  }),
  answerTimeoutMs: whole('ANSWER_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 30_000,
    min: 1000,
    max: 3_600_000,
    reason: 'How long a client may leave an answer unread before its connection is closed.',
  }),
  drainMs: whole('DRAIN_MS', {
    unit: 'milliseconds',
    fallback: 5000,
    min: 0,
    max: 3_600_000,
    reason:
      'After SIGTERM, how long requests are still accepted while /readyz returns 503; longer than a load balancer takes to notice.',
  }),
  shutdownTimeoutMs: whole('SHUTDOWN_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 10_000,
    min: 0,
    max: 3_600_000,
    reason: 'How long requests in flight may take to finish after the drain, or after SIGINT.',
  }),
  ...databaseSettings,
  backupEveryHours: whole('BACKUP_EVERY_HOURS', {
    unit: 'hours',
    fallback: 0,
    min: 0,
    max: 8760,
    reason: 'How often the service backs its embedded database up by itself; 0 is never.',
  }),
  backupDirectory: {
    name: 'BACKUP_DIR',
    unit: 'path',
    fallback: './backups',
    expected: 'a path',
    reason: 'Where these backups are written; best on another disk than DATA_DIR.',
    read: (text) => (text.includes('\0') ? undefined : text),
  },
  backupKeep: whole('BACKUP_KEEP', {
    unit: 'files',
    fallback: 7,
    min: 1,
    max: 10_000,
    reason: 'How many of these backups are kept; older ones are removed after a new one was written.',
  }),
  maturityIntervalSeconds: whole('MATURITY_INTERVAL_SECONDS', {
    unit: 'seconds',
    fallback: 60,
    min: 1,
    max: 86_400,
    reason: 'How often the service looks for deposits that became due.',
  }),
  retainSessionsDays: whole('RETAIN_SESSIONS_DAYS', {
    unit: 'days',
    fallback: 90,
    min: 0,
    max: 36_500,
    reason:
      'How long sessions of people are kept after their last use, with address and browser; 0 is without end.',
  }),
  retainDevicesDays: whole('RETAIN_DEVICES_DAYS', {
    unit: 'days',
    fallback: 365,
    min: 0,
    max: 36_500,
    reason:
      'The same of the browsers in which people signed in; one is known for 180 days. 0 is without end.',
  }),
  retainLinksDays: whole('RETAIN_LINKS_DAYS', {
    unit: 'days',
    fallback: 30,
    min: 0,
    max: 36_500,
    reason:
      'How long invitation and reset links are kept, as hashes, after they have expired; 0 is without end.',
  }),
  retainDeliveriesDays: whole('RETAIN_DELIVERIES_DAYS', {
    unit: 'days',
    fallback: 90,
    min: 0,
    max: 36_500,
    reason: 'How long webhook messages that were delivered are kept; 0 is without end.',
  }),
  retainPreviewsDays: whole('RETAIN_PREVIEWS_DAYS', {
    unit: 'days',
    fallback: 0,
    min: 0,
    max: 36_500,
    reason:
      'How long a request for approval keeps, after its decision, the figures that were shown for it; 0 is without end. ' +
      'Who asked for what, and who decided, stays.',
  }),
  retainAnswersDays: whole('RETAIN_ANSWERS_DAYS', {
    unit: 'days',
    fallback: 0,
    min: 0,
    max: 36_500,
    reason:
      'How long the answers to idempotency keys are kept; 0 is without end. A request that is repeated with its key after ' +
      'that is carried out again. Lines of batches are not: their answers stay.',
  }),
  testClockRolloversMax: whole('TEST_CLOCK_ROLLOVERS_MAX', {
    unit: 'rollovers',
    fallback: 10_000,
    min: 0,
    max: 1_000_000,
    reason:
      'Rollovers of successors, and payments of interest after the first of each deposit, that one move of a test clock ' +
      'may cause; they are made before the response, 1,500 to 5,000 per second.',
  }),
  webhookTimeoutMs: whole('WEBHOOK_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 15_000,
    min: 100,
    max: 60_000,
    reason: 'How long a receiver may take to answer a message.',
  }),
  webhookInFlightMax: whole('WEBHOOK_IN_FLIGHT_MAX', {
    unit: 'messages',
    fallback: 64,
    min: 1,
    max: 10_000,
    reason:
      'Messages being sent at the same time, to all receivers; one book uses at most half of what the others leave.',
  }),
  webhookInFlightPerEndpointMax: whole('WEBHOOK_IN_FLIGHT_PER_ENDPOINT_MAX', {
    unit: 'messages',
    fallback: 8,
    min: 1,
    max: 10_000,
    reason: 'Messages being sent to one receiver at the same time, so that a burst does not overload it.',
  }),
  webhookPollMs: whole('WEBHOOK_POLL_MS', {
    unit: 'milliseconds',
    fallback: 1000,
    min: 10,
    max: 3_600_000,
    reason: 'How often the service looks for messages to send.',
  }),
  webhookAllowLoopback: flag('WEBHOOK_ALLOW_LOOPBACK', {
    fallback: false,
    reason: 'Let test books send webhooks to http on this machine, for development.',
  }),
} satisfies Record<string, Setting<unknown>>

export type Config = { readonly [Name in keyof typeof settings]: (typeof settings)[Name]['fallback'] }

export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

export function readConfig(environment: Environment): Config {
  const env = withSecretFiles(
    environment,
    SECRETS.map(({ name }) => name),
  )
  const config = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([member, setting]) => [
      member,
      readSetting(setting, env),
    ]),
  ) as Config
  if (config.headersTimeoutMs > config.requestTimeoutMs) {
    throw new ConfigError('HEADERS_TIMEOUT_MS must be at most REQUEST_TIMEOUT_MS.')
  }
  if (config.databaseUrlReadonly !== null && config.databaseUrl === null) {
    throw new ConfigError('DATABASE_URL_READONLY needs DATABASE_URL: the embedded engine has no standby.')
  }
  const fault = faultOfSignOn(config)
  if (fault !== null) throw new ConfigError(fault)
  if (config.backupEveryHours > 0 && config.databaseUrl !== null) {
    throw new ConfigError(
      'BACKUP_EVERY_HOURS is for the embedded engine; back PostgreSQL up with its own tools, such as pg_dump.',
    )
  }
  return config
}

/** A database by its URL, which is read again from its file for each new connection. */
export type DatabaseUrl = () => string

/** null: the setting is not set. */
export function databaseUrlsOf(config: Config): Record<'primary' | 'standby', DatabaseUrl | null> {
  const secretOf = (value: string | null, path: string | null) =>
    value === null
      ? null
      : createSecret({ value, path, isValid: (text) => databaseUrl.read(text) !== undefined })
  return {
    primary: secretOf(config.databaseUrl, config.databaseUrlFile),
    standby: secretOf(config.databaseUrlReadonly, config.databaseUrlReadonlyFile),
  }
}

/** The secret of this service at the identity provider. */
export function clientSecretOf({ oidcClientSecret, oidcClientSecretFile }: Config): () => string {
  return createSecret({
    value: oidcClientSecret ?? '',
    path: oidcClientSecretFile,
    isValid: (text) => text !== '',
  })
}

/** Wildcard addresses can be listened on but not connected to, so they are replaced by loopback. */
export function baseUrl({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function readSetting<Value>(setting: Setting<Value>, env: Environment): Value {
  const text = env[setting.name] ?? ''
  if (text === '') return setting.fallback
  const value = setting.read(text)
  if (value === undefined) throw new ConfigError(`${setting.name} must be ${setting.expected}.`)
  return value
}
