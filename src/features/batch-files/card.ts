/** The parts of the pages of batches: how far one is, what it is, its dry run, and lines that failed. */
import {
  type Batch,
  type BatchLine,
  type BatchOperation,
  LINE_OUTCOMES,
  type LineOutcome,
  triedOf,
} from '../../domain/batch.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { card, pairs } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import type { Asked } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { type JsonObject, Numeral, parseJson } from '../../wire/json.ts'
import { keptAmount } from '../../wire/stored.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { readError } from '../batches/record.ts'
import { batchWords } from './words.ts'

type Column = { name: string; isRequired: boolean; isOpen: boolean }

/** What the first row of a spreadsheet names, by what its rows do. */
export function columnsCard(
  operations: readonly BatchOperation[],
  columnsOf: (operation: BatchOperation) => readonly Column[],
  words: Words,
): Html {
  const say = words.of(batchWords)
  const names = (operation: BatchOperation, isNeeded: boolean) =>
    columnsOf(operation)
      .filter(({ isRequired }) => isRequired === isNeeded)
      .map(({ name, isOpen }) => html`<code>${isOpen ? `${name}.…` : name}</code> `)
  const content = html`<p class="inset">${say.columnsText}</p>
${recordTable(
  operations,
  [
    { name: say.what, cell: (operation) => html`<b>${say.operations[operation]}</b>` },
    { name: say.neededColumns, cell: (operation) => html`${names(operation, true)}` },
    { name: say.furtherColumns, cell: (operation) => html`${names(operation, false)}` },
    {
      name: say.file,
      cell: (operation) =>
        html`<a href="/console/batches/new/columns.csv?operation=${operation}">${say.template}</a>`,
    },
  ],
  { label: say.columns, isFlush: true },
)}`
  return card({ id: 'columns', title: say.columns, isFlush: true }, content)
}

type Say = (typeof batchWords)['en']
type Fault = keyof Say['faults'] | { fault: keyof Say['rowFaults']; at: string } | Refusal

/** Why a file was not taken. */
export function faultText(fault: Fault, words: Words): string {
  const { faults, rowFaults } = words.of(batchWords)
  if (typeof fault === 'string') return faults[fault]
  return 'fault' in fault ? rowFaults[fault.fault](fault.at) : refusalWord(fault, words)
}

/** What others have to decide before it starts. */
export function waitingLine({ words, may }: Asked, approvalId: string): Html {
  const say = words.of(batchWords)
  return html`<p class="notice">${say.waits}
${may('approvals:read') && html`<a href="/console/approvals/${approvalId}">${say.toApproval}</a>`}</p>`
}

type Checked = { from: number; to: number; lines: readonly BatchLine[]; failing: readonly BatchLine[] }

/** What the lines that were tried would come to; `failing` are those of them that are shown. */
export function checkedPart({ from, to, lines, failing: shown }: Checked, batch: Batch, words: Words): Html {
  const say = words.of(batchWords)
  const failing = lines.filter(({ outcome }) => outcome === 'FAILED')
  const before = lines.filter(({ outcome }) => outcome === 'DUPLICATE').length
  const isGood = failing.length === 0
  const range = say.checkedText(words.whole(from), words.whole(to), words.whole(batch.lines))
  return html`${showNotice({ kind: isGood ? 'good' : 'bad', text: isGood ? say.allGood : say.someBad(failing.length) }, words)}
${card(
  { id: 'checked', title: range },
  pairs([
    [say.wouldSucceed, words.whole(lines.length - failing.length - before)],
    [say.outcomes.DUPLICATE, words.whole(before)],
    [say.wouldFail, words.whole(failing.length)],
    [say.total, words.plain(batch.total)],
    batch.expected !== null && [say.expected, expectedText(batch, words)],
  ]),
)}
<p class="hint">${say.checkHint}</p>
${
  !isGood &&
  card(
    { id: 'failing', title: say.wouldFail, isFlush: true },
    html`${lineTable(shown, words)}
${failing.length > shown.length && html`<p class="inset">${say.moreFailing(shown.length)}</p>`}`,
  )
}`
}

