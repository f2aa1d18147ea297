/** Every reason for which a line can fail is a sentence of its own, in each language. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BATCH_OPERATIONS } from '../../../src/domain/batch.ts'
import { reasonOf } from '../../../src/features/batch-files/card.ts'
import { errorText } from '../../../src/features/batches/record.ts'
import { routes } from '../../../src/http/routes.ts'
import { FIELD_ERRORS, type FieldErrorCode } from '../../../src/wire/reader.ts'
import { languages } from '../../../src/words/language.ts'
import { wordsFor } from '../../../src/words/words.ts'

/** Of lines alone: they cannot be read, were sent before with other content, or are imports. */
const OF_LINES = [
  ...['body_too_large', 'malformed_json', 'invalid_request', 'internal_error', 'idempotency_key_reused'],
  ...['account_number_taken', 'interest_paid_to_invalid', 'maturity_date_invalid'],
]
const DETAILS = {
  ...{
    remaining_principal: 1_234_50n,
    minimum: 1_234_50n,
    maximum_amount: 1_234_50n,
    lien_amount: 1_234_50n,
  },
  ...{ charge: 1_234_50n, unlocks_on: '2026-07-01', approvals_needed: 1 },
}
const failedBy = (failure: Parameters<typeof errorText>[0]) => ({
  ...({ line: 1, externalId: null, outcome: 'FAILED', madeId: null, data: null } as const),
  error: errorText(failure),
})

for (const [code, amount] of [
  ['en', '1,234.50'],
  ['fr', '1 234,50'],
] as const) {
  const words = wordsFor({ timeZone: 'UTC', currency: 'NGN', language: languages[code] })

  test(`${code}: every code of a line has its own words, with the amounts that belong to it`, () => {
    const direct = routes.filter(({ operationId }) => BATCH_OPERATIONS.some((name) => name === operationId))
    assert(direct.length >= 7)
    const codes = new Set([...OF_LINES, ...direct.flatMap(({ refusals }) => refusals)])
    for (const one of codes) {
      const { text, code: shown } = reasonOf(failedBy({ code: one, details: DETAILS }), words)
      assert.equal(shown, one)
      assert.notEqual(text, words.say.refusals.other, one)
      assert.doesNotMatch(text, /_|undefined|NGN|₦/, one)
    }
    const short = reasonOf(failedBy({ code: 'amount_below_minimum', details: DETAILS }), words).text
    assert(short.replaceAll(/\s/g, ' ').includes(amount), short)
  })

  test(`${code}: every wrong field is named, with what is wrong`, () => {
    for (const fault of Object.keys(FIELD_ERRORS) as FieldErrorCode[]) {
      const fields = [{ field: 'amount', code: fault, message: '' }]
      const reason = reasonOf(failedBy({ code: 'invalid_request', fields }), words)
      assert.equal(reason.fields[0]!.name, 'amount')
      assert.match(reason.fields[0]!.text, /^\p{Ll}.*\.$/u, fault)
    }
    assert.equal(reasonOf({ ...failedBy({ code: '' }), error: null }, words).text, '')
  })
}
