/** Tables of records. On a phone each row is a card: its first cell is the heading, the others follow with their names. */
import { type Html, html, trusted } from './html.ts'

export type Column<Row> = {
  /** null: the cells contain only actions. */
  name: string | null
  cell: (row: Row) => unknown
  /** Stands at the head instead of the name, for example a link that sorts. */
  head?: Html
  sorted?: 'ascending' | 'descending'
  /** Amounts and counts are aligned at the end. */
  isNumber?: true
}

type Options<Row> = {
  label: string
  /** Fills its card from edge to edge. */
  isFlush?: true
  isCurrent?: (row: Row) => boolean
}

/** A column that is false does not exist for the person. */
export function recordTable<Row>(
  rows: readonly Row[],
  columns: readonly (Column<Row> | false)[],
  { label, isFlush, isCurrent }: Options<Row>,
): Html {
  const shown = columns.filter((column) => column !== false)
  const line = (row: Row) => {
    const cells = shown.map((column) => dataCell(column, row))
    return html`<tr${isCurrent?.(row) === true && trusted(' class="current"')}>${cells}</tr>`
  }
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
<table${isFlush === true && trusted(' class="rows"')}><thead><tr>${shown.map(head)}</tr></thead>
<tbody>${rows.map(line)}</tbody></table></div>`
}

/** A table whose rows begin with their names; the first name at the head is that of these. */
export function headedTable(
  names: readonly unknown[],
  rows: readonly (readonly unknown[])[],
  { areNumbers = false } = {},
): Html {
  const number = areNumbers && trusted(' class="num"')
  const [corner, ...columns] = names
  const line = ([name, ...cells]: readonly unknown[]) =>
    html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td${number}>${cell}</td>`)}</tr>\n`
  return html`<table>
<thead><tr>
<th scope="col">${corner}</th>${columns.map((name) => html`<th scope="col"${number}>${name}</th>`)}
</tr></thead>
<tbody>
${rows.map(line)}</tbody></table>`
}

function head<Row>({ name, isNumber, head: shown, sorted }: Column<Row>): Html {
  return name === null
    ? html`<td></td>`
    : html`<th scope="col"${isNumber === true && trusted(' class="num"')}
${sorted !== undefined && html`aria-sort="${sorted}"`}>${shown ?? name}</th>`
}

function dataCell<Row>({ name, cell, isNumber }: Column<Row>, row: Row): Html {
  const label = name !== null && html` data-name="${name}"`
  return html`<td${label}${isNumber === true && trusted(' class="num"')}>${cell(row)}</td>`
}
