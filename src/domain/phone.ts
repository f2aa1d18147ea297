/**
 * Telephone numbers as people say them. A national number begins with a zero where an international one has the calling
 * code of the country: 0803 111 2222 is +234 803 111 2222. The country is that of the book's currency; currencies of
 * several countries name none.
 */
import { digitsOf } from './search.ts'

const CALLING_CODES: Readonly<Record<string, string>> = {
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

/**
 * The form in which a number is found however it is said: the digits of its international form. Where the country is not
 * known, a national number stays as it is.
 */
export function phoneKeyOf(phoneNumber: string, currency: string): string {
  const code = CALLING_CODES[currency] ?? ''
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
export function spellingsOf(digits: string, currency: string): string[] {
  const code = CALLING_CODES[currency]
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
