/** The glossary: what it says is not used does not occur in the source. The search of the reference knows such words. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const rows = readFileSync(`${root}docs/glossary.md`, 'utf8')
  .split('\n')
  .filter((line) => /^\| [a-z]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const unused = rows.flatMap(([, , , not]) => [...not!.matchAll(/`([^`]+)`/g)].map(([, word]) => word!))
const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('french.ts'))
  .map((path) => ({ path, text: asWords(readFileSync(`${root}${path}`, 'utf8')) }))

/** Names in camel case and with underscores as the words that they consist of. */
function asWords(text: string): string {
  const separated = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return separated.replaceAll(/\s+/g, ' ').toLowerCase()
}

test('words that the glossary leaves out do not occur', () => {
  assert(rows.length >= 15 && unused.length > rows.length)
  const found = unused.flatMap((word) => {
    const pattern = new RegExp(`\\b${asWords(word)}s?\\b`)
    return sources.filter(({ text }) => pattern.test(text)).map(({ path }) => `${word}: ${path}`)
  })
  assert.deepEqual(found, [])
})

test('a settlement, a batch and a maturity have verbs of their own', () => {
  const named = /\bfunction settle\(|\bsettle: \(|\bresolve: settle\b/
  const texts = globSync('src/**/*.ts', { cwd: root }).map((path) => readFileSync(`${root}${path}`, 'utf8'))
  assert.equal(texts.filter((text) => named.test(text)).length, 0)
})