export function progressCard(batch: Batch, words: Words): Html {
  const say = words.of(batchWords)
  const { batchId, status, lines, succeeded, duplicates, failed, skipped } = batch
  const counts: Record<LineOutcome, number> = {
    ...{ SUCCEEDED: succeeded, DUPLICATE: duplicates },
    ...{ FAILED: failed, SKIPPED: skipped },
  }
  const [tried, whole] = [words.whole(triedOf(batch)), words.whole(lines)]
  const again = `/console/batches/${batchId}`
  const content = card(
    { id: 'progress', title: say.progress },
    html`<p><b>${say.tried(tried, whole)}</b></p>
${pairs(LINE_OUTCOMES.map((outcome) => [say.outcomes[outcome], words.whole(counts[outcome])]))}
<progress max="${Math.max(1, lines)}" value="${triedOf(batch)}" aria-label="${say.progress}"></progress>
<div class="actions">
${status === 'RUNNING' && html`<a class="button" href="${again}">${say.again}</a>`}
${status !== 'UPLOADING' && html`<a class="button" href="${again}/results.csv">${say.csv}</a>`}
</div>`,
  )
  // The script asks for it again while the batch runs; without, the link does.
  return html`<div id="progress-part" ${status === 'RUNNING' && html`data-refresh="${again}"`}>${content}</div>`
}

export function aboutCard(batch: Batch, words: Words): Html {
  const say = words.of(batchWords)
  const { operation, expected, startedBy, finishedAt } = batch
  const rows = pairs([
    [say.total, words.plain(batch.total)],
    expected !== null && [say.expected, expectedText(batch, words)],
    [say.parts, words.whole(batch.parts)],
    [say.created, words.instant(batch.createdAt)],
    [
      say.startedBy,
      startedBy === null ? say.notStarted : (startedBy.name ?? words.say.actors[startedBy.kind]),
    ],
    [say.finished, finishedAt === null ? say.notFinished : words.instant(finishedAt)],
  ])
  return card({ id: 'about', title: say.operations[operation] }, rows)
}

function expectedText({ expected }: Batch, words: Words): string {
  return words.of(batchWords).expectedText(expected!.lines, words.plain(expected!.total))
}

export function errorsCard(batch: Batch, lines: readonly BatchLine[], words: Words): Html {
  const say = words.of(batchWords)
  const file = `/console/batches/${batch.batchId}/results.csv?outcome=FAILED`
  const content =
    lines.length === 0
      ? html`<p class="inset">${say.noErrors}</p>`
      : html`${lineTable(lines, words)}
<p class="inset">${batch.failed > lines.length && say.moreErrors(lines.length)}
<a href="${file}">${say.csvFailed}</a></p>`
  return card({ id: 'errors', title: say.errors, isFlush: true }, content)
}

function lineTable(lines: readonly BatchLine[], words: Words): Html {
  const say = words.of(batchWords)
  return recordTable(
    lines,
    [
      { name: say.line, cell: ({ line }) => html`<b>${say.lineNumber(words.whole(line))}</b>` },
      { name: say.externalId, cell: ({ externalId }) => externalId ?? '–' },
      { name: say.reason, cell: (line) => reason(line, words) },
    ],
    { label: say.errors, isFlush: true },
  )
}

function reason(line: BatchLine, words: Words): Html {
  const { text, fields } = reasonOf(line, words)
  return html`${text}${fields.map((field) => html`<small><code>${field.name}</code> ${field.text}</small>`)}`
}

type Reason = {
  /** The code as the API names it; empty where the line did not fail. */
  code: string
  text: string
  /** The fields, by their columns. */
  fields: { name: string; text: string }[]
}

/** Why a line failed, for the person who made the file. */
export function reasonOf(line: BatchLine, words: Words): Reason {
  const { lineFaults, fieldFaults } = words.of(batchWords)
  const { code, fields } = readError(line)
  if (code === '') return { code, text: '', fields: [] }
  return {
    code,
    text: Object.hasOwn(lineFaults, code)
      ? lineFaults[code as keyof typeof lineFaults]
      : refusedWord(line.error!, words),
    fields: fields.map(({ field: name, code: fault }) => ({ name, text: fieldFaults[fault] })),
  }
}

/** How amounts are written; rates and counts are not. */
const AMOUNT = /^-?\d+\.\d\d$/

/** A batch may be about several currencies, so amounts are shown without one. */
function refusedWord(error: string, words: Words): string {
  const { code, details } = parseJson(error) as { code: string; details: JsonObject }
  const known = Object.entries(details).map(([name, value]) => [
    name,
    value instanceof Numeral && AMOUNT.test(value.source) ? keptAmount(details, name) : value,
  ])
  const refusal = { outcome: 'refused', code, details: Object.fromEntries(known) } as Refusal
  return refusalWord(refusal, { ...words, money: words.plain })
}
