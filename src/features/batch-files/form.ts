/** The forms of batches: sending a file, and starting or cancelling what was sent. */
import { randomUUID } from 'node:crypto'
import { BATCH_OPERATIONS, type Batch, type BatchOperation, scopesOfLines } from '../../domain/batch.ts'
import { hiddenFields, inputField, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { sureDialog } from '../../page/sure.ts'
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
export function batchActions(asked: Asked, batch: Batch, isWaiting: boolean): Html | false {
  if (!mayRun(asked, batch) || batch.finishedAt !== null) return false
  const say = asked.words.of(batchWords)
  const mayStart = batch.status === 'UPLOADING' && !isWaiting
  return html`<div class="actions">
${batch.status === 'UPLOADING' && html`<a class="button" href="/console/batches/${batch.batchId}/check">${say.check}</a>`}
${mayStart && actForm(asked, batch, 'start')}
${actForm(asked, batch, 'cancel')}
</div>`
}

function actForm({ words }: Asked, batch: Batch, act: 'start' | 'cancel'): Html {
  const say = words.of(batchWords)
  const { batchId, name, operation, lines, total } = batch
  const id = `sure-${act}`
  const isEnd = act === 'cancel'
  const button = html`<button class="button ${isEnd ? 'danger' : 'primary'}">${say.acts[act]}</button>`
  const sure = sureDialog(
    {
      ...{ id, title: say.sure[act], text: say.sureText[act], submit: button },
      rows: [
        [say.name, name ?? batchId],
        [say.what, say.operations[operation]],
        [say.lines, words.whole(lines)],
        [say.total, words.plain(total)],
      ],
    },
    words,
  )
  return html`<form method="post" action="/console/batches/${batchId}/${act}" data-confirm="${id}">
${hiddenFields([['key', randomUUID()]])}
${button}${sure}</form>`
}
