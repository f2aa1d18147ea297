import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { createService } from '../src/cli/compose.ts'
import { createProgram } from '../src/cli/program.ts'
import type { Database } from '../src/engine/database/database.ts'
import { buildServer } from '../src/http/server.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { printSettingsTable } from '../tools/settings.ts'
import { printSizingTable } from '../tools/sizing.ts'
import { blocksOf, commandsOf, documents } from './support/documents.ts'
import { engines } from './support/engines.ts'
import { startService, testLimits } from './support/service.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const handbook = readFileSync(`${root}docs/operating.md`, 'utf8')

test('the handbook has the table of settings as the program reads them', () => {
  assert(handbook.includes(printSettingsTable()), 'docs/operating.md holds what printSettingsTable() prints')
})

test('the handbook upgrades each way of installing', () => {
  const waysIn = (section: string) =>
    [...sectionOf(section).matchAll(/^(?: +- )?\*\*(.+?)\*\*/gm)].map(([, way]) => way)
  assert.equal(waysIn('Install').length, 5)
  assert.deepEqual(waysIn('Upgrading'), waysIn('Install'))
})

function sectionOf(title: string): string {
  return handbook.split(/^## /m).find((section) => section.startsWith(`${title}\n`))!
}

test('the handbook sizes by what was measured; if not, run npm run generate', () => {
  assert(handbook.includes(printSizingTable()), 'docs/operating.md holds what printSizingTable() prints')
})

test('the handbook names every metric of the service, and none that does not exist', async () => {
  const nothing = async () => []
  const db: Database = {
    isSharded: false,
    query: nothing,
    transaction: (work) => work({ query: nothing, write: () => {}, written: async () => {} }),
    script: async () => {},
    close: async () => {},
  }
  const service = createService({
    db,
    clock: () => new Date(),
    limits: { workers: 1, batchMax: 1, queueMax: 1 },
  })
  const app = await buildServer({ service, limits: testLimits, log: () => {}, metrics: createMetrics() })
  const { body } = await app.inject({ url: '/metrics' })
  await app.close()
  const reported = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
  const named = handbook.matchAll(/\b((?:breakwater|process|nodejs)_[a-z_]+?)(?:_bucket)?\b/g)
  const names = [...new Set([...named].map(([, name]) => name!))]
  const ours = (name: string) => name.startsWith('breakwater_')
  assert.deepEqual(names.filter(ours).sort(), reported.filter(ours).sort())
  assert.deepEqual(
    names.filter((name) => !reported.includes(name)),
    [],
  )
})

test('the handbook explains every event that is logged', () => {
  const events = globSync('src/**/*.ts', { cwd: root }).flatMap((path) => {
    const source = readFileSync(root + path, 'utf8')
    return [...source.matchAll(/(?:\blog\(\s*[^()]+?,\s*|failedEvent: )'(\w+)'/g)].map(([, event]) => event!)
  })
  assert(events.includes('fault') && events.includes('request'))
  assert.deepEqual(
    events.filter((event) => !handbook.includes(`\`${event}\``)),
    [],
  )
})

test('the reference names the generators by the versions that are tested', () => {
  const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
  const { dependencies } = JSON.parse(read('test/clients/typescript/package.json'))
  const [, python] = /^openapi-python-client==(.+)$/m.exec(read('test/clients/python/requirements.txt'))!
  const [, go] = /oapi-codegen\/v2 v(\S+)/.exec(read('test/clients/go/go.mod'))!
  const versions = {
    'oapi-codegen': go,
    'openapi-python-client': python,
    'openapi-typescript': dependencies['openapi-typescript'],
    TypeScript: dependencies.typescript,
  }
  for (const [name, version] of Object.entries(versions)) {
    assert(read('docs/api.md').includes(`${name} ${version}`), `docs/api.md names ${name} ${version}`)
  }
})

test('every picture of a document exists and is small, and every picture is shown in one', () => {
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: root })]
  const shown = documents.flatMap((document) =>
    [...readFileSync(`${root}${document}`, 'utf8').matchAll(/\((?:docs\/)?(pictures\/[\w-]+\.png)\)/g)].map(
      ([, picture]) => `docs/${picture}`,
    ),
  )
  const taken = globSync('docs/pictures/*', { cwd: root })
  assert.deepEqual([...new Set(shown)].sort(), taken.sort())
  // The animation of the README has a limit of its own: see test/tools/animated-png.test.ts.
  const still = taken.filter((picture) => picture !== 'docs/pictures/breaking.png')
  for (const picture of still) assert(readFileSync(`${root}${picture}`).length <= 153_600, picture)
})

