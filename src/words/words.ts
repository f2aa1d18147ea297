/** How values are written for people. Amounts go to Intl as exact decimal text, never through a double. */

import { type IsoDate, isIsoDate } from '../domain/dates.ts'
import { formatPpm } from '../domain/decimal.ts'
import type { LanguageCode } from '../domain/language.ts'
import { formatAmount } from '../domain/money.ts'
import { type FigureKind, readFigure } from './figures.ts'
import { type Language, languages, type Texts } from './language.ts'
import { sharedTexts } from './texts.ts'

type Options = { timeZone: string; currency: string; language?: Language }

export type Words = ReturnType<typeof wordsOf> & {
  /** The same with amounts of another currency. */
  in: (currency: string) => Words
  /** The same in another language; null: in this one. */
  speaking: (code: LanguageCode | null) => Words
}

/** With the currency of the book. */
export function wordsFor(options: Options): Words {
  const known = new Map<string, Words>()
  const spoken = new Map<LanguageCode, Words>()
  const speaking = (code: LanguageCode): Words => {
    const words = spoken.get(code) ?? wordsFor({ ...options, language: languages[code] })
    spoken.set(code, words)
    return words
  }
  const wordsIn = (currency: string): Words => {
    // Only the currency of the book can do with its short sign: $ is the sign of many.
    const currencyDisplay = currency === options.currency ? 'narrowSymbol' : 'symbol'
    const words: Words = known.get(currency) ?? {
      ...wordsOf({ ...options, currency, currencyDisplay }),
      in: wordsIn,
      speaking: (code) => (code === null ? words : speaking(code).in(currency)),
    }
    known.set(currency, words)
    return words
  }
  return wordsIn(options.currency)
}

function wordsOf({
  timeZone,
  currency,
  currencyDisplay,
  language = languages.en,
}: Options & { currencyDisplay: 'narrowSymbol' | 'symbol' }) {
  const { locale, direction, choose } = language
  const say = choose(sharedTexts)
  const inCurrency = { style: 'currency', currency, currencyDisplay } as const
  const money = new Intl.NumberFormat(locale, inCurrency)
  const short = new Intl.NumberFormat(locale, {
    ...inCurrency,
    notation: 'compact',
    maximumFractionDigits: 2,
  })
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 })
  const whole = new Intl.NumberFormat(locale)
  const ofDay = { day: 'numeric', month: 'short', year: 'numeric' } as const
  const day = new Intl.DateTimeFormat(locale, { ...ofDay, timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
  const instant = new Intl.DateTimeFormat(locale, { ...ofDay, hour: '2-digit', minute: '2-digit', timeZone })
  const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const signOf = (wanted: string) =>
    plain.formatToParts(1_000_000.5).find(({ type }) => type === wanted)!.value
  const [groupSign, decimalSign] = [signOf('group'), signOf('decimal')]
  const exact = (amount: bigint) => formatAmount(amount) as Intl.StringNumericLiteral
  const atNoon = (date: string) => new Date(`${date}T12:00:00Z`)
  return {
    /** The texts that several nouns use. */
    say,
    /** The texts of a noun. */
    of: <Table>(texts: Texts<Table>) => choose(texts),
    locale,
    direction,
    currency,
    currencyDisplay,
    money: (amount: bigint) => money.format(exact(amount)).replace('-', '−'),
    short: (amount: bigint) => short.format(exact(amount)),
    /** A count. */
    whole: (count: number) => whole.format(count),
    plain: (amount: bigint) => plain.format(exact(amount)).replace('-', '−'),
    /** With a sign and a space, as in a sum. */
    signed: (amount: bigint) =>
      amount < 0n ? `− ${money.format(exact(-amount))}` : `+ ${money.format(exact(amount))}`,
    signedPlain: (amount: bigint) =>
      amount < 0n ? `− ${plain.format(exact(-amount))}` : `+ ${plain.format(exact(amount))}`,
    /** What somebody typed, as JSON writes it; null where it is no figure for certain. */
    figure: (text: string, kind: FigureKind) => readFigure(text, kind, { groupSign, decimalSign }),
    /** A figure of JSON in the field of a form, as `plain` and `percent` write it; `figure` reads it as the same. */
    typed: (figure: string, kind: FigureKind) =>
      kind === 'amount'
        ? plain.format(figure as Intl.StringNumericLiteral)
        : figure.replace('.', decimalSign),
    /** Parts of a million as percent, without its sign. */
    percent: (ppm: number) => formatPpm(ppm).replace('.', decimalSign),
    day: (date: IsoDate) => day.format(atNoon(date)),
    /** A detail of a refusal, which may be a date. */
    dayText: (text: string) => (isIsoDate(text) ? day.format(atNoon(text)) : text),
    dayOfYear: (date: IsoDate) => dayOfYear.format(atNoon(date)),
    ago: (at: Date, now: Date) => {
      const minutes = Math.round((now.getTime() - at.getTime()) / 60_000)
      if (minutes < 60) return relative.format(-minutes, 'minute')
      if (minutes < 24 * 60) return relative.format(-Math.round(minutes / 60), 'hour')
      return relative.format(-Math.round(minutes / (24 * 60)), 'day')
    },
    month: (date: IsoDate) => month.format(atNoon(date)),
    instant: (at: Date) => instant.format(at),
    /** The name of an audited action; without one, its type: account.closed is Account closed. */
    action: (type: string) => say.actions[type] ?? sentenceCase(type),
  }
}

function sentenceCase(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll(/[._]/g, ' ')
}
