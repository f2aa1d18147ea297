/** What the rules, the policy and the tax rules of a book say, also those that are only proposed. */
import type { ApprovalPolicy } from '../../domain/approvals.ts'
import { assessOn, assessSimple } from '../../domain/assessment.ts'
import { addDays, daysBetween, type IsoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import type { Version } from '../../domain/document.ts'
import { minor } from '../../domain/money.ts'
import type { RuleSet } from '../../domain/rules.ts'
import type { TaxRules } from '../../domain/tax.ts'
import { pairs } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import type { Json } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { conditionsText } from '../approval-policy/words.ts'
import { listDeposits } from '../deposits/store.ts'
import { operationName } from '../document-kinds/words.ts'
import { readRulesInForce } from '../rules/changes.ts'
import { RuleSetBody, ruleSetFrom } from '../rules/record.ts'
import { readTaxVersionsTo, taxRulesDocument } from '../tax/changes.ts'
import { stepChart } from './chart.ts'
import { termTexts, tierList, tiersOf } from './form.ts'
import { ruleWords } from './words.ts'

const SAMPLED = { limit: 50, before: null }
const SAMPLES_SHOWN = 6

/** A set of rules that waits for approval, and what it would have charged today. */
export async function proposedRules(asked: Asked, body: Json): Promise<Html> {
  const { service, book, words } = asked
  const value = rulesBody(body)
  if (value === null) return html``
  const proposed = ruleSetFrom(value)
  const { today } = await service.momentIn(book)
  const { rules } = await readRulesInForce(service.db, service.versions, book.bookId)
  return html`${tierList(tiersOf(proposed, words), words)}
${changedTerms(rules, proposed, words)}
<div><h3>${words.of(ruleWords).rules.effect}</h3>${await effectOf(asked, { rules, proposed, today })}</div>`
}

/** What else than the charges would be another. */
function changedTerms(rules: RuleSet, proposed: RuleSet, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  const now = new Map(termTexts(rules, words))
  const changed = termTexts(proposed, words).filter(([name, value]) => now.get(name) !== value)
  if (changed.length === 0) return html``
  return pairs(changed.map(([name, value]) => [name, say.fromTo(now.get(name)!, value)] as const))
}

/** What other rules would charge on the largest deposits, as far as the person may see them. */
export async function effectOf(
  asked: Asked,
  shown: { rules: RuleSet; proposed: RuleSet; today: IsoDate },
): Promise<Html> {
  const samples = asked.may('fixed_deposits:read') ? await samplesOf(asked, shown.today) : []
  return effect({ ...shown, samples }, asked.words)
}

async function samplesOf({ service, book }: Asked, today: IsoDate): Promise<Deposit[]> {
  const filters = { status: 'ACTIVE', maturesAfter: today } as const
  const { items } = await listDeposits(service.db, book.bookId, filters, SAMPLED)
  const largest = items.toSorted((one, other) => (one.remaining > other.remaining ? -1 : 1))
  return largest.slice(0, SAMPLES_SHOWN)
}

function effect(
  shown: { rules: RuleSet; proposed: RuleSet; samples: readonly Deposit[]; today: IsoDate },
  words: Words,
): Html {
  const { rules, proposed, samples, today } = shown
  const { rules: say } = words.of(ruleWords)
  const charged = samples.map((deposit) => {
    const by = (set: RuleSet) =>
      assessOn(today, { deposit: { ...deposit, lastBroken: null }, principal: deposit.remaining, rules: set })
        .assessed
    const elapsed = Math.round((100 * daysBetween(deposit.startDate, today)) / deposit.tenorDays)
    return { deposit, elapsed, before: by(rules), after: by(proposed) }
  })
  return html`${
    samples.length === 0
      ? html`<p>${say.noSamples}</p>`
      : recordTable(
          charged,
          [
            {
              name: say.sample,
              cell: ({ deposit: { depositId, currency, remaining, annualRatePpm } }) => {
                const text = say.sampleOf(words.in(currency).short(remaining), words.percent(annualRatePpm))
                return html`<a href="/console/deposits/${depositId}">${text}</a>`
              },
            },
            { name: say.elapsed, isNumber: true, cell: ({ elapsed }) => `${elapsed} %` },
            { name: say.now, isNumber: true, cell: ({ before }) => words.plain(before) },
            { name: say.proposed, isNumber: true, cell: ({ after }) => html`<b>${words.plain(after)}</b>` },
            {
              name: say.change,
              isNumber: true,
              cell: ({ before, after }) =>
                before === after
                  ? '–'
                  : html`<span class="${after < before ? 'less' : 'more'}">${words.signedPlain(after - before)}</span>`,
            },
          ],
          { label: say.effect },
        )
  }${stepChart({ now: sharesOf(rules), proposed: sharesOf(proposed) }, words)}`
}

/** What is charged of the interest of a large deposit over a thousand days, in percent, at each hundredth of them. */
function sharesOf(rules: RuleSet): number[] {
  const startDate = '2001-01-01' as IsoDate
  const maturityDate = addDays(startDate, 1000)
  return Array.from({ length: 100 }, (_, percent) => {
    const { interest, assessed } = assessSimple(
      addDays(startDate, percent * 10 + 5),
      { principal: minor(100_000_000_00n), annualRatePpm: 100_000, startDate, maturityDate },
      rules,
    )
    return interest === 0n ? 0 : Number((assessed * 100n + interest / 2n) / interest)
  })
}

export function policyCard(policy: Version<ApprovalPolicy> | undefined, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  return html`<section class="card" aria-labelledby="policy"><h2 id="policy">${say.policy}</h2>${
    policy === undefined
      ? html`<p>${say.noPolicy}</p>`
      : html`${policyRules(policy.document, words)}
<p class="hint">${say.policyVersion(policy.version)}, ${say.since(words.instant(policy.createdAt))}.
${say.policyHours(policy.document.expiresAfterHours)}</p>`
  }
<p><a href="/console/policy">${say.policyText}</a></p></section>`
}

export function policyRules(policy: ApprovalPolicy, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  return html`<ul class="lines">${policy.rules.map(
    ({ operation, when, approvals }) =>
      html`<li>${say.policyOf(operationName(operation, words), conditionsText(when, words), approvals)}</li>`,
  )}</ul>`
}

export async function taxCard({ service, book, words }: Asked, today: IsoDate): Promise<Html> {
  const { rules: say } = words.of(ruleWords)
  const { db, versions } = service
  const newest = await taxRulesDocument.reader.readNewest(db, versions, book.bookId)
  const inForce = (await readTaxVersionsTo(db, versions, book.bookId, newest?.version ?? 0)).findLast(
    ({ rules }) => rules.effectiveFrom <= today,
  )
  return html`<section class="card" aria-labelledby="tax"><h2 id="tax">${say.tax}</h2>${
    inForce === undefined
      ? html`<p>${say.noTax}</p>`
      : html`${taxTerms(inForce.rules, words)}
<p class="hint">${say.taxFrom(inForce.version, words.day(inForce.rules.effectiveFrom))}</p>`
  }
<p><a href="/console/tax-rules">${say.taxText}</a></p></section>`
}

export function taxTerms({ base, onRecovery, rounding, classes }: TaxRules, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  return pairs([
    ...[...classes].map(([name, ppm]) => [name, say.percent(words.percent(ppm))] as const),
    [say.taxBase, say.taxBases[base]],
    [say.taxOnRecovery, say.taxOnRecoveryOf[onRecovery]],
    [say.rounding, say.roundings[rounding]],
  ])
}

export function rulesBody(json: Json) {
  const read = readBody(RuleSetBody, json)
  return read.ok ? read.value : null
}
