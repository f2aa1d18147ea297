/** A second look before something that cannot be undone: with script a dialog, whose first focus is on Back. */
import type { Words } from '../words/words.ts'
import { pairs } from './card.ts'
import { type Fields, hiddenFields } from './form.ts'
import { type Html, html } from './html.ts'

export type Sure = {
  title: string
  rows?: Parameters<typeof pairs>[0]
  text?: string
  /** What is asked only here. */
  fields?: Html | false
  /** What is done by the form that the dialog is in. */
  submit: Html
}

/** The button or the form that asks names the dialog by data-confirm. */
export function sureDialog({ id, ...sure }: Sure & { id: string }, words: Words): Html {
  return html`<dialog id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${sure.title}</h2>
${aboutIt(sure)}
${sure.fields}
<div class="row">
<button type="button" class="button" data-close autofocus>${words.say.back}</button>
${sure.submit}
</div></dialog>`
}

/**
 * The same as a page, for a browser without script, which opens no dialog. `submit` sends that one is sure, `kept` is what
 * was filled in before; where nothing was, `back` is where it leads back to.
 */
export function surePage(
  sure: Sure,
  { action, ...from }: { action: string } & ({ back: string } | { kept: Iterable<[string, string]> }),
  words: Words,
): Html {
  return html`<section class="card confirm">
<h1>${sure.title}</h1>
${aboutIt(sure)}
<form class="fill" method="post" action="${action}">
${'kept' in from && hiddenFields(from.kept)}
${sure.fields}
<div class="row">
${'kept' in from ? backButton(words) : html`<a class="button" href="${from.back}" autofocus>${words.say.back}</a>`}
${sure.submit}
</div>
</form></section>`
}

function aboutIt({ rows = [], text }: Sure): Html {
  return html`${rows.length > 0 && pairs(rows)}
${text !== undefined && html`<p class="hint">${text}</p>`}`
}

/** Sends what was filled in, also on the page of the second look, to where it is shown again. */
export function backButton(words: Words): Html {
  return html`<button class="button" name="sure" value="no" formnovalidate autofocus>${words.say.back}</button>`
}

export function goesBack(form: Fields): boolean {
  return form.get('sure') === 'no'
}

/** Whether the dialog or the page was answered; in a browser without script the first button opens no dialog. */
export function isSure(form: Fields): boolean {
  return form.get('sure') === 'yes'
}

/** What is in a field of the form when the dialog opens. */
export function typedIn(name: string): Html {
  return html`<output data-of="${name}"></output>`
}
