import { rowMap, text } from '../../engine/database/row-map.ts'
import { idsOfBook, sql } from '../../engine/database/sql.ts'

const holderMap = rowMap({
  customerId: text('customer_id'),
  firstName: text('first_name'),
  lastName: text('last_name'),
})

/** To whom each of these deposits belongs. */
export const findHolders = sql`
    select deposit_id, ${holderMap.columns}
    from deposits
    join customers using (book_id, customer_id)
    where book_id = $1
      and deposit_id = any($2::text[])`.map(text('deposit_id'), holderMap, idsOfBook)

/** Sorts rows that are about a deposit, as lists name them, by the names of the customers. */
export const BY_HOLDER = `(
        select lower(first_name || ' ' || last_name)
        from deposits
        join customers using (book_id, customer_id)
        where book_id = $1
          and deposit_id = newest.deposit_id)`
