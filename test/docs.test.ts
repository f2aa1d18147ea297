import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createService } from '../src/cli/compose.ts'
import type { Database } from '../src/engine/database/database.ts'
import { buildServer } from '../src/http/server.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { printSettingsTable } from '../tools/settings.ts'
import { engines } from './support/engines.ts'
import { startService, testLimits } from './support/service.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const handbook = readFileSync(`${root}docs/operating.md`, 'utf8')

test('the handbook has the table of settings as the program reads them', () => {
  assert(handbook.includes(printSettingsTable()), 'docs/operating.md holds what printSettingsTable() prints')
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

test('every picture of a document exists and is small, and every picture is shown in one', () => {
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: root })]
  const shown = documents.flatMap((document) =>
    [...readFileSync(`${root}${document}`, 'utf8').matchAll(/\((?:docs\/)?(pictures\/[\w-]+\.png)\)/g)].map(
      ([, picture]) => `docs/${picture}`,
    ),
  )
  const taken = globSync('docs/pictures/*', { cwd: root })
  assert.deepEqual([...new Set(shown)].sort(), taken.sort())
  for (const picture of taken) assert(readFileSync(`${root}${picture}`).length <= 153_600, picture)
})

/** The blocks of desk.md, as a shell runs them one after the other. */
function readBlocks(guide: string): { script: string; expected: string | null }[] {
  return [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => ({
    script: script!,
    expected: /^# (\d{3}(?: \w+)?)$/m.exec(script!)?.[1] ?? null,
  }))
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
    try {
      const origin = await app.listen({ host: '127.0.0.1', port: 0 })
      const blocks = readBlocks(readFileSync(`${root}docs/desk.md`, 'utf8'))
      const script = blocks.map((block) => block.script).join(`\necho '${MARK}'\n`)
      const ending = `\necho '${MARK}'\necho $DEPOSIT_ID $CUSTOMER_ID $LIQUIDATION_ID`
      const env = { ...process.env, BREAKWATER: origin, API_KEY: testKey }
      const { stdout } = await promisify(execFile)('bash', ['-c', script + ending], { env })
      const outputs = stdout.split(`${MARK}\n`)
      const ids = outputs.pop()!.trim().split(' ')
      assert(blocks.length > 30)
      for (const [at, { script: pasted, expected }] of blocks.entries())
        assert.equal(expected === null ? '' : outcomeOf(outputs[at]!), expected ?? outputs[at], pasted)
      const names = new Map([
        ['API_KEY', testKey],
        ...['DEPOSIT_ID', 'CUSTOMER_ID', 'LIQUIDATION_ID'].map((name, at) => [name, ids[at]!] as const),
      ])
      const named = (text: string) =>
        text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
          assert(names.has(name), `${name} is known by now`)
          return names.get(name)!
        })

      const guide = readFileSync(`${root}docs/api.md`, 'utf8')
      const commands = [...guide.matchAll(/```sh\ncurl ([\s\S]*?)```/g)].map(([, command]) => command!)
      assert(commands.length >= 3)
      for (const command of commands) {
        const [, method = 'GET'] = /-X (\w+)/.exec(command) ?? []
        const [, url] = /http:\/\/127\.0\.0\.1:8080([^\s"]+)/.exec(command)!
        const [, body] = /-d '([^']+)'/.exec(command) ?? []
        const pairs = [...command.matchAll(/-H ["']([\w-]+): ([^"']+)["']/g)]
        const headers = Object.fromEntries(
          pairs.map(([, name, value]) => [name!.toLowerCase(), named(value!)]),
        )
        const answer = await app.inject({
          method: method as 'GET',
          url: named(url!),
          headers,
          ...(body !== undefined && { payload: body }),
        })
        assert.equal(answer.statusCode, 200, `${command} ${answer.body}`)
        const { accept } = headers
        if (accept !== undefined) assert(String(answer.headers['content-type']).startsWith(accept))
      }
    } finally {
      await close()
      await db.close()
    }
  })
}
