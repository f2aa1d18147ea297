import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { phoneKeyOf, spellingsOf } from '../../src/domain/phone.ts'
import { withOneError } from '../../src/domain/search.ts'

const NIGERIA = { currency: 'NGN', timeZone: 'UTC' }
const BRITAIN = { currency: 'GBP', timeZone: 'UTC' }
const EURO = { currency: 'EUR', timeZone: 'UTC' }

test('a national number and its international form have the same spellings, where the currency names a country', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{7,9}$/), (national) => {
      const forms = [`0${national}`, `234${national}`, `00234${national}`]
      for (const form of forms) {
        const spellings = spellingsOf(form, NIGERIA)
        assert.equal(spellings[0], form)
        for (const other of [`0${national}`, `234${national}`, national]) assert(spellings.includes(other))
      }
    }),
  )
  assert.deepEqual(spellingsOf('08031112222', EURO), ['08031112222'])
  assert.deepEqual(spellingsOf('8031112222', NIGERIA), ['8031112222'])
})

test('a number has one canonical form however it is said, where the currency names a country', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[13-9]\d{2} \d{3} \d{4}$/), (national) => {
      const key = `234${national.replaceAll(' ', '')}`
      for (const before of ['0', '+234 ', '+2340', '+234 (0)', '00234 ', '(00234) ', '234-', ''])
        assert.equal(phoneKeyOf(before + national, NIGERIA), key, before)
    }),
  )
  assert.equal(phoneKeyOf('+44 (0)20 7946 0958', NIGERIA), '442079460958')
  assert.equal(phoneKeyOf('020 7946 0958', BRITAIN), '442079460958')
  assert.equal(phoneKeyOf('0803 111 2222', EURO), '08031112222')
  assert.equal(phoneKeyOf('+49 (0)30 123456', EURO), '4930123456')
})

test('where countries share a currency, the time zone of the book names the country', () => {
  const paris = { currency: 'EUR', timeZone: 'Europe/Paris' }
  assert.equal(phoneKeyOf('01 42 68 53 00', paris), '33142685300')
  assert.equal(phoneKeyOf('+33 (0)1 42 68 53 00', paris), '33142685300')
  assert.deepEqual(spellingsOf('0142685300', paris).slice(0, 2), ['0142685300', '33142685300'])
  const dakar = { currency: 'XOF', timeZone: 'Africa/Dakar' }
  assert.equal(phoneKeyOf('77 123 45 67', dakar), phoneKeyOf('+221 77 123 45 67', dakar))
  // The zero of Italian and Ivorian numbers is dialled from abroad as well.
  const rome = { currency: 'EUR', timeZone: 'Europe/Rome' }
  assert.equal(phoneKeyOf('06 6982 1234', rome), phoneKeyOf('+39 06 6982 1234', rome))
  const lagos = { currency: 'USD', timeZone: 'Africa/Lagos' }
  assert.equal(phoneKeyOf('0803 111 2222', lagos), '2348031112222')
  assert.equal(phoneKeyOf('0803 111 2222', { currency: 'GHS', timeZone: 'Africa/Lagos' }), '2338031112222')
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
