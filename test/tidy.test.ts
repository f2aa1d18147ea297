/** The layout of the code: which file may import which, and what the domain must not use. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  arrowsBack,
  crowdedPages,
  dayCounters,
  folderOf,
  longFiles,
  longFunctions,
  longLines,
  longMarkup,
  moduleState,
  parsedAnswers,
  readSources,
  repeatedPlaces,
  rowAddresses,
  rowTypes,
  type Source,
} from '../tools/house.ts'

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
  words: ['domain'],
  route: ['domain', 'engine/database', 'engine/change', 'wire'],
  page: ['domain', 'engine/database', 'engine/change', 'wire', 'words', 'route'],
  observe: ['domain', 'engine/database'],
  'features/document': ['domain', 'wire'],
  'features/words': ['domain', 'wire', 'words', 'features/french', 'features/document'],
  'features/french': ['words'],
  'features/record': ['domain', 'wire', 'words', 'features/words', 'features/document'],
  'features/store': ['domain', 'engine/database', 'engine/change'],
  'features/changes': [
    ...['domain', 'engine/database', 'engine/change'],
    ...['features/document', 'features/record', 'features/store', 'features/operations'],
  ],
  'features/claims': [
    ...[
      'domain',
      'engine/database',
      'engine/change',
      'features/document',
      'features/record',
      'features/store',
      'features/changes',
    ],
  ],
  'features/operations': [
    ...['domain', 'engine/database', 'engine/change', 'wire'],
    ...['features/document', 'features/record', 'features/store', 'features/changes'],
  ],
  'features/chart': ['domain', 'words', 'page', 'features/words'],
  'features/sum': ['domain', 'words', 'page', 'features/words'],
  'features/table': ['domain', 'wire', 'words', 'page', 'features/words', 'features/store'],
  'features/list': [
    'domain',
    'wire',
    'words',
    'page',
    'features/words',
    'features/store',
    'features/table',
    'features/card',
    'engine/database',
  ],
  'features/outcome': ['domain', 'words', 'page', 'features/words'],
  'features/form': [
    'domain',
    'engine/change',
    'wire',
    'words',
    'page',
    'features/words',
    'features/record',
    'features/changes',
    'features/document',
  ],
  'features/card': [
    ...['domain', 'wire', 'words', 'page', 'features/words'],
    ...['features/document', 'features/record', 'features/store', 'features/changes'],
    ...['features/chart', 'features/form', 'features/outcome', 'features/sum', 'features/table'],
  ],
  'features/letter': ['domain', 'words', 'page', 'features/words', 'features/record', 'features/sum'],
  'features/routes': [
    ...['domain', 'engine/database', 'wire', 'words', 'route', 'page'],
    ...['features/document', 'features/words', 'features/record', 'features/store', 'features/changes'],
    ...['features/operations', 'features/letter'],
  ],
  'features/pages': [
    ...['domain', 'engine/database', 'engine/change', 'wire', 'words', 'page'],
    ...['features/document', 'features/words', 'features/record', 'features/store', 'features/changes'],
    ...[
      'features/operations',
      'features/card',
      'features/chart',
      'features/form',
      'features/letter',
      'features/sum',
      'features/table',
    ],
    'features',
    ...['features/list', 'features/outcome'],
  ],
  /** Any other file of a noun: a job, a sender, an adapter. */
  features: [
    ...['domain', 'engine/database', 'engine/change', 'observe', 'page', 'wire'],
    ...['features/record', 'features/store', 'features/changes', 'features/operations', 'features/claims'],
  ],
  http: ['domain', 'engine/database', 'engine/change', 'wire', 'route', 'observe', 'features/routes'],
  console: ['domain', 'wire', 'words', 'route', 'page', 'features/pages', 'features/card'],
  cli: [
    ...['domain', 'engine/database', 'engine/embedded', 'engine/change', 'wire', 'words', 'route', 'page'],
    ...['observe', 'http', 'console'],
    ...['features/record', 'features/store', 'features/changes', 'features/routes', 'features'],
    'features/operations',
  ],
}

function roomOf(path: string): string {
  const [folder, place, file] = path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/')
  if (folder === 'engine') return `engine/${place}`
  if (folder !== 'features') return folder!
  return `features/${file}` in mayImport ? `features/${file}` : 'features'
}

