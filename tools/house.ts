/**
 * npm run house: counts what ARCHITECTURE.md promises of the source, each beside its goal. test/tidy.test.ts keeps some of
 * them from rising. Counted on the text, which the formatter keeps regular; one liquidation is counted by running it
 * (house-crossings.ts).
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crossingsOfLiquidation } from './house-crossings.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const FUNCTION_LINES_MAX = 60
export const FILE_LINES_MAX = 450
export const LINE_CHARACTERS_MAX = 160
const MARKUP_CHARACTERS_MAX = 120
const REPEATED_LINES_MIN = 6
const STATEMENT_LINES_MAX = 60

/** A page file collects what other files of its noun make. */
const PAGE_IMPORTS_MAX = 20

export type Source = { path: string; text: string }

export function readSources(): Source[] {
  const paths = globSync('src/**/*.{ts,js,css}', { cwd: ROOT }).sort()
  return paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

const FUNCTION =
  /^(\s*)(?:export )?(?:async )?(?:function\*? \w+|const \w+(?:: [^=]+)? = (?:async )?(?:<[^>]*>)?\(?.*=> \{$)/

/** From the line that begins it to the one with the bracket below its beginning. */
export function longFunctions(sources: readonly Source[]): string[] {
  return sources.filter(isTypeScript).flatMap(({ path, text }) => {
    const lines = text.split('\n')
    return lines.flatMap((line, index) => {
      const indent = FUNCTION.exec(line)?.[1]
      if (indent === undefined) return []
      const end = lines.findIndex((one, at) => at > index && one.startsWith(`${indent}}`))
      return end - index + 1 > FUNCTION_LINES_MAX ? [`${path}:${index + 1}`] : []
    })
  })
}

export function longFiles(sources: readonly Source[]): string[] {
  return sources
    .filter(({ text }) => text.trimEnd().split('\n').length > FILE_LINES_MAX)
    .map(({ path }) => path)
}

export function longLines(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      return line.length > LINE_CHARACTERS_MAX ? [`${path}:${index + 1}`] : []
    }),
  )
}

/** Lines of markup that are too long to be reviewed; the paths of drawings cannot be broken. */
export function longMarkup(sources: readonly Source[]): string[] {
  return sources.filter(isTypeScript).flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const isMarkup =
        /<\/?[a-z]+[\d ]*[\s>]/.test(line) && !/^\s*(?:\/\*|\*|\/\/)/.test(line) && !/ d="M/.test(line)
      return isMarkup && line.length > MARKUP_CHARACTERS_MAX ? [`${path}:${index + 1}`] : []
    }),
  )
}

/** Places of six or more lines that stand word for word elsewhere too. Imports, comments and brackets do not count. */
export function repeatedPlaces(sources: readonly Source[]): string[] {
  const files = sources.filter(isTypeScript).map(({ path, text }) => ({ path, runs: runsOfLines(text) }))
  const times = new Map<string, number>()
  for (const { runs } of files) for (const { run } of runs) times.set(run, (times.get(run) ?? 0) + 1)
  return files.flatMap(({ path, runs }) => {
    const isRepeated = (index: number) => index >= 0 && times.get(runs[index]!.run)! > 1
    return runs.flatMap(({ line }, index) =>
      isRepeated(index) && !isRepeated(index - 1) ? [`${path}:${line}`] : [],
    )
  })
}

/** Each run of so many lines that count, with the number of its first line. */
function runsOfLines(source: string): { line: number; run: string }[] {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, '')
  const code = source.replaceAll(/^import [^']*'[^']*'$|^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, blank)
  const lines = code
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim().replaceAll(/\s+/g, ' ') }))
    .filter(({ text }) => /\w/.test(text))
  return lines.slice(REPEATED_LINES_MIN - 1).map((_, index) => ({
    line: lines[index]!.line,
    run: lines
      .slice(index, index + REPEATED_LINES_MIN)
      .map(({ text }) => text)
      .join('\n'),
  }))
}

/** Types of rows as a query returns them, written by hand instead of being read by a map. */
export function rowTypes(sources: readonly Source[]): string[] {
  const withSql = sources.filter(({ path }) => /\/(?:engine|store|claims)\b/.test(path))
  return matches(withSql, /^\s*(?:export )?type \w*Row =.*$/gm).filter(
    (path) => !path.endsWith('/row-map.ts'),
  )
}

