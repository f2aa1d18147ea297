/** The settings of the database and of its connections. */
import { flag, type Setting, whole } from './setting.ts'

export const databaseUrl: Setting<string | null> = {
  name: 'DATABASE_URL',
  unit: 'URL',
  fallback: null,
  expected: 'a URL like postgresql://user:password@host:5432/database',
  reason: 'The PostgreSQL server, version 15 or newer. Without it the embedded engine is used.',
  read: (text) =>
    URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol) ? text : undefined,
}

export const databaseUrlReadonly: Setting<string | null> = {
  ...databaseUrl,
  name: 'DATABASE_URL_READONLY',
  reason:
    'A standby of that server, for verify and for lists, reports and the audit log of the console. Without it they read the primary.',
}

export const databaseSettings = {
  databaseWaitSeconds: whole('DATABASE_WAIT_S', {
    unit: 'seconds',
    fallback: 60,
    min: 0,
    max: 86_400,
    reason: 'How long a start waits for a PostgreSQL server that does not accept connections yet.',
  }),
  databaseConnectionsMax: whole('DATABASE_CONNECTIONS_MAX', {
    unit: 'connections',
    fallback: 10,
    min: 1,
    max: 10_000,
    reason: 'Connections of this process to PostgreSQL; all processes together must fit its max_connections.',
  }),
  databaseConnectionWaitMs: whole('DATABASE_CONNECTION_WAIT_MS', {
    unit: 'milliseconds',
    fallback: 3000,
    min: 100,
    max: 3_600_000,
    reason: 'How long to wait for a connection to PostgreSQL.',
  }),
  databaseQueryTimeoutMs: whole('DATABASE_QUERY_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 3000,
    min: 100,
    max: 3_600_000,
    reason: 'How long to wait for a response of PostgreSQL, in case the network is interrupted.',
  }),
  databaseStatementTimeoutMs: whole('DATABASE_STATEMENT_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 2500,
    min: 100,
    max: 3_600_000,
    reason:
      'How long PostgreSQL may run one statement; below the query timeout, so that the error of the server arrives first.',
  }),
  databaseLockTimeoutMs: whole('DATABASE_LOCK_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 1500,
    min: 100,
    max: 3_600_000,
    reason:
      'How long a statement may wait for a row that another transaction holds; longer than PostgreSQL takes to find a ' +
      'deadlock (1 s), which is then resolved and retried.',
  }),
  databaseIdleInTransactionTimeoutMs: whole('DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS', {
    unit: 'milliseconds',
    fallback: 5000,
    min: 100,
    max: 3_600_000,
    reason:
      'When PostgreSQL releases the locks of a process that disappeared in the middle of a transaction.',
  }),
  databaseDurabilityChecked: flag('DATABASE_DURABILITY_CHECK', {
    fallback: true,
    reason: 'Refuse a server that runs without fsync or full_page_writes; 0 only for tests.',
  }),
}
