/** The forms of a liquidation, read as a caller of the API would send them. */
import { identityOf } from '../../domain/actor.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { type Fields, numeral } from '../../page/form.ts'
import type { Asked } from '../../page/page.ts'
import type { JsonObject } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import type { FigureKind } from '../../words/figures.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { type Quote, quote } from './changes.ts'
import { breakingFrom, QuoteBody } from './record.ts'
import { liquidationWords } from './words.ts'

/** The fields of a quote: their names, in the URL and in the form that pays. The note of a waiver is private. */
const QUOTE_FIELDS = ['type', 'amount', 'waive', 'waived', 'waiver_reason', 'waive_holding'] as const

/** Figures in it are written for every language, because the URL is passed on to others. */
export function stateOf(form: Fields, words: Words): URLSearchParams {
  const named = QUOTE_FIELDS.filter((name) => form.get(name) !== '')
  const figures: Record<string, FigureKind> = { amount: 'amount', waived: kindOfWaived(form) }
  return new URLSearchParams(
    named.map((name): [string, string] => {
      const typed = form.get(name)
      const kind = figures[name]
      return [name, (kind && words.figure(typed, kind)) ?? typed]
    }),
  )
}

export function kindOfWaived(form: Fields): 'amount' | 'rate' {
  return form.get('waive') === 'amount' ? 'amount' : 'rate'
}

function quoteBody(form: Fields, words: Words): JsonObject {
  const waives = form.get('waived').trim() !== '' || form.get('waive_holding') !== ''
  return {
    liquidation_type: form.get('type') === 'PARTIAL' ? 'PARTIAL' : 'FULL',
    ...(form.get('type') === 'PARTIAL' && { amount: numeral(form.get('amount'), 'amount', words) }),
    ...(waives && { waiver: waiverBody(form, words) }),
  }
}

function waiverBody(form: Fields, words: Words): JsonObject {
  const waived = form.get('waived').trim()
  const note = form.get('waiver_note').trim()
  const kind = kindOfWaived(form)
  return {
    ...(waived !== '' && { [kind === 'amount' ? 'amount' : 'percent']: numeral(waived, kind, words) }),
    ...(form.get('waive_holding') !== '' && { holding_period: true }),
    reason: form.get('waiver_reason'),
    ...(note !== '' && { note }),
  }
}

export function liquidateBody(form: Fields, words: Words): JsonObject {
  const reference = form.get('reference').trim()
  return { ...quoteBody(form, words), ...(reference !== '' && { reference }), reason: form.get('reason') }
}

export type Quoted = Quote | Refusal | { outcome: 'unreadable'; field: string }

export async function quoteAsked(
  { service, book, identity, words }: Asked,
  depositId: string,
  form: Fields,
): Promise<Quoted> {
  const on = form.get('on')
  const read = readBody(QuoteBody, { ...quoteBody(form, words), ...(on !== '' && { as_of: on }) })
  if (!read.ok) return { outcome: 'unreadable', field: read.fields[0]!.field }
  const asked = { depositId, ...breakingFrom(read.value), asOf: read.value.as_of ?? null }
  return quote(service, book, asked, { identity: identityOf(identity.actor) })
}

export function fieldWord(field: string, words: Words): string {
  return words.of(liquidationWords).breaking.needs[field] ?? words.say.refusals.other
}

export function refusedText(refusal: Refusal, words: Words): string {
  const { breaking: say } = words.of(liquidationWords)
  switch (refusal.code) {
    case 'figures_changed':
      return say.changed
    case 'idempotency_key_reused':
      return say.keyReused
    case 'approval_required':
      return say.approval
    default:
      return `${say.notPaid} ${refusalWord(refusal, words)}`
  }
}
