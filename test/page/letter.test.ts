import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LETTER_STYLE } from '../../src/page/letter.ts'

const tokens = readFileSync(new URL('../../src/page/style/tokens.css', import.meta.url), 'utf8')

test('letters have the colours and fonts of the console, and none of their own', () => {
  assert(LETTER_STYLE.includes(tokens))
  const own = LETTER_STYLE.replace(tokens, '')
  assert.doesNotMatch(own, /#[\da-f]{3,8}\b|\brgb\(|sans-serif|monospace/i)
  const known = new Set([...tokens.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
  for (const [, name] of own.matchAll(/var\((--[\w-]+)\)/g)) assert(known.has(name), name)
})

test('a letter is light, whatever the reader prefers', () => {
  const schemes = [...LETTER_STYLE.matchAll(/:root \{\s*color-scheme: ([a-z ]+);/g)].map(
    ([, scheme]) => scheme,
  )
  assert.equal(schemes.at(-1), 'light')
})
