/** What every letter to a customer begins with. */
import type { Customer } from './customer.ts'
import type { IsoDate } from './dates.ts'
import type { LanguageCode } from './language.ts'
import type { SealHead } from './seal.ts'

export type Holder = { customerId: string; name: string; address: string }

/** The bank on paper. logo: a data URL. language: of its customers; null: of the person who prints the letter. */
export type Sender = {
  bank: string
  bankAddress: string | null
  logo: string | null
  language: LanguageCode | null
}

/** seal: the newest of the book, printed in the footer; null before the first. */
export type Letterhead = Sender & { holder: Holder; issuedOn: IsoDate; seal: SealHead | null }

export function holderOf({ customerId, firstName, lastName, address }: Customer): Holder {
  return { customerId, name: `${firstName} ${lastName}`, address }
}
