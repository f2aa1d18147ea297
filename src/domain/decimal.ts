/**
 * Decimal numbers by their source text, never through a double. Sources obey JSON's number grammar. The work is linear
 * in their length, because a power of ten is never written out: 1e999999999 costs as little as 1.
 */
type DecimalReading = { units: bigint } | 'too_precise' | 'out_of_range'

/**
 * The number in whole units of 10^-digits. Beyond ±max is out_of_range, whatever its precision; within it, a non-zero
 * digit below the unit is too_precise.
 */
export function readDecimal(source: string, options: { digits: number; max: bigint }): DecimalReading {
  const { negative, significand, exponent } = scan(source)
  if (significand === '') return { units: 0n }
  const shift = exponent + options.digits
  const wholeLength = significand.length + shift
  if (wholeLength > options.max.toString().length) return 'out_of_range'

  // After this point the whole part is no longer than max, so converting it to a bigint is cheap.
  const whole = wholeLength > 0 ? BigInt(significand.slice(0, wholeLength)) : 0n
  if (shift < 0) return whole >= options.max ? 'out_of_range' : 'too_precise'
  const units = whole * 10n ** BigInt(shift)
  if (units > options.max) return 'out_of_range'
  return { units: negative ? -units : units }
}

/** Parts per million as percent with the fewest digits: 125000 is '12.5'. */
export function formatPpm(ppm: bigint | number): string {
  return formatUnits(BigInt(ppm), 4)
}

/** Units of 10^-digits with the fewest fractional digits: (1500000n, 6) is '1.5'. */
export function formatUnits(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0')
  const whole = `${units < 0n ? '-' : ''}${text.slice(0, text.length - digits)}`
  let end = text.length
  while (end > text.length - digits && text.charCodeAt(end - 1) === ZERO) end -= 1
  return end === text.length - digits ? whole : `${whole}.${text.slice(text.length - digits, end)}`
}

/**
 * One text per value, so that different spellings of a number are equal: 100, 1e2 and 100.00 are all '1e2'. The text is
 * itself a spelling of the value, so two values never share one.
 */
export function canonicalNumber(source: string): string {
  const { negative, significand, exponent } = scan(source)
  if (significand === '') return '0'
  // No field accepts a number of such a size, and adding to its exponent would not be linear.
  if (!Number.isFinite(exponent)) return source
  return `${negative ? '-' : ''}${significand}${exponent === 0 ? '' : `e${exponent}`}`
}

const ZERO = 48

/** An exponent of 15 digits is still exact as a number after the length of any source is added to it. */
const EXPONENT_DIGITS_MAX = 15

/** The value is significand × 10^exponent; the significand has no zero at either end and is empty for zero. */
type Scanned = { negative: boolean; significand: string; exponent: number }

function scan(source: string): Scanned {
  const negative = source.startsWith('-')
  const exponentMark = Math.max(source.indexOf('e'), source.indexOf('E'))
  const mantissa = source.slice(negative ? 1 : 0, exponentMark === -1 ? source.length : exponentMark)
  const point = mantissa.indexOf('.')
  const digits = point === -1 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1)
  const fractionLength = point === -1 ? 0 : mantissa.length - point - 1
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end -= 1
  const written = exponentMark === -1 ? 0 : readExponent(source.slice(exponentMark + 1))
  return {
    negative,
    significand: digits.slice(endOfZeros(digits, 0), end),
    exponent: written - fractionLength + (digits.length - end),
  }
}

function readExponent(text: string): number {
  const signed = text.startsWith('-') || text.startsWith('+')
  const digits = text.slice(endOfZeros(text, signed ? 1 : 0))
  const magnitude = digits.length > EXPONENT_DIGITS_MAX ? Number.POSITIVE_INFINITY : Number(digits)
  return text.startsWith('-') ? -magnitude : magnitude
}

/** The end of a run of zeros that begins at a position. */
function endOfZeros(text: string, from: number): number {
  let position = from
  while (position < text.length && text.charCodeAt(position) === ZERO) position += 1
  return position
}
