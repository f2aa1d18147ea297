/** What the rows of a list add up to, and the lines below it that say so. */
import type { CurrencyAmount, ListTotal } from '../engine/database/window.ts'
import type { Words } from '../words/words.ts'
import { type Html, html } from './html.ts'

export type TotalColumn<Row> = {
  key: string
  /** null: the column is not shown. */
  name: string | null
  /** An amount that is added up for each currency. */
  sum?: (row: Row) => bigint
  /** Amounts of one row in several currencies, which are added up for each. */
  amounts?: (row: Row) => readonly CurrencyAmount[]
}

type Totalled<Row> = {
  /** Left out: it has no amounts, or its rows have several. */
  currencyOf?: (row: Row) => string
  /** Rows that the sums leave out. */
  isVoid?: (row: Row) => boolean
}

/** `amounts`: by the keys of the columns whose rows have amounts in several currencies. */
export type LineTotal = ListTotal & { amounts?: ReadonlyMap<string, readonly CurrencyAmount[]> }
/** The totals of rows that are all here. */
export function totalsOf<Row>(
  { currencyOf, isVoid }: Totalled<Row>,
  columns: readonly TotalColumn<Row>[],
  rows: readonly Row[],
): LineTotal[] {
  return [...Map.groupBy(rows, (row) => currencyOf?.(row) ?? null)].map(([currency, own]) => {
    const counted = own.filter((row) => isVoid?.(row) !== true)
    const sums = columns.flatMap(({ key, sum }): [string, bigint][] =>
      sum === undefined ? [] : [[key, counted.reduce((all, row) => all + sum(row), 0n)]],
    )
    const amounts = columns.flatMap(({ key, amounts }) =>
      amounts === undefined ? [] : [[key, addedUp(counted.flatMap(amounts))] as const],
    )
    return {
      ...{ currency, listed: own.length, counted: counted.length },
      ...{ sums: new Map(sums), amounts: new Map(amounts) },
    }
  })
}

/** One line for each currency; or one of all rows, with what they have in each. */
export function totalLines<Row>(
  totals: readonly LineTotal[],
  columns: readonly TotalColumn<Row>[],
  words: Words,
): Html {
  const { lists: say } = words.say
  const lines = totals
    .filter(({ counted }) => counted > 0)
    .map(({ currency, listed, counted, sums, amounts }) => {
      const rows = words.whole(counted)
      const own = currency ?? words.currency
      const parts = columns.flatMap(({ key, name }) => {
        const sum = sums.get(key)
        const each = sum === undefined ? (amounts?.get(key) ?? []) : [{ currency: own, amount: sum }]
        return each.map(
          ({ currency, amount }) =>
            html`<span class="nowrap">${name}: <b>${words.in(currency).money(amount)}</b></span>`,
        )
      })
      const text = currency === null ? say.count(rows) : say.total(rows, currency)
      const ended = listed - counted
      return html`<p class="inset sums"><span>${text}</span>${parts}
${ended > 0 && html`<span>${say.notAdded(words.whole(ended))}</span>`}</p>`
    })
  return html`${lines}`
}

function addedUp(amounts: readonly CurrencyAmount[]): CurrencyAmount[] {
  return [...Map.groupBy(amounts, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, amount: own.reduce((sum, { amount }) => sum + amount, 0n) }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
}
