/** The forms that texts of the contract may have: lines, addresses, numbers, times and currencies. */
import { isIsoDate } from '../domain/dates.ts'

/** As printed, in the syntax that all regular expressions share; the readers reject more control characters. */
export const ONE_LINE = '^[^\\x00-\\x1f\\x7f-\\x9f]+$'
export const LINES = '^[^\\x00-\\x09\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]+$'
export const NO_CONTROL = 'Leave out line breaks and other control characters.'
export const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u
export const CONTROL_BUT_LINE_BREAK = /(?![\r\n])[\p{Cc}\p{Bidi_Control}]/u
export const LETTER = /\p{L}/u
export const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const NOT_IN_LOCAL_PART = /[\p{Cc}\p{Cf}\p{Z}"(),:;<>@[\\\]]/u
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u

export function isEmail(value: string): boolean {
  const [localPart = '', domain = '', ...more] = value.split('@')
  if (more.length > 0 || localPart.length > 64 || NOT_IN_LOCAL_PART.test(localPart)) return false
  const labels = domain.split('.')
  return (
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    !localPart.split('.').includes('')
  )
}

// Each character can match in one way only, so it cannot backtrack: digits or bracketed digits, each after at most one
// separator.
export const PHONE_NUMBER = /^\+?(?:\d|\(\d{1,15}\))(?:[ .-]?(?:\d|\(\d{1,15}\))){0,14}$/

export function isPhoneNumber(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '').length
  return digits >= 7 && digits <= 15 && PHONE_NUMBER.test(value)
}

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/
export const INSTANT_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Date.parse moves 30 February into March, so the date is checked separately. */
export function readInstantMs(value: string): number | null {
  const match = INSTANT.exec(value)
  return match !== null && isIsoDate(match[1]!) ? Date.parse(value) : null
}

/** ISO 4217, active codes with two minor digits. */
export const CURRENCIES: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
    'CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
    'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK ' +
    'MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP ' +
    'SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ' +
    'ZAR ZMW ZWG'
  ).split(' '),
)

/**
 * ISO 4217, active codes with three or four minor digits, and the indexed unit UYI: known, so that the error can say why.
 */
export const CURRENCIES_OF_OTHER_DIGITS = new Set('BHD IQD JOD KWD LYD OMR TND CLF UYI UYW'.split(' '))
