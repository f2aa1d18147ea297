import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferred } from '../../src/wire/accept.ts'

test('the client gets the form it likes best, and the first one where it does not say', () => {
  for (const [accept, expected] of [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/html', 'text/html'],
    ['TEXT/HTML; charset=utf-8', 'text/html'],
    ['text/*', 'text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['text/html;q=0.5, */*;q=0.4', 'text/html'],
    ['text/html;q=0, */*', 'application/json'],
    ['text/html;q=nonsense', 'application/json'],
    ['image/png', 'application/json'],
    [',;,', 'application/json'],
  ] as const) {
    assert.equal(preferred(accept, ['application/json', 'text/html']), expected, accept)
  }
})
