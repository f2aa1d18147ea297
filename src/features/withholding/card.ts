/** The tax class of a customer, beside the contact details. */
import { randomUUID } from 'node:crypto'
import type { IsoDate } from '../../domain/dates.ts'
import { type CustomerTaxStatus, STANDARD_CLASS, type TaxVersion, taxationOf } from '../../domain/tax.ts'
import { card, pairs } from '../../page/card.ts'
import { hiddenFields, inputField, selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import type { Asked, Card, CustomerSubject } from '../../page/page.ts'
import type { Words } from '../../words/words.ts'
import { noteFields } from '../counter/form.ts'
import { ruleWords } from '../rulebook/words.ts'
import { readTaxVersionsTo, taxRulesDocument } from '../tax/changes.ts'
import { findTaxStatus } from '../tax/store.ts'
import { withholdingWords } from './words.ts'

export const taxClassCard: Card<CustomerSubject> = {
  place: 'side',
  show: async (asked, { customer: { customerId } }) => {
    const { service, book, may, words } = asked
    if (!may('tax:read')) return null
    const { db, versions } = service
    const [status, newest, { today }] = await Promise.all([
      findTaxStatus(db, book.bookId, customerId),
      taxRulesDocument.reader.readNewest(db, versions, book.bookId),
      service.momentIn(book),
    ])
    const rules = await readTaxVersionsTo(db, versions, book.bookId, newest?.version ?? 0)
    const say = words.of(withholdingWords)
    return card(
      { id: 'tax', title: say.status.title },
      html`${statusRows(status!, { rules, today }, words)}
${may('tax:write') && (await classForm(asked, status!, rules))}`,
    )
  },
}

export const taxClassNotice: Card<CustomerSubject> = {
  place: 'notice',
  show: async ({ query, words }) =>
    query.get('done') === 'tax'
      ? showNotice({ kind: 'good', text: words.of(withholdingWords).status.saved }, words)
      : null,
}

type Known = { rules: readonly TaxVersion[]; today: IsoDate }

/** The class that was given, and, where another one counts, which and why. */
function statusRows(status: CustomerTaxStatus, { rules, today }: Known, words: Words): Html {
  const { status: say } = words.of(withholdingWords)
  const { taxClass, taxValidUntil, taxReference } = status
  const taxation = taxationOf(rules, status, today)
  const given = taxClass ?? STANDARD_CLASS
  const rate = taxation?.taxClass === given ? words.percent(taxation.ratePpm) : null
  const isOver = taxValidUntil !== null && taxValidUntil < today
  return html`${pairs([
    [say.class, rate === null ? given : say.at(given, rate)],
    given !== STANDARD_CLASS && [say.until, taxValidUntil === null ? say.always : words.day(taxValidUntil)],
    taxReference !== null && [say.reference, taxReference],
  ])}
${isOver && given !== STANDARD_CLASS && html`<p class="hint">${say.over(words.day(taxValidUntil))}</p>`}
${taxation !== null && !isOver && rate === null && html`<p class="hint">${say.unknown}</p>`}
${taxation === null && html`<p class="hint">${words.of(ruleWords).rules.noTax}</p>`}`
}

async function classForm(
  asked: Asked,
  { customerId, taxClass, taxValidUntil, taxReference }: CustomerTaxStatus,
  rules: readonly TaxVersion[],
): Promise<Html> {
  const { words, form } = asked
  const { status: say } = words.of(withholdingWords)
  const note = await noteFields(asked)
  const isRefused = form.has('tax_class')
  const typed = (name: string, stored: string | null) => (isRefused ? form.get(name) : (stored ?? ''))
  // Also those of versions that count later, and one that was given before its rules ended.
  const named = rules.slice(-2).flatMap(({ rules: { classes } }) => [...classes.keys()])
  const known = [STANDARD_CLASS, ...named, ...(taxClass === null ? [] : [taxClass])]
  const optional = words.say.optional
  return html`<details class="edit"${isRefused && trusted(' open')}>
<summary>${say.edit}</summary>
<form class="narrow" method="post" action="/console/customers/${customerId}/tax">
${hiddenFields([['key', randomUUID()]])}
${selectField({
  name: 'tax_class',
  label: say.class,
  texts: Object.fromEntries(known.map((name) => [name, name])),
  value: typed('tax_class', taxClass ?? STANDARD_CLASS),
})}
${inputField({ name: 'valid_until', label: say.untilField, aside: optional, type: 'date', value: typed('valid_until', taxValidUntil) })}
${inputField({ name: 'reference', label: say.reference, aside: optional, max: 64, value: typed('reference', taxReference) })}
${note('putTaxStatus', { id: 'tax-note' })}
<button class="button">${say.submit}</button>
</form></details>`
}