/** The imports between nouns, or between other places, that lead back, in the order that has the fewest of them. */
export function arrowsBack(sources: readonly Source[], placeOf = nounOf): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { path, text } of sources) {
    const from = placeOf(path)
    if (from === null) continue
    const known = targets.get(from) ?? new Set()
    targets.set(from, known)
    for (const target of importsOf(text)) {
      const to = placeOf(join(dirname(path), target))
      if (to !== null && to !== from) known.add(to)
    }
  }
  // An arrow to a noun from which no way leads back can always point forward.
  for (const [from, known] of targets)
    for (const to of known) if (!reaches(targets, to, from)) known.delete(to)
  const backIn = (order: readonly string[]) =>
    order.flatMap((from, index) =>
      [...targets.get(from)!].filter((to) => order.indexOf(to) < index).map((to) => `${from} → ${to}`),
    )
  // Who imports most comes first; then each noun is moved to where fewer arrows lead back, until none can be.
  const imported = (noun: string) => [...targets.values()].filter((known) => known.has(noun)).length
  const weight = (noun: string) => targets.get(noun)!.size - imported(noun)
  let order = [...targets.keys()].sort((left, right) => weight(right) - weight(left))
  for (;;) {
    const better = order
      .flatMap((_, from) => order.map((__, to) => order.toSpliced(from, 1).toSpliced(to, 0, order[from]!)))
      .map((moved) => ({ moved, back: backIn(moved).length }))
      .reduce((best, one) => (one.back < best.back ? one : best), {
        moved: order,
        back: backIn(order).length,
      })
    if (better.moved === order) return backIn(order)
    order = better.moved
  }
}

function reaches(targets: ReadonlyMap<string, ReadonlySet<string>>, from: string, goal: string): boolean {
  const seen = new Set([from])
  for (const noun of seen) for (const next of targets.get(noun) ?? []) seen.add(next)
  return seen.has(goal)
}

export function importsOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) => target!)
}

/** Page files that import too much. */
export function crowdedPages(sources: readonly Source[]): string[] {
  return pagesOf(sources)
    .filter((page) => importCount(page) > PAGE_IMPORTS_MAX)
    .map(({ path }) => path)
}

function pagesOf(sources: readonly Source[]): Source[] {
  return sources.filter(({ path }) => nounOf(path) !== null && path.endsWith('/pages.ts'))
}

function importCount({ text }: Source): number {
  return new Set(importsOf(text)).size
}

function nounOf(path: string): string | null {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? null
}

/** A folder of src; those of the engine count one by one. */
export function folderOf(path: string): string | null {
  return /^src\/(engine\/[^/]+|[^/]+)\//.exec(path)?.[1] ?? null
}

