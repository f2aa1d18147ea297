/** What the bank sells: products, and their rate sheets as a table that is edited. */
import { PRODUCT_CODE, type ProductVersion } from '../../domain/product.ts'
import { card } from '../../page/card.ts'
import { inputField, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { type List, listPages } from '../../page/list.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { type Reading, readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import { carryOut, errorsOf, keyField, made, noteFields, type Refused } from '../counter/form.ts'
import { impactCard } from '../impact/card.ts'
import { impactOfProduct } from '../impact/changes.ts'
import { impactWords } from '../impact/words.ts'
import { putProduct, readNewestProducts, readSheets, versionOf } from '../products/changes.ts'
import { ProductBody, productFrom } from '../products/record.ts'
import { listProducts } from '../products/store.ts'
import { productCrumbs, sheetCards, termsOf } from './card.ts'
import { fieldsOf, productFields, readProduct } from './form.ts'
import { columnsFor } from './table.ts'
import { productWords } from './words.ts'

const ALL = { limit: 1000, before: null }

const list: List<ProductVersion> = {
  path: '/products',
  section: 'products',
  scope: 'products:read',
  title: ({ words }) => words.of(productWords).list.title,
  none: (words) => words.of(productWords).list.none,
  filters: ['status', 'find'],
  fields: ({ query, words }) => {
    const { list: say, statuses } = words.of(productWords)
    const texts = { '': say.all, ...statuses }
    return html`${selectField({ name: 'status', label: say.status, texts, value: query.get('status') })}
${inputField({ name: 'find', label: say.find, max: 64, value: query.get('find') })}`
  },
  actions: ({ words, may }) => {
    const { list: say } = words.of(productWords)
    const add = html`<a class="button primary" href="/console/new-product">${say.add}</a>`
    return html`${may('rules:read') && html`<a class="button" href="/console/calendar">${say.calendar}</a>`}
${may('products:write') && add}`
  },
  columns: ({ words }) => columnsFor(words),
  idOf: ({ productCode }) => productCode,
  rows: async ({ service, book, query }) => {
    const { items } = await listProducts(service.db, book.bookId, {}, ALL)
    const [status, wanted] = [query.get('status'), query.get('find').trim().toLowerCase()]
    return items
      .map((stored) => versionOf(service.versions, book.bookId, stored))
      .filter(({ product }) => status === '' || product.status === status)
      .filter(({ productCode, product }) => `${productCode} ${product.name}`.toLowerCase().includes(wanted))
  },
}

export const productPages: Page[] = [
  ...listPages(list),
  {
    method: 'GET',
    path: '/new-product',
    scope: 'products:write',
    answer: (asked) => productForm(asked, undefined, {}),
  },
  { method: 'POST', path: '/new-product', scope: 'products:write', answer: write },
  { method: 'GET', path: '/products/:product_code', scope: 'products:read', answer: productPage },
  {
    method: 'GET',
    path: '/products/:product_code/edit',
    scope: 'products:write',
    answer: (asked) => editing(asked, {}),
  },
  { method: 'POST', path: '/products/:product_code/edit', scope: 'products:write', answer: write },
]

/** The newest version, with the sheet in force and later ones. */
async function productPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, query, may } = asked
  const version = await newestOf(asked)
  if (version === undefined) return NOT_FOUND
  const { productCode: code, product } = version
  const words = asked.words.in(product.currency)
  const { page: say } = words.of(productWords)
  const { today } = await service.momentIn(book)
  const sheets = (await readSheets(service.db, service.versions, book.bookId, [code])).get(code) ?? []
  const text = new Map(Object.entries(say.done)).get(query.get('done'))
  const path = `/console/products/${code}`
  return show(
    'products',
    product.name,
    html`${productCrumbs(product.name, words)}
<header class="head"><div>
<h1>${product.name} <span class="thin">${say.version(version.version)}</span></h1>
<p class="sub"><code>${code}</code> ${words.of(productWords).statuses[product.status]}</p></div>
<div class="actions">
${may('products:write') && html`<a class="button" href="${path}/edit">${say.edit}</a>`}
${may('products:write') && html`<a class="button primary" href="${path}/sheet">${say.sheet}</a>`}
</div></header>
${showNotice(text === undefined ? null : { kind: 'good', text }, words)}
<div class="split even">
${card({ id: 'terms', title: say.terms }, termsOf(product, words))}
<div class="stack-all">${sheetCards(sheets, today, words)}</div>
</div>`,
  )
}

