/** How names and telephone numbers are compared when searching for a customer. */

/** Without case and accents: 'Àdá' equals 'ada'. */
export function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The words of a name, each once. */
export function wordsOf(name: string): string[] {
  return [
    ...new Set(
      folded(name)
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== ''),
    ),
  ]
}

/** The word itself and every word that one typing error makes of it: a letter too many, too few, wrong, or two swapped. */
export function withOneError(word: string): string[] {
  const letters = [...word]
  const near = new Set([word])
  for (let at = 0; at <= letters.length; at += 1) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at)]
    const [next = '', second = '', ...rest] = after
    if (next !== '') near.add(before + after.slice(1).join(''))
    if (second !== '') near.add(before + second + next + rest.join(''))
    for (const letter of LETTERS) {
      near.add(before + letter + after.join(''))
      if (next !== '') near.add(before + letter + after.slice(1).join(''))
    }
  }
  return [...near]
}

/** The letters of names without accents. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export function digitsOf(phoneNumber: string): string {
  return phoneNumber.replaceAll(/\D/g, '')
}

export function reversed(digits: string): string {
  return [...digits].reverse().join('')
}
