/** What a proposed document would change, beside the form that writes it and beside the request to approve it. */
import type { Compared, Counted, Impact } from '../../domain/impact.ts'
import { card } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import { recordTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { impactWords } from './words.ts'

type Figure = { name: string; now: unknown; proposed: unknown }

/** A policy holds more or less, and changes no figure. */
type Document = 'terms' | 'policy'

export function impactCard(impact: Impact, document: Document, words: Words): Html {
  return card({ id: 'impact', title: words.of(impactWords).title }, impactTable(impact, document, words))
}

export function impactTable(impact: Impact, document: Document, words: Words): Html {
  const say = words.of(impactWords)
  const { liquidations, rollovers, held, complete } = impact
  const amounts = (name: string, { now, proposed }: Compared): Figure => ({
    name,
    now: words.plain(now),
    proposed: words.plain(proposed),
  })
  const counts = (name: string, { now, proposed }: Counted): Figure => ({ name, now, proposed })
  const count = (name: string, both: number) => counts(name, { now: both, proposed: both })
  const ofTerms = [
    amounts(say.charge, liquidations.charge),
    amounts(say.interest, liquidations.interest),
    counts(say.refused, liquidations.refused),
    count(say.rollovers, rollovers.count),
    amounts(say.successors, rollovers.interest),
    counts(say.paidOut, rollovers.refused),
  ]
  const rows = [
    count(say.liquidations, liquidations.count),
    ...(document === 'terms' ? ofTerms : [counts(say.held, held)]),
  ]
  return html`<p>${document === 'policy' ? say.policyText : say.text}</p>
${recordTable(
  rows,
  [
    { name: say.what, cell: ({ name }) => name },
    { name: say.now, isNumber: true, cell: ({ now }) => now },
    { name: say.proposed, isNumber: true, cell: ({ proposed }) => html`<b>${proposed}</b>` },
  ],
  { label: say.title },
)}
${!complete && html`<p class="hint">${say.incomplete}</p>`}`
}
