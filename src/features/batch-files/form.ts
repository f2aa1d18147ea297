/** The forms of batches: sending a file, and starting or cancelling what was sent. */
import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { BATCH_OPERATIONS, type Batch, type BatchOperation, scopesOfLines } from '../../domain/batch.ts'
import { hiddenFields, inputField, numeral, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { type Sure, sureDialog } from '../../page/sure.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { type Reading, readBody } from '../../wire/reader.ts'
import type { FigureKind } from '../../words/figures.ts'
import type { Words } from '../../words/words.ts'
import { NewBatch } from '../batches/record.ts'
import { noteFields, optional } from '../counter/form.ts'
import { batchWords } from './words.ts'

/** A person sends and starts what they may do line by line. */
export function mayRun({ may }: Asked, batch: Pick<Batch, 'operation' | 'waives'>): boolean {
  return scopesOfLines(batch).every((scope) => may(scope))
}

export function operationsOf(asked: Asked): BatchOperation[] {
  return BATCH_OPERATIONS.filter((operation) => mayRun(asked, { operation, waives: false }))
}

/** Its fields stand before the file, because they are read before it arrives. */
export function newBatchForm(asked: Asked, errors: ReadonlyMap<string, string>): Html {
  const { words, form } = asked
  const say = words.of(batchWords)
  const texts = Object.fromEntries(operationsOf(asked).map((name) => [name, say.operations[name]]))
  const field = (name: string, label: string, more: { hint?: string; isDecimal?: true; max?: number }) =>
    inputField({
      ...{ name, label, value: form.get(name), error: errors.get(name), aside: words.say.optional },
      ...more,
    })
  // Another key each time: a batch whose file was refused is cancelled.
  return html`<form class="fill" method="post" action="/console/batches/new" enctype="multipart/form-data">
${hiddenFields([['key', randomUUID()]])}
<div class="fields">
${selectField({
  ...{ name: 'operation', label: say.what, texts, value: form.get('operation') },
  error: errors.get('operation'),
})}
${field('name', say.name, { max: 100, hint: say.nameHint })}
${field('lines', say.expectedLines, { max: 9 })}
${field('total_amount', say.expectedTotal, { isDecimal: true, max: 24, hint: say.expectedHint })}
</div>
<div class="field">
<label for="file">${say.file}</label>
<input id="file" name="file" type="file" required aria-describedby="file-hint">
<p class="hint" id="file-hint">${say.fileHint}</p>
${errors.has('file') && html`<p class="hint bad">${errors.get('file')}</p>`}
</div>
<div><button class="button primary">${say.send}</button></div>
</form>`
}

/** What the person may do with the batch now. */
export async function batchActions(asked: Asked, batch: Batch, isWaiting: boolean): Promise<Html | false> {
  if (!mayRun(asked, batch) || batch.finishedAt !== null) return false
  const say = asked.words.of(batchWords)
  const mayStart = batch.status === 'UPLOADING' && !isWaiting
  const check = html`<a class="button" href="/console/batches/${batch.batchId}/check">${say.check}</a>`
  return html`<div class="actions">
${batch.status === 'UPLOADING' && check}
${mayStart && (await actForm(asked, batch, 'start'))}
${await actForm(asked, batch, 'cancel')}
</div>`
}

type Act = 'start' | 'cancel'

/** What is started or given up, once more. */
export async function sureOf(asked: Asked, batch: Batch, act: Act): Promise<Sure> {
  const { words } = asked
  const say = words.of(batchWords)
  const { batchId, name, operation, lines, total } = batch
  const note = await noteFields(asked)
  return {
    title: say.sure[act],
    text: say.sureText[act],
    rows: [
      [say.name, name ?? batchId],
      [say.what, say.operations[operation]],
      [say.lines, words.whole(lines)],
      [say.total, words.plain(total)],
    ],
    fields: act === 'start' && note('startBatch', { known: { amount: total } }),
    submit: html`<button class="button ${LOOKS[act]}" name="sure" value="yes">${say.acts[act]}</button>`,
  }
}

const LOOKS: Record<Act, string> = { start: 'primary', cancel: 'danger' }

async function actForm(asked: Asked, batch: Batch, act: Act): Promise<Html> {
  const { words } = asked
  const id = `sure-${act}`
  return html`<form method="post" action="/console/batches/${batch.batchId}/${act}" data-confirm="${id}">
${hiddenFields([['key', randomUUID()]])}
<button class="button ${LOOKS[act]}">${words.of(batchWords).acts[act]}</button>
${sureDialog({ id, ...(await sureOf(asked, batch, act)) }, words)}</form>`
}

/** What was typed, as the API reads it. */
export function readNewBatch(asked: Asked): Reading<Static<typeof NewBatch>> {
  return readBody(NewBatch, newBatchOf(asked))
}

/** What was typed, as the API has it; both totals or none. */
function newBatchOf({ form, words }: Asked): JsonObject {
  const [lines, total] = [form.get('lines').trim(), form.get('total_amount').trim()]
  const expected = { lines: numeral(lines, 'count', words), total_amount: numeral(total, 'amount', words) }
  return {
    operation: form.get('operation'),
    ...optional('name', form.get('name')),
    ...((lines !== '' || total !== '') && { expected }),
  }
}

/** Reads numbers as people of the language write them. */
export function numberReader(words: Words): (text: string, kind: FigureKind) => Json {
  return (text, kind) => numeral(text, kind, words)
}

export function faultOf(field: string, words: Words): [string, string] {
  const say = words.of(batchWords)
  const name = field.split('.').at(-1)!
  return [name, say.needs[name] ?? say.needs.operation!]
}
