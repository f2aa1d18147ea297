/** A page is data: the door registers it, checks access, and adds the frame to its content. */
import type { Book } from '../domain/book.ts'
import type { Origin } from '../engine/change/change.ts'
import type { PersonIdentity, SignIn } from '../features/people/sign-in.ts'
import { type Html, html, trusted } from '../wire/html.ts'
import type { Service } from '../wire/route.ts'
import type { Words } from './words.ts'

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
  answer: (asked: Asked) => Promise<PageAnswer>
}

export type Asked = {
  service: Service
  book: Book
  identity: PersonIdentity
  signIn: SignIn
  /** Of the session, for actions that need the password again. */
  secret: string
  /** Whether the person has this scope. */
  may: (scope: string) => boolean
  words: Words
  params: Record<string, string>
  query: Fields
  form: Fields
  /** The URL of the console for the browser, for links that are passed on. */
  home: string
  /** The part of the page that the script requested, if it did. */
  part: string | null
  /** The origin of a change; the key, if there is one, is that of the form. */
  originOf: (key: string | null) => Origin
}

/** Names occur once each; a missing field is the empty text. */
export type Fields = { get: (name: string) => string; has: (name: string) => boolean; text: string }

export type PageAnswer = (
  | { kind: 'page'; title: string; section: Section | null; main: Html; status?: number }
  /** Without the frame. */
  | { kind: 'part'; part: Html }
  | { kind: 'redirect'; to: string }
  | { kind: 'file'; name: string; type: string; content: string }
  | { kind: 'not_found' }
) & {
  /** Where the session got another secret. */
  secret?: string
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

/** Hidden fields of a form. */
export function hiddenFields(fields: Iterable<[string, string]>): Html {
  return html`${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

/** The options of a select, by value. */
export function choices(texts: Readonly<Record<string, string>>, chosen: string): Html {
  return html`${Object.entries(texts).map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen && trusted(' selected')}>${text}</option>`,
  )}`
}
