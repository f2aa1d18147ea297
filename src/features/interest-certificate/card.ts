import { html } from '../../page/html.ts'
import type { Card, CustomerSubject } from '../../page/page.ts'
import { interestCertificateWords } from './words.ts'

export const interestCertificateAction: Card<CustomerSubject> = {
  place: 'action',
  show: async ({ words, may }, { customer: { customerId } }) => {
    if (!may('fixed_deposits:read')) return null
    const { title } = words.of(interestCertificateWords)
    return html`<a class="button" href="/console/customers/${customerId}/interest-certificate">${title}</a>`
  },
}
