import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type Config, ConfigError, readConfig, settings } from '../../src/cli/config.ts'
import { type Setting, shownDefault } from '../../src/cli/setting.ts'
import { printEnvExample, printSettingsTable } from '../../tools/settings.ts'

const table: readonly Setting<unknown>[] = Object.values(settings)

test('an empty environment gives the documented defaults', () => {
  const { host, port, databaseUrl, dataDirectory, logLevel, rateLimitPerMinute } = readConfig({})
  assert.deepEqual(
    { host, port, databaseUrl, dataDirectory, logLevel, rateLimitPerMinute },
    {
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: null,
      dataDirectory: './data',
      logLevel: 'info',
      rateLimitPerMinute: 6000,
    },
  )
})

test('an empty value is the same as none', () => {
  const empty = Object.fromEntries(table.map(({ name }) => [name, '']))
  assert.deepEqual(readConfig(empty), readConfig({}))
})

const SIGN_ON = {
  OIDC_ISSUER: 'https://id.example.com/realms/bank',
  OIDC_CLIENT_ID: 'breakwater',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_CALLER: 'cal_1',
  OIDC_ROLES: 'fd-clerks=CLERK',
}

/** What else has to be set, with other values than those that are tried. */
function neededBy(name: string): Record<string, string> {
  if (name.startsWith('DATABASE_URL_READONLY')) return { DATABASE_URL: 'postgres://user@host/database' }
  if (!name.startsWith('OIDC_')) return {}
  return {
    PUBLIC_URL: 'https://bank.example.com',
    OIDC_ISSUER: 'https://other.example.com',
    OIDC_CLIENT_ID: 'other',
    OIDC_CLIENT_SECRET: 'other',
    OIDC_CALLER: 'cal_2',
    OIDC_ROLES: 'other=VIEWER',
  }
}

test('single sign-on is set as a whole, with an https issuer or one on this machine', () => {
  const whole = { ...SIGN_ON, PUBLIC_URL: 'https://bank.example.com' }
  assert.equal(readConfig(whole).oidcIssuer, SIGN_ON.OIDC_ISSUER)
  for (const missing of Object.keys(whole)) {
    assert.throws(() => readConfig({ ...whole, [missing]: '' }), /OIDC_/, missing)
  }
  for (const only of Object.keys(SIGN_ON)) {
    assert.throws(() => readConfig({ [only]: whole[only as keyof typeof whole] }), /OIDC_/, only)
  }
  const issuers = [
    'http://id.example.com',
    'https://id.example.com/?a',
    'https://u@id.example.com',
    'ftp://x',
    'x',
  ]
  for (const OIDC_ISSUER of issuers) {
    assert.throws(() => readConfig({ ...whole, OIDC_ISSUER }), /OIDC_ISSUER must be/, OIDC_ISSUER)
  }
  for (const OIDC_ISSUER of ['http://localhost:8180/realms/x', 'http://127.0.0.1:1']) {
    assert.equal(readConfig({ ...whole, OIDC_ISSUER }).oidcIssuer, OIDC_ISSUER)
  }
})

test('every setting is read from its own variable', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-secrets-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, 'postgres://user@host/other\n')
  const words: Record<string, string> = {
    HOST: '::',
    PUBLIC_URL: 'https://bank.example.com',
    DATABASE_URL: 'postgres://user@host/database',
    DATABASE_URL_READONLY: 'postgres://user@standby/database',
    DATA_DIR: '/var/lib/breakwater',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    LOG_LEVEL: 'silent',
    LOG_FORMAT: 'json',
    SECOND_FACTOR: 'everyone',
    ...SIGN_ON,
    OIDC_CLIENT_SECRET_FILE: file,
    OIDC_GROUPS_CLAIM: 'realm_access.roles',
    OIDC_SCOPES: 'openid',
    OIDC_NAME: 'Bank ID',
    DATABASE_URL_FILE: file,
    DATABASE_URL_READONLY_FILE: file,
  }
  for (const [member, setting] of Object.entries<Setting<unknown>>(settings)) {
    const { name, fallback } = setting
    const text = typeof fallback === 'boolean' ? String(Number(!fallback)) : String(Number(fallback) + 1)
    const needed = neededBy(name)
    const defaults = Object.entries(readConfig(needed))
    const others = Object.entries(needed).filter(([other]) => `${other}_FILE` !== name)
    const config = Object.entries(readConfig({ ...Object.fromEntries(others), [name]: words[name] ?? text }))
    const changed = config.filter(([, value], index) => !isDeepStrictEqual(value, defaults[index]![1]))
    assert.deepEqual(
      changed.map(([key]) => key),
      // A secret comes from its file.
      name.endsWith('_FILE') ? [member.replace(/File$/, ''), member] : [member],
    )
  }
})

