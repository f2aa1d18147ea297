import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createService } from '../src/cli/compose.ts'
import { settingsMarkdown } from '../src/cli/config.ts'
import type { Database } from '../src/engine/database/database.ts'
import { buildServer } from '../src/http/server.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { testLimits } from './support/service.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const handbook = readFileSync(`${root}docs/operating.md`, 'utf8')

test('the handbook has the table of settings as the program reads them', () => {
  assert(handbook.includes(settingsMarkdown()), 'docs/operating.md holds what settingsMarkdown() prints')
})

test('the handbook names every metric of the service, and none that does not exist', async () => {
  const nothing = async () => []
  const db: Database = {
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
    return [...source.matchAll(/\blog\(\s*[^()]+?,\s*'(\w+)'/g)].map(([, event]) => event!)
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
