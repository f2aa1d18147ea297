import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emailKey } from '../../src/domain/email.ts'

test('addresses that differ in case or in how a letter is composed are the same', () => {
  assert.equal(emailKey('Ada.OBI@Example.COM'), emailKey('ada.obi@example.com'))
  assert.equal(emailKey('ad\u00e9@example.com'), emailKey('AD\u0045\u0301@example.com'))
  assert.notEqual(emailKey('ada@example.com'), emailKey('ade@example.com'))
})

test('the key of any text is the key of its composed and its decomposed form, and of itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const key = emailKey(text)
      assert.equal(emailKey(text.normalize('NFC')), key)
      assert.equal(emailKey(text.normalize('NFD')), key)
      assert.equal(key, key.normalize('NFC'))
    }),
    { numRuns: 1000 },
  )
})
