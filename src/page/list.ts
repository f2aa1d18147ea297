/**
 * A list: its filters and its order are in the URL, sums of what is shown stand below it, the file has the rows of the
 * same filters, and the next page begins where this one ends.
 */
import { formatAmount } from '../domain/money.ts'
import { csvText } from '../wire/csv.ts'
import type { Words } from '../words/words.ts'
import { inputField } from './form.ts'
import { type Html, html } from './html.ts'
import { type Asked, type Page, type PageAnswer, type Section, show } from './page.ts'
import { type Column, recordTable } from './table.ts'

const SHOWN = 50
/** Rows of a file at most, and how many are read at a time. */
const FILE_MAX = 10_000
const FILE_STEP = 500

export type ListColumn<Row> = Column<Row> & {
  /** Its name in the URL and in the file. */
  key: string
  /** As plain text, for the file; without it the file has no such column. */
  text?: (row: Row) => string
  /** What the rows shown can be sorted by. */
  order?: (row: Row) => bigint | string | number
  /** An amount that is added up for each currency. */
  sum?: (row: Row) => bigint
  /** Only in the file. */
  isFileOnly?: true
}

/** `next` is the place behind the last row; null: nothing follows. */
export type ListPart<Row> = { rows: readonly Row[]; next: string | null }

export type List<Row> = {
  /** Below /console. */
  path: string
  section: Section
  scope: string
  title: (asked: Asked) => string | Promise<string>
  /** What would be here. */
  none: (words: Words) => string
  /** The names of the filters in the URL. */
  filters: readonly string[]
  fields: (asked: Asked) => Html
  actions?: (asked: Asked) => Html
  columns: (
    asked: Asked,
    rows: readonly Row[],
  ) => (ListColumn<Row> | false)[] | Promise<(ListColumn<Row> | false)[]>
  currencyOf: (row: Row) => string
  /** Rows that the sums leave out. */
  isVoid?: (row: Row) => boolean
  /** A place that is not known is the start. */
  read: (asked: Asked, page: { place: string; limit: number }) => Promise<ListPart<Row>>
}

export function listPages<Row>(list: List<Row>): Page[] {
  const { path, scope } = list
  return [
    { method: 'GET', path, scope, mayLag: true, answer: (asked) => listPage(list, asked) },
    { method: 'GET', path: `${path}.csv`, scope, mayLag: true, answer: (asked) => listFile(list, asked) },
  ]
}

async function listPage<Row>(list: List<Row>, asked: Asked): Promise<PageAnswer> {
  const { query, words } = asked
  const { lists: say } = words.say
  const title = await list.title(asked)
  const place = query.get('before')
  const { rows, next } = await list.read(asked, { place, limit: SHOWN })
  const columns = await columnsOf(list, asked, rows)
  const state = stateOf(list, asked)
  const linkTo = (changed: Record<string, string>) =>
    `/console${list.path}?${new URLSearchParams({ ...state, ...changed })}`
  const table = () =>
    recordTable(
      sorted(rows, columns, query.get('sort')),
      columns
        .filter(({ isFileOnly }) => isFileOnly !== true)
        .map((column) =>
          withSortLink(column, asked, (sort) => linkTo({ sort, ...(place !== '' && { before: place }) })),
        ),
      { label: title, isFlush: true },
    )
  return show(
    list.section,
    title,
    html`<header class="head">
<h1>${title}</h1>
<div class="actions">${list.actions?.(asked)}
<a class="button" href="/console${list.path}.csv?${new URLSearchParams(state)}">${say.csv}</a></div>
</header>
<form class="filters" action="/console${list.path}">${list.fields(asked)}
<button class="button">${say.filter}</button></form>
<section class="card flush">
${rows.length === 0 ? html`<p class="inset">${list.none(words)}</p>` : table()}
${rows.length > 0 && sums(list, columns, rows, words)}
</section>
${(place !== '' || next !== null) && pagingLinks(words, { isFirst: place === '', next, linkTo })}`,
  )
}

async function columnsOf<Row>(
  list: List<Row>,
  asked: Asked,
  rows: readonly Row[],
): Promise<ListColumn<Row>[]> {
  return (await list.columns(asked, rows)).filter((column) => column !== false)
}

/** Filters and order; not the place, because other filters have other places. */
function stateOf<Row>({ filters }: List<Row>, { query }: Asked): Record<string, string> {
  const named = [...filters, 'sort'].filter((name) => query.get(name) !== '')
  return Object.fromEntries(named.map((name) => [name, query.get(name)]))
}

