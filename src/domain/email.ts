/** E-mail addresses are stored as written and compared by this key: without case, and composed letters like decomposed. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase().normalize('NFC')
}
