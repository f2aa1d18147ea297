/**
 * A field that names a customer. Somebody types a name, a phone number or an account as in the search, and chooses from
 * what is found; without script the form comes back with those that were found.
 */
import type { Customer } from '../../domain/customer.ts'
import { selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import type { Words } from '../../words/words.ts'
import { customerWords } from './words.ts'

/** What stands in the field once somebody was chosen. */
export function pickedText({ firstName, lastName, customerId }: PickedCustomer): string {
  return `${firstName} ${lastName} (${customerId})`
}

type PickedCustomer = Pick<Customer, 'firstName' | 'lastName' | 'customerId'>

/** The customer that was chosen; null where there is only something to search for. */
export function pickedId(typed: string): string | null {
  return /(?:^|\()(cus_\w+)\)?$/.exec(typed.trim())?.[1] ?? null
}

type CustomerQuestion = {
  name: string
  label: string
  value: string
  hint?: string
  error?: string | undefined
  /** Several were found, of which one is to be chosen. */
  found?: readonly Customer[] | undefined
}

export function customerField(
  { name, label, value, hint, error, found }: CustomerQuestion,
  words: Words,
): Html {
  const say = words.of(customerWords).picking
  if (found !== undefined && found.length > 0) {
    const texts = Object.fromEntries(
      found.map((one) => [pickedText(one), `${one.firstName} ${one.lastName}, ${one.phoneNumber}`]),
    )
    return selectField({ name, label, texts, empty: say.nobody, error })
  }
  const described = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(
    Boolean,
  )
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="find">
<input id="${name}" name="${name}" type="text" maxlength="300" autocomplete="off" value="${value}" role="combobox"
aria-expanded="false" aria-autocomplete="list" aria-controls="${name}-found" data-suggest="pick"
${error !== undefined && html`aria-invalid="true"`}
${described.length > 0 && html`aria-describedby="${described.join(' ')}"`}>
<div class="found" id="${name}-found" role="listbox" aria-label="${label}" hidden></div>
</div>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="hint bad" id="${name}-error">${error}</p>`}</div>`
}
