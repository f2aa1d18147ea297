/** What the form of a new deposit says. */
import { numeral } from '../../page/form.ts'
import type { Asked } from '../../page/page.ts'
import { type JsonObject, Numeral } from '../../wire/json.ts'

/** The body that the API takes. */
export function openingBody({ form, params, words }: Asked): JsonObject {
  const [product, rate, instruction] = [
    form.get('product_code'),
    form.get('interest_rate').trim(),
    form.get('maturity_instruction'),
  ]
  const bonuses = form
    .get('bonuses')
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const shown = form.get('expected_interest_rate')
  return {
    account_number: params.account_number!,
    amount: numeral(form.get('amount'), 'amount', words),
    ...(product !== '' && { product_code: product }),
    [product !== '' && form.get('unit') === 'MONTH' ? 'tenor_months' : 'tenor']: numeral(
      form.get('tenor'),
      'count',
      words,
    ),
    ...((product === '' || rate !== '') && { interest_rate: numeral(rate, 'rate', words) }),
    ...(bonuses.length > 0 && { bonuses }),
    ...(instruction !== '' && { maturity_instruction: instruction }),
    ...(/^\d+(\.\d+)?$/.test(shown) && { expected_interest_rate: new Numeral(shown) }),
  }
}
