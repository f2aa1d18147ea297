/** The rooms of the house: who may know whom, and what the domain may not know at all. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A room may always import itself. Doors do not know each other. */
const mayImport: Record<string, readonly string[]> = {
  domain: [],
  contract: ['domain'],
  store: ['domain'],
  operations: ['domain', 'contract', 'store'],
  http: ['domain', 'contract', 'store', 'operations', 'log.ts'],
  webhooks: ['domain', 'contract', 'store', 'operations', 'log.ts'],
  console: ['domain', 'contract', 'store', 'operations', 'log.ts'],
  cli: ['domain', 'contract', 'store', 'operations', 'config.ts', 'log.ts'],
  'main.ts': [
    'domain',
    'contract',
    'store',
    'operations',
    'http',
    'webhooks',
    'console',
    'cli',
    'config.ts',
    'log.ts',
  ],
  'config.ts': ['log.ts'],
  'log.ts': [],
}

const sources = globSync('src/**/*.ts', { cwd: root }).map((path) => ({
  path,
  room: path.split('/')[1]!,
  text: readFileSync(join(root, path), 'utf8'),
}))

/** Static and dynamic imports alike; the types of a room are as much of it as its values. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target]) => target!)
}

test('every room is known, and every file is in one', () => {
  assert(sources.length > 50)
  assert.deepEqual(
    sources.filter(({ room }) => mayImport[room] === undefined).map(({ path }) => path),
    [],
  )
})

test('imports between rooms point inward', () => {
  const wrong = sources.flatMap(({ path, room, text }) =>
    importsOf(text)
      .filter((target) => target.startsWith('.'))
      .map((target) => relative('src', join(dirname(path), target)))
      .filter((target) => {
        const other = target.split('/')[0]!
        return other !== room && !mayImport[room]!.includes(other)
      })
      .map((target) => `${path} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('what runs never imports a test, a benchmark or a script', () => {
  const wrong = sources.filter(({ text }) =>
    importsOf(text).some((target) => /(?:^|\/)(?:test|bench|scripts)\//.test(target)),
  )
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('the domain has no clock, no randomness, no input or output, and waits for nobody', () => {
  const impure = [
    /\bDate\.now\b/,
    /\bnew Date\(\)/,
    /\bperformance\b/,
    /\bMath\.random\b/,
    /\bcrypto\b/,
    /\bprocess\b/,
    /\bconsole\b/,
    /\bfetch\b/,
    /\bsetTimeout\b|\bsetImmediate\b|\bsetInterval\b|\bqueueMicrotask\b/,
    /\basync\b|\bawait\b|\bPromise\b/,
    /\bglobalThis\b/,
  ]
  const domain = sources.filter(({ room }) => room === 'domain')
  assert(domain.length > 10)
  for (const { path, text } of domain) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    for (const pattern of impure) assert.doesNotMatch(code, pattern, path)
    const foreign = importsOf(code).filter(
      (target) => !target.startsWith('./') && target !== 'node:assert/strict',
    )
    assert.deepEqual(foreign, [], path)
  }
})

test('SQL is text of the store alone, and what it runs is one of its named statements', () => {
  const adapters = /^src\/store\/(?:embedded\/|pglite|postgres|pooled-database|database|migrations)/
  for (const { path, room, text } of sources) {
    if (adapters.test(path)) continue
    const asked = [...text.matchAll(/\.query(?:<[^()]*>)?\(\s*([^\s,)]+)/g)].map(
      ([, statement]) => statement!,
    )
    // A door may hand on a text that it was given, never write one.
    const form = room === 'store' ? /^(?:statements\.|ranges\[|firstDifferences\[)/ : /^[a-z]\w*$/
    for (const statement of asked) assert.match(statement, form, path)
  }
})

test('the schema is one thing: no table is made outside the migrations', () => {
  const makers = sources.filter(({ text }) => /\b(?:create|alter|drop) (?:table|index)\b/i.test(text))
  assert.deepEqual(
    makers.map(({ path }) => path),
    ['src/store/migrations.ts'],
  )
})

test('nothing is left for later, skipped or silenced', () => {
  const tests = globSync('test/**/*.ts', { cwd: root, exclude: ['test/tidy.test.ts'] }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))
  for (const { path, text } of [...sources, ...tests]) {
    assert.doesNotMatch(
      text,
      /\b(?:TODO|FIXME|XXX)\b|biome-ignore|@ts-ignore|@ts-expect-error|@ts-nocheck/,
      path,
    )
    assert.doesNotMatch(text, /\b(?:test|describe|it)\.(?:skip|only|todo)\b|\bonly: true\b/, path)
  }
})
