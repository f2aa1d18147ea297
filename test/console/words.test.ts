import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsFor } from '../../src/console/words.ts'

test('an action without a name of its own is called by its type', () => {
  const { action } = wordsFor({ timeZone: 'UTC', currency: 'NGN' })
  assert.equal(action('customer.updated'), 'Contact details changed')
  assert.equal(action('account.closed'), 'Account closed')
  assert.equal(action('fixed_deposit.branch_changed'), 'Fixed deposit branch changed')
})
