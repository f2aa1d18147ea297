/** How names, e-mail addresses and telephone numbers are compared when searching for a customer. */

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

export function emailKey(email: string): string {
  return email.toLowerCase()
}

export function digitsOf(phoneNumber: string): string {
  return phoneNumber.replaceAll(/\D/g, '')
}

export function reversed(digits: string): string {
  return [...digits].reverse().join('')
}
