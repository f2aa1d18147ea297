/** The table of percents by elapsed term, in which most rules can be written. */
import { formatPpm, readDecimal } from '../../domain/decimal.ts'
import { minor } from '../../domain/money.ts'
import type { PenalRule, RuleSet } from '../../domain/rules.ts'
import type { Fields } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import type { Words } from '../../words/words.ts'
import { ruleWords } from './words.ts'

const TIERS_MAX = 20

/** A row of the table, as it was typed. The last has no limit. */
type Tier = { until: string | null; share: string }

/** null: the rules say more than a table can. */
export function tiersOf({ penalRules }: RuleSet): Tier[] | null {
  const tiers: Tier[] = []
  for (const { when, terms, min, max } of penalRules) {
    const [term, ...others] = terms
    const { elapsedPercent, ...conditions } = when
    const isPlain = others.length === 0 && min === 0n && max === null && Object.keys(conditions).length === 0
    if (!isPlain || term?.kind !== 'PERCENT' || term.of !== 'ACCRUED_INTEREST') return null
    if (elapsedPercent?.gte !== undefined) return null
    const until = elapsedPercent?.lt
    tiers.push({ until: until === undefined ? null : formatPpm(until), share: formatPpm(term.percentPpm) })
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
export function rulesOf(tiers: readonly Tier[]): PenalRule[] | null {
  let below = -1
  const rules: PenalRule[] = []
  for (const { until, share } of tiers) {
    if (until === '' && share === '') continue
    const lt = until === null ? null : readPercent(until)
    const percentPpm = readPercent(share)
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

function readPercent(text: string): number | null {
  const read = /^\d{1,3}(\.\d{1,4})?$/.test(text) ? readDecimal(text, { digits: 4, max: 1_000_000n }) : null
  return read === null || typeof read === 'string' ? null : Number(read.units)
}

/** Nothing where the rules say more than a table can. */
export function tierList(tiers: readonly Tier[] | null, words: Words): Html {
  const { rules } = words.of(ruleWords)
  if (tiers === null || tiers.length === 0) return html``
  return html`<table>
<thead>
<tr>
<th scope="col">${rules.rule}</th>
<th scope="col">${rules.until}</th>
<th scope="col">${rules.charge}</th>
</tr>
</thead>
<tbody>
${tiers.map(
  ({ until, share }, index) => html`<tr>
<th scope="row">${index + 1}</th>
<td>${until === null ? rules.toMaturity : `${until} %`}</td>
<td>${share} %</td>
</tr>`,
)}
</tbody>
</table>`
}

export function tierTable(tiers: readonly Tier[], words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  const field = (name: string, label: string, value: string) =>
    html`<div class="affix after">
<input aria-label="${label}" name="${name}" inputmode="decimal" autocomplete="off" maxlength="8" value="${value}">
<span aria-hidden="true">%</span>
</div>`
  return html`<table>
<thead>
<tr><th scope="col">${say.rule}</th><th scope="col">${say.until}</th><th scope="col">${say.charge}</th></tr>
</thead>
<tbody>
${tiers.map(
  ({ until, share }, index) =>
    html`<tr>
<th scope="row">${index + 1}</th>
<td>${until === null ? say.toMaturity : field(`until${index}`, say.untilOf(index + 1), until)}</td>
<td>${field(`share${index}`, say.chargeOf(index + 1), share)}</td>
</tr>`,
)}</tbody></table>`
}
