/** Batches for people: what was sent, how far it is, and what became of each line. Only keys send and start them. */
import { type Batch, LINE_OUTCOMES, type LineOutcome, triedOf } from '../../domain/batch.ts'
import { card, pairs } from '../../page/card.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { csvText } from '../../wire/csv.ts'
import type { Words } from '../../words/words.ts'
import { findPending } from '../approval-requests/store.ts'
import { readLines } from './changes.ts'
import { readError, type ShownLine } from './record.ts'
import { findBatch, listBatches } from './store.ts'
import { batchWords } from './words.ts'

const SHOWN = 50
const ERRORS_SHOWN = 100
/** Lines that are read at a time. */
const FILE_STEP = 500

export const batchPages: Page[] = [
  { method: 'GET', path: '/batches', scope: 'batches:read', answer: listPage },
  { method: 'GET', path: '/batches/:batch_id', scope: 'batches:read', answer: batchPage },
  { method: 'GET', path: '/batches/:batch_id/results.csv', scope: 'batches:read', answer: resultsFile },
]

async function listPage({ service, book, query, words }: Asked): Promise<PageAnswer> {
  const say = words.of(batchWords)
  const before = /^\d{1,19}$/.test(query.get('before')) ? BigInt(query.get('before')) : null
  const { items, next } = await listBatches(service.db, book.bookId, {}, { limit: SHOWN, before })
  return show(
    'batches',
    say.title,
    html`<header class="head"><h1>${say.title}</h1></header>
<section class="card flush">
${items.length === 0 ? html`<p class="inset">${say.none}</p>` : batchTable(items, words)}
</section>
${next !== null && html`<p><a class="button" href="/console/batches?before=${next}">${say.older}</a></p>`}`,
  )
}

function batchTable(batches: readonly Batch[], words: Words): Html {
  const say = words.of(batchWords)
  return recordTable(
    batches,
    [
      {
        name: say.name,
        cell: ({ batchId, name }) =>
          html`<a href="/console/batches/${batchId}"><b>${name ?? batchId}</b></a>`,
      },
      { name: say.what, cell: ({ operation }) => say.operations[operation] },
      { name: say.status, cell: (batch) => badge(batch, words) },
      { name: say.lines, isNumber: true, cell: ({ lines }) => words.whole(lines) },
      { name: say.failed, isNumber: true, cell: ({ failed }) => words.whole(failed) },
      { name: say.created, cell: ({ createdAt }) => words.instant(createdAt) },
    ],
    { label: say.title, isFlush: true },
  )
}

const BADGES: Record<Batch['status'], string> = {
  UPLOADING: '',
  RUNNING: 'waiting',
  DONE: 'active',
  CANCELLED: '',
}

function badge({ status }: Batch, words: Words): Html {
  return html`<span class="badge ${trusted(BADGES[status])}">${words.of(batchWords).statuses[status]}</span>`
}

async function batchPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, words, params } = asked
  const say = words.of(batchWords)
  const batch = await findBatch(service.db, book.bookId, params.batch_id!)
  if (batch === undefined) return NOT_FOUND
  const { batchId, name, operation } = batch
  const path = `/console/batches/${batchId}`
  return show(
    'batches',
    name ?? say.operations[operation],
    html`<header class="head"><div>
<h1>${name ?? say.operations[operation]}</h1>
<p class="sub">${badge(batch, words)} <code>${batchId}</code></p></div>
<div class="actions"><a class="button" href="${path}/results.csv">${say.csv}</a></div>
</header>
${await waitingLine(asked, batch)}
<div class="split even">
${progressCard(batch, words)}
${card({ id: 'about', title: say.operations[operation] }, about(batch, words))}
</div>
${card({ id: 'errors', title: say.errors, isFlush: true }, await errorList(asked, batch))}`,
  )
}

/** What others have to decide before it starts. */
async function waitingLine({ service, book, words, may }: Asked, batch: Batch): Promise<Html | false> {
  if (batch.status !== 'UPLOADING') return false
  const pending = await findPending(service.db, book.bookId, 'startBatch', batch.batchId)
  if (pending === undefined) return false
  const say = words.of(batchWords)
  return html`<p class="notice">${say.waits}
${may('approvals:read') && html`<a href="/console/approvals/${pending.approvalId}">${say.toApproval}</a>`}</p>`
}