function pagingLinks(
  words: Words,
  page: { isFirst: boolean; next: string | null; linkTo: (changed: Record<string, string>) => string },
): Html {
  const { lists: say } = words.say
  const { isFirst, next, linkTo } = page
  return html`<nav class="paging" aria-label="${say.pages}">
${!isFirst && html`<a class="button" href="${linkTo({})}">${say.first}</a>`}
${next !== null && html`<a class="button" rel="next" href="${linkTo({ before: next })}">${say.next}</a>`}</nav>`
}

/** -name: the largest first. */
function sorted<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  sort: string,
): readonly Row[] {
  const isDown = sort.startsWith('-')
  const order = columns.find(({ key }) => key === sort.replace(/^-/, ''))?.order
  if (order === undefined) return rows
  return rows.toSorted((one, other) => {
    const [first, second] = [order(one), order(other)]
    if (first === second) return 0
    return first < second === isDown ? 1 : -1
  })
}

/** Amounts are sorted from the largest first, texts from the first letter. */
function withSortLink<Row>(
  column: ListColumn<Row>,
  { query, words }: Asked,
  linkTo: (sort: string) => string,
): ListColumn<Row> {
  if (column.order === undefined || column.name === null) return column
  const sort = query.get('sort')
  const [first, second] = column.isNumber === true || column.sum !== undefined ? ['-', ''] : ['', '-']
  const isOwn = sort === column.key || sort === `-${column.key}`
  const next = sort === `${first}${column.key}` ? second : first
  const state = isOwn ? (sort.startsWith('-') ? 'descending' : 'ascending') : undefined
  return {
    ...column,
    head: html`<a href="${linkTo(next + column.key)}" title="${words.say.lists.sortBy(column.name)}">${column.name}</a>`,
    ...(state !== undefined && { sorted: state }),
  }
}

/** One line for each currency of the rows shown. */
function sums<Row>(
  { currencyOf, isVoid }: List<Row>,
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  words: Words,
): Html {
  const counted = rows.filter((row) => isVoid?.(row) !== true)
  const lines = [...Map.groupBy(counted, currencyOf)].map(([currency, own]) => {
    const { money } = words.in(currency)
    const total = (sum: (row: Row) => bigint) => money(own.reduce((all, row) => all + sum(row), 0n))
    const parts = columns.flatMap(({ name, sum }) =>
      sum === undefined ? [] : [html`<span class="nowrap">${name}: <b>${total(sum)}</b></span>`],
    )
    return html`<p class="inset sums"><span>${words.say.lists.total(own.length, currency)}</span>${parts}</p>`
  })
  return html`${lines}`
}

async function listFile<Row>(list: List<Row>, asked: Asked): Promise<PageAnswer> {
  const rows: Row[] = []
  let place: string | null = ''
  while (place !== null && rows.length < FILE_MAX) {
    const part: ListPart<Row> = await list.read(asked, { place, limit: FILE_STEP })
    rows.push(...part.rows)
    place = part.next
  }
  const columns = await columnsOf(list, asked, rows)
  const shown = columns.filter(({ text }) => text !== undefined)
  const content = csvText(
    shown.map(({ key }) => key),
    sorted(rows, columns, asked.query.get('sort')).map((row) => shown.map(({ text }) => text!(row))),
  )
  const name = `${list.path.slice(1)}.csv`
  return { kind: 'file', name, type: 'text/csv; charset=utf-8', content }
}

/** The first and the last day of a list. */
export function dayFields({ query, words }: Asked): Html {
  const { lists: say } = words.say
  return html`${inputField({ name: 'from', label: say.from, type: 'date', value: query.get('from') })}
${inputField({ name: 'to', label: say.to, type: 'date', value: query.get('to') })}`
}

/** A column that only the file has. */
export function fileColumn<Row>(key: string, text: (row: Row) => string): ListColumn<Row> {
  return { key, name: null, cell: () => null, text, isFileOnly: true }
}

/** A column of amounts, which adds them up. */
export function amountColumn<Row>(
  column: { key: string; name: string; currencyOf: (row: Row) => string; amount: (row: Row) => bigint },
  words: Words,
): ListColumn<Row> {
  const { key, name, currencyOf, amount } = column
  return {
    key,
    name,
    isNumber: true,
    cell: (row) => words.in(currencyOf(row)).money(amount(row)),
    text: (row) => formatAmount(amount(row)),
    order: amount,
    sum: amount,
  }
}
