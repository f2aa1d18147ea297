/** A page is data: the door registers it, checks access, and adds the frame to its content. */
import type { Book } from '../domain/book.ts'
import type { Customer } from '../domain/customer.ts'
import type { IsoDate } from '../domain/dates.ts'
import type { Deposit } from '../domain/deposit.ts'
import type { Person } from '../domain/people.ts'
import type { StoredLiquidation } from '../domain/reversal.ts'
import type { RuleSet } from '../domain/rules.ts'
import type { Origin } from '../engine/change/change.ts'
import { inOneLane } from '../engine/database/database.ts'
import type { Service } from '../route/route.ts'
import type { Words } from '../words/words.ts'
import type { Fields } from './form.ts'
import type { Html } from './html.ts'
import type { Keep } from './kept.ts'
import type { PersonIdentity, SignIn } from './sign-in.ts'

export type Section = keyof Words['say']['sections']

export type Page = {
  method: 'GET' | 'POST'
  /** Below /console. */
  path: string
  /** The same as for the operation of the API; null: any signed-in person. */
  scope: string | null
  /** Does not exist in live books. */
  testModeOnly?: true
  /** It may be a moment behind, so it may be read from a standby; never the page after a form that changed something. */
  mayLag?: true
  /** It may be used as evidence: it is read from a standby only once that has everything the primary has. */
  certifies?: true
  /** Whether it gives access, and so asks for the password again after 15 minutes. */
  needsRecentSignIn?: (params: Readonly<Record<string, string>>, person: Person) => boolean
  /** Its form contains a file, after all fields. */
  takesFile?: true
  /** The only pages for somebody who must have a second factor and has none. */
  isForFactors?: true
  answer: (asked: Asked) => Promise<PageAnswer>
}

export type Asked = {
  service: Service
  book: Book
  identity: PersonIdentity
  signIn: SignIn
  /** The secret of the session, for actions that need the password again. */
  secret: string
  /** Whether the person has this scope. */
  may: (scope: string) => boolean
  words: Words
  params: Record<string, string>
  query: Fields
  form: Fields
  /** The file of the form as it arrives; it is not stored anywhere, and can be read once. */
  file: AsyncIterable<Buffer> | null
  /** The URL of the console, for links that are passed on; null where only the Host of the request would say it. */
  home: string | null
  /** The part of the page that the script requested, if it did. */
  part: string | null
  /** What nouns give to pages of others. */
  cards: Cards
  /** Keeps results that take long in a large book. */
  keep: Keep
  /** The origin of a change; the key, if there is one, is that of the form. */
  originOf: (key: string | null) => Origin
}

export type CardPlace = 'notice' | 'action' | 'top' | 'main' | 'side' | 'below'

/** null: there is nothing to show. */
type ShowCard<Subject> = (asked: Asked, subject: Subject) => Promise<Html | null>

export type Card<Subject> = {
  place: CardPlace
  show: ShowCard<Subject>
  /** What the script may ask for alone. */
  part?: { name: string; show: ShowCard<Subject> }
}

/** What the cards of a deposit are about; `words` are in its currency. */
export type DepositSubject = {
  deposit: Deposit
  rules: RuleSet
  today: IsoDate
  at: Date
  /** What was filled in: the query, or the form that was refused. */
  form: Fields
  /** The idempotency key of the form that pays. */
  key: string
  words: Words
}

export type CustomerSubject = { customer: Customer; at: Date }

/** A liquidation as it was made; `words` are in its currency. */
export type LiquidationSubject = { liquidation: StoredLiquidation; deposit: Deposit; words: Words }

export type Cards = {
  liquidation: readonly Card<LiquidationSubject>[]
  deposit: readonly Card<DepositSubject>[]
  customer: readonly Card<CustomerSubject>[]
}

export type PageAnswer = (
  | { kind: 'page'; title: string; section: Section | null; main: Html; status?: number }
  /** A part is sent without the frame. */
  | { kind: 'part'; part: Html }
  | { kind: 'redirect'; to: string }
  | { kind: 'file'; name: string; type: string; content: string | AsyncIterable<string> }
  | { kind: 'not_found' }
) & {
  /** The new secret of the session, where it got one. */
  secret?: string
}

/** For a page of many reads that are all quick: those that overlap are sent over one connection. */
export function readingTogether(asked: Asked): Asked {
  const { service } = asked
  return { ...asked, service: { ...service, db: inOneLane(service.db) } }
}

export const NOT_FOUND: PageAnswer = { kind: 'not_found' }

export function show(
  section: Section | null,
  title: string,
  main: Html,
  status?: number,
): PageAnswer & { kind: 'page' } {
  return { kind: 'page', section, title, main, ...(status !== undefined && { status }) }
}

export function redirect(to: string): PageAnswer {
  return { kind: 'redirect', to }
}