function progressCard(batch: Batch, words: Words): Html {
  const say = words.of(batchWords)
  const { batchId, status, lines, succeeded, duplicates, failed, skipped } = batch
  const counts: Record<LineOutcome, number> = {
    ...{ SUCCEEDED: succeeded, DUPLICATE: duplicates },
    ...{ FAILED: failed, SKIPPED: skipped },
  }
  const [tried, whole] = [words.whole(triedOf(batch)), words.whole(lines)]
  return card(
    { id: 'progress', title: say.progress },
    html`<p><b>${say.tried(tried, whole)}</b></p>
${pairs(LINE_OUTCOMES.map((outcome) => [say.outcomes[outcome], words.whole(counts[outcome])]))}
<progress max="${Math.max(1, lines)}" value="${triedOf(batch)}" aria-label="${say.progress}"></progress>
${status === 'RUNNING' && html`<p><a class="button" href="/console/batches/${batchId}">${say.again}</a></p>`}`,
  )
}

function about(batch: Batch, words: Words): Html {
  const say = words.of(batchWords)
  const { expected, startedBy, finishedAt } = batch
  return pairs([
    [say.total, words.plain(batch.total)],
    expected !== null && [say.expected, say.expectedText(expected.lines, words.plain(expected.total))],
    [say.parts, words.whole(batch.parts)],
    [say.created, words.instant(batch.createdAt)],
    [
      say.startedBy,
      startedBy === null ? say.notStarted : (startedBy.name ?? words.say.actors[startedBy.kind]),
    ],
    [say.finished, finishedAt === null ? say.notFinished : words.instant(finishedAt)],
  ])
}

async function errorList({ service, book, words }: Asked, batch: Batch): Promise<Html> {
  const say = words.of(batchWords)
  const failed = { filters: { outcome: 'FAILED' }, after: 0, limit: ERRORS_SHOWN }
  const lines = await readLines(service.db, book, batch, failed)
  if (lines.length === 0) return html`<p class="inset">${say.noErrors}</p>`
  const table = recordTable(
    lines,
    [
      { name: say.line, cell: ({ line }) => html`<b>${say.lineNumber(words.whole(line))}</b>` },
      { name: say.externalId, cell: ({ externalId }) => externalId ?? '–' },
      { name: say.reason, cell: (line) => reason(line) },
    ],
    { label: say.errors, isFlush: true },
  )
  const file = `/console/batches/${batch.batchId}/results.csv?outcome=FAILED`
  return html`${table}
<p class="inset">${batch.failed > lines.length && say.moreErrors(lines.length)}
<a href="${file}">${say.csvFailed}</a></p>`
}

/** As the API names it, so that the maker of the file finds it in the reference. */
function reason(line: ShownLine): Html {
  const { code, fields } = readError(line)
  return html`<code>${code}</code>${fields.map(({ field, code: why }) => html`<small>${field}: ${why}</small>`)}`
}

async function resultsFile({ service, book, query, params, words }: Asked): Promise<PageAnswer> {
  const say = words.of(batchWords)
  const batch = await findBatch(service.db, book.bookId, params.batch_id!)
  if (batch === undefined) return NOT_FOUND
  const wanted = LINE_OUTCOMES.find((outcome) => outcome === query.get('outcome'))
  const filters = wanted === undefined ? {} : { outcome: wanted }
  const rows: string[][] = []
  for (let after = 0; ; ) {
    const lines = await readLines(service.db, book, batch, { filters, after, limit: FILE_STEP })
    rows.push(...lines.map(fileRow))
    if (lines.length < FILE_STEP) break
    after = lines.at(-1)!.line
  }
  const content = csvText([say.line, say.externalId, say.status, say.made, say.reason], rows)
  return { kind: 'file', name: `${batch.batchId}.csv`, type: 'text/csv; charset=utf-8', content }
}

function fileRow(line: ShownLine): string[] {
  const { code, fields } = readError(line)
  const why = fields.map(({ field, code: fault }) => `${field}: ${fault}`).join('; ')
  return [
    ...[String(line.line), line.externalId ?? '', line.outcome, line.madeId ?? ''],
    why === '' ? code : `${code} (${why})`,
  ]
}
