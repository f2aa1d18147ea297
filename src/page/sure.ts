/** A second look before something that cannot be undone: with script a dialog, whose first focus is on Back. */
import type { Words } from '../words/words.ts'
import { pairs } from './card.ts'
import { type Html, html } from './html.ts'

export type Sure = {
  title: string
  rows?: Parameters<typeof pairs>[0]
  text?: string
  /** What is done by the form that the dialog is in. */
  submit: Html
}

/** The button or the form that asks names the dialog by data-confirm. */
export function sureDialog(
  { id, title, rows = [], text, submit }: Sure & { id: string },
  words: Words,
): Html {
  return html`<dialog id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${rows.length > 0 && pairs(rows)}
${text !== undefined && html`<p class="hint">${text}</p>`}
<div class="row">
<button type="button" class="button" data-close autofocus>${words.say.back}</button>
${submit}
</div></dialog>`
}

/** The same as a page, for a browser without script, which opens no dialog. `submit` sends that one is sure. */
export function surePage(
  { title, rows = [], text, submit }: Sure,
  { action, back }: { action: string; back: string },
  words: Words,
): Html {
  return html`<section class="card confirm">
<h1>${title}</h1>
${rows.length > 0 && pairs(rows)}
${text !== undefined && html`<p class="hint">${text}</p>`}
<form class="row" method="post" action="${action}">
<a class="button" href="${back}" autofocus>${words.say.back}</a>
${submit}
</form></section>`
}

/** What is in a field of the form when the dialog opens. */
export function typedIn(name: string): Html {
  return html`<output data-of="${name}"></output>`
}
