/** The way from a place of the menu to a page below it; each step leads back. */
import type { Customer } from '../domain/customer.ts'
import type { Words } from '../words/words.ts'
import { type Html, html } from './html.ts'

/** `path` is below /console. */
export type Step = readonly [text: string, path: string]

export function crumbs(steps: readonly Step[], here: string, words: Words): Html {
  if (steps.length === 0) return html``
  return html`<nav class="crumbs" aria-label="${words.say.breadcrumb}">
<ol>
${steps.map(
  ([text, path]) => html`<li><a href="/console${path}">${text}</a></li>
`,
)}<li aria-current="page">${here}</li>
</ol></nav>`
}

/** The way to what belongs to a customer. */
export function customerSteps({ customerId, firstName, lastName }: Customer, words: Words): Step[] {
  return [
    [words.say.sections.customers, '/customers'],
    [`${firstName} ${lastName}`, `/customers/${customerId}`],
  ]
}
