/** Opening a deposit, by a product or with own terms: its terms, schedule and outlook are shown first. */
import type { Customer } from '../../domain/customer.ts'
import { daysBetween } from '../../domain/dates.ts'
import { formatPpm } from '../../domain/decimal.ts'
import { type Account, decideOpening, expectedInterest } from '../../domain/deposit.ts'
import type { Outlook } from '../../domain/outlook.ts'
import type { ProductQuote } from '../../domain/product-quote.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { pairs } from '../../page/card.ts'
import { hiddenFields, inputField, numeral, SENDING, selectField, sentUntilKnown } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { type JsonObject, Numeral } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { findAccount } from '../accounts/store.ts'
import { carryOut, keyField, made, type Refused } from '../counter/form.ts'
import { counterWords } from '../counter/words.ts'
import { findCustomer } from '../customers/store.ts'
import { openDeposit } from '../deposits/changes.ts'
import { NewDeposit, openingRequest } from '../deposits/record.ts'
import { wishFrom } from '../product-quotes/record.ts'
import { foreseeProduct, quote, versionOf } from '../products/changes.ts'
import { listProducts } from '../products/store.ts'
import { readRulesInForce } from '../rules/changes.ts'
import { openingWords } from './words.ts'

export const openingPages: Page[] = [
  {
    method: 'GET',
    path: '/accounts/:account_number/open-deposit',
    scope: 'fixed_deposits:write',
    answer: (asked) => depositForm(asked, {}),
  },
  {
    method: 'POST',
    path: '/accounts/:account_number/open-deposit',
    scope: 'fixed_deposits:write',
    answer: openingDeposit,
  },
]

type Owned = { account: Account; customer: Customer }

async function findOwned({ service, book, params }: Asked): Promise<Owned | undefined> {
  const account = await findAccount(service.db, book.bookId, params.account_number!)
  if (account === undefined) return undefined
  return { account, customer: (await findCustomer(service.db, book.bookId, account.customerId))! }
}

/** The body that the API takes. */
function bodyOf({ form, params, words }: Asked): JsonObject {
  const [product, rate, instruction] = [
    form.get('product_code'),
    form.get('interest_rate').trim(),
    form.get('maturity_instruction'),
  ]
  const bonuses = form
    .get('bonuses')
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const shown = form.get('expected_interest_rate')
  return {
    account_number: params.account_number!,
    amount: numeral(form.get('amount'), words),
    ...(product !== '' && { product_code: product }),
    [product !== '' && form.get('unit') === 'MONTH' ? 'tenor_months' : 'tenor']: numeral(
      form.get('tenor'),
      words,
    ),
    ...((product === '' || rate !== '') && { interest_rate: numeral(rate, words) }),
    ...(bonuses.length > 0 && { bonuses }),
    ...(instruction !== '' && { maturity_instruction: instruction }),
    ...(/^\d+(\.\d+)?$/.test(shown) && { expected_interest_rate: new Numeral(shown) }),
  }
}

async function openingDeposit(asked: Asked): Promise<PageAnswer> {
  const { service, form, originOf } = asked
  const body = bodyOf(asked)
  const read = readBody(NewDeposit, body)
  if (read.ok && form.get('sure') !== 'yes') return termsPage(asked, read.value as NewDeposit)
  return carryOut(asked, {
    schema: NewDeposit,
    body,
    held: { operation: 'openFixedDeposit', targetId: null },
    run: (value: NewDeposit) =>
      openDeposit(service, originOf(form.get('key')), openingRequest(value), ({ deposit }) =>
        made(deposit.depositId),
      ),
    done: (madeId) => `/console/deposits/${madeId}?done=opened`,
    again: (refused) => depositForm(asked, refused),
  })
}

const ALL = { limit: 200, before: null }

