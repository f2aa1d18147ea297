/** A line of a batch: how it is read as a request, and how its answer is stored. */
import { Type } from 'typebox'
import { type Batch, LINE_MAX_BYTES } from '../../domain/batch.ts'
import type { Book } from '../../domain/book.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Answer, Origin } from '../../engine/change/change.ts'
import { successBody } from '../../wire/envelope.ts'
import { Identifier, PlainText } from '../../wire/fields.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type FieldError, readBody } from '../../wire/reader.ts'
import { digestOf } from './changes.ts'
import type { LineOperation } from './operations.ts'
import { errorText, keyOf, messageOf, type Place, parsedLine } from './record.ts'

type Failure = { code: string; fields?: readonly FieldError[]; details?: Refusal['details'] | object }
/** What a line asks for, as the direct call takes it. */
type SentRequest = { targetId: string | null; body: JsonObject }
type LineReading =
  | { ok: true; externalId: string; fingerprint: string; request: unknown; sent: SentRequest }
  | { ok: false; externalId: string | null; failure: Failure }

const Name = Type.Object({ external_id: PlainText({ max: 64 }) })
const target = Identifier({ description: 'What the path of the direct call names.' })

export function readLine(operation: LineOperation, text: string): LineReading {
  if (Buffer.byteLength(text) > LINE_MAX_BYTES) return bad(null, { code: 'body_too_large' })
  const parsed = parsedLine(text)
  if (parsed === null || !isJsonObject(parsed)) return bad(null, { code: 'malformed_json' })
  const { external_id: name, ...others } = parsed
  const naming = readBody(Name, name === undefined ? {} : { external_id: name })
  const externalId = naming.ok ? naming.value.external_id : null
  // Without a target nothing is taken out: there is no external_id any more.
  const { [operation.target ?? 'external_id']: targetId, ...rest } = others
  const aiming = readTarget(operation, targetId)
  const body = operation.keepsName ? { ...rest, external_id: externalId ?? '-' } : rest
  const reading = readBody(operation.body, body)
  const errors = [naming, aiming, reading].flatMap((one) => (one.ok ? [] : one.fields))
  if (!reading.ok || errors.length > 0 || externalId === null) {
    return bad(externalId, { code: 'invalid_request', fields: errors })
  }
  const sent = { targetId: operation.target && String(targetId), body }
  const request = operation.request(sent.targetId ?? '', reading.value)
  return { ok: true, externalId, fingerprint: digestOf(canonicalJson(parsed)), request, sent }
}

/** A refusal of a line that can be read; what has to wait comes with the body of a request for approval, as from the direct call. */
export function refusalText(
  { operation }: Pick<Batch, 'operation'>,
  { targetId, body }: SentRequest,
  refusal: Failure,
): string {
  if (refusal.code !== 'approval_required') return errorText(refusal)
  const approval = { operation, target_id: targetId, body }
  return errorText({ ...refusal, details: { ...refusal.details, approval } })
}

function readTarget({ target: name }: LineOperation, value: Json | undefined) {
  if (name === null) return { ok: true as const }
  return readBody(Type.Object({ [name]: target }), value === undefined ? {} : { [name]: value })
}

function bad(externalId: string | null, failure: Failure): LineReading {
  return { ok: false, externalId, failure }
}

export function originOf(
  book: Book,
  batch: Batch,
  { externalId, fingerprint }: { externalId: string; fingerprint: string },
): Origin {
  return {
    book,
    actor: { ...batch.startedBy!, rootId: batch.startedAs!.slice(batch.startedBy!.kind.length + 1) },
    requestId: null,
    idempotency: { key: keyOf(batch, externalId), fingerprint },
    ...(batch.approved && { votes: { given: 'ALL', asked: 0 } }),
  }
}

export function answerOf({ data, madeId }: LineOperation, value: unknown, place: Place): Answer {
  const shown = data(value) as Record<string, unknown>
  return { status: 200, body: successBody(messageOf(place), shown), madeId: String(shown[madeId]) }
}
