/**
 * Batches for people: sending a file, its dry run, starting and cancelling it, how far it is, and what became of each line.
 * Those without `batches:read` see the batches that they could have sent. Imports are for keys.
 */
import {
  BATCH_OPERATIONS,
  BATCH_STATUSES,
  type Batch,
  LINE_OUTCOMES,
  type LineOutcome,
  triedOf,
} from '../../domain/batch.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { card, pairs } from '../../page/card.ts'
import { numeral } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { listPages } from '../../page/list.ts'
import { type Notice, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { csvLine } from '../../wire/csv.ts'
import { type JsonObject, Numeral } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { findPending } from '../approval-requests/store.ts'
import { cancelBatch, createBatch, readLines, startBatch } from '../batches/changes.ts'
import { BatchStart, NewBatch, readError, type ShownLine } from '../batches/record.ts'
import { type BatchFilters, findBatch } from '../batches/store.ts'
import { carryOut, FORM_KEY, made, optional } from '../counter/form.ts'
import { type Check, checkLines } from './check.ts'
import { type FileFault, sendFile } from './file.ts'
import { batchActions, mayRun, newBatchForm, operationsOf } from './form.ts'
import { badge, batchList } from './list.ts'
import { batchWords } from './words.ts'

const ERRORS_SHOWN = 100
/** Lines that are read at a time. */
const FILE_STEP = 500

const scope = 'batches:run'

export const batchPages: Page[] = [
  ...listPages(batchList(filtersOf)),
  { method: 'GET', path: '/batches/new', scope, answer: async (asked) => newPage(asked, new Map()) },
  { method: 'POST', path: '/batches/new', scope, takesFile: true, answer: send },
  { method: 'GET', path: '/batches/:batch_id', scope, answer: (asked) => batchPage(asked, null) },
  { method: 'GET', path: '/batches/:batch_id/check', scope, answer: checkPage },
  { method: 'POST', path: '/batches/:batch_id/start', scope, answer: start },
  { method: 'POST', path: '/batches/:batch_id/cancel', scope, answer: cancel },
  { method: 'GET', path: '/batches/:batch_id/results.csv', scope, answer: resultsFile },
]

/** undefined: there is none, or the person may neither read all batches nor run this one. */
async function findShown(asked: Asked): Promise<Batch | undefined> {
  const { service, book, params, may } = asked
  const batch = await findBatch(service.db, book.bookId, params.batch_id!)
  return batch !== undefined && (may('batches:read') || mayRun(asked, batch)) ? batch : undefined
}

/** What is shown without `batches:read` is what the person could have sent. */
function filtersOf(asked: Asked): BatchFilters {
  const { query, may } = asked
  const status = BATCH_STATUSES.find((one) => one === query.get('status'))
  const operation = BATCH_OPERATIONS.find((one) => one === query.get('operation'))
  return {
    ...(!may('batches:read') && { operations: operationsOf(asked) }),
    ...(status !== undefined && { status }),
    ...(operation !== undefined && { operation }),
  }
}

function newPage(asked: Asked, errors: ReadonlyMap<string, string>): PageAnswer {
  const { words } = asked
  const say = words.of(batchWords)
  const [first] = errors.values()
  const notice: Notice | null = first === undefined ? null : { kind: 'bad', text: first }
  return show(
    'batches',
    say.make,
    html`<header class="head"><h1>${say.make}</h1></header>
${showNotice(notice, words)}
<section class="card">${newBatchForm(asked, errors)}</section>`,
    first === undefined ? undefined : 422,
  )
}

/** A file that did not arrive as a whole leaves a cancelled batch. */
async function send(asked: Asked): Promise<PageAnswer> {
  const { service, form, file, words, originOf } = asked
  const say = words.of(batchWords)
  const fault = (field: string, text: string) => newPage(asked, new Map([[field, text]]))
  const read = readBody(NewBatch, newBatchOf(asked))
  if (!read.ok) return newPage(asked, new Map(read.fields.map(({ field }) => faultOf(field, words))))
  const { operation, name = null, expected } = read.value
  if (!operationsOf(asked).includes(operation)) return fault('operation', say.notYours)
  if (file === null || !FORM_KEY.test(form.get('key'))) return fault('file', say.faults.empty)
  const totals = expected ? { lines: expected.lines, total: expected.total_amount } : null
  const created = await createBatch(
    ...([service, originOf(form.get('key')), { operation, name, expected: totals }] as const),
    ({ batchId }) => made(batchId),
  )
  if (created.outcome === 'refused') return fault('operation', refusalWord(created, words))
  const batchId = created.answer!.madeId!
  let isWhole = false
  try {
    const mayWaive = mayRun(asked, { operation, waives: true })
    const refused = await sendFile(service, originOf(null), { batchId, operation, mayWaive }, file)
    isWhole = refused === null
    return refused === null
      ? redirect(`/console/batches/${batchId}`)
      : fault('file', faultText(refused, words))
  } finally {
    if (!isWhole) await cancelBatch(service, originOf(null), batchId)
  }
}

/** What was typed, as the API has it; both totals or none. */
function newBatchOf({ form, words }: Asked): JsonObject {
  const lines = form.get('lines').replaceAll(/\s/g, '')
  const total = form.get('total_amount').trim()
  const expected = {
    lines: /^\d+$/.test(lines) ? new Numeral(lines) : lines,
    total_amount: numeral(total, words),
  }
  return {
    operation: form.get('operation'),
    ...optional('name', form.get('name')),
    ...((lines !== '' || total !== '') && { expected }),
  }
}

function faultOf(field: string, words: Words): [string, string] {
  const say = words.of(batchWords)
  const name = field.split('.').at(-1)!
  return [name, say.needs[name] ?? say.needs.operation!]
}

function faultText(fault: FileFault | Refusal, words: Words): string {
  return typeof fault === 'string' ? words.of(batchWords).faults[fault] : refusalWord(fault, words)
}

async function batchPage(asked: Asked, notice: Notice | null, status?: number): Promise<PageAnswer> {
  const { service, book, words, part } = asked
  const say = words.of(batchWords)
  const batch = await findShown(asked)
  if (batch === undefined) return NOT_FOUND
  if (part === 'progress-part') return { kind: 'part', part: progressCard(batch, words) }
  const { batchId, name, operation } = batch
  const isOpen = batch.status === 'UPLOADING'
  const pending = isOpen ? await findPending(service.db, book.bookId, 'startBatch', batchId) : undefined
  return show(
    'batches',
    name ?? say.operations[operation],
    html`<header class="head"><div>
<h1>${name ?? say.operations[operation]}</h1>
<p class="sub">${badge(batch, words)} <code>${batchId}</code></p></div>
${batchActions(asked, batch, pending !== undefined)}
</header>
${showNotice(notice, words)}
${pending !== undefined && waitingLine(asked, pending.approvalId)}
<div class="split even">
${progressCard(batch, words)}
${card({ id: 'about', title: say.operations[operation] }, about(batch, words))}
</div>
${card({ id: 'errors', title: say.errors, isFlush: true }, await errorList(asked, batch))}`,
    status,
  )
}

/** What others have to decide before it starts. */
function waitingLine({ words, may }: Asked, approvalId: string): Html {
  const say = words.of(batchWords)
  return html`<p class="notice">${say.waits}
${may('approvals:read') && html`<a href="/console/approvals/${approvalId}">${say.toApproval}</a>`}</p>`
}

async function start(asked: Asked): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  const batch = await findShown(asked)
  if (batch === undefined) return NOT_FOUND
  const { batchId } = batch
  const again = (text: Notice['text'], status: number) => batchPage(asked, { kind: 'bad', text }, status)
  if (!mayRun(asked, batch)) return again(words.of(batchWords).notYours, 409)
  return carryOut(asked, {
    schema: BatchStart,
    body: {},
    held: { operation: 'startBatch', targetId: batchId },
    run: () => startBatch(service, originOf(form.get('key')), batchId, () => made(batchId)),
    done: () => `/console/batches/${batchId}`,
    again: ({ notice, status = 409 }) => again(notice?.text ?? '', status),
  })
}

