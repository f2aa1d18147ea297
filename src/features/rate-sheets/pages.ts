/** A new rate sheet: the grid as a table that is edited, and what it would have given to the last deposits. */
import { randomUUID } from 'node:crypto'
import { type IsoDate, isIsoDate } from '../../domain/dates.ts'
import { agreedTenorOf, type Deposit } from '../../domain/deposit.ts'
import type { ProductVersion } from '../../domain/product.ts'
import { cardRate, type RateGrid, sheetInForce } from '../../domain/rate-sheet.ts'
import { inputField, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { noticeLine, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { headedTable, recordTable } from '../../page/table.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { productCrumbs } from '../catalogue/card.ts'
import { sheetBodyOf, type TypedGrid, typedGrid } from '../catalogue/form.ts'
import { productWords } from '../catalogue/words.ts'
import { carryOut, made, noteFields, type Refused } from '../counter/form.ts'
import { listDeposits } from '../deposits/store.ts'
import { addRateSheet, readNewestProducts, readSheets } from '../products/changes.ts'
import { gridFrom, RateSheetBody } from '../products/record.ts'

export const rateSheetPages: Page[] = [
  {
    method: 'GET',
    path: '/products/:product_code/sheet',
    scope: 'products:write',
    answer: (asked) => sheetPage({ ...asked, form: asked.query }, {}),
  },
  { method: 'POST', path: '/products/:product_code/sheet', scope: 'products:write', answer: publish },
]

function publish(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf } = asked
  const productCode = params.product_code!
  return carryOut(asked, {
    schema: RateSheetBody,
    body: sheetBodyOf(form, words),
    needs: words.of(productWords).needs,
    held: { operation: 'addRateSheet', targetId: productCode },
    run: (body: RateSheetBody) =>
      addRateSheet(service, originOf(form.get('key')), { productCode, grid: gridFrom(body) }, ({ number }) =>
        made(String(number)),
      ),
    done: () => `/console/products/${productCode}?done=added`,
    again: (refused) => sheetPage(asked, refused),
  })
}

const SAMPLES = { limit: 12, before: null }

type SheetView = {
  version: ProductVersion
  inForce: RateGrid | undefined
  today: IsoDate
  samples: readonly Deposit[]
  words: Words
}

async function sheetPage(asked: Asked, { notice, status }: Refused): Promise<PageAnswer> {
  const { service, book, params, form, part } = asked
  const { db, versions } = service
  const code = params.product_code!
  const version = (await readNewestProducts(db, versions, book.bookId, [code])).get(code)
  if (version === undefined) return NOT_FOUND
  const words = asked.words.in(version.product.currency)
  const { today } = await service.momentIn(book)
  const sheets = (await readSheets(db, versions, book.bookId, [code])).get(code) ?? []
  const { items: samples } = await listDeposits(db, book.bookId, { productCode: code }, SAMPLES)
  const view = { version, inForce: sheetInForce(sheets, today), today, samples, words }
  const preview = html`<div id="preview">${whoGetsWhat(asked, view)}</div>`
  if (part === 'preview') return { kind: 'part', part: preview }
  const { sheet: say } = words.of(productWords)
  const last = sheets.at(-1)
  return show(
    'products',
    say.title,
    html`${productCrumbs(say.title, words, version)}
<header class="head">
<h1>${say.title} <span class="thin">${say.of(version.product.name)}</span></h1>
</header>
${showNotice(notice ?? null, words)}
<div class="split even">
<section class="card">${await gridForm(asked, typedGrid(form, last, words), { last, ...view })}</section>
<section class="card" aria-labelledby="who"><h2 id="who">${say.who}</h2>${preview}</section>
</div>`,
    status,
  )
}

async function gridForm(
  asked: Asked,
  typed: TypedGrid,
  { version, last, today, words }: SheetView & { last: RateGrid | undefined },
): Promise<Html> {
  const { form } = asked
  const { sheet: say } = words.of(productWords)
  const note = await noteFields(asked)
  const from = form.get('effective_from')
  const path = `/console/products/${version.productCode}/sheet`
  return html`<form class="tiers grid" action="${path}" data-live="preview">
<div class="fields">
${inputField({ name: 'effective_from', label: say.from, type: 'date', value: isIsoDate(from) ? from : today })}
${selectField({
  name: 'tenor_unit',
  label: say.unit,
  texts: say.units,
  value: form.get('tenor_unit') || (last?.tenorUnit ?? version.product.tenor.unit),
})}
</div>
${gridTable(typed, words)}
<p class="hint">${say.hint}</p>
${note('addRateSheet')}
<div class="row">
<button class="button" name="add_row" value="yes">${say.addRow}</button>
<button class="button" name="add_column" value="yes">${say.addColumn}</button>
<button class="button primary" formmethod="post" name="key" value="${randomUUID()}">${say.submit}</button>
</div></form>`
}

function gridTable({ tenors, amounts, rates }: TypedGrid, words: Words): Html {
  const { sheet: say } = words.of(productWords)
  const cell = (name: string, label: string, value: string) =>
    html`<input aria-label="${label}" name="${name}" inputmode="decimal" autocomplete="off" maxlength="20"
value="${value}">`
  const rate = (row: number, column: number) =>
    cell(`r${row}_${column}`, say.rateOf(row + 1, column + 1), rates[row]![column] ?? '')
  const amountCell = (amount: string, column: number) =>
    html`<span class="hidden">${say.fromAmount}</span>${cell(`a${column}`, say.amountOf(column + 1), amount)}`
  const rows = tenors.map((tenor, row) => [
    cell(`t${row}`, say.tenorOf(row + 1), tenor),
    ...amounts.map((_, column) => rate(row, column)),
  ])
  return html`<div class="ratetable" tabindex="0" role="group" aria-label="${say.title}">
${headedTable([say.tenor, ...amounts.map(amountCell)], rows)}
</div>`
}

/** The rate of each of the last deposits by the sheet in force, and by the one that is being typed. */
function whoGetsWhat({ form }: Asked, { samples, inForce, words }: SheetView): Html {
  const { sheet: say } = words.of(productWords)
  const read = form.has('t0') ? readBody(RateSheetBody, sheetBodyOf(form, words)) : null
  const wrong = read !== null && !read.ok
  const proposed = read?.ok === true ? gridFrom(read.value) : inForce
  if (samples.length === 0) return html`${wrong && noticeLine('bad', say.wrong)}<p>${say.nobody}</p>`
  const rateBy = (grid: RateGrid | undefined, { startDate, maturityDate, principal }: Deposit) => {
    const rate = grid && cardRate(grid, { from: startDate, to: maturityDate, amount: principal })
    return rate === undefined || rate === 0 ? say.notOffered : say.percent(words.percent(rate))
  }
  const table = recordTable(
    samples,
    [
      {
        name: say.deposit,
        cell: ({ depositId, principal }) =>
          html`<a href="/console/deposits/${depositId}">${words.money(principal)}</a>`,
      },
      {
        name: say.held,
        cell: (deposit) => {
          const { unit, count } = agreedTenorOf(deposit)
          return words.say.tenors[unit](count)
        },
      },
      { name: say.now, isNumber: true, cell: (deposit) => rateBy(inForce, deposit) },
      { name: say.proposed, isNumber: true, cell: (deposit) => html`<b>${rateBy(proposed, deposit)}</b>` },
    ],
    { label: say.who },
  )
  return html`${wrong && noticeLine('bad', say.wrong)}<p>${say.whoText}</p>${table}`
}
