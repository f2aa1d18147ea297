/** The parts of a form. */
import { type Json, Numeral } from '../wire/json.ts'
import type { FigureKind } from '../words/figures.ts'
import type { Words } from '../words/words.ts'
import { type Html, html, trusted } from './html.ts'
import type { PasskeyQuestion } from './sign-in.ts'

/** Names occur once each; a missing field is the empty text. */
export type Fields = { get: (name: string) => string; has: (name: string) => boolean; text: string }

/** Hidden fields of a form. */
export function hiddenFields(fields: Iterable<[string, string]>): Html {
  return html`${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

/** Marks a form that moves money: if its answer is lost, the script sends it again, with its key, until one arrives. */
export function sentUntilKnown({ say }: Words): Html {
  return html`data-lost="${say.lost}"`
}

/** Where such a form says that it is sent again. */
export const SENDING = html`<p class="notice wait" role="status" data-sending hidden></p>`

export type PasskeyForm = {
  act: 'create' | 'get'
  action: string
  /** Stands before the names of the two fields for the answer. */
  prefix?: string
  hidden: Iterable<[string, string]>
  button: string
  /** Whether it is the first thing to do on its page. */
  isFirst: boolean
  /** What the page says where nothing came of it. */
  failed: string
}

/** A form that a passkey answers before it is sent, which needs the script. */
export function passkeyForm({ options, challenge }: PasskeyQuestion, form: PasskeyForm): Html {
  const { act, action, prefix = '', hidden, button, isFirst, failed } = form
  return html`<form method="post" action="${action}" data-passkey="${act}" data-options="${options}" data-js>
${hiddenFields([...hidden, [`${prefix}challenge`, challenge], [`${prefix}credential`, '']])}
<button class="button${isFirst && ' primary'}">${button}</button>
<p class="notice bad" role="alert" data-failed hidden>${failed}</p>
</form>`
}

/** The options of a select, by value. */
export function choices(texts: Readonly<Record<string, string>>, chosen: string): Html {
  return html`${Object.entries(texts).map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen && trusted(' selected')}>${text}</option>`,
  )}`
}

/** A figure that was typed. Anything else stays text, which the reader refuses. */
export function numeral(text: string, kind: FigureKind, words: Words): Json {
  const figure = words.figure(text, kind)
  return figure === null ? text : new Numeral(figure)
}

/** A figure as the language writes it, from any form that is understood; what is no figure stays as it was typed. */
export function typedFigure(text: string, kind: FigureKind, words: Words): string {
  const figure = words.figure(text, kind)
  return figure === null ? text : words.typed(figure, kind)
}

type Labelled = {
  name: string
  label: string
  /** The name, unless a page has several fields of that name. */
  id?: string
  /** Beside the label, for example that the field is optional. */
  aside?: string
  hint?: string
  /** Why the value was refused. */
  error?: string | undefined
  isRequired?: boolean
}

type Input = Labelled & {
  value?: string
  type?: 'text' | 'email' | 'tel' | 'date' | 'url' | 'search' | 'password'
  max?: number
  isDecimal?: true
  /** The first and last date that can be chosen. */
  from?: string
  to?: string
}

/** A labelled input with its hint and its error. */
export function inputField(field: Input): Html {
  const { name, id = name, value = '', type = 'text', max } = field
  return labelled(
    field,
    html`<input id="${id}" name="${name}" type="${type}" autocomplete="off" value="${value}"
${max !== undefined && html`maxlength="${max}"`} ${field.isDecimal === true && trusted('inputmode="decimal"')}
${field.from !== undefined && html`min="${field.from}"`} ${field.to !== undefined && html`max="${field.to}"`}
${states(field)}>`,
  )
}

/** A labelled choice of one; the empty value is first where none is chosen yet. */
export function selectField(
  field: Labelled & { texts: Readonly<Record<string, string>>; value?: string; empty?: string },
): Html {
  const { name, id = name, texts, value = '', empty } = field
  const isLong = Object.values(texts).some((text) => text.length > SHORT_MAX)
  return labelled(
    { ...field, isLong },
    html`<select id="${id}" name="${name}" ${states(field)}>
${empty !== undefined && html`<option value="">${empty}</option>`}${choices(texts, value)}</select>`,
  )
}

/** Longer texts do not fit into the narrowest column of a form. */
const SHORT_MAX = 18

export function checkField({
  name,
  label,
  checked,
}: {
  name: string
  label: string
  checked: boolean
}): Html {
  return html`<label class="check">
<input type="checkbox" name="${name}" value="yes"${checked && trusted(' checked')}> ${label}</label>`
}

/** Why a control cannot be used, and the element that says so to everybody. */
export type Disabled = { because: string; describedBy: string }

/** The attributes of a control that cannot be used; a disabled control always says why. */
export function disabledBy({ because, describedBy }: Disabled): Html {
  return html`disabled title="${because}" aria-describedby="${describedBy}"`
}

/** One of a few, side by side. */
export function segments(field: {
  name: string
  label: string
  value: string
  choices: readonly { value: string; text: string; disabled?: Disabled | null }[]
}): Html {
  return html`<fieldset class="segments"><legend>${field.label}</legend>
${field.choices.map(
  ({ value, text, disabled = null }) =>
    html`<label${disabled !== null && html` title="${disabled.because}"`}><input type="radio" name="${field.name}"
value="${value}" ${value === field.value && trusted('checked')} ${disabled !== null && disabledBy(disabled)}>
<span>${text}</span></label>`,
)}</fieldset>`
}

function labelled(field: Labelled & { isLong?: boolean }, control: Html): Html {
  const { name, id = name, label, aside, hint, error, isLong = false } = field
  return html`<div class="field${isLong && ' long-field'}">
<label for="${id}">${label}${aside !== undefined && html` <small>${aside}</small>`}</label>
${control}
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error !== undefined && html`<p class="hint bad" id="${id}-error">${error}</p>`}</div>`
}

function states({ name, id = name, hint, error, isRequired }: Labelled): Html {
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  )
  return html`${isRequired === true && trusted('required')}
${error !== undefined && trusted('aria-invalid="true"')}
${describedBy.length > 0 && html`aria-describedby="${describedBy.join(' ')}"`}`
}
