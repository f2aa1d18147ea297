/**
 * A list: its filters and its order are in the URL, the totals of what they let through stand below it, the file has
 * exactly those rows in that order, and the next page begins where this one ends.
 */
import { formatAmount } from '../domain/money.ts'
import { isTooSlow } from '../engine/database/database.ts'
import type { PageRequest } from '../engine/database/pages.ts'
import {
  ALL_ROWS,
  type CurrencyAmount,
  type ListOrder,
  type ListSql,
  type ListWindow,
  NEWEST_ROWS,
  readAmounts,
  readInOrder,
  readTotals,
  readWindow,
  WHOLE_MAX,
  WINDOW_MAX,
} from '../engine/database/window.ts'
import { csvLine } from '../wire/csv.ts'
import type { Words } from '../words/words.ts'
import { crumbs, type Step } from './crumbs.ts'
import { inputField } from './form.ts'
import { type Html, html } from './html.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, type Section, show } from './page.ts'
import { pagingLinks, sorted } from './paging.ts'
import { type Column, recordTable } from './table.ts'
import { type LineTotal, type TotalColumn, totalLines, totalsOf } from './totals.ts'

const SHOWN = 50
/** Rows of a file that are read at a time, and as many as are worth sorting all rows again. */
const FILE_STEP = 500
const SORTED_STEP = 10_000
/** Most rows of a short list, which are all read into memory. */
const SHORT_MAX = 100_000

/** The key is its name in the URL and in the file. */
export type ListColumn<Row> = Column<Row> &
  TotalColumn<Row> & {
    /** The cell as plain text, for the file; without it the file has no such column. */
    text?: (row: Row) => string
    /** What the rows of a short list can be sorted by; those of others are sorted by their statement. */
    order?: (row: Row) => bigint | string | number
    /** The column is only in the file. */
    isFileOnly?: true
  }

/** `next` is the place behind the last row; null: nothing follows. */
export type ListPart<Row> = { rows: readonly Row[]; next: string | null }

/** Every row that the filters let through: lists of which a bank has hundreds, or that give the first `max`. */
type ShortRows<Row> = { rows: (asked: Asked, max: number) => Promise<readonly Row[]> }

/** Rows that the database puts in order, adds up and gives out a page at a time. */
export type LongRows<Row> = {
  /** Reads rows in the order of the list itself. A place that is not known is the start. */
  read: (asked: Asked, page: { place: string; limit: number }) => Promise<ListPart<Row>>
  sql: ListSql
  window: (asked: Asked, page: PageRequest<never>) => ListWindow | Promise<ListWindow>
  rowsOf: (asked: Asked, found: readonly object[]) => readonly Row[] | Promise<readonly Row[]>
}

export type List<Row> = {
  /** Below /console. */
  path: string
  /** The path of the file; that of the list with .csv, if left out. */
  file?: string
  section: Section
  scope: string | null
  /** Whether it may be read from a standby, as for other pages. Its file is current: nothing in it could say how old it is. */
  standby?: Pick<Page, 'mayLag' | 'certifies'>
  /** Whether the record exists whose list this is. */
  exists?: (asked: Asked) => Promise<boolean>
  title: (asked: Asked) => string | Promise<string>
  /** For a list that is not itself a place of the menu: the way to it. */
  steps?: (asked: Asked) => Step[]
  /** What would be here. */
  none: (words: Words) => string
  /** The names of the filters in the URL. */
  filters: readonly string[]
  fields: (asked: Asked) => Html | Promise<Html>
  actions?: (asked: Asked) => Html
  /** Below the list. */
  after?: (asked: Asked) => Promise<Html | null>
  columns: (
    asked: Asked,
    rows: readonly Row[],
  ) => (ListColumn<Row> | false)[] | Promise<(ListColumn<Row> | false)[]>
  idOf: (row: Row) => string
  /** Left out: it has no amounts. */
  currencyOf?: (row: Row) => string
  /** Rows that the sums leave out. */
  isVoid?: (row: Row) => boolean
} & (ShortRows<Row> | LongRows<Row>)

export function listPages<Row>(list: List<Row>): Page[] {
  const { path, scope, standby } = list
  return [
    { method: 'GET', path, scope, ...standby, answer: (asked) => listPage(list, asked) },
    listFilePage(list),
  ]
}

