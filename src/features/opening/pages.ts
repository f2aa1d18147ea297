/** Opening a deposit, by a product or with own terms: its terms, schedule and outlook are shown first. */
import { hiddenFields, inputField, SENDING, selectField, sentUntilKnown } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { backButton, goesBack, isSure } from '../../page/sure.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import { findAccount } from '../accounts/store.ts'
import { counterCrumbs } from '../counter/card.ts'
import { carryOut, keptNote, keyField, made, noteFields, type Refused } from '../counter/form.ts'
import { counterWords } from '../counter/words.ts'
import { findCustomer } from '../customers/store.ts'
import { openDeposit } from '../deposits/changes.ts'
import { NewDeposit, openingRequest } from '../deposits/record.ts'
import { versionOf } from '../products/changes.ts'
import { listProducts } from '../products/store.ts'
import { type Owned, openingTerms } from './card.ts'
import { openingBody } from './form.ts'
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

async function findOwned({ service, book, params }: Asked): Promise<Owned | undefined> {
  const account = await findAccount(service.db, book.bookId, params.account_number!)
  if (account === undefined) return undefined
  return { account, customer: (await findCustomer(service.db, book.bookId, account.customerId))! }
}

async function openingDeposit(asked: Asked): Promise<PageAnswer> {
  const { service, form, originOf } = asked
  const body = openingBody(asked)
  const read = readBody(NewDeposit, body)
  if (goesBack(form)) return depositForm(asked, {})
  if (read.ok && !isSure(form)) return termsPage(asked, read.value as NewDeposit)
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
    inputField({ name, label, max: 100, value: form.get(name), error: errorOf(name), ...more })
  const errorOf = (name: string) =>
    errors?.get(name === 'tenor' && errors.has('tenor_months') ? 'tenor_months' : name)
  const names = Object.fromEntries(products.map(({ productCode, product }) => [productCode, product.name]))
  return show(
    'deposits',
    say.title,
    html`${counterCrumbs(say.title, words, { customer: owned.customer, accountNumber })}
<header class="head"><h1>${say.title} <span class="thin">${say.from(accountNumber)}</span></h1></header>
${showNotice(notice ?? null, words)}
<section class="card">
<form class="fill" method="post" action="/console/accounts/${accountNumber}/open-deposit">
${keyField(asked)}${keptNote(form)}
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
  const terms = await openingTerms(asked, value, { ...owned, words })
  if ('outcome' in terms) {
    const text = `${words.of(counterWords).notDone} ${refusalWord(terms, words)}`
    return depositForm(asked, { notice: { kind: 'bad', text }, status: 409 })
  }
  const say = words.of(openingWords)
  const amount = words.money(value.amount)
  const action = `/console/accounts/${asked.params.account_number}/open-deposit`
  const sent = [...new URLSearchParams(asked.form.text)].filter(
    ([name]) => !['expected_interest_rate', 'note', 'sure'].includes(name),
  )
  const note = await noteFields(asked)
  return show(
    'deposits',
    say.sure(amount),
    html`<section class="card confirm">
<h1>${say.sure(amount)}</h1>
${terms.shown}
<form class="fill" method="post" action="${action}" ${sentUntilKnown(words)}>
${hiddenFields([...sent, ...terms.agreed])}
${note('openFixedDeposit', { known: { amount: value.amount } })}
<div class="row">
${backButton(words)}
<button class="button primary" name="sure" value="yes">${say.submit(amount)}</button>
</div>${SENDING}</form></section>`,
  )
}
