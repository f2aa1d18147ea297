/** Rules as the fields of a form: tiers as rows where a table can say them, and the other terms. */
import { DAY_COUNTS } from '../../domain/day-count.ts'
import { readDecimal } from '../../domain/decimal.ts'
import { minor, ROUNDINGS } from '../../domain/money.ts'
import type { PenalRule, RuleSet } from '../../domain/rules.ts'
import { checkField, type Fields, inputField, numeral, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { headedTable } from '../../page/table.ts'
import { type Json, MalformedJsonError, Numeral, parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { formatRuleSet, RuleSetBody, ruleSetFrom } from '../rules/record.ts'
import { ruleWords } from './words.ts'

const TIERS_MAX = 20

/** A row of the table, as it was typed. The last has no limit. */
export type Tier = { until: string | null; share: string }

/** null: the rules say more than a table can. */
export function tiersOf({ penalRules }: RuleSet, words: Words): Tier[] | null {
  const tiers: Tier[] = []
  for (const { when, terms, min, max } of penalRules) {
    const [term, ...others] = terms
    const { elapsedPercent, ...conditions } = when
    const isPlain = others.length === 0 && min === 0n && max === null && Object.keys(conditions).length === 0
    if (!isPlain || term?.kind !== 'PERCENT' || term.of !== 'ACCRUED_INTEREST') return null
    if (elapsedPercent?.gte !== undefined) return null
    const until = elapsedPercent?.lt
    tiers.push({
      until: until === undefined ? null : words.percent(until),
      share: words.percent(term.percentPpm),
    })
  }
  return tiers.every(({ until }, index) => (until === null) === (index === tiers.length - 1)) ? tiers : null
}

export function typedTiers(form: Fields, known: readonly Tier[]): Tier[] {
  if (!form.has('share0')) return [...known]
  const rows: Tier[] = []
  for (let index = 0; index < TIERS_MAX && form.has(`share${index}`); index += 1) {
    const until = form.has(`until${index}`) ? form.get(`until${index}`).trim() : null
    rows.push({ until, share: form.get(`share${index}`).trim() })
  }
  const last = rows.findIndex(({ until }) => until === null)
  const limited = rows.filter(({ until, share }) => until !== null && (until !== '' || share !== ''))
  const whole = rows[last] ?? { until: null, share: '0' }
  if (!form.has('add') || limited.length + 1 >= TIERS_MAX) return [...limited, whole]
  return [...limited, { until: '', share: '' }, whole]
}

/** null where a row is not a percent, or not above the one before. */
export function rulesOf(tiers: readonly Tier[], words: Words): PenalRule[] | null {
  let below = -1
  const rules: PenalRule[] = []
  for (const { until, share } of tiers) {
    if (until === '' && share === '') continue
    const lt = until === null ? null : readPercent(until, words)
    const percentPpm = readPercent(share, words)
    if (percentPpm === null || (until !== null && (lt === null || lt <= below))) return null
    below = lt ?? below
    rules.push({
      when: lt === null ? {} : { elapsedPercent: { lt } },
      terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm }],
      combine: 'SUM',
      min: minor(0n),
      max: null,
    })
  }
  return rules
}

function readPercent(text: string, words: Words): number | null {
  const figure = numeral(text, 'rate', words)
  if (!(figure instanceof Numeral)) return null
  const read = readDecimal(figure.source, { digits: 4, max: 1_000_000n })
  return typeof read === 'string' || read.units < 0n ? null : Number(read.units)
}

/** What is typed: the tiers, where the rules in force are some, and the other terms. A text says what is wrong. */
export function readTyped(form: Fields, rules: RuleSet, words: Words): RuleSet | string {
  const { rules: say } = words.of(ruleWords)
  const known = tiersOf(rules, words)
  const penalRules = known === null ? rules.penalRules : rulesOf(typedTiers(form, known), words)
  if (penalRules === null) return say.wrongTier
  const proposed = { ...rules, penalRules }
  if (!form.has('day_count')) return proposed
  const read = readBody(RuleSetBody, {
    ...(parseJson(formatRuleSet(proposed)) as object),
    ...termsIn(form, words),
  })
  return read.ok ? ruleSetFrom(read.value) : (say.wrongTerm[read.fields[0]!.field] ?? say.wrongTerm.other!)
}