/** The file of a list, for one that is a part of another page. */
export function listFilePage<Row>(list: List<Row>): Page {
  const { scope, standby } = list
  const answer: Page['answer'] = (asked) => listFile(list, asked)
  return { method: 'GET', path: fileOf(list), scope, ...(standby && { certifies: true }), answer }
}

function fileOf<Row>({ path, file = `${path}.csv` }: List<Row>): string {
  return file
}

async function listPage<Row>(list: List<Row>, asked: Asked): Promise<PageAnswer> {
  const title = await list.title(asked)
  return show(
    list.section,
    title,
    html`${list.steps && crumbs(list.steps(asked), title, asked.words)}
<header class="head">
<h1>${title}</h1>
<div class="actions">${list.actions?.(asked)}${fileLink(list, asked)}</div>
</header>
${await filtersAndRows(list, asked, title)}
${await list.after?.(asked)}`,
  )
}

/** A list as a part of a page that has a heading of its own. */
export async function listSection<Row>(list: List<Row>, asked: Asked, id: string): Promise<Html> {
  const title = await list.title(asked)
  return html`<header class="head">
<h2 id="${id}">${title}</h2>
<div class="actions">${fileLink(list, asked)}</div>
</header>
${await filtersAndRows(list, asked, title)}`
}

function fileLink<Row>(list: List<Row>, asked: Asked): Html {
  const path = addressOf(fileOf(list), asked)
  const state = new URLSearchParams(stateOf(list, asked))
  return html`<a class="button" href="${path}?${state}">${asked.words.say.lists.csv}</a>`
}

/** The newest rows count for totals, order and file, unless the URL asks for all. */
function countsAll({ query }: Asked): boolean {
  return query.get('rows') === 'all'
}

function maxOf<Row>(list: List<Row>, asked: Asked): number {
  if (!countsAll(asked)) return WINDOW_MAX
  return 'rows' in list ? SHORT_MAX : WHOLE_MAX
}

function windowOf<Row>(list: LongRows<Row>, asked: Asked): ListWindow | Promise<ListWindow> {
  return list.window(asked, countsAll(asked) ? ALL_ROWS : NEWEST_ROWS)
}

/** Where all rows are too many for the database, the newest ones, with a line that says so. */
async function filtersAndRows<Row>(list: List<Row>, asked: Asked, title: string): Promise<Html> {
  try {
    return await shownRows(list, asked, title)
  } catch (error) {
    if (!countsAll(asked) || !isTooSlow(error)) throw error
    const get = (name: string) => (name === 'rows' ? '' : asked.query.get(name))
    return shownRows(list, { ...asked, query: { ...asked.query, get } }, title, { isTooMany: true })
  }
}

async function shownRows<Row>(
  list: List<Row>,
  asked: Asked,
  title: string,
  { isTooMany = false } = {},
): Promise<Html> {
  const { query, words } = asked
  const { lists: say } = words.say
  const place = query.get('before')
  const all = 'rows' in list ? await list.rows(asked, maxOf(list, asked)) : null
  const { rows, next } = await readPart(list, asked, { all, place, limit: SHOWN })
  const columns = await columnsOf(list, asked, rows)
  const path = addressOf(list.path, asked)
  const linkTo = (changed: Record<string, string>) =>
    `${path}?${new URLSearchParams({ ...stateOf(list, asked), ...changed })}`
  const isWhole = place === '' && next === null
  const { totals, isCut } =
    'rows' in list || isWhole
      ? { totals: totalsOf(list, columns, all ?? rows), isCut: false }
      : await readTotalsOf(list, asked, columns)
  const table = () =>
    recordTable(
      rows,
      columns
        .filter(({ isFileOnly }) => isFileOnly !== true)
        .map((column) => (isSortable(list, column) ? withSortLink(column, asked, linkTo) : column)),
      { label: title, isFlush: true },
    )
  return html`<form class="filters" action="${path}">${await list.fields(asked)}
<button class="button">${say.filter}</button></form>
<section class="card flush">
${rows.length === 0 ? html`<p class="inset">${list.none(words)}</p>` : table()}
${totalLines(totals, columns, words)}
${isTooMany && html`<p class="inset hint">${say.tooMany(words.whole(WINDOW_MAX))}</p>`}
${!isTooMany && cutLine(list, asked, { totals, isCut, all: linkTo({ rows: 'all' }) })}
</section>
${!isWhole && pagingLinks(words, { isFirst: place === '', next, linkTo })}`
}

