/**
 * The part of YAML that a mapping needs: maps by indentation, lists on one line or of lines with a hyphen, comments, and
 * scalars, which are always texts: plain, or between quotes. Everything else is an error that names its line, because a
 * mapping that is read otherwise than it was meant moves the wrong money.
 */
export type Yaml = string | string[] | { [name: string]: Yaml }

type Line = { number: number; indent: number; text: string }

export function parseYaml(source: string): Record<string, Yaml> {
  const lines = source.split(/\r?\n/).flatMap((text, index) => contentOf(text, index + 1))
  const [first] = lines
  if (first === undefined) return {}
  if (first.indent !== 0) throw wrong(first, 'begins with spaces')
  const { value, next } = readMap(lines, 0)
  if (next < lines.length) throw wrong(lines[next]!, 'is indented less than the lines before it')
  return value
}

function contentOf(written: string, number: number): Line[] {
  const text = written.trimStart()
  if (text === '' || text.startsWith('#')) return []
  const line = { number, indent: written.length - text.length, text: withoutComment(text).trimEnd() }
  if (written.slice(0, line.indent).includes('\t')) throw wrong(line, 'is indented with tabs; use spaces')
  return [line]
}

/** A hash after a space begins a comment, but not inside quotes. */
function withoutComment(text: string): string {
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1
      else if (character === quote) quote = ''
    } else if (/["']/.test(character) && /^$|[\s[,]/.test(text[at - 1] ?? '')) quote = character
    else if (character === '#' && /\s/.test(text[at - 1] ?? '')) return text.slice(0, at)
  }
  return text
}

function readMap(lines: readonly Line[], from: number): { value: Record<string, Yaml>; next: number } {
  const { indent } = lines[from]!
  const value: Record<string, Yaml> = Object.create(null)
  let at = from
  while (at < lines.length && lines[at]!.indent === indent) {
    const line = lines[at]!
    const [, written, rest] =
      /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'[{&*!|>%@`-][^:]*):(?:\s+(.*))?$/.exec(line.text) ?? []
    if (written === undefined) throw wrong(line, 'is not a name, a colon and a value')
    const name = scalarOf(written, line)
    if (name in value) throw wrong(line, `has the name ${name} a second time`)
    const below = lines[at + 1]
    if (rest !== undefined) {
      value[name] = inlineOf(rest, line)
      at += 1
    } else if (below === undefined || below.indent <= indent) {
      throw wrong(line, 'has no value')
    } else {
      const read = below.text.startsWith('- ') ? readList(lines, at + 1) : readMap(lines, at + 1)
      value[name] = read.value
      at = read.next
    }
  }
  if (at < lines.length && lines[at]!.indent > indent) throw wrong(lines[at]!, 'is indented too far')
  return { value, next: at }
}

function readList(lines: readonly Line[], from: number): { value: string[]; next: number } {
  const { indent } = lines[from]!
  const value: string[] = []
  let at = from
  for (; at < lines.length && lines[at]!.indent === indent; at += 1) {
    const line = lines[at]!
    if (!line.text.startsWith('- ')) throw wrong(line, 'is not part of the list before it')
    value.push(scalarOf(line.text.slice(2).trim(), line))
  }
  return { value, next: at }
}

function inlineOf(text: string, line: Line): string | string[] {
  if (!text.startsWith('[')) return scalarOf(text, line)
  if (!text.endsWith(']')) throw wrong(line, 'has a list without its closing bracket')
  const inside = text.slice(1, -1).trim()
  if (inside === '') return []
  const members = inside.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^,"'])+/g) ?? []
  return members.map((member) => scalarOf(member.trim(), line))
}

function scalarOf(text: string, line: Line): string {
  if (text.startsWith('"')) {
    try {
      return JSON.parse(text) as string
    } catch {
      throw wrong(line, 'has a text whose quotes are wrong')
    }
  }
  if (text.startsWith("'")) {
    if (!/^'(?:[^']|'')*'$/.test(text)) throw wrong(line, 'has a text whose quotes are wrong')
    return text.slice(1, -1).replaceAll("''", "'")
  }
  if (text === '' || /^[[\]{}&*!|>%@`,?]|^- |: | #|^-$/.test(text))
    throw wrong(line, 'has a value that needs quotes')
  return text
}

function wrong({ number }: Line, fault: string): Error {
  return new Error(`Line ${number} ${fault}.`)
}
