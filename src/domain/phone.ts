/**
 * Telephone numbers as people say them. A national number begins with a zero where an international one has the calling
 * code of the country: 0803 111 2222 is +234 803 111 2222. The country is that of the book's currency; where several
 * countries have the currency, it is that of the book's time zone.
 */
import type { Book } from './book.ts'
import { digitsOf } from './search.ts'

const CODES_BY_CURRENCY: Readonly<Record<string, string>> = {
  AED: '971',
  AUD: '61',
  BDT: '880',
  CHF: '41',
  CNY: '86',
  EGP: '20',
  GBP: '44',
  GHS: '233',
  IDR: '62',
  ILS: '972',
  INR: '91',
  JPY: '81',
  KES: '254',
  KRW: '82',
  LKR: '94',
  MAD: '212',
  MYR: '60',
  NGN: '234',
  NZD: '64',
  PHP: '63',
  PKR: '92',
  RWF: '250',
  SAR: '966',
  SEK: '46',
  THB: '66',
  TRY: '90',
  TZS: '255',
  UGX: '256',
  VND: '84',
  ZAR: '27',
  ZMW: '260',
}

/** Dialling codes of countries that share a currency, and of some whose banks keep books in a foreign one. */
const CODES_BY_ZONE: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'Africa/Abidjan 225',
      'Africa/Accra 233',
      'Africa/Bamako 223',
      'Africa/Bangui 236',
      'Africa/Bissau 245',
    ],
    ...['Africa/Brazzaville 242', 'Africa/Cairo 20', 'Africa/Casablanca 212', 'Africa/Dakar 221'],
    ...['Africa/Dar_es_Salaam 255', 'Africa/Douala 237', 'Africa/Harare 263', 'Africa/Johannesburg 27'],
    ...['Africa/Kampala 256', 'Africa/Kigali 250', 'Africa/Kinshasa 243', 'Africa/Lagos 234'],
    ...[
      'Africa/Libreville 241',
      'Africa/Lome 228',
      'Africa/Lusaka 260',
      'Africa/Malabo 240',
      'Africa/Nairobi 254',
    ],
    ...['Africa/Ndjamena 235', 'Africa/Niamey 227', 'Africa/Ouagadougou 226', 'Africa/Porto-Novo 229'],
    ...['America/Chicago 1', 'America/Denver 1', 'America/El_Salvador 503', 'America/Guayaquil 593'],
    ...['America/Los_Angeles 1', 'America/New_York 1', 'America/Panama 507', 'America/Phoenix 1'],
    ...[
      'Asia/Nicosia 357',
      'Europe/Amsterdam 31',
      'Europe/Athens 30',
      'Europe/Berlin 49',
      'Europe/Bratislava 421',
    ],
    ...['Europe/Brussels 32', 'Europe/Dublin 353', 'Europe/Helsinki 358', 'Europe/Lisbon 351'],
    ...['Europe/Ljubljana 386', 'Europe/Luxembourg 352', 'Europe/Madrid 34', 'Europe/Malta 356'],
    ...['Europe/Paris 33', 'Europe/Riga 371', 'Europe/Rome 39', 'Europe/Tallinn 372', 'Europe/Vienna 43'],
    ...['Europe/Vilnius 370', 'Europe/Zagreb 385'],
  ].map((line) => line.split(' ') as [string, string]),
)

/** Where a bank's customers have their telephones. */
export type PhonePlace = Pick<Book, 'currency' | 'timeZone'>

function callingCodeOf({ currency, timeZone }: PhonePlace): string | undefined {
  return CODES_BY_CURRENCY[currency] ?? CODES_BY_ZONE.get(timeZone)
}

/**
 * The form in which a number is found however it is said: the digits of its international form. Where the country is not
 * known, a national number stays as it is.
 */
export function phoneKeyOf(phoneNumber: string, place: PhonePlace): string {
  const code = callingCodeOf(place) ?? ''
  const isInternational = /^[\s(]*(?:\+|00)/.test(phoneNumber)
  // +44 (0)20 … has a zero that is dialled inside the country alone.
  const digits = digitsOf(isInternational ? phoneNumber.replace('(0)', '') : phoneNumber)
  if (!isInternational && code !== '' && !digits.startsWith(code)) return code + digits.replace(/^0/, '')
  const international = isInternational ? digits.replace(/^00/, '') : digits
  return code !== '' && international.startsWith(`${code}0`)
    ? code + international.slice(code.length + 1)
    : international
}

/** Shorter numbers are too common to be compared by their end. */
const COMPARED_MIN = 6

/** The digits under which a number that was typed may be stored, the typed ones first. */
export function spellingsOf(digits: string, place: PhonePlace): string[] {
  const code = callingCodeOf(place)
  const international = digits.replace(/^00/, '')
  if (code === undefined) return [...new Set([digits, international])]
  const national = international.startsWith(code)
    ? international.slice(code.length).replace(/^0/, '')
    : digits.startsWith('0')
      ? digits.slice(1)
      : null
  if (national === null) return [...new Set([digits, international])]
  const spellings = [digits, international, code + national, `0${national}`]
  return [...new Set(national.length >= COMPARED_MIN ? [...spellings, national] : spellings)]
}