test('each default could have been written in the environment', () => {
  const written = Object.fromEntries(table.map((setting) => [setting.name, shownDefault(setting)]))
  assert.deepEqual(readConfig(written), readConfig({}))
})

const refused: [string, readonly string[], string][] = [
  [
    'PORT',
    ['abc', '-1', '65536', '80.0', '1e3', ' 80', '0x50', '99999999999999999999'],
    'PORT must be a whole number from 0 to 65535.',
  ],
  ['HOST', ['two words', ' '], 'HOST must be a host name or an IP address.'],
  [
    'DATABASE_URL',
    [
      'localhost',
      'mysql://root:secret@host/database',
      'postgresql//host',
      'postgresql://host:99999/database',
    ],
    'DATABASE_URL must be a URL like postgresql://user:password@host:5432/database.',
  ],
  [
    'PUBLIC_URL',
    [
      'bank.example.com',
      'ftp://bank.example.com',
      'https://bank.example.com/console',
      'https://user:secret@host',
    ],
    'PUBLIC_URL must be a URL without a path, like https://bank.example.com.',
  ],
  ['LOG_LEVEL', ['INFO', 'verbose'], 'LOG_LEVEL must be one of debug, info, warn, error, silent.'],
  ['LOG_FORMAT', ['JSON', 'text'], 'LOG_FORMAT must be one of auto, pretty, json.'],
  [
    'RATE_LIMIT_PER_MINUTE',
    ['-1', 'none', '1000000001'],
    'RATE_LIMIT_PER_MINUTE must be a whole number from 0 to 1000000000.',
  ],
  [
    'TRUSTED_PROXIES',
    ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '::/129', '10.0.0.1,', '*', '10.0.0'],
    'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, separated by commas.',
  ],
  ['QUEUE_MAX', ['0', '1000001'], 'QUEUE_MAX must be a whole number from 1 to 1000000.'],
  ['WEBHOOK_ALLOW_LOOPBACK', ['true', 'yes', '2'], 'WEBHOOK_ALLOW_LOOPBACK must be 0 or 1.'],
  ['HEADERS_TIMEOUT_MS', ['30001'], 'HEADERS_TIMEOUT_MS must be at most REQUEST_TIMEOUT_MS.'],
]

for (const [name, values, sentence] of refused) {
  test(`a bad ${name} is refused with a sentence that does not repeat it`, () => {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => error instanceof ConfigError && error.message === sentence,
      )
    }
  })
}

test('the bounds themselves are accepted, and nothing beyond', () => {
  let numbers = 0
  for (const [member, { name, expected }] of Object.entries<Setting<unknown>>(settings)) {
    const [, min, max] = /from (\d+) to (\d+)/.exec(expected)?.map(Number) ?? []
    if (min === undefined || max === undefined) continue
    numbers += 1
    const read = (value: number) => readConfig({ REQUEST_TIMEOUT_MS: '3600000', [name]: String(value) })
    // The time for a whole request holds that for its headers.
    const lowest = name === 'REQUEST_TIMEOUT_MS' ? 10_000 : min
    assert.equal(read(lowest)[member as keyof Config], lowest)
    assert.equal(read(max)[member as keyof Config], max)
    assert.throws(() => read(max + 1), ConfigError)
    if (min > 0) assert.throws(() => read(min - 1), { message: `${name} must be ${expected}.` })
  }
  assert(numbers > 20)
  assert.equal(
    readConfig({ PUBLIC_URL: 'https://Bank.example.com:443/' }).publicUrl,
    'https://bank.example.com',
  )
  assert.equal(readConfig({ RATE_LIMIT_PER_MINUTE: '0' }).rateLimitPerMinute, 0)
  assert.equal(readConfig({ HEADERS_TIMEOUT_MS: '30000' }).headersTimeoutMs, 30_000)
})

test('the printed table has one row for each setting', () => {
  const [head, rule, ...rows] = printSettingsTable().split('\n')
  assert.deepEqual([head, rule], ['| Name | Unit | Default | Why |', '|---|---|---|---|'])
  assert.deepEqual(
    rows.map((row) => row.split('|')[1]?.trim()),
    table.map(({ name }) => `\`${name}\``),
  )
})

test('.env.example lists every setting with its default and its meaning', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  assert.equal(example, printEnvExample())
  for (const setting of table) {
    assert(example.includes(`# ${setting.reason}\n#${setting.name}=${shownDefault(setting)}\n`), setting.name)
  }
})