async function cancel(asked: Asked): Promise<PageAnswer> {
  const { service, words, originOf } = asked
  const batch = await findShown(asked)
  if (batch === undefined) return NOT_FOUND
  const bad = (text: string) => batchPage(asked, { kind: 'bad', text }, 409)
  if (!mayRun(asked, batch)) return bad(words.of(batchWords).notYours)
  const result = await cancelBatch(service, originOf(null), batch.batchId)
  if (result.outcome === 'refused') return bad(refusalWord(result, words))
  return redirect(`/console/batches/${batch.batchId}`)
}

/** The dry run, one part of the file at a time. */
async function checkPage(asked: Asked): Promise<PageAnswer> {
  const { service, words, query, originOf } = asked
  const batch = await findShown(asked)
  if (batch === undefined) return NOT_FOUND
  const say = words.of(batchWords)
  const mayCheck = batch.status === 'UPLOADING' && mayRun(asked, batch)
  const asks = /^[1-9]\d{0,6}$/.test(query.get('from')) ? Number(query.get('from')) : 1
  const check = mayCheck ? await checkLines(service, originOf(null), batch, asks) : null
  const path = `/console/batches/${batch.batchId}`
  return show(
    'batches',
    say.check,
    html`<header class="head"><div><h1>${say.check}</h1>
<p class="sub"><a href="${path}">${batch.name ?? say.operations[batch.operation]}</a></p></div></header>
${check === null ? showNotice({ kind: 'tip', text: say.checkOnlyBefore }, words) : checked(check, batch, words)}
<p><a class="button" href="${path}">${say.toBatch}</a>
${check !== null && check.to < batch.lines && html`<a class="button primary" href="${path}/check?from=${check.to + 1}">${say.checkNext}</a>`}</p>`,
  )
}

