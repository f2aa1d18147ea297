/** The layout of the code: which file may import which, and what the domain must not use. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Who may import whom, by folder and, inside the folder of a noun, by file name. A room may always import itself; the
 * same file of another noun is the same room, so that stores may read each other's tables.
 */
const mayImport: Record<string, readonly string[]> = {
  domain: [],
  'engine/database': ['domain'],
  'engine/embedded': ['domain', 'engine/database'],
  'engine/change': ['domain', 'engine/database'],
  wire: ['domain'],
  route: ['domain', 'engine/database', 'engine/change', 'wire'],
  record: ['domain', 'wire', 'words'],
  store: ['domain', 'engine/database', 'engine/change'],
  changes: ['domain', 'engine/database', 'engine/change', 'record', 'store'],
  words: ['domain', 'wire'],
  routes: ['domain', 'engine/database', 'wire', 'route', 'record', 'store', 'changes', 'words'],
  pages: [
    ...['domain', 'engine/database', 'engine/change', 'wire', 'record', 'store', 'changes', 'worker'],
    'console',
    'words',
  ],
  console: ['words', 'domain', 'engine/change', 'wire', 'route', 'store', 'changes', 'worker', 'pages'],
  worker: ['domain', 'engine/database', 'engine/change', 'observe', 'record', 'store', 'changes'],
  observe: ['domain', 'engine/database'],
  reference: ['domain', 'wire', 'record'],
  http: ['domain', 'engine/database', 'engine/change', 'wire', 'route', 'observe', 'reference', 'routes'],
  cli: [
    ...[
      'domain',
      'engine/database',
      'engine/embedded',
      'engine/change',
      'wire',
      'observe',
      'reference',
      'http',
      'console',
    ],
    ...['record', 'store', 'changes', 'routes', 'worker'],
  ],
}

/**
 * A file of a noun has one of these names; any other is a job or a sender of its own. The table of operations that
 * approvals know is part of their changes.
 */
const FILES_OF_A_NOUN = ['record', 'store', 'changes', 'routes', 'pages']

/** How values are spelt for people, in pages of the console and in letters. */
const WORDS = ['english', 'letter', 'settlement', 'words']

function roomOf(path: string): string {
  if (path === 'src/wire/route.ts') return 'route'
  const [folder, place, file] = path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/')
  if (folder === 'engine') return `engine/${place}`
  if (folder === 'console' && WORDS.includes(place!)) return 'words'
  if (folder !== 'features') return folder!
  if (file === 'operations') return 'changes'
  return FILES_OF_A_NOUN.includes(file!) ? file! : 'worker'
}

const sources = read('src/**/*.ts').map((file) => ({ ...file, room: roomOf(file.path) }))
const others = read('{test,bench,tools}/**/*.ts')

function read(pattern: string): { path: string; text: string }[] {
  const paths = globSync(pattern, { cwd: root, exclude: ['test/clients/typescript/**'] })
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

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
      .map((target) => join(dirname(path), target))
      .filter((target) => roomOf(target) !== room && !mayImport[room]!.includes(roomOf(target)))
      .map((target) => `${path} imports ${target}`),
  )
  assert.deepEqual(wrong.sort(), [])
})

test('no file imports itself by way of others, not even for types', () => {
  assert.deepEqual(
    circlesAmong([...sources, ...others], (path) => path),
    [],
  )
})

test('no folder of tests, benchmarks and tools imports itself by way of others', () => {
  assert.deepEqual(circlesAmong(others, dirname), [])
})

/** Each circle once, as the places along it. */
function circlesAmong(
  files: readonly { path: string; text: string }[],
  placeOf: (path: string) => string,
): string[][] {
  const places = new Set(files.map(({ path }) => placeOf(path)))
  const targets = new Map([...places].map((place) => [place, new Set<string>()]))
  for (const { path, text } of files) {
    const from = placeOf(path)
    for (const target of importsOf(text)) {
      if (!target.startsWith('.')) continue
      const to = placeOf(join(dirname(path), target))
      if (to !== from && places.has(to)) targets.get(from)!.add(to)
    }
  }
  const circles: string[][] = []
  const finished = new Set<string>()
  const walk = (place: string, way: readonly string[]) => {
    const start = way.indexOf(place)
    if (start >= 0) circles.push([...way.slice(start), place])
    if (start >= 0 || finished.has(place)) return
    for (const target of targets.get(place)!) walk(target, [...way, place])
    finished.add(place)
  }
  for (const place of places) walk(place, [])
  return circles
}

test('code that runs never imports a test, a benchmark or a tool', () => {
  const wrong = sources.filter(({ text }) =>
    importsOf(text).some((target) => /(?:^|\/)(?:test|bench|tools)\//.test(target)),
  )
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('the domain has no clock, no randomness, no input or output, and never waits', () => {
  const impure = [
    /\bDate\.now\b/,
    /\bnew Date\(\)/,
    /\bperformance\b/,
    /\bMath\.random\b/,
    /\bcrypto\b/,
    /\bprocess\b/,
    /\bconsole\.\w/,
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

test('SQL is written in stores alone, and what they run is one of their named statements', () => {
  const adapters =
    /^src\/engine\/(?:embedded\/|database\/(?:postgres|pooled-database|database|migrations|sharding))/
  const stores = /(?:\/store|\/backlog|\/recording|\/durability)\.ts$/
  for (const { path, text } of sources) {
    if (adapters.test(path)) continue
    const asked = [...text.matchAll(/\.query(?:<[^()]*>)?\(\s*([^\s,)]+)/g)].map(
      ([, statement]) => statement!,
    )
    // A door may pass on a text that it was given, never write one.
    const form = stores.test(path) ? /^(?:statements\.|rangeStatements\[|cursor\.)/ : /^[a-z]\w*$/
    for (const statement of asked) assert.match(statement, form, path)
  }
})

test('no table is created outside the migrations', () => {
  const makers = sources.filter(({ text }) => /\b(?:create|alter|drop) (?:table|index)\b/i.test(text))
  assert.deepEqual(
    makers.map(({ path }) => path),
    ['src/engine/database/migrations.ts', 'src/engine/database/sharding.ts'],
  )
})

test('nothing is left for later, skipped or silenced', () => {
  const checked = [...sources, ...read('src/**/*.js'), ...others].filter(
    ({ path }) => path !== 'test/tidy.test.ts',
  )
  for (const { path, text } of checked) {
    assert.doesNotMatch(
      text,
      /\b(?:TODO|FIXME|XXX)\b|biome-ignore|@ts-ignore|@ts-expect-error|@ts-nocheck/,
      path,
    )
    assert.doesNotMatch(text, /\b(?:test|describe|it)\.(?:skip|only|todo)\b|\bonly: true\b/, path)
  }
})
