/** What the compiler cannot see: entries of tables by name, and texts that were copied instead of translated. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageAccepted } from '../../src/domain/language.ts'
import { countFrench, languages } from '../../src/words/language.ts'
import { wordsFor } from '../../src/words/words.ts'
import { everyTable } from '../support/texts.ts'

/** The same in both languages. */
const ALIKE = new Set(['Breakwater', 'Webhooks', 'Date', 'Version', 'Active', 'Type', '7 %', '7 · 8'])

type Leaf = { path: string; en: unknown; fr: unknown }

function leavesOf(en: unknown, fr: unknown, path: string): Leaf[] {
  if (typeof en !== 'object' || en === null) return [{ path, en, fr }]
  const names = new Set([
    ...Object.keys(en),
    ...(typeof fr === 'object' && fr !== null ? Object.keys(fr) : []),
  ])
  return [...names].flatMap((name) =>
    leavesOf(Reflect.get(en, name), Reflect.get(fr ?? {}, name), `${path}.${name}`),
  )
}

/** Numbers stand for everything that is put into a sentence. */
const GIVEN = [7, 8, 9, 10]

function textOf(leaf: unknown): string {
  return typeof leaf === 'function' ? leaf(...GIVEN) : String(leaf)
}

const leaves = (await everyTable()).flatMap(({ name, texts }) => leavesOf(texts.en, texts.fr, name))

test('every text is in both languages', () => {
  assert(leaves.length > 700)
  const missing = leaves.filter(({ en, fr }) => typeof en !== typeof fr).map(({ path }) => path)
  assert.deepEqual(missing, [])
})

test('no text is the English one in French', () => {
  const copied = leaves
    .filter(({ en, fr }) => textOf(en) === textOf(fr) && !ALIKE.has(textOf(en).replaceAll('\u00a0', ' ')))
    .map(({ path, en }) => `${path}: ${textOf(en)}`)
  assert.deepEqual(copied, [])
})

test('a sentence says the same values in both languages', () => {
  const valuesOf = (leaf: unknown) => GIVEN.filter((value) => RegExp(`\\b${value}\\b`).test(textOf(leaf)))
  for (const { path, en, fr } of leaves.filter(({ en }) => typeof en === 'function')) {
    assert.deepEqual(valuesOf(fr), valuesOf(en), path)
  }
})

test('French has no space where a line could break before its punctuation', () => {
  const broken = leaves.filter(({ fr }) => / [:;?!%»]|« /.test(textOf(fr))).map(({ path }) => path)
  assert.deepEqual(broken, [])
})

test('amounts, percents and days are written as in the language', () => {
  const words = wordsFor({ timeZone: 'UTC', currency: 'EUR', language: languages.fr })
  const spaces = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
  assert.equal(spaces(words.money(1_234_567_89n)), '1 234 567,89 €')
  assert.equal(words.percent(142_500), '14,25')
  assert.equal(words.day('2026-03-01' as never), '1 mars 2026')
  assert.equal(countFrench(0, 'jour', 'jours'), '0 jour')
})

test('a browser gets the first of its languages that we have', () => {
  assert.equal(languageAccepted('fr-CA,fr;q=0.9,en;q=0.8'), 'fr')
  assert.equal(languageAccepted('de-DE,de;q=0.9,en-GB;q=0.8,fr;q=0.5'), 'en')
  assert.equal(languageAccepted('de'), 'en')
  assert.equal(languageAccepted(''), 'en')
})
