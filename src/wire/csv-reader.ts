/**
 * Comma-separated files by RFC 4180, in UTF-8, read record by record: a file of any size needs the memory of one
 * record. Guarantees: a record knows the line it begins on; one that breaks the rules of quotes is reported, and the
 * records after it are read all the same.
 */

/** null: its quotes are wrong. */
export type CsvRecord = { line: number; cells: string[] | null }

/** The bytes are not text in UTF-8. */
export class NotTextError extends Error {}

/** A record that is longer has lost a closing quote. */
const RECORD_MAX_CHARACTERS = 64 * 1024

/** `separatorOf`: found in the first record. */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  separatorOf: (first: string) => string,
): AsyncGenerator<CsvRecord> {
  let line = 0
  let begun = ''
  let beganOn = 0
  let separator: string | null = null
  for await (const text of linesOf(bytes)) {
    line += 1
    if (begun === '') beganOn = line
    begun = begun === '' ? text : `${begun}\n${text}`
    // A quote inside a quoted cell is written twice, so a record is complete when their number is even.
    const isComplete = (begun.match(/"/g)?.length ?? 0) % 2 === 0
    if (!isComplete && begun.length <= RECORD_MAX_CHARACTERS) continue
    if (begun.trim() !== '') {
      separator ??= separatorOf(begun)
      yield { line: beganOn, cells: isComplete ? cellsOf(begun, separator) : null }
    }
    begun = ''
  }
  if (begun !== '') yield { line: beganOn, cells: null }
}

export function cellsOf(record: string, separator: string): string[] | null {
  const cells: string[] = []
  for (let at = 0; ; ) {
    const isQuoted = record[at] === '"'
    const end = isQuoted ? closingQuote(record, at + 1) + 1 : endOfCell(record, at, separator)
    const cell = record.slice(at, end)
    if (!isQuoted && cell.includes('"')) return null
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === record.length) return cells
    if (record[end] !== separator) return null
    at = end + 1
  }
}

function endOfCell(record: string, from: number, separator: string): number {
  const end = record.indexOf(separator, from)
  return end === -1 ? record.length : end
}

function closingQuote(record: string, from: number): number {
  for (let at = record.indexOf('"', from); at !== -1; at = record.indexOf('"', at + 2))
    if (record[at + 1] !== '"') return at
  return record.length - 1
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Drops the byte order mark that spreadsheets write.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (cause) {
      throw new NotTextError('It is not text in UTF-8.', { cause })
    }
  }
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decode(chunk)).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield withoutReturn(line)
  }
  rest += decode()
  if (rest !== '') yield withoutReturn(rest)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