function checked({ from, to, lines }: Check, batch: Batch, words: Words): Html {
  const say = words.of(batchWords)
  const failing = lines.filter(({ outcome }) => outcome === 'FAILED')
  const before = lines.filter(({ outcome }) => outcome === 'DUPLICATE').length
  const isGood = failing.length === 0
  const range = say.checkedText(words.whole(from), words.whole(to), words.whole(batch.lines))
  const shown = failing.slice(0, ERRORS_SHOWN)
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

function progressCard(batch: Batch, words: Words): Html {
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

function about(batch: Batch, words: Words): Html {
  const say = words.of(batchWords)
  const { expected, startedBy, finishedAt } = batch
  return pairs([
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
}

function expectedText({ expected }: Batch, words: Words): string {
  return words.of(batchWords).expectedText(expected!.lines, words.plain(expected!.total))
}

async function errorList({ service, book, words }: Asked, batch: Batch): Promise<Html> {
  const say = words.of(batchWords)
  const failed = { filters: { outcome: 'FAILED' }, after: 0, limit: ERRORS_SHOWN }
  const lines = await readLines(service.db, book, batch, failed)
  if (lines.length === 0) return html`<p class="inset">${say.noErrors}</p>`
  const file = `/console/batches/${batch.batchId}/results.csv?outcome=FAILED`
  return html`${lineTable(lines, words)}
<p class="inset">${batch.failed > lines.length && say.moreErrors(lines.length)}
<a href="${file}">${say.csvFailed}</a></p>`
}

function lineTable(lines: readonly ShownLine[], words: Words): Html {
  const say = words.of(batchWords)
  return recordTable(
    lines,
    [
      { name: say.line, cell: ({ line }) => html`<b>${say.lineNumber(words.whole(line))}</b>` },
      { name: say.externalId, cell: ({ externalId }) => externalId ?? '–' },
      { name: say.reason, cell: (line) => reason(line) },
    ],
    { label: say.errors, isFlush: true },
  )
}

/** As the API names it, so that the maker of the file finds it in the reference. */
function reason(line: ShownLine): Html {
  const { code, fields } = readError(line)
  return html`<code>${code}</code>${fields.map(({ field, code: why }) => html`<small>${field}: ${why}</small>`)}`
}

async function resultsFile(asked: Asked): Promise<PageAnswer> {
  const { service, book, query, words } = asked
  const say = words.of(batchWords)
  const batch = await findShown(asked)
  if (batch === undefined) return NOT_FOUND
  const wanted = LINE_OUTCOMES.find((outcome) => outcome === query.get('outcome'))
  const filters = wanted === undefined ? {} : { outcome: wanted }
  async function* content(): AsyncGenerator<string> {
    yield csvLine([say.line, say.externalId, say.status, say.made, say.reason])
    for (let after = 0; ; ) {
      const lines = await readLines(service.db, book, batch!, { filters, after, limit: FILE_STEP })
      yield lines.map((line) => csvLine(fileRow(line))).join('')
      if (lines.length < FILE_STEP) return
      after = lines.at(-1)!.line
    }
  }
  return { kind: 'file', name: `${batch.batchId}.csv`, type: 'text/csv; charset=utf-8', content: content() }
}

function fileRow(line: ShownLine): string[] {
  const { code, fields } = readError(line)
  const why = fields.map(({ field, code: fault }) => `${field}: ${fault}`).join('; ')
  return [
    ...[String(line.line), line.externalId ?? '', line.outcome, line.madeId ?? ''],
    why === '' ? code : `${code} (${why})`,
  ]
}
