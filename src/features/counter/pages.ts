/** What is opened, credited and held at the counter. */
import type { Customer } from '../../domain/customer.ts'
import { businessDate } from '../../domain/dates.ts'
import type { Account } from '../../domain/deposit.ts'
import { inputField, numeral } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { creditAccount, openAccount } from '../accounts/changes.ts'
import { AccountCredit, NewAccount } from '../accounts/record.ts'
import { findAccount } from '../accounts/store.ts'
import { createCustomer } from '../customers/changes.ts'
import { NewCustomer, newProfile } from '../customers/record.ts'
import { findCustomer } from '../customers/store.ts'
import { refusedOnDeposit } from '../deposits/pages.ts'
import { placeLien, releaseLien } from '../liens/changes.ts'
import { LienRelease, lienFrom, NewLien } from '../liens/record.ts'
import { findLien } from '../liens/store.ts'
import { counterCrumbs, movementsCard } from './card.ts'
import { carryOut, creditForm, keyField, made, optional, type Refused } from './form.ts'
import { counterWords } from './words.ts'

export const counterPages: Page[] = [
  {
    method: 'GET',
    path: '/open/customer',
    scope: 'customers:write',
    answer: async (asked) => customerForm(asked, {}),
  },
  { method: 'POST', path: '/open/customer', scope: 'customers:write', answer: openCustomer },
  {
    method: 'GET',
    path: '/customers/:customer_id/open-account',
    scope: 'accounts:write',
    answer: (asked) => accountForm(asked, {}),
  },
  {
    method: 'POST',
    path: '/customers/:customer_id/open-account',
    scope: 'accounts:write',
    answer: openingAccount,
  },
  {
    method: 'GET',
    path: '/accounts/:account_number',
    scope: 'accounts:read',
    answer: (asked) => accountPage(asked, {}),
  },
  { method: 'POST', path: '/accounts/:account_number/credit', scope: 'accounts:write', answer: credit },
  { method: 'POST', path: '/deposits/:deposit_id/liens', scope: 'liens:write', answer: hold },
  { method: 'POST', path: '/liens/:lien_id/release', scope: 'liens:write', answer: release },
]

function openCustomer(asked: Asked): Promise<PageAnswer> {
  const { service, form, originOf } = asked
  const names = ['first_name', 'last_name', 'email', 'phone_number', 'address']
  return carryOut(asked, {
    schema: NewCustomer,
    body: Object.fromEntries(names.map((name) => [name, form.get(name).trim()])),
    run: (value: NewCustomer) =>
      createCustomer(service, originOf(form.get('key')), newProfile(value), ({ customerId }) =>
        made(customerId),
      ),
    done: (madeId) => `/console/customers/${madeId}`,
    again: async (refused) => customerForm(asked, refused),
  })
}

function customerForm(asked: Asked, { errors, notice, status }: Refused): PageAnswer {
  const { words, form } = asked
  const { customer: say } = words.of(counterWords)
  const field = (name: string, label: string, type: 'text' | 'email' | 'tel') =>
    inputField({ name, label, type, value: form.get(name), error: errors?.get(name), isRequired: true })
  return show(
    'customers',
    say.title,
    html`${counterCrumbs(say.title, words)}
<header class="head"><h1>${say.title}</h1></header>
${showNotice(notice ?? null, words)}
<section class="card">
<form class="fill" method="post" action="/console/open/customer">${keyField(asked)}
<div class="fields">
${field('first_name', say.firstName, 'text')}
${field('last_name', say.lastName, 'text')}
</div>
<div class="fields">
${field('email', say.email, 'email')}
${field('phone_number', say.phone, 'tel')}
</div>
${field('address', say.address, 'text')}
<div><button class="button primary">${say.submit}</button></div>
</form></section>`,
    status,
  )
}

function openingAccount(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, originOf } = asked
  const customerId = params.customer_id!
  return carryOut(asked, {
    schema: NewAccount,
    body: { customer_id: customerId, ...optional('currency', form.get('currency').toUpperCase()) },
    run: ({ currency = null }: { currency?: string | null }) =>
      openAccount(service, originOf(form.get('key')), { customerId, currency }, ({ accountNumber }) =>
        made(accountNumber),
      ),
    done: (madeId) => `/console/accounts/${madeId}`,
    again: (refused) => accountForm(asked, refused),
  })
}