export function readJson(text: string, words: Words): RuleSet | string {
  const { rules: say } = words.of(ruleWords)
  try {
    const read = readBody(RuleSetBody, parseJson(text))
    if (read.ok) return ruleSetFrom(read.value)
    const { field, message } = read.fields[0]!
    return say.wrongField(field, message)
  } catch (error) {
    if (error instanceof MalformedJsonError) return say.wrongJson
    throw error
  }
}

function termsIn(form: Fields, words: Words): Record<string, Json> {
  return {
    day_count: form.get('day_count'),
    rounding: form.get('rounding'),
    allow_partial: form.get('allow_partial') === 'yes',
    min_partial_amount: numeral(form.get('min_partial_amount'), 'amount', words),
    min_remaining_principal: numeral(form.get('min_remaining_principal'), 'amount', words),
    min_holding_days: numeral(form.get('min_holding_days'), 'count', words),
  }
}

/** The terms besides the tiers, as they were typed or else as they are in force. */
export function termFields(form: Fields, rules: RuleSet, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  const typed = (name: string, stored: string) => (form.has('day_count') ? form.get(name) : stored)
  const amount = (name: string, label: string, stored: bigint) =>
    inputField({ name, label, isDecimal: true, max: 24, value: typed(name, words.plain(stored)) })
  const dayCounts = Object.fromEntries(DAY_COUNTS.map((one) => [one, say.dayCounts[one]]))
  const roundings = Object.fromEntries(ROUNDINGS.map((one) => [one, say.roundings[one]]))
  return html`<fieldset class="terms"><legend>${say.others}</legend>
${checkField({ name: 'allow_partial', label: say.allowPartial, checked: typed('allow_partial', rules.allowPartial ? 'yes' : '') === 'yes' })}
<div class="fields">
${amount('min_partial_amount', say.leastPart, rules.minPartialAmount)}
${amount('min_remaining_principal', say.leastRest, rules.minRemainingPrincipal)}
${inputField({
  name: 'min_holding_days',
  label: say.holdingDays,
  isDecimal: true,
  max: 5,
  value: typed('min_holding_days', String(rules.minHoldingDays)),
})}
${selectField({ name: 'rounding', label: say.rounding, texts: roundings, value: typed('rounding', rules.rounding) })}
${selectField({ name: 'day_count', label: say.dayCount, texts: dayCounts, value: typed('day_count', rules.dayCount) })}
</div></fieldset>`
}

/** The terms besides the tiers in words. */
export function termTexts(rules: RuleSet, words: Words): (readonly [name: string, value: string])[] {
  const { rules: say } = words.of(ruleWords)
  const partial = rules.allowPartial
    ? say.partialFrom(words.money(rules.minPartialAmount), words.money(rules.minRemainingPrincipal))
    : say.noPartial
  return [
    [say.partial, partial],
    [say.holding, say.days(rules.minHoldingDays)],
    [say.rounding, say.roundings[rules.rounding]],
    [say.dayCount, say.dayCounts[rules.dayCount]],
  ]
}

/** Nothing where the rules say more than a table can. */
export function tierList(tiers: readonly Tier[] | null, words: Words): Html {
  const { rules } = words.of(ruleWords)
  if (tiers === null || tiers.length === 0) return html``
  return headedTable(
    [rules.rule, rules.until, rules.charge],
    tiers.map(({ until, share }, index) => [
      index + 1,
      until === null ? rules.toMaturity : `${until} %`,
      `${share} %`,
    ]),
  )
}

export function tierTable(tiers: readonly Tier[], words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  const field = (name: string, label: string, value: string) =>
    html`<div class="affix after">
<input aria-label="${label}" name="${name}" inputmode="decimal" autocomplete="off" maxlength="8" value="${value}">
<span aria-hidden="true">%</span>
</div>`
  return headedTable(
    [say.rule, say.until, say.charge],
    tiers.map(({ until, share }, index) => [
      index + 1,
      until === null ? say.toMaturity : field(`until${index}`, say.untilOf(index + 1), until),
      field(`share${index}`, say.chargeOf(index + 1), share),
    ]),
  )
}