/** Files that count days or multiply by rates, besides the one that defines how days are counted. */
export function dayCounters(sources: readonly Source[]): string[] {
  const others = sources.filter(({ path }) => path !== 'src/domain/day-count.ts')
  return [...new Set(matches(others, /\b(?:dayCountFraction|periodFraction|eachDay)\(/g))]
}

/** Answers that are kept beside a key, read again as values. */
export function parsedAnswers(sources: readonly Source[]): string[] {
  const shown = sources.filter(({ path }) => /^src\/(?:features|console)\//.test(path))
  return matches(shown, /\b(?:JSON\.parse|parseJson)\([^)\n]*\banswer\b/g)
}

function isTypeScript({ path }: Source): boolean {
  return path.endsWith('.ts')
}

function matches(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(() => path))
}

/** Statements are texts between backticks in stores and claims. */
function longStatements(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/`\s*\n?\s*(?:select|with|insert|update|delete)\b[^`]*`/g)]
      .filter(([statement]) => statement.split('\n').length > STATEMENT_LINES_MAX)
      .map(() => path),
  )
}

/** Modules that keep something between calls: a variable, or a collection that is not made with its members. */
export function moduleState(sources: readonly Source[]): string[] {
  const kept =
    /^(?:export )?(?:let \w+|const \w+(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet)\b(?!(?:<[^>]*>)?\(\[))/gm
  return [...new Set(matches(sources, kept))]
}

export function rowAddresses(sources: readonly Source[]): string[] {
  return matches(
    sources.filter(({ path }) => nounOf(path) !== null),
    /\bctid\b/g,
  )
}

function lines(sources: readonly Source[]): number {
  return sources.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0)
}

/** Those of 0.2.0: stores of later nouns are lines that the goal does not count. */
const FIRST_NOUNS = new Set([
  ...['accounts', 'api-keys', 'approval-policy', 'approvals', 'audit', 'callers', 'customers', 'deposits'],
  ...['documents', 'events', 'exports', 'home', 'ledger', 'letters', 'liens', 'liquidation', 'maturity'],
  ...['people', 'reports', 'reversal', 'rules', 'tax', 'test-clock', 'verification', 'webhooks'],
])

type Row = { cut: number; what: string; goal: number; found: readonly string[] | number }

export function counts(sources: readonly Source[]): Row[] {
  const under = (...folders: string[]) =>
    sources.filter(({ path }) => folders.some((folder) => path.startsWith(`src/${folder}`)))
  const features = under('features/')
  const outside = sources.filter(({ path }) => !path.startsWith('src/domain/'))
  const stores = features.filter(
    ({ path }) => /\/(?:store|claims)\.ts$/.test(path) && FIRST_NOUNS.has(nounOf(path)!),
  )
  const typescript = sources.filter(isTypeScript)
  return [
    { cut: 1, what: 'calls of assess outside the domain', goal: 0, found: matches(outside, /\bassess\(/g) },
    { cut: 1, what: 'files that count the days of interest', goal: 1, found: dayCounters(sources) },
    { cut: 2, what: 'row types by hand', goal: 10, found: rowTypes(sources) },
    { cut: 2, what: 'lines of stores of the nouns of 0.2.0', goal: 4_200, found: lines(stores) },
    { cut: 2, what: 'places that stand elsewhere too', goal: 40, found: repeatedPlaces(sources) },
    { cut: 3, what: 'arrows back up among folders', goal: 0, found: arrowsBack(sources, folderOf) },
    { cut: 3, what: 'arrows back among nouns', goal: 5, found: arrowsBack(sources) },
    {
      cut: 3,
      what: 'imports of the page that imports most',
      goal: PAGE_IMPORTS_MAX,
      found: Math.max(...pagesOf(sources).map(importCount)),
    },
    { cut: 3, what: `lines over ${LINE_CHARACTERS_MAX} characters`, goal: 0, found: longLines(sources) },
    {
      cut: 3,
      what: `lines of markup over ${MARKUP_CHARACTERS_MAX} characters`,
      goal: 0,
      found: longMarkup(sources),
    },
    {
      cut: 4,
      what: 'policy calls in features',
      goal: 3,
      found: matches(features, /(?<!function )\b(?:readPolicy|heldForApproval)\(/g),
    },
    { cut: 4, what: 'policy: null', goal: 0, found: matches(features, /\bpolicy: null\b(?! \|)/g) },
    { cut: 4, what: 'answers parsed back', goal: 0, found: parsedAnswers(sources) },
    { cut: 4, what: 'as never in features', goal: 2, found: matches(features, /\bas never\b/g) },
    {
      cut: 5,
      what: 'lines of the engine that name a feature',
      goal: 0,
      found: matches(under('engine/'), /^.*\b(?:policy|tax)_?[vV]ersion\b.*$/gm),
    },
    { cut: 6, what: `TypeScript files over ${FILE_LINES_MAX} lines`, goal: 0, found: longFiles(typescript) },
    {
      cut: 6,
      what: `statements over ${STATEMENT_LINES_MAX} lines`,
      goal: 0,
      found: longStatements(features),
    },
    {
      cut: 7,
      what: 'modules of engine/database with state',
      goal: 1,
      found: moduleState(under('engine/database/')),
    },
    { cut: 7, what: 'row addresses in features', goal: 0, found: rowAddresses(sources) },
    { cut: 0, what: `functions over ${FUNCTION_LINES_MAX} lines`, goal: 0, found: longFunctions(sources) },
  ]
}

if (import.meta.main) {
  const isListed = process.argv.includes('--list')
  const crossings = await crossingsOfLiquidation()
  const entered = crossings.filter((one) => one.includes('→ features/liquidation:'))
  const rows: Row[] = [
    ...counts(readSources()),
    { cut: 0, what: 'entries of a liquidation into features/liquidation', goal: 4, found: entered },
    {
      cut: 0,
      what: 'crossings of folders by a liquidation, with returns',
      goal: 28,
      found: [...crossings, ...crossings],
    },
  ]
  for (const { cut, what, goal, found } of rows) {
    const count = typeof found === 'number' ? found : found.length
    const mark = count <= goal ? ' ' : '!'
    console.log(
      `${mark} ${String(count).padStart(5)} of ${String(goal).padEnd(5)} ${what}${cut > 0 ? ` (cut ${cut})` : ''}`,
    )
    if (isListed && typeof found !== 'number')
      for (const place of new Set(found)) console.log(`          ${place}`)
  }
}
