/**
 * The languages of the console and of letters. A noun has its English texts in words.ts beside its pages and the French
 * ones in french.ts; what several nouns say is in texts.ts and french.ts here. A table without its translation does not
 * compile, and test/words/translation.test.ts finds entries that one language lacks or repeats from the other.
 */
import type { LanguageCode } from '../domain/language.ts'

/** The same texts in each language. */
export type Texts<Table> = Record<LanguageCode, Table>

export type Language = {
  locale: string
  direction: 'ltr' | 'rtl'
  choose: <Table>(texts: Texts<Table>) => Table
}

export const languages: Record<LanguageCode, Language> = {
  en: { locale: 'en-GB', direction: 'ltr', choose: ({ en }) => en },
  fr: { locale: 'fr-FR', direction: 'ltr', choose: ({ fr }) => fr },
}

/** What is put into a sentence. */
export type Text = string | number

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/** In French none is singular too. */
export function countFrench(number: number, one: string, many: string): string {
  return `${number} ${number < 2 ? one : many}`
}