/** A path with the identifiers of the page. */
function addressOf(path: string, { params }: Asked): string {
  return `/console${path.replace(/:(\w+)/g, (_, name) => params[name]!)}`
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
  const named = [...filters, 'sort', 'rows'].filter((name) => query.get(name) !== '')
  return Object.fromEntries(named.map((name) => [name, query.get(name)]))
}

function isSortable<Row>(list: List<Row>, { key, name, order }: ListColumn<Row>): boolean {
  return name !== null && ('rows' in list ? order !== undefined : Object.hasOwn(list.sql.order, key))
}

/** -name: the largest first. */
function orderOf({ query }: Asked): ListOrder {
  const sort = query.get('sort')
  return { key: sort.replace(/^-/, ''), isDown: sort.startsWith('-') }
}

/** `all` are the rows of a short list. In another order than its own, the place is the last row of the page before. */
async function readPart<Row>(
  list: List<Row>,
  asked: Asked,
  page: { all: readonly Row[] | null; place: string; limit: number },
): Promise<ListPart<Row>> {
  const { all, place, limit } = page
  const by = orderOf(asked)
  if ('rows' in list) {
    const columns = by.key === '' ? [] : await columnsOf(list, asked, all!)
    const order = columns.find(({ key }) => key === by.key)?.order
    const rows = order === undefined ? all! : sorted(all!, order, by.isDown)
    const start = rows.findIndex((row) => list.idOf(row) === place) + 1
    return partOf(list, rows.slice(start, start + limit + 1), limit)
  }
  const { sql } = list
  if (!(await isSorted(list, asked))) return list.read(asked, { place, limit })
  const found = await readInOrder(asked.service.db, await windowOf(list, asked), { sql, by, place, limit })
  return partOf(list, await list.rowsOf(asked, found), limit)
}

/** By a column that the person sees: the order would tell what they may not read. */
async function isSorted<Row>(list: List<Row> & LongRows<Row>, asked: Asked): Promise<boolean> {
  const by = orderOf(asked)
  if (!Object.hasOwn(list.sql.order, by.key)) return false
  return (await columnsOf(list, asked, [])).some(({ key }) => key === by.key)
}

/** A page of rows, of which one more was read than is shown. */
function partOf<Row>({ idOf }: List<Row>, found: readonly Row[], limit: number): ListPart<Row> {
  const rows = found.slice(0, limit)
  return { rows, next: found.length > limit ? idOf(rows.at(-1)!) : null }
}

/** Amounts are sorted from the largest first, texts from the first letter. */
function withSortLink<Row>(
  column: ListColumn<Row>,
  { query, words }: Asked,
  linkTo: (changed: { sort: string }) => string,
): ListColumn<Row> {
  const sort = query.get('sort')
  const [first, second] = column.isNumber === true || column.sum !== undefined ? ['-', ''] : ['', '-']
  const isOwn = sort === column.key || sort === `-${column.key}`
  const next = sort === `${first}${column.key}` ? second : first
  const state = isOwn ? (sort.startsWith('-') ? 'descending' : 'ascending') : undefined
  const href = linkTo({ sort: next + column.key })
  return {
    ...column,
    head: html`<a href="${href}" title="${words.say.lists.sortBy(column.name!)}">${column.name}</a>`,
    ...(state !== undefined && { sorted: state }),
  }
}

type Totals = { totals: readonly LineTotal[]; isCut: boolean }