async function newestOf({ service, book, params }: Asked): Promise<ProductVersion | undefined> {
  const code = params.product_code!
  return (await readNewestProducts(service.db, service.versions, book.bookId, [code])).get(code)
}

async function write(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, originOf, words } = asked
  const code = params.product_code ?? form.get('product_code').trim().toUpperCase()
  const again = (refused: Refused) =>
    params.product_code === undefined ? productForm(asked, undefined, refused) : editing(asked, refused)
  const bad = (text: string) => again({ notice: { kind: 'bad', text }, status: 422 })
  const { form: say } = words.of(productWords)
  if (!PRODUCT_CODE_FORM.test(code)) return bad(say.codeHint)
  const body = readProduct(form, words)
  if (body === null) return bad(say.wrongRules)
  if (form.get('look') === 'yes') return lookAt(asked, code, readBody(ProductBody, body))
  return carryOut(asked, {
    schema: ProductBody,
    body,
    needs: words.of(productWords).needs,
    held: { operation: 'putProduct', targetId: code },
    run: (value: ProductBody) =>
      putProduct(
        service,
        originOf(form.get('key')),
        { productCode: code, product: productFrom(value) },
        ({ productCode }) => made(productCode),
      ),
    done: () => `/console/products/${code}?done=written`,
    again,
  })
}

/** What the version that is typed would change. */
async function lookAt(asked: Asked, code: string, read: Reading<ProductBody>): Promise<PageAnswer> {
  const version = await newestOf(asked)
  if (version === undefined) return NOT_FOUND
  const { service, book, words } = asked
  if (!read.ok) {
    const errors = errorsOf(read.fields, words, words.of(productWords).needs)
    const [text] = errors.values()
    return productForm(asked, version, { errors, notice: { kind: 'bad', text: text! }, status: 422 })
  }
  const impact = await impactOfProduct(service, book, { productCode: code, product: productFrom(read.value) })
  if ('outcome' in impact) {
    const text = refusalWord(impact, words)
    return productForm(asked, version, { notice: { kind: 'bad', text }, status: 409 })
  }
  return productForm(asked, version, {}, impactCard(impact, 'terms', words.in(version.product.currency)))
}

const PRODUCT_CODE_FORM = new RegExp(PRODUCT_CODE)

async function editing(asked: Asked, refused: Refused): Promise<PageAnswer> {
  const version = await newestOf(asked)
  return version === undefined ? NOT_FOUND : productForm(asked, version, refused)
}

const EMPTY: Record<string, string> = {
  status: 'OPEN',
  unit: 'MONTH',
  tenor_min: '1',
  tenor_max: '36',
  multiple: '1',
  method: 'AT_MATURITY',
  on_holiday: 'SAME_DAY',
  instruction: 'PAY_OUT',
}

async function productForm(
  asked: Asked,
  version: ProductVersion | undefined,
  { errors, notice, status }: Refused,
  impact: Html | null = null,
): Promise<PageAnswer> {
  const { form, words, book } = asked
  const { form: say } = words.of(productWords)
  const note = await noteFields(asked)
  const stored =
    version === undefined ? { ...EMPTY, currency: book.currency } : fieldsOf(version.product, words)
  const filledIn = (name: string) => (form.has('name') ? form.get(name) : (stored[name] ?? ''))
  const title = version === undefined ? say.titleNew : say.titleEdit(version.productCode)
  const action =
    version === undefined ? '/console/new-product' : `/console/products/${version.productCode}/edit`
  const code = inputField({
    name: 'product_code',
    label: say.code,
    hint: say.codeHint,
    max: 32,
    value: form.get('product_code'),
    isRequired: true,
  })
  return show(
    'products',
    title,
    html`${productCrumbs(title, words, version)}
<header class="head"><div><h1>${title}</h1><p class="sub">${say.text}</p></div></header>
${showNotice(notice ?? null, words)}
${impact}
<section class="card">
<form class="fill" method="post" action="${action}">${keyField(asked)}
${version === undefined && html`<div class="fields">${code}</div>`}
${productFields({ filledIn, errors, words })}
${note('putProduct')}
<div class="row">
${version !== undefined && html`<button class="button" name="look" value="yes">${words.of(impactWords).look}</button>`}
<button class="button primary">${say.submit((version?.version ?? 0) + 1)}</button>
</div>
</form></section>`,
    status,
  )
}