async function depositForm(asked: Asked, { errors, notice, status }: Refused): Promise<PageAnswer> {
  const owned = await findOwned(asked)
  if (owned === undefined) return NOT_FOUND
  const { service, book, form, may } = asked
  const { accountNumber, balance, currency } = owned.account
  const words = asked.words.in(currency)
  const say = words.of(openingWords)
  const { items } = may('products:read')
    ? await listProducts(service.db, book.bookId, { status: 'OPEN' }, ALL)
    : { items: [] }
  const products = items
    .map((stored) => versionOf(service.versions, book.bookId, stored))
    .filter(({ product }) => product.currency === currency)
  const field = (name: string, label: string, more: { hint?: string; isRequired?: boolean } = {}) =>
    inputField({ name, label, max: 100, value: form.get(name), error: errors?.get(name), ...more })
  const names = Object.fromEntries(products.map(({ productCode, product }) => [productCode, product.name]))
  return show(
    'deposits',
    say.title,
    html`<header class="head"><h1>${say.title} <span class="thin">${say.from(accountNumber)}</span></h1></header>
${showNotice(notice ?? null, words)}
<section class="card">
<form class="fill" method="post" action="/console/accounts/${accountNumber}/open-deposit">${keyField(asked)}
${
  products.length > 0 &&
  selectField({
    name: 'product_code',
    label: say.product,
    texts: names,
    empty: say.noProduct,
    value: form.get('product_code'),
  })
}
<div class="fields">
${field('amount', say.amount, { hint: say.available(words.money(balance)), isRequired: true })}
${field('tenor', say.tenor, { isRequired: true })}
${products.length > 0 && selectField({ name: 'unit', label: say.unit, texts: say.units, value: form.get('unit') })}
</div>
<div class="fields">
${field('interest_rate', say.rate, products.length > 0 ? { hint: say.rateHint } : { isRequired: true })}
${products.length > 0 && field('bonuses', say.bonuses, { hint: say.bonusesHint })}
${selectField({
  name: 'maturity_instruction',
  label: say.instruction,
  texts: words.say.instructions,
  ...(products.length > 0 && { empty: say.byProduct }),
  value: form.get('maturity_instruction'),
})}
</div>
<div><button class="button primary">${say.look}</button></div>
</form></section>`,
    status,
  )
}

/** The terms before the deposit is opened, by the decision that opens it. */
async function termsPage(asked: Asked, value: NewDeposit): Promise<PageAnswer> {
  const owned = await findOwned(asked)
  if (owned === undefined) return NOT_FOUND
  const words = asked.words.in(owned.account.currency)
  const terms = await (value.product_code === undefined ? plainTerms : productTerms)(asked, value, {
    ...owned,
    words,
  })
  if ('outcome' in terms) {
    const text = `${words.of(counterWords).notDone} ${refusalWord(terms, words)}`
    return depositForm(asked, { notice: { kind: 'bad', text }, status: 409 })
  }
  const say = words.of(openingWords)
  const amount = words.money(value.amount)
  const back = `/console/accounts/${asked.params.account_number}/open-deposit`
  const sent = [...new URLSearchParams(asked.form.text)].filter(([name]) => name !== 'expected_interest_rate')
  return show(
    'deposits',
    say.sure(amount),
    html`<section class="card confirm">
<h1>${say.sure(amount)}</h1>
${terms.shown}
<form class="row" method="post" action="${back}" ${sentUntilKnown(words)}>
<a class="button" href="${back}" autofocus>${words.say.back}</a>
${hiddenFields([...sent, ...terms.agreed, ['sure', 'yes']])}
<button class="button primary">${say.submit(amount)}</button>${SENDING}</form></section>`,
  )
}

type Shown = { shown: Html; agreed: [string, string][] }
type Known = Owned & { words: Words }

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
    [say.rate, say.percent(formatPpm(annualRatePpm))],
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
    [say.rate, html`${say.percent(formatPpm(annualRatePpm))}<small>${say.sheet(rateSheet)}</small>`],
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
