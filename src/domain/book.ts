/** One caller in one mode. Everything a caller owns belongs to one book and is invisible from any other. */
export const MODES = ['test', 'live'] as const
export type Mode = (typeof MODES)[number]

export type Book = {
  bookId: string
  callerId: string
  mode: Mode
  timeZone: string
  currency: string
}
