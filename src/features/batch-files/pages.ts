/**
 * Batches for people: sending a file, its dry run, starting and cancelling it, how far it is, and what became of each line.
 * Those without `batches:read` see the batches that they could have sent. Imports are for keys.
 */
import { BATCH_OPERATIONS, BATCH_STATUSES, type Batch, LINE_OUTCOMES } from '../../domain/batch.ts'
import { html } from '../../page/html.ts'
import { listPages } from '../../page/list.ts'
import { type Notice, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { goesBack, isSure, surePage } from '../../page/sure.ts'
import { refusalWord } from '../../words/refusals.ts'
import { findPending } from '../approval-requests/store.ts'
import { cancelBatch, createBatch, startBatch } from '../batches/changes.ts'
import { BatchStart } from '../batches/record.ts'
import { type BatchFilters, findBatch } from '../batches/store.ts'
import { carryOut, FORM_KEY, made } from '../counter/form.ts'
import {
  aboutCard,
  checkedPart,
  columnsCard,
  errorsCard,
  faultText,
  progressCard,
  reasonOf,
  waitingLine,
} from './card.ts'
import { checkLines } from './check.ts'
import { sendFile } from './file.ts'
import {
  batchActions,
  faultOf,
  mayRun,
  newBatchForm,
  numberReader,
  operationsOf,
  readNewBatch,
  sureOf,
} from './form.ts'
import { badge, batchList } from './list.ts'
import { readFailed, resultLines } from './results.ts'
import { columnsOf, firstRowOf } from './rows.ts'
import { batchWords } from './words.ts'

const scope = 'batches:run'

export const batchPages: Page[] = [
  ...listPages(batchList(filtersOf)),
  { method: 'GET', path: '/batches/new', scope, answer: async (asked) => newPage(asked, new Map()) },
  { method: 'POST', path: '/batches/new', scope, takesFile: true, answer: send },
  { method: 'GET', path: '/batches/:batch_id', scope, answer: (asked) => batchPage(asked, null) },
  { method: 'GET', path: '/batches/new/columns.csv', scope, answer: template },
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
<section class="card">${newBatchForm(asked, errors)}</section>
${columnsCard(operationsOf(asked), columnsOf, words)}`,
    first === undefined ? undefined : 422,
  )
}

/** A file with nothing but the first row; without a name of what its rows do, of what the form offers first. */
async function template(asked: Asked): Promise<PageAnswer> {
  const named = asked.query.get('operation')
  const operation = operationsOf(asked).find((one) => named === '' || one === named)
  if (operation === undefined) return NOT_FOUND
  return {
    kind: 'file',
    name: `${operation}.csv`,
    type: 'text/csv; charset=utf-8',
    content: firstRowOf(operation),
  }
}

/** A file that did not arrive as a whole leaves a cancelled batch. */
async function send(asked: Asked): Promise<PageAnswer> {
  const { service, form, file, words, originOf } = asked
  const say = words.of(batchWords)
  const fault = (field: string, text: string) => newPage(asked, new Map([[field, text]]))
  const read = readNewBatch(asked)
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
    const sent = { batchId, operation, mayWaive, readNumber: numberReader(words) }
    const refused = await sendFile(service, originOf(null), sent, file)
    isWhole = refused === null
    return refused === null
      ? redirect(`/console/batches/${batchId}`)
      : fault('file', faultText(refused, words))
  } finally {
    if (!isWhole) await cancelBatch(service, originOf(null), batchId)
  }
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
${await batchActions(asked, batch, pending !== undefined)}
</header>
${showNotice(notice, words)}
${pending !== undefined && waitingLine(asked, pending.approvalId)}
<div class="split even">
${progressCard(batch, words)}
${aboutCard(batch, words)}
</div>
${errorsCard(batch, await readFailed(asked, batch), words)}`,
    status,
  )
}

async function start(asked: Asked): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  const batch = await findShown(asked)
  if (batch === undefined) return NOT_FOUND
  const { batchId } = batch
  const again = (text: Notice['text'], status: number) => batchPage(asked, { kind: 'bad', text }, status)
  if (!mayRun(asked, batch)) return again(words.of(batchWords).notYours, 409)
  if (goesBack(form)) return batchPage(asked, null)
  if (!isSure(form)) return secondLook(asked, batch, 'start')
  return carryOut(asked, {
    schema: BatchStart,
    body: {},
    held: { operation: 'startBatch', targetId: batchId },
    run: () => startBatch(service, originOf(form.get('key')), batchId, () => made(batchId)),
    done: () => `/console/batches/${batchId}`,
    again: ({ notice, status = 409 }) => again(notice?.text ?? '', status),
  })
}

async function secondLook(asked: Asked, batch: Batch, act: 'start' | 'cancel'): Promise<PageAnswer> {
  const sure = await sureOf(asked, batch, act)
  const action = `/console/batches/${batch.batchId}/${act}`
  const kept: [string, string][] = [['key', asked.form.get('key')]]
  return show('batches', sure.title, surePage(sure, { action, kept }, asked.words))
}

async function cancel(asked: Asked): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  const batch = await findShown(asked)
  if (batch === undefined) return NOT_FOUND
  const bad = (text: string) => batchPage(asked, { kind: 'bad', text }, 409)
  if (!mayRun(asked, batch)) return bad(words.of(batchWords).notYours)
  if (goesBack(form)) return batchPage(asked, null)
  if (!isSure(form)) return secondLook(asked, batch, 'cancel')
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
  const shown = check === null ? null : checkedPart(check, batch, words)
  const path = `/console/batches/${batch.batchId}`
  const next = check !== null && check.to < batch.lines ? check.to + 1 : null
  return show(
    'batches',
    say.check,
    html`<header class="head"><div><h1>${say.check}</h1>
<p class="sub"><a href="${path}">${batch.name ?? say.operations[batch.operation]}</a></p></div></header>
${shown ?? showNotice({ kind: 'tip', text: say.checkOnlyBefore }, words)}
<p><a class="button" href="${path}">${say.toBatch}</a>
${next !== null && html`<a class="button primary" href="${path}/check?from=${next}">${say.checkNext}</a>`}</p>`,
  )
}

async function resultsFile(asked: Asked): Promise<PageAnswer> {
  const { query, words } = asked
  const say = words.of(batchWords)
  const batch = await findShown(asked)
  if (batch === undefined) return NOT_FOUND
  const outcome = LINE_OUTCOMES.find((one) => one === query.get('outcome'))
  const head = [say.line, say.externalId, say.status, say.made, say.reason, say.code]
  const content = resultLines(asked, batch, { outcome, head, reasonOf: (line) => reasonOf(line, words) })
  return { kind: 'file', name: `${batch.batchId}.csv`, type: 'text/csv; charset=utf-8', content }
}
