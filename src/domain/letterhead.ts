/** What every letter to a customer begins with. */
import type { Customer } from './customer.ts'
import type { IsoDate } from './dates.ts'
import type { SealHead } from './seal.ts'

export type Holder = { customerId: string; name: string; address: string }

/** seal: the newest of the book, printed in the footer; null before the first. */
export type Letterhead = { bank: string; holder: Holder; issuedOn: IsoDate; seal: SealHead | null }

export function holderOf({ customerId, firstName, lastName, address }: Customer): Holder {
  return { customerId, name: `${firstName} ${lastName}`, address }
}
