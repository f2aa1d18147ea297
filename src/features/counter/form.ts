/** Forms that act at most once, and become a request for approval where the policy asks for a second person. */
import { randomUUID } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { ApprovableOperation } from '../../domain/approvals.ts'
import type { Result } from '../../engine/change/change.ts'
import { hiddenFields, inputField } from '../../page/form.ts'
import type { Html } from '../../page/html.ts'
import type { Notice } from '../../page/notice.ts'
import { type Asked, type PageAnswer, redirect } from '../../page/page.ts'
import { successBody } from '../../wire/envelope.ts'
import type { JsonObject } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import { requestApproval } from '../approvals/changes.ts'
import { counterWords } from './words.ts'

/** Why a form is shown again. */
export type Refused = { errors?: ReadonlyMap<string, string>; notice?: Notice; status?: number }

export const FORM_KEY = /^[\w-]{20,64}$/
const NOTE_MAX = 200

type Act<Schema extends TSchema, Value> = {
  schema: Schema
  body: JsonObject
  /** Where the policy may ask for a second person. */
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
    const errors = new Map(read.fields.map(({ field, message }) => [field, say.needs[field] ?? message]))
    return act.again({ errors, notice: bad([...errors.values()][0]!), status: 422 })
  }
  const result = await act.run(read.value as never)
  if (result.outcome !== 'refused') return redirect(act.done(result.answer?.madeId ?? ''))
  if (result.code !== 'approval_required' || act.held === undefined) {
    return act.again({ notice: bad(`${say.notDone} ${refusalWord(result, words)}`), status: 409 })
  }
  const note = form.get('note').trim().slice(0, NOTE_MAX)
  const request = { ...act.held, body: act.body, value: read.value, note: note === '' ? null : note }
  const requested = await requestApproval(service, originOf(form.get('key')), request, ({ approval }) => ({
    status: 201,
    body: successBody('The operation waits for approval.', null),
    madeId: approval.approvalId,
  }))
  if (requested.outcome !== 'refused') return redirect('/console/requests')
  return act.again({ notice: bad(`${say.notDone} ${refusalWord(requested, words)}`), status: 409 })
}

/** What is stored under the key of a form. */
export function made(madeId: string) {
  return { status: 200 as const, body: successBody('Done.', null), madeId }
}

export function optional(name: string, value: string): JsonObject {
  return value.trim() === '' ? {} : { [name]: value.trim() }
}

/** What the maker of a request writes to those who decide it. */
export function noteField({ words, form }: Asked): Html {
  const { note: label } = words.of(counterWords)
  return inputField({
    name: 'note',
    label,
    aside: words.say.optional,
    max: NOTE_MAX,
    value: form.get('note'),
  })
}

export function keyField(asked: Asked): Html {
  return hiddenFields([['key', asked.form.get('key') || randomUUID()]])
}
