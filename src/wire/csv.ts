/**
 * Comma-separated text as RFC 4180 has it, which spreadsheets open correctly: numbers stay numbers, and a cell that a
 * spreadsheet would run as a formula begins with an apostrophe.
 */
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/
const LIKE_A_FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

export function csvText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map(csvLine).join('')
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(text: string): string {
  const isFormula = LIKE_A_FORMULA.test(text) && !PLAIN_NUMBER.test(text)
  const harmless = isFormula ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