async function readTotalsOf<Row>(
  list: List<Row> & LongRows<Row>,
  asked: Asked,
  columns: readonly ListColumn<Row>[],
): Promise<Totals> {
  const window = await windowOf(list, asked)
  const read = await readTotals(asked.service.db, window, list.sql)
  const isCut = window.isCut === true
  if (list.currencyOf === undefined) {
    const amounts = await readAmountsOf(list, asked, { window, columns })
    return { totals: read.map((total) => ({ ...total, amounts })), isCut }
  }
  // Rows that name no currency are in that of the book.
  const totals = [...Map.groupBy(read, ({ currency }) => currency ?? asked.book.currency)].map(
    ([currency, own]) => {
      const added = (of: (total: LineTotal) => number) => own.reduce((sum, total) => sum + of(total), 0)
      const sums = Object.keys(list.sql.sums).map((key): [string, bigint] => [
        key,
        own.reduce((sum, total) => sum + total.sums.get(key)!, 0n),
      ])
      const [listed, counted] = [added((total) => total.listed), added((total) => total.counted)]
      return { currency, listed, counted, sums: new Map(sums) }
    },
  )
  return { totals, isCut }
}

async function readAmountsOf<Row>(
  { sql }: LongRows<Row>,
  { service }: Asked,
  { window, columns }: { window: ListWindow; columns: readonly ListColumn<Row>[] },
): Promise<Map<string, readonly CurrencyAmount[]>> {
  const seen = Object.entries(sql.amounts ?? {}).filter(([key]) => columns.some((one) => one.key === key))
  const read = seen.map(
    async ([key, amounts]) => [key, await readAmounts(service.db, window, amounts)] as const,
  )
  return new Map(await Promise.all(read))
}

/** That not all rows count, with the way to all of them. */
function cutLine<Row>(
  list: List<Row>,
  asked: Asked,
  { totals, isCut, all }: Totals & { all: string },
): Html | false {
  const { lists: say } = asked.words.say
  const max = maxOf(list, asked)
  const isFull = totals.reduce((sum, { listed }) => sum + listed, 0) >= max
  if (!isFull && !isCut) return false
  const cut = 'rows' in list ? say.cutFirst : say.cut
  const text = isFull ? cut(asked.words.whole(max)) : say.cutSearch
  return html`<p class="inset hint">${text}
${countsAll(asked) ? say.cutFilter : html`<a href="${all}">${say.countAll}</a>`}</p>`
}

async function listFile<Row>(list: List<Row>, asked: Asked): Promise<PageAnswer> {
  if ((await list.exists?.(asked)) === false) return NOT_FOUND
  const name = fileOf(list)
    .slice(1)
    .replace(/:\w+\//g, '')
    .replaceAll('/', '-')
  const lines = fileLines(list, asked)
  // A fault of the first part is answered as one, not by a file that breaks off; the page says that all rows are too many.
  const first = await lines.next().catch((error) => {
    if (countsAll(asked) && isTooSlow(error)) return null
    throw error
  })
  const state = new URLSearchParams(stateOf(list, asked))
  if (first === null) return redirect(`${addressOf(list.path, asked)}?${state}`)
  const { value } = first
  async function* content(): AsyncGenerator<string> {
    yield value ?? ''
    yield* lines
  }
  return { kind: 'file', name, type: 'text/csv; charset=utf-8', content: content() }
}

async function* fileLines<Row>(list: List<Row>, asked: Asked): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of fileParts(list, asked)) {
    const shown = (await columnsOf(list, asked, rows)).filter(({ text }) => text !== undefined)
    const lines = rows.map((row) => csvLine(shown.map(({ text }) => text!(row))))
    if (isFirst) lines.unshift(csvLine(shown.map(({ key }) => key)))
    isFirst = false
    yield lines.join('')
  }
}

/** Exactly the rows that the totals add up, in the order of the page; at least one part, which may be empty. */
async function* fileParts<Row>(list: List<Row>, asked: Asked): AsyncGenerator<readonly Row[]> {
  const max = maxOf(list, asked)
  const isInOrder = !('rows' in list) && (await isSorted(list, asked))
  if (!('rows' in list) && !isInOrder && !countsAll(asked)) {
    const found = await readWindow<object>(asked.service.db, await windowOf(list, asked))
    yield await list.rowsOf(asked, found)
    return
  }
  const all = 'rows' in list ? await list.rows(asked, max) : null
  const limit = isInOrder ? SORTED_STEP : FILE_STEP
  let place: string | null = ''
  for (let read = 0; place !== null && read < max; ) {
    const part: ListPart<Row> = await readPart(list, asked, {
      all,
      place,
      limit: Math.min(limit, max - read),
    })
    yield part.rows
    read += part.rows.length
    place = part.next
  }
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
