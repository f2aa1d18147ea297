/** A column of rows that are about a deposit. People look for a name, not for an identifier. */
import { html } from '../../page/html.ts'
import { idLink } from '../../page/link.ts'
import type { ListColumn } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { findHolders } from './store.ts'
import { holderWords } from './words.ts'

/** The customer with the deposit below it; the deposit alone, for people who may not read customers. */
export async function depositColumn<Row extends { depositId: string }>(
  { service, book, may, words }: Asked,
  rows: readonly Row[],
): Promise<ListColumn<Row>> {
  const say = words.of(holderWords)
  const isNamed = may('customers:read')
  const ids = [...new Set(rows.map(({ depositId }) => depositId))]
  const holders = await findHolders(service.db, book.bookId, isNamed ? ids : [])
  const nameOf = ({ depositId }: Row) => {
    const holder = holders.get(depositId)
    return holder === undefined ? '' : `${holder.firstName} ${holder.lastName}`
  }
  return {
    key: 'customer',
    name: isNamed ? say.customer : say.deposit,
    cell: (row) => {
      const holder = holders.get(row.depositId)
      if (holder === undefined) return idLink(row.depositId)
      return html`<a href="/console/customers/${holder.customerId}">${nameOf(row)}</a>
<small>${idLink(row.depositId)}</small>`
    },
    text: nameOf,
  }
}
