/** The terms of a deposit before it is opened, by the decision that opens it, with its schedule and outlook. */
import type { Customer } from '../../domain/customer.ts'
import { daysBetween } from '../../domain/dates.ts'
import { formatPpm } from '../../domain/decimal.ts'
import { type Account, decideOpening, expectedInterest } from '../../domain/deposit.ts'
import type { Outlook } from '../../domain/outlook.ts'
import type { ProductQuote } from '../../domain/product-quote.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { pairs } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { type NewDeposit, openingRequest } from '../deposits/record.ts'
import { wishFrom } from '../product-quotes/record.ts'
import { foreseeProduct, quote } from '../products/changes.ts'
import { readRulesInForce } from '../rules/changes.ts'
import { openingWords } from './words.ts'

type Shown = { shown: Html; agreed: [string, string][] }
type Known = Owned & { words: Words }

export type Owned = { account: Account; customer: Customer }

/** The deposit has the terms of a product, or terms of its own. */
export function openingTerms(asked: Asked, value: NewDeposit, known: Known): Promise<Shown | Refusal> {
  return value.product_code === undefined
    ? plainTerms(asked, value, known)
    : productTerms(asked, value, known)
}

async function plainTerms(
  asked: Asked,
  value: NewDeposit,
  { account, words }: Known,
): Promise<Shown | Refusal> {
  const { service, book } = asked
  const moment = await service.momentIn(book)
  const inForce = await readRulesInForce(service.db, service.versions, book.bookId)
  const request = { depositId: '', ...openingRequest(value) }
  const decided = decideOpening({ account, inForce, taken: new Set() }, request as never, moment)
  if (decided.outcome === 'refused') return decided
  const { startDate, maturityDate, tenorDays, annualRatePpm, instruction } = decided.deposit
  const say = words.of(openingWords)
  const shown = pairs([
    [say.starts, words.day(startDate)],
    [say.matures, say.days(words.day(maturityDate), tenorDays)],
    [say.rate, say.percent(words.percent(annualRatePpm))],
    [say.interest, words.money(expectedInterest(decided.deposit, inForce.rules))],
    [say.instruction, words.say.instructions[instruction]],
  ])
  return { shown, agreed: [] }
}

/** The rate that is shown is sent along: if it is another when the deposit is opened, nothing is done. */
async function productTerms(asked: Asked, value: NewDeposit, { words }: Known): Promise<Shown | Refusal> {
  const { service, book } = asked
  const wish = { amount: value.amount, startDate: null, ...wishFrom(value) }
  const quoted = await quote(service, book, value.product_code!, wish)
  if (quoted.outcome === 'refused') return quoted
  const foreseen = await foreseeProduct(service, book, value.product_code!, wish)
  if (foreseen.outcome === 'refused') return foreseen
  const { quote: offered } = quoted
  const { offer, startDate } = offered
  const { annualRatePpm, maturityDate, rateSheet } = offer
  const say = words.of(openingWords)
  const days = daysBetween(startDate, maturityDate)
  const { maturity_instruction: said } = value
  const shown = html`${pairs([
    [say.product, value.product_code],
    [say.starts, words.day(startDate)],
    [say.matures, say.days(words.day(maturityDate), days)],
    [say.rate, html`${say.percent(words.percent(annualRatePpm))}<small>${say.sheet(rateSheet)}</small>`],
    [say.interest, words.money(offered.expectedInterest)],
    offered.estimatedTax > 0n && [say.tax, words.money(offered.estimatedTax)],
    [say.effective, say.percent(offered.effectiveRate)],
    [say.instruction, said === undefined ? say.byProduct : words.say.instructions[said]],
  ])}
${scheduleTable(offered, words)}
${outlookTable(foreseen.outlook, words)}`
  return { shown, agreed: [['expected_interest_rate', formatPpm(annualRatePpm)]] }
}

const ROWS_MAX = 14

function scheduleTable({ schedule }: ProductQuote, words: Words): Html {
  const say = words.of(openingWords)
  if (schedule.length < 2) return html``
  const more = schedule.length - ROWS_MAX
  return html`<details open>
<summary>${say.schedule}</summary>
${recordTable(
  schedule.slice(0, ROWS_MAX),
  [
    { name: say.on, cell: ({ to }) => words.day(to) },
    { name: say.period, cell: ({ from, to }) => say.fromTo(words.day(from), words.day(to)) },
    { name: say.ofPeriod, isNumber: true, cell: ({ interest }) => words.plain(interest) },
  ],
  { label: say.schedule },
)}
${more > 0 && html`<p>${say.moreRows(more)}</p>`}</details>`
}

function outlookTable({ points, breakEvenOn }: Outlook, words: Words): Html {
  const say = words.of(openingWords)
  const every = Math.max(1, Math.ceil(points.length / ROWS_MAX))
  const shown = points.filter((_, index) => index % every === 0 || index === points.length - 1)
  return html`<details>
<summary>${say.outlook}</summary>
<p>${breakEvenOn === null ? say.neverAhead : say.ahead(words.day(breakEvenOn))}</p>
${recordTable(
  shown,
  [
    { name: say.on, cell: ({ on }) => words.day(on) },
    { name: say.kept, isNumber: true, cell: ({ interestKept }) => words.plain(interestKept) },
    { name: say.received, isNumber: true, cell: ({ net }) => words.plain(net) },
  ],
  { label: say.outlook },
)}</details>`
}
