/**
 * Figures as people type them in their language. Nothing is guessed: what could mean two figures is refused, and no text
 * is one figure in one language and another figure in another.
 */
export type FigureKind = 'amount' | 'rate' | 'count'

/** The signs of a language between groups of three digits, and before decimals. */
export type Signs = { groupSign: string; decimalSign: string }

/**
 * A figure as JSON writes it; null where the text is none for certain. A decimal point is understood in every language, and
 * spaces may stand between groups. An amount has two decimals at most: 50,000 in French may have been meant as thousands.
 * Points of interest may be below zero.
 */
export function readFigure(text: string, kind: FigureKind, { groupSign, decimalSign }: Signs): string | null {
  const isNegative = kind === 'rate' && /^\s*[-\u2212]/.test(text)
  const typed = (isNegative ? text.trim().slice(1) : text).trim()
  const decimals = /[.,]\d+$/.exec(typed)?.[0] ?? ''
  const fraction = ['.', decimalSign].includes(decimals.charAt(0)) ? decimals.slice(1) : ''
  const whole = fraction === '' ? typed : typed.slice(0, -decimals.length)
  const digits = kind === 'rate' ? whole : withoutGroups(whole, groupSign)
  if (fraction.length > DECIMALS_MAX[kind] || !/^\d{1,15}$/.test(digits)) return null
  const figure = digits.replace(/^0+(?=\d)/, '') + (fraction && `.${fraction}`)
  return isNegative && /[1-9]/.test(figure) ? `-${figure}` : figure
}

const DECIMALS_MAX: Readonly<Record<FigureKind, number>> = { amount: 2, rate: 4, count: 0 }

/** Groups have three digits and one sign between all of them; anything else stays as it is. */
function withoutGroups(whole: string, groupSign: string): string {
  for (const sign of [groupSign, /\s/]) {
    const [first = '', ...others] = whole.split(sign)
    if (/^\d{1,3}$/.test(first) && others.every((group) => /^\d{3}$/.test(group)))
      return first + others.join('')
  }
  return whole
}
