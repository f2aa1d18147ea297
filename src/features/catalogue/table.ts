import type { ProductVersion } from '../../domain/product.ts'
import type { RateGrid } from '../../domain/rate-sheet.ts'
import { type Html, html } from '../../page/html.ts'
import type { ListColumn } from '../../page/list.ts'
import { headedTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { interestText, productWords, tenorText } from './words.ts'

/** A rate sheet as a table: tenors down, amounts across. */
export function sheetTable({ tenorUnit, tenorFrom, amountFrom, ratesPpm }: RateGrid, words: Words): Html {
  const { sheet: say } = words.of(productWords)
  const { tenors } = words.say
  const names = [say.tenor, ...amountFrom.map((amount) => say.fromOf(words.plain(amount)))]
  const rows = tenorFrom.map((from, row) => [
    tenors[tenorUnit](from),
    ...ratesPpm[row]!.map((rate) => (rate === 0 ? '–' : say.percent(words.percent(rate)))),
  ])
  return html`<div class="wide" tabindex="0" role="group" aria-label="${say.title}">
${headedTable(names, rows, { areNumbers: true })}
</div>`
}

/** The columns of the list of products. */
export function columnsFor(words: Words): ListColumn<ProductVersion>[] {
  const { list: say, statuses } = words.of(productWords)
  const column = (key: string, name: string, text: (one: ProductVersion) => string) => {
    return { key, name, cell: text, text, order: text }
  }
  const code = ({ productCode }: ProductVersion) => productCode
  return [
    {
      ...column('name', say.name, ({ product }) => product.name),
      cell: ({ productCode, product }) =>
        html`<a href="/console/products/${productCode}">${product.name}</a>`,
    },
    { ...column('code', say.code, code), cell: (one) => html`<code>${code(one)}</code>` },
    column('currency', say.currency, ({ product }) => product.currency),
    column('interest', say.interest, ({ product }) => interestText(product, words)),
    column('tenor', say.tenor, ({ product }) => tenorText(product, words)),
    column('status', say.status, ({ product }) => statuses[product.status]),
  ]
}
