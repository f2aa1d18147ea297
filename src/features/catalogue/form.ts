/** The forms of products and rate sheets: what was typed, as the body that the API takes. */
import { formatPpm } from '../../domain/decimal.ts'
import { formatAmount } from '../../domain/money.ts'
import type { Product } from '../../domain/product.ts'
import { type RateGrid, SHEET_COLUMNS_MAX, SHEET_ROWS_MAX } from '../../domain/rate-sheet.ts'
import type { Fields } from '../../page/form.ts'
import { type Json, type JsonObject, Numeral, parseJson } from '../../wire/json.ts'
import { formatRuleSet } from '../rules/record.ts'

/** Figures as people type them; anything else stays text, which the reader refuses. */
function figure(text: string): Json {
  const plain = text.replaceAll(/[\s,]/g, '')
  return /^-?\d{1,15}(\.\d{1,20})?$/.test(plain) ? new Numeral(plain) : text
}

function figureOrNull(text: string): Json {
  return text.trim() === '' ? null : figure(text)
}

/** Throws where the rules are no JSON. */
export function productBodyOf(form: Fields): JsonObject {
  const [rateMin, rateMax] = [form.get('rate_min'), form.get('rate_max')]
  const rules = form.get('rules').trim()
  const every = form.get('every')
  return {
    name: form.get('name').trim(),
    currency: form.get('currency').trim().toUpperCase(),
    status: form.get('status'),
    min_amount: figure(form.get('min_amount')),
    max_amount: figureOrNull(form.get('max_amount')),
    tenor: {
      unit: form.get('unit'),
      min: figure(form.get('tenor_min')),
      max: figure(form.get('tenor_max')),
      multiple: figure(form.get('multiple') || '1'),
    },
    interest: {
      method: form.get('method'),
      every: every === '' ? null : every,
      recover_paid_interest: form.get('recover') === 'yes',
    },
    maturity: {
      on_holiday: form.get('on_holiday'),
      instruction: form.get('instruction'),
      rollover_limit: figureOrNull(form.get('limit')),
    },
    negotiated_rate:
      rateMin.trim() === '' && rateMax.trim() === '' ? null : { min: figure(rateMin), max: figure(rateMax) },
    bonuses: bonusesOf(form.get('bonuses')),
    rules: rules === '' ? null : parseJson(rules),
  }
}

function bonusesOf(text: string): JsonObject {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  return Object.fromEntries(
    lines.filter(([code]) => code !== '').map(([code, points]) => [code!, figure(points ?? '')]),
  )
}

/** How a product is shown in its form. */
export function fieldsOf(product: Product): Record<string, string> {
  const { tenor, interest, maturity, negotiatedRate, bonuses, rules, maxAmount } = product
  return {
    name: product.name,
    currency: product.currency,
    status: product.status,
    min_amount: formatAmount(product.minAmount),
    max_amount: maxAmount === null ? '' : formatAmount(maxAmount),
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
    rate_min: negotiatedRate === null ? '' : formatPpm(negotiatedRate.minPpm),
    rate_max: negotiatedRate === null ? '' : formatPpm(negotiatedRate.maxPpm),
    bonuses: [...bonuses].map(([code, points]) => `${code} ${formatPpm(points)}`).join('\n'),
    rules: rules === null ? '' : JSON.stringify(parseJson(formatRuleSet(rules)), null, 2),
  }
}

/** A grid as it was typed. */
export type TypedGrid = { tenors: string[]; amounts: string[]; rates: string[][] }

export function typedGrid(form: Fields, stored: RateGrid | undefined): TypedGrid {
  const typed = form.has('t0') ? gridTyped(form) : gridStored(stored)
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

function gridStored(stored: RateGrid | undefined): TypedGrid {
  if (stored === undefined) return { tenors: ['0', '', ''], amounts: ['0'], rates: [[''], [''], ['']] }
  return {
    tenors: stored.tenorFrom.map(String),
    amounts: stored.amountFrom.map((amount) => formatAmount(amount)),
    rates: stored.ratesPpm.map((row) => row.map((rate) => formatPpm(rate))),
  }
}

function indexes(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

export function sheetBodyOf(form: Fields): JsonObject {
  const { tenors, amounts, rates } = gridTyped(form)
  return {
    effective_from: form.get('effective_from'),
    tenor_unit: form.get('tenor_unit'),
    tenor_from: tenors.map(figure),
    amount_from: amounts.map(figure),
    rates: rates.map((row) => row.map((rate) => figure(rate.trim() === '' ? '0' : rate))),
  }
}
