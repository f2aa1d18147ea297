/** The forms of products and rate sheets: what was typed, as the body that the API takes. */
import type { Product } from '../../domain/product.ts'
import { type RateGrid, SHEET_COLUMNS_MAX, SHEET_ROWS_MAX } from '../../domain/rate-sheet.ts'
import { checkField, type Fields, inputField, numeral, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { type Json, type JsonObject, MalformedJsonError, parseJson } from '../../wire/json.ts'
import type { FigureKind } from '../../words/figures.ts'
import type { Words } from '../../words/words.ts'
import type { Refused } from '../counter/form.ts'
import { formatRuleSet } from '../rules/record.ts'
import { productWords } from './words.ts'

function numeralOrNull(text: string, kind: FigureKind, words: Words): Json {
  return text.trim() === '' ? null : numeral(text, kind, words)
}

/** Throws where the rules are no JSON. */
function productBodyOf(form: Fields, words: Words): JsonObject {
  const [rateMin, rateMax] = [form.get('rate_min'), form.get('rate_max')]
  const rules = form.get('rules').trim()
  const every = form.get('every')
  return {
    name: form.get('name').trim(),
    currency: form.get('currency').trim().toUpperCase(),
    status: form.get('status'),
    min_amount: numeral(form.get('min_amount'), 'amount', words),
    max_amount: numeralOrNull(form.get('max_amount'), 'amount', words),
    tenor: {
      unit: form.get('unit'),
      min: numeral(form.get('tenor_min'), 'count', words),
      max: numeral(form.get('tenor_max'), 'count', words),
      multiple: numeral(form.get('multiple') || '1', 'count', words),
    },
    interest: {
      method: form.get('method'),
      every: every === '' ? null : every,
      recover_paid_interest: form.get('recover') === 'yes',
    },
    maturity: {
      on_holiday: form.get('on_holiday'),
      instruction: form.get('instruction'),
      rollover_limit: numeralOrNull(form.get('limit'), 'count', words),
    },
    negotiated_rate:
      rateMin.trim() === '' && rateMax.trim() === ''
        ? null
        : { min: numeral(rateMin, 'rate', words), max: numeral(rateMax, 'rate', words) },
    bonuses: bonusesOf(form.get('bonuses'), words),
    rules: rules === '' ? null : parseJson(rules),
  }
}

function bonusesOf(text: string, words: Words): JsonObject {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  return Object.fromEntries(
    lines
      .filter(([code]) => code !== '')
      .map(([code, points = '']) => [code!, numeral(points, 'rate', words)]),
  )
}

/** How a product is shown in its form. */
export function fieldsOf(product: Product, words: Words): Record<string, string> {
  const { tenor, interest, maturity, negotiatedRate, bonuses, rules, maxAmount } = product
  return {
    name: product.name,
    currency: product.currency,
    status: product.status,
    min_amount: words.plain(product.minAmount),
    max_amount: maxAmount === null ? '' : words.plain(maxAmount),
    unit: tenor.unit,
    tenor_min: String(tenor.min),
    tenor_max: String(tenor.max),
    multiple: String(tenor.multiple),
    method: interest.method,
    every: interest.every ?? '',
    recover: interest.recoverPaidInterest ? 'yes' : '',
    on_holiday: maturity.onHoliday,
    instruction: maturity.instruction,
    limit: maturity.rolloverLimit === null ? '' : String(maturity.rolloverLimit),
    rate_min: negotiatedRate === null ? '' : words.percent(negotiatedRate.minPpm),
    rate_max: negotiatedRate === null ? '' : words.percent(negotiatedRate.maxPpm),
    bonuses: [...bonuses].map(([code, points]) => `${code} ${words.percent(points)}`).join('\n'),
    rules: rules === null ? '' : JSON.stringify(parseJson(formatRuleSet(rules)), null, 2),
  }
}

/** A grid as it was typed. */
export type TypedGrid = { tenors: string[]; amounts: string[]; rates: string[][] }

export function typedGrid(form: Fields, stored: RateGrid | undefined, words: Words): TypedGrid {
  const typed = form.has('t0') ? gridTyped(form) : gridStored(stored, words)
  if (form.has('add_row') && typed.tenors.length < SHEET_ROWS_MAX) {
    typed.tenors.push('')
    typed.rates.push(typed.amounts.map(() => ''))
  }
  if (form.has('add_column') && typed.amounts.length < SHEET_COLUMNS_MAX) {
    typed.amounts.push('')
    for (const row of typed.rates) row.push('')
  }
  return typed
}

function gridTyped(form: Fields): TypedGrid {
  const columns = indexes(SHEET_COLUMNS_MAX).filter((column) => form.has(`a${column}`))
  const used = columns.filter((column) => column === 0 || form.get(`a${column}`).trim() !== '')
  const rows = indexes(SHEET_ROWS_MAX).filter(
    (row) => form.has(`t${row}`) && (row === 0 || form.get(`t${row}`).trim() !== ''),
  )
  return {
    tenors: rows.map((row) => form.get(`t${row}`)),
    amounts: used.map((column) => form.get(`a${column}`)),
    rates: rows.map((row) => used.map((column) => form.get(`r${row}_${column}`))),
  }
}

function gridStored(stored: RateGrid | undefined, words: Words): TypedGrid {
  if (stored === undefined) return { tenors: ['0', '', ''], amounts: ['0'], rates: [[''], [''], ['']] }
  return {
    tenors: stored.tenorFrom.map(String),
    amounts: stored.amountFrom.map(words.plain),
    rates: stored.ratesPpm.map((row) => row.map(words.percent)),
  }
}

function indexes(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

export function sheetBodyOf(form: Fields, words: Words): JsonObject {
  const { tenors, amounts, rates } = gridTyped(form)
  return {
    effective_from: form.get('effective_from'),
    tenor_unit: form.get('tenor_unit'),
    tenor_from: tenors.map((tenor) => numeral(tenor, 'count', words)),
    amount_from: amounts.map((amount) => numeral(amount, 'amount', words)),
    rates: rates.map((row) => row.map((rate) => numeral(rate.trim() === '' ? '0' : rate, 'rate', words))),
  }
}

/** null: the rules are no JSON. */
export function readProduct(form: Fields, words: Words): JsonObject | null {
  try {
    return productBodyOf(form, words)
  } catch (error) {
    if (error instanceof MalformedJsonError) return null
    throw error
  }
}

type FormView = { filledIn: (name: string) => string; errors: Refused['errors']; words: Words }

export function productFields(view: FormView): Html {
  const { filledIn, words } = view
  const { form: say, page, sheet, statuses } = words.of(productWords)
  const { interestMethods, periods, instructions } = words.say
  const input = (name: string, label: string, more: { hint?: string; error?: string } = {}) =>
    inputField({
      name,
      label,
      max: 100,
      value: filledIn(name),
      error: view.errors?.get(more.error ?? name),
      ...hintOf(more),
    })
  const select = (name: string, label: string, texts: Record<string, string>, empty?: string) =>
    selectField({ name, label, texts, value: filledIn(name), ...(empty !== undefined && { empty }) })
  return html`<div class="fields">
${input('name', say.name)}${input('currency', say.currency)}${select('status', say.status, statuses)}
</div>
<div class="fields">
${input('min_amount', say.least)}${input('max_amount', say.most, { hint: say.unlimited })}
</div>
<div class="fields">
${select('unit', say.unit, sheet.units)}${input('tenor_min', say.tenorMin, { error: 'tenor.min' })}
${input('tenor_max', say.tenorMax, { error: 'tenor.max' })}${input('multiple', say.multiple, { error: 'tenor.multiple' })}
</div>
<div class="fields">
${select('method', say.method, interestMethods)}${select('every', say.every, periods, say.never)}
${checkField({ name: 'recover', label: say.recover, checked: filledIn('recover') === 'yes' })}
</div>
<div class="fields">
${select('on_holiday', say.onHoliday, page.onHolidays)}${select('instruction', say.instruction, instructions)}
${input('limit', say.limit, { hint: say.unlimited, error: 'maturity.rollover_limit' })}
</div>
<div class="fields">
${input('rate_min', say.rateMin, { hint: say.rateHint, error: 'negotiated_rate.min' })}
${input('rate_max', say.rateMax, { error: 'negotiated_rate.max' })}
</div>
${textArea({ name: 'bonuses', label: say.bonuses, hint: say.bonusesHint, rows: 3, value: filledIn('bonuses') })}
${textArea({ name: 'rules', label: say.rules, hint: say.rulesHint, rows: 8, value: filledIn('rules') })}`
}

function hintOf({ hint }: { hint?: string }): { hint?: string } {
  return hint === undefined ? {} : { hint }
}

function textArea(field: { name: string; label: string; hint: string; rows: number; value: string }): Html {
  const { name, label, hint, rows, value } = field
  return html`<div class="field">
<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
<textarea id="${name}" name="${name}" rows="${rows}" spellcheck="false"
aria-describedby="${name}-hint">${value}</textarea>
</div>`
}
