/** What verification claims of customers. */
import { eventsOf, type Subject } from '../../engine/database/facts.ts'

export const customerSubject: Subject = {
  key: 'customer_id',
  pageKeys: 20_000,
  facts: (within) => `
    select customer_id, event.*
    from customers
    cross join lateral ${eventsOf('customers.customer_id', ['customer.created'])} as event
    where book_id = $1
      and ${within('customer_id')}`,
  claims: [
    {
      claim: 'a customer has one event for its creation',
      differs: `recorded <> '1'`,
      found: 'recorded',
      expected: `'1'`,
    },
  ],
}
