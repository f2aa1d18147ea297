import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionsText } from '../../src/features/approval-policy/words.ts'
import { homeWords } from '../../src/features/home/words.ts'
import { languages } from '../../src/words/language.ts'
import { wordsFor } from '../../src/words/words.ts'

test('amounts of another currency than the book’s have a sign that no third currency has', () => {
  const words = wordsFor({ timeZone: 'UTC', currency: 'NGN' })
  assert.equal(words.money(1_234_50n), '₦1,234.50')
  assert.equal(words.in('USD').money(1_234_50n), 'US$1,234.50')
  assert.equal(words.in('CAD').money(1_234_50n), 'CA$1,234.50')
  assert.equal(words.in('USD').in('NGN'), words)
})

test('an action without a name of its own is called by its type', () => {
  const { action } = wordsFor({ timeZone: 'UTC', currency: 'NGN' })
  assert.equal(action('customer.updated'), 'Contact details changed')
  assert.equal(action('account.closed'), 'Account closed')
  assert.equal(action('fixed_deposit.branch_changed'), 'Fixed deposit branch changed')
})

test('the conditions of an approval stay apart', () => {
  const words = wordsFor({ timeZone: 'UTC', currency: 'NGN' })
  assert.equal(conditionsText({}, words), 'Always')
  assert.equal(
    conditionsText({ contactChangedHours: { lt: 48 }, waiver: true }, words),
    'Contact details changed less than 48 hours ago · A charge is waived',
  )
})

test('one more person is one, in both languages', () => {
  for (const [code, one, several] of [
    ['en', / and 1 more\.$/, / and 2 more\.$/],
    ['fr', / et 1 autre\.$/, / et 2 autres\.$/],
  ] as const) {
    const { care: say } = wordsFor({ timeZone: 'UTC', currency: 'NGN', language: languages[code] }).of(
      homeWords,
    )
    assert.match(say.noFactors(4, 'Ada, Ben, Chi', 1), one)
    assert.match(say.noFactors(5, 'Ada, Ben, Chi', 2), several)
  }
})