async function accountForm(asked: Asked, { errors, notice, status }: Refused): Promise<PageAnswer> {
  const { service, book, params, words, form } = asked
  const customer = await findCustomer(service.db, book.bookId, params.customer_id!)
  if (customer === undefined) return NOT_FOUND
  const { account: say } = words.of(counterWords)
  return show(
    'customers',
    say.title,
    html`${counterCrumbs(say.title, words, { customer })}
<header class="head"><h1>${say.title} <span class="thin">${say.for(nameOf(customer))}</span></h1></header>
${showNotice(notice ?? null, words)}
<section class="card">
<form class="narrow" method="post" action="/console/customers/${customer.customerId}/open-account">${keyField(asked)}
${inputField({
  name: 'currency',
  label: say.currency,
  aside: words.say.optional,
  hint: say.currencyHint(book.currency),
  max: 3,
  value: form.get('currency'),
  error: errors?.get('currency'),
})}
<button class="button primary">${say.submit}</button>
</form></section>`,
    status,
  )
}

function nameOf({ firstName, lastName }: Customer): string {
  return `${firstName} ${lastName}`
}

type Owned = { account: Account; customer: Customer }

async function findOwned({ service, book, params }: Asked): Promise<Owned | undefined> {
  const account = await findAccount(service.db, book.bookId, params.account_number!)
  if (account === undefined) return undefined
  return { account, customer: (await findCustomer(service.db, book.bookId, account.customerId))! }
}

/** An account with its movements; also shown where a credit was refused. */
async function accountPage(asked: Asked, { errors, notice, status }: Refused): Promise<PageAnswer> {
  const { book, query, may } = asked
  const owned = await findOwned(asked)
  if (owned === undefined) return NOT_FOUND
  const { account, customer } = owned
  const { accountNumber, currency } = account
  const words = asked.words.in(currency)
  const { account: say, done, newDeposit } = words.of(counterWords)
  const text = new Map(Object.entries(done)).get(query.get('done'))
  const open = `/console/accounts/${accountNumber}/open-deposit`
  return show(
    'customers',
    say.page(accountNumber),
    html`${counterCrumbs(say.page(accountNumber), words, { customer })}
<header class="head">
<div>
<h1>${say.page(accountNumber)} <span class="thin">${say.of(nameOf(customer))}</span></h1>
</div>
${may('fixed_deposits:write') && html`<a class="button" href="${open}">${newDeposit}</a>`}</header>
${showNotice(notice ?? (text === undefined ? null : { kind: 'good', text }), words)}
<dl class="figures"><div><dt>${say.balance}</dt><dd>${words.money(account.balance)}</dd></div>
<div><dt>${say.opened}</dt><dd>${words.day(businessDate(account.createdAt, book.timeZone))}</dd></div></dl>
${may('accounts:write') && (await creditForm(asked, errors))}
${await movementsCard(asked, account)}`,
    status,
  )
}

function credit(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, originOf } = asked
  const accountNumber = params.account_number!
  return carryOut(asked, {
    schema: AccountCredit,
    body: {
      amount: numeral(form.get('amount'), 'amount', asked.words),
      ...optional('narration', form.get('narration')),
    },
    held: { operation: 'creditAccount', targetId: accountNumber },
    run: ({ amount, narration }: AccountCredit) =>
      creditAccount(
        service,
        originOf(form.get('key')),
        { accountNumber, amount, narration: narration ?? null },
        ({ entryId }) => made(entryId),
      ),
    done: () => `/console/accounts/${accountNumber}?done=credited`,
    again: (refused) => accountPage(asked, refused),
  })
}

function hold(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, originOf } = asked
  const depositId = params.deposit_id!
  return carryOut(asked, {
    schema: NewLien,
    body: {
      amount: numeral(form.get('amount'), 'amount', asked.words),
      reason: form.get('reason').trim(),
      ...optional('reference', form.get('reference')),
    },
    held: { operation: 'placeLien', targetId: depositId },
    run: (value: NewLien) =>
      placeLien(service, originOf(form.get('key')), lienFrom(depositId, value), ({ lien }) =>
        made(lien.lienId),
      ),
    done: () => `/console/deposits/${depositId}?done=placed`,
    again: (refused) => refusedOnDeposit(asked, depositId, refused),
  })
}

async function release(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, params, originOf } = asked
  const lien = await findLien(service.db, book.bookId, params.lien_id!)
  if (lien === undefined) return NOT_FOUND
  const { lienId, depositId } = lien
  return carryOut(asked, {
    schema: LienRelease,
    body: { reason: form.get('reason').trim() },
    held: { operation: 'releaseLien', targetId: lienId },
    run: ({ reason }: LienRelease) =>
      releaseLien(service, originOf(form.get('key')), { lienId, reason }, () => made(lienId)),
    done: () => `/console/deposits/${depositId}?done=released`,
    again: (refused) => refusedOnDeposit(asked, depositId, refused),
  })
}
