/** Forms that act at most once, and become a request for approval where the policy asks for a second person. */
import { randomUUID } from 'node:crypto'
import type { TSchema } from 'typebox'
import { type ApprovableOperation, type Facts, mayNeedApproval } from '../../domain/approvals.ts'
import type { Result } from '../../engine/change/change.ts'
import { card } from '../../page/card.ts'
import { type Fields, hiddenFields, inputField, SENDING, sentUntilKnown } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import type { Notice } from '../../page/notice.ts'
import { type Asked, type PageAnswer, redirect } from '../../page/page.ts'
import { successBody } from '../../wire/envelope.ts'
import type { JsonObject } from '../../wire/json.ts'
import { type FieldError, readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { requestApproval } from '../approvals/changes.ts'
import { policyReader } from '../holding/changes.ts'
import { counterWords } from './words.ts'

/** Why a form is shown again. */
export type Refused = { errors?: ReadonlyMap<string, string>; notice?: Notice; status?: number }

export const FORM_KEY = /^[\w-]{20,64}$/
const NOTE_MAX = 200

type Act<Schema extends TSchema, Value> = {
  schema: Schema
  body: JsonObject
  /** What its fields need, beside those that several forms have. */
  needs?: Needs
  /** The operation for which the policy may ask for a second person. */
  held?: { operation: ApprovableOperation; targetId: string | null }
  run: (value: never) => Promise<Result<Value>>
  done: (madeId: string) => string
  again: (refused: Refused) => Promise<PageAnswer>
}

/** Reads a form as the API would, acts, and asks for approval where the act needs one. */
export async function carryOut<Schema extends TSchema, Value>(
  asked: Asked,
  act: Act<Schema, Value>,
): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  const say = words.of(counterWords)
  const bad = (text: string): Notice => ({ kind: 'bad', text })
  if (!FORM_KEY.test(form.get('key'))) return act.again({ notice: bad(say.wrongForm), status: 422 })
  const read = readBody(act.schema, act.body)
  if (!read.ok) {
    const errors = errorsOf(read.fields, words, act.needs)
    return act.again({ errors, notice: bad([...errors.values()][0]!), status: 422 })
  }
  const result = await act.run(read.value as never)
  if (result.outcome !== 'refused') return redirect(act.done(result.answer?.madeId ?? ''))
  if (result.code !== 'approval_required' || act.held === undefined) {
    return act.again({ notice: bad(`${say.notDone} ${refusalWord(result, words)}`), status: 409 })
  }
  const request = { ...act.held, body: act.body, value: read.value, note: noteIn(form) }
  const requested = await requestApproval(service, originOf(form.get('key')), request, ({ approval }) => ({
    status: 201,
    body: successBody('The operation waits for approval.', null),
    madeId: approval.approvalId,
  }))
  if (requested.outcome !== 'refused') return redirect('/console/requests')
  return act.again({ notice: bad(`${say.notDone} ${refusalWord(requested, words)}`), status: 409 })
}

/** Sentences by the path of a field, which are those of its members too. */
type Needs = Readonly<Record<string, string>>

/** What is wrong, by the path of each field. */
export function errorsOf(fields: readonly FieldError[], words: Words, own: Needs = {}): Map<string, string> {
  const needs: Needs = { ...words.of(counterWords).needs, ...own }
  const sentence = (path: string): string =>
    needs[path] ?? (/[.[]/.test(path) ? sentence(path.replace(/[.[][^.[]*$/, '')) : needs.other!)
  return new Map(fields.map(({ field }) => [field, sentence(field)]))
}

/** What is stored under the key of a form. */
export function made(madeId: string) {
  return { status: 200 as const, body: successBody('Done.', null), madeId }
}

export function optional(name: string, value: string): JsonObject {
  return value.trim() === '' ? {} : { [name]: value.trim() }
}

/** What the maker of a request writes to those who decide it. */
export function noteField(
  { words, form }: Asked,
  more: { id?: string; hint?: string; value?: string } = {},
): Html {
  const { note: label } = words.of(counterWords)
  return inputField({
    name: 'note',
    label,
    aside: words.say.optional,
    max: NOTE_MAX,
    value: form.get('note'),
    ...more,
  })
}

export function noteIn(form: Fields): string | null {
  return form.get('note').trim().slice(0, NOTE_MAX) || null
}

/** `known` are the figures that no field of the form changes; `value` is given where several forms have a note. */
export type NoteFields = (
  operation: ApprovableOperation,
  more?: { id?: string; known?: Pick<Facts, 'amount' | 'netCredited'>; value?: string },
) => Html | false

/** The same field in the forms whose operation may have to wait: where a rule of the policy may apply to it. */
export async function noteFields(asked: Asked): Promise<NoteFields> {
  const { service, book, words } = asked
  const policy = await policyReader.readNewest(service.db, service.versions, book.bookId)
  const hint = words.of(counterWords).noteHint
  return (operation, { known = {}, ...more } = {}) =>
    mayNeedApproval(policy?.document ?? null, operation, known) && noteField(asked, { hint, ...more })
}

/** A note that was written on the next page of a form, which came back. */
export function keptNote(form: Fields): Html | false {
  const note = form.get('note')
  return note !== '' && hiddenFields([['note', note]])
}

export function keyField(asked: Asked): Html {
  return hiddenFields([['key', asked.form.get('key') || randomUUID()]])
}

export async function creditForm(asked: Asked, errors: Refused['errors']): Promise<Html> {
  const { words, form, params } = asked
  const { credit: say } = words.of(counterWords)
  const note = await noteFields(asked)
  return card(
    { id: 'credit', title: say.open },
    html`<form class="fill" method="post" action="/console/accounts/${params.account_number}/credit"
${sentUntilKnown(words)}>
${keyField(asked)}
<div class="fields">
${inputField({
  name: 'amount',
  label: say.amount,
  isDecimal: true,
  max: 24,
  value: form.get('amount'),
  error: errors?.get('amount'),
  isRequired: true,
})}
${inputField({
  name: 'narration',
  label: say.narration,
  aside: words.say.optional,
  max: 140,
  value: form.get('narration'),
  error: errors?.get('narration'),
})}
${note('creditAccount')}
</div>
<div><button class="button primary">${say.submit}</button></div>${SENDING}</form>`,
  )
}