const sources = read('src/**/*.ts').map((file) => ({ ...file, room: roomOf(file.path) }))
const others = read('{test,bench,tools}/**/*.ts')

function read(pattern: string): { path: string; text: string }[] {
  const paths = globSync(pattern, { cwd: root, exclude: ['test/clients/{typescript,packages}/**'] })
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Static and dynamic imports alike; the types of a room are as much of it as its values. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?<!:)\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target]) => target!)
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

test('what single sign-on needs is loaded when somebody signs in by it, and never at a start', () => {
  const users = sources.filter(({ text }) =>
    importsOf(text).some((target) => /^(?:openid-client|jose)$/.test(target)),
  )
  assert.deepEqual(
    users.map(({ path }) => path),
    ['src/features/sign-on/provider.ts'],
  )
  for (const line of users[0]!.text.split('\n').filter((one) => /['"](?:openid-client|jose)['"]/.test(one))) {
    assert.match(line, /^import type |^ {2,}const \w+ = await import\('/, line)
  }
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

test('SQL is written in stores and claims alone, and what they run is one of their named statements', () => {
  const adapters =
    /^src\/engine\/(?:embedded\/|database\/(?:postgres|pooled-database|database|migrations|plan-age|sharding|standby|session|table-copy))/
  const stores = /(?:\/store|\/claims|\/backlog|\/recording|\/durability|\/replay|\/table)\.ts$/
  for (const { path, text } of sources) {
    if (adapters.test(path)) continue
    const asked = [...text.matchAll(/\.query(?:<[^()]*>)?\(\s*([^\s,)]+)/g)].map(
      ([, statement]) => statement!,
    )
    // A door may pass on a text that it was given, never write one.
    const form = stores.test(path) ? /^(?:statements[.[]|cursor\.)/ : /^[a-z]\w*$/
    for (const statement of asked) assert.match(statement, form, path)
  }
})

test('tables are made in migrations, and changed by sharding and moves alone', () => {
  const makers = sources.filter(({ text }) => /\b(?:create|alter|drop) (?:table|index)\b/i.test(text))
  assert.deepEqual(
    makers.map(({ path }) => path),
    [
      'src/engine/database/migrations.ts',
      'src/engine/database/sharding.ts',
      'src/engine/database/table-copy.ts',
    ],
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

/**
 * Counts of what should not be there. They may only fall: a change that lowers one lowers its number here, and a run says
 * which numbers could be lower. `npm run house -- --list` names the places.
 */
const atMost = {
  functionsOver60Lines: [0, longFunctions],
  filesOver450Lines: [0, longFiles],
  linesOver160Characters: [0, longLines],
  linesOfMarkupOver120Characters: [0, longMarkup],
  placesThatStandElsewhereToo: [6, repeatedPlaces],
  rowTypesByHand: [5, rowTypes],
  arrowsBackUpAmongFolders: [0, (all) => arrowsBack(all, folderOf)],
  arrowsBackAmongNouns: [4, arrowsBack],
  filesThatCountTheDaysOfInterest: [1, dayCounters],
  answersParsedBack: [0, parsedAnswers],
  pagesOver20Imports: [0, crowdedPages],
  rowAddressesInFeatures: [0, rowAddresses],
  // ids.ts makes ids and ordinals that never repeat.
  modulesOfTheDatabaseWithState: [
    1,
    (all) => moduleState(all.filter(({ path }) => path.startsWith('src/engine/database/'))),
  ],
} satisfies Record<string, [limit: number, find: (sources: readonly Source[]) => string[]]>

for (const [name, [limit, find]] of Object.entries(atMost)) {
  test(`${name}: at most ${limit}`, (t) => {
    const found = find(readSources())
    assert(found.length <= limit, `${found.length}:\n${found.join('\n')}`)
    if (found.length < limit) t.diagnostic(`${name} could be lowered to ${found.length}`)
  })
}

test('the rules of imports name folders and files that exist', () => {
  const rooms = new Set(sources.map(({ room }) => room))
  const named = new Set([...Object.keys(mayImport), ...Object.values(mayImport).flat()])
  assert.deepEqual(
    [...named].filter((room) => !rooms.has(room)),
    [],
  )
})
