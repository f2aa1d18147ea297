/** What is the same for rows of every kind: their order, and the way to the next page. */
import type { Words } from '../words/words.ts'
import { type Html, html } from './html.ts'

/** Back to the first page of a list, and on to the next. */
export function pagingLinks(
  words: Words,
  page: { isFirst: boolean; next: string | null; linkTo: (changed: Record<string, string>) => string },
): Html {
  const { lists: say } = words.say
  const { isFirst, next, linkTo } = page
  return html`<nav class="paging" aria-label="${say.pages}">
${!isFirst && html`<a class="button" href="${linkTo({})}">${say.first}</a>`}
${next !== null && html`<a class="button" rel="next" href="${linkTo({ before: next })}">${say.next}</a>`}</nav>`
}

export function sorted<Row>(
  rows: readonly Row[],
  order: (row: Row) => bigint | string | number,
  isDown: boolean,
): readonly Row[] {
  return rows.toSorted((one, other) => {
    const [first, second] = [order(one), order(other)]
    if (first === second) return 0
    return first < second === isDown ? 1 : -1
  })
}