test('every command of a document is run by a test, or the text says what it needs', () => {
  const tests = globSync('test/**/*.ts', { cwd: root }).map((path) => readFileSync(root + path, 'utf8'))
  const isRun = (document: string, language: string) =>
    tests.some((source) => source.includes(`commandsOf('${document}', '${language}')`))
  const known = documents().flatMap((document) =>
    blocksOf(document).map((block) => ({ ...block, place: `${document}:${block.line}`, document })),
  )
  assert(known.length > 100)
  assert.deepEqual(
    known.filter(({ language }) => ![...PROGRAMS, ...SHOWN].includes(language)).map(({ place }) => place),
    [],
    'each block says what it is',
  )
  assert.deepEqual(
    known
      .filter(({ language, needs }) => PROGRAMS.includes(language) && needs === null)
      .filter(({ document, language }) => !isRun(document, language))
      .map(({ place }) => place),
    [],
  )
})

test('every command of the program that a text names exists, with its options', async () => {
  const program = await createProgram({ env: {}, serve: async () => {} })
  const named = documents().flatMap((document) =>
    [...readFileSync(`${root}${document}`, 'utf8').matchAll(COMMAND)].map(([, words]) => words!.trim()),
  )
  assert(named.length > 50, String(named.length))
  assert.deepEqual(
    named.filter((words) => !isKnown(program, words.split(/\s+/))),
    [],
  )
})

/** Where a command begins: in code, after npx, or after a setting. */
const COMMAND = /(?:^|`|npx |&& |[A-Z_]+=\S+ )breakwater ([a-z][^`\n#|]*)/gm

function isKnown(program: Command, words: readonly string[]): boolean {
  let command = program
  for (const word of words) {
    const further = command.commands.find((one) => one.name() === word)
    if (further === undefined) break
    command = further
  }
  const options = words.filter((word) => word.startsWith('--') && word !== '--help')
  return command !== program && options.every((name) => command.options.some(({ long }) => long === name))
}

/** Blocks that are run, and blocks that are only read. */
const PROGRAMS = ['sh', 'sql', 'ts', 'python', 'go']
const SHOWN = ['json', 'text', 'yaml']

/** What an answer has to be, as a block says it in a comment. */
function expectedBy(script: string): string | null {
  return /^# (\d{3}(?: \w+)?)$/m.exec(script)?.[1] ?? null
}

/** The status of an answer and, for a refusal, its code. */
function outcomeOf(output: string): string {
  const status = /(\d{3})\n$/.exec(output)?.[1]
  const code = /"error":\{"code":"(\w+)"/.exec(output)?.[1]
  return [status, ...(code === undefined ? [] : [code])].join(' ')
}

const MARK = '-- the next block'

for (const engine of engines) {
  test(`${engine.name}: every request of the guides works as it says`, { skip: engine.skip }, async () => {
    const db = await engine.open()
    const { app, testKey, close } = await startService(db)
    const directory = await mkdtemp(join(tmpdir(), 'breakwater-guide-'))
    try {
      const origin = await app.listen({ host: '127.0.0.1', port: 0 })
      const blocks = commandsOf('docs/desk.md', 'sh')
      const script = blocks.join(`\necho '${MARK}'\n`)
      const ending = `\necho '${MARK}'\necho $DEPOSIT_ID $CUSTOMER_ID $LIQUIDATION_ID`
      const env = { ...process.env, BREAKWATER: origin, API_KEY: testKey }
      const { stdout } = await paste(script + ending, env)
      const outputs = stdout.split(`${MARK}\n`)
      const [depositId, customerId, liquidationId] = outputs.pop()!.trim().split(' ')
      assert(blocks.length > 30)
      for (const [at, block] of blocks.entries()) {
        const expected = expectedBy(block)
        assert.equal(expected === null ? '' : outcomeOf(outputs[at]!), expected ?? outputs[at], block)
      }

      const ids = { DEPOSIT_ID: depositId, CUSTOMER_ID: customerId, LIQUIDATION_ID: liquidationId }
      for (const command of commandsOf('docs/api.md', 'sh')) {
        const here = command
          .replace(/http:\/\/127\.0\.0\.1:8080/, origin)
          .replace(/^curl /, 'curl --silent --fail-with-body --write-out "%{content_type}" --output answer ')
          .replace(/ > \S+$/m, '')
        const answered = await paste(here, { ...env, ...ids }, directory)
        const [, accepted = 'application/json'] = /Accept: ([^']+)/.exec(command) ?? []
        assert(answered.stdout.startsWith(accepted), command)
      }
    } finally {
      await close()
      await db.close()
      await rm(directory, { recursive: true })
    }
  })
}

function paste(script: string, env: NodeJS.ProcessEnv, cwd = root): Promise<{ stdout: string }> {
  return promisify(execFile)('bash', ['-c', script], { env, cwd })
}
