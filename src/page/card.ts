/** A card is a part of a page that a noun gives, also to the page of another noun. */
import { type Html, html } from './html.ts'
import type { Asked, Card, CardPlace } from './page.ts'

/** The markup of a card; flush cards contain a table from edge to edge. */
export function card(
  { id, title, isFlush }: { id: string; title: string; isFlush?: true },
  content: Html,
): Html {
  const inset = isFlush === true
  return html`<section class="card${inset && ' flush'}" aria-labelledby="${id}">
<h2${inset && html` class="inset"`} id="${id}">${title}</h2>
${content}</section>`
}

/** All cards of a page, read side by side, by their place. */
export async function showCards<Subject>(
  cards: readonly Card<Subject>[],
  asked: Asked,
  subject: Subject,
): Promise<(place: CardPlace) => Html[]> {
  const shown = await Promise.all(
    cards.map(async (one) => ({ place: one.place, markup: await one.show(asked, subject) })),
  )
  return (place) => shown.flatMap((one) => (one.place === place && one.markup !== null ? [one.markup] : []))
}

/** The part that the script asked for, if a card has one of that name. */
export async function showPart<Subject>(
  cards: readonly Card<Subject>[],
  asked: Asked,
  subject: Subject,
): Promise<Html | null> {
  const found = cards.find(({ part }) => part !== undefined && part.name === asked.part)
  return found?.part === undefined ? null : found.part.show(asked, subject)
}

export type Pair = readonly [name: string, value: unknown] | false | null

/** Name and value, one below the other. */
export function pairs(rows: readonly Pair[]): Html {
  return html`<dl class="pairs">${rows.map(
    (row) => row && html`<div><dt>${row[0]}</dt><dd>${row[1]}</dd></div>`,
  )}</dl>`
}
