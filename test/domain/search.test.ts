import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { phoneKeyOf, spellingsOf } from '../../src/domain/phone.ts'
import { withOneError } from '../../src/domain/search.ts'

test('a national number and its international form have the same spellings, where the currency names a country', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{7,9}$/), (national) => {
      const forms = [`0${national}`, `234${national}`, `00234${national}`]
      for (const form of forms) {
        const spellings = spellingsOf(form, 'NGN')
        assert.equal(spellings[0], form)
        for (const other of [`0${national}`, `234${national}`, national]) assert(spellings.includes(other))
      }
    }),
  )
  assert.deepEqual(spellingsOf('08031112222', 'EUR'), ['08031112222'])
  assert.deepEqual(spellingsOf('8031112222', 'NGN'), ['8031112222'])
})

test('a number has one canonical form however it is said, where the currency names a country', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[13-9]\d{2} \d{3} \d{4}$/), (national) => {
      const key = `234${national.replaceAll(' ', '')}`
      for (const before of ['0', '+234 ', '+2340', '+234 (0)', '00234 ', '(00234) ', '234-', ''])
        assert.equal(phoneKeyOf(before + national, 'NGN'), key, before)
    }),
  )
  assert.equal(phoneKeyOf('+44 (0)20 7946 0958', 'NGN'), '442079460958')
  assert.equal(phoneKeyOf('020 7946 0958', 'GBP'), '442079460958')
  assert.equal(phoneKeyOf('0803 111 2222', 'EUR'), '08031112222')
  assert.equal(phoneKeyOf('+49 (0)30 123456', 'EUR'), '4930123456')
})

test('every word with one error has the right word among its own neighbours', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,9}$/), (word) => {
      for (const near of withOneError(word)) assert(withOneError(near).includes(word), near)
    }),
    { numRuns: 20 },
  )
  assert(!withOneError('chioma').includes('chxxma'))
})
