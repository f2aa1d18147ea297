/**
 * A request in several languages. Each is a complete program that needs nothing but the language, takes the key from
 * API_KEY, and prints the status and the answer; a test runs them.
 */
import { isJsonObject, type Json, Numeral } from '../../src/wire/json.ts'

export type SampleRequest = {
  method: string
  url: string
  needsKey: boolean
  takesIdempotencyKey: boolean
  /** null: no body is sent. */
  body: Json | null
  /** A file of JSON lines in place of a body. */
  lines: string | null
  /** Otherwise the answer is text. */
  answersJson: boolean
}

export const LANGUAGES = [
  { name: 'curl', print: printCurl },
  { name: 'TypeScript', print: printTypeScript },
  { name: 'Python', print: printPython },
  { name: 'Go', print: printGo },
] as const

/** null: nothing is sent. */
function typeOf({ body, lines }: SampleRequest): string | null {
  if (lines !== null) return 'application/x-ndjson'
  return body === null ? null : 'application/json'
}

function printCurl(request: SampleRequest): string {
  const { method, url, needsKey, takesIdempotencyKey, body, lines } = request
  const type = typeOf(request)
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url.includes('?') ? `'${url}'` : url}`,
    needsKey && `-H "Authorization: Bearer $API_KEY"`,
    type !== null && `-H 'Content-Type: ${type}'`,
    takesIdempotencyKey && `-H "Idempotency-Key: $(openssl rand -hex 16)"`,
    body !== null && `-d '${printLiteral(body, JSON_LITERALS).replaceAll("'", "'\\''")}'`,
    lines !== null && `--data-binary '${lines.replaceAll("'", "'\\''")}'`,
  ]
  return parts.filter((part) => part !== false).join(' \\\n  ')
}

function printTypeScript(request: SampleRequest): string {
  const { method, url, needsKey, takesIdempotencyKey, body, lines: file, answersJson } = request
  const type = typeOf(request)
  const headers = lines(
    needsKey && `    Authorization: \`Bearer \${process.env.API_KEY}\`,`,
    type !== null && `    'Content-Type': '${type}',`,
    takesIdempotencyKey && `    'Idempotency-Key': crypto.randomUUID(),`,
  )
  const options = lines(
    method !== 'GET' && `  method: '${method}',`,
    headers !== '' && `  headers: {\n${headers}\n  },`,
    body !== null && `  body: JSON.stringify(${printLiteral(body, TYPESCRIPT_LITERALS, '  ')}),`,
    file !== null && `  body: ${singleQuoted(file)},`,
  )
  return lines(
    `const response = await fetch('${url}'${options && `, {\n${options}\n}`})`,
    `console.log(response.status, await response.${answersJson ? 'json' : 'text'}())`,
  )
}

/** Amounts are read as Decimal, which keeps both of their decimals. */
function printPython(request: SampleRequest): string {
  const { method, url, needsKey, takesIdempotencyKey, body, lines: file, answersJson } = request
  const type = typeOf(request)
  const headers = lines(
    needsKey && `        "Authorization": "Bearer " + os.environ["API_KEY"],`,
    type !== null && `        "Content-Type": "${type}",`,
    takesIdempotencyKey && `        "Idempotency-Key": str(uuid.uuid4()),`,
  )
  return lines(
    (answersJson || body !== null) && `import json`,
    needsKey && `import os`,
    takesIdempotencyKey && `import uuid`,
    answersJson && `from decimal import Decimal`,
    `from urllib.error import HTTPError`,
    `from urllib.request import Request, urlopen`,
    ``,
    `request = Request(`,
    `    "${url}",`,
    method !== 'GET' && `    method="${method}",`,
    headers !== '' && `    headers={\n${headers}\n    },`,
    body !== null && `    data=json.dumps(${printLiteral(body, PYTHON_LITERALS, '    ')}).encode(),`,
    file !== null && `    data=${JSON.stringify(file)}.encode(),`,
    `)`,
    `try:`,
    `    response = urlopen(request)`,
    `except HTTPError as failure:`,
    `    response = failure`,
    `print(response.status, ${answersJson ? 'json.load(response, parse_float=Decimal)' : 'response.read().decode()'})`,
  )
}

function printGo(request: SampleRequest): string {
  const { method, url, needsKey, takesIdempotencyKey, body, lines: file } = request
  const type = typeOf(request)
  return lines(
    `package main`,
    ``,
    `import (`,
    takesIdempotencyKey && `\t"crypto/rand"`,
    `\t"fmt"`,
    `\t"io"`,
    `\t"log"`,
    `\t"net/http"`,
    needsKey && `\t"os"`,
    type !== null && `\t"strings"`,
    `)`,
    ``,
    `func main() {`,
    body !== null && `\tbody := strings.NewReader(\`${printLiteral(body, JSON_LITERALS, '\t')}\`)`,
    file !== null && `\tbody := strings.NewReader(${JSON.stringify(file)})`,
    `\trequest, err := http.NewRequest("${method}", "${url}", ${type === null ? 'nil' : 'body'})`,
    CHECK_IN_GO,
    needsKey && `\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))`,
    type !== null && `\trequest.Header.Set("Content-Type", "${type}")`,
    takesIdempotencyKey && `\trequest.Header.Set("Idempotency-Key", rand.Text())`,
    `\tresponse, err := http.DefaultClient.Do(request)`,
    CHECK_IN_GO,
    `\tdefer response.Body.Close()`,
    `\tanswer, err := io.ReadAll(response.Body)`,
    CHECK_IN_GO,
    `\tfmt.Println(response.StatusCode, string(answer))`,
    `}`,
  )
}

const CHECK_IN_GO = `\tif err != nil {\n\t\tlog.Fatal(err)\n\t}`

function lines(...given: (string | false)[]): string {
  return given.filter((line) => line !== false).join('\n')
}

/** How a language writes the values that JSON has. */
type Literals = {
  indent: string
  name: (name: string) => string
  text: (text: string) => string
  constants: Record<'true' | 'false' | 'null', string>
  /** Whether braces are separated by spaces, and lines end in a comma. */
  spaced: boolean
  trailingComma: boolean
}

const JSON_LITERALS: Literals = {
  indent: '  ',
  name: JSON.stringify,
  text: JSON.stringify,
  constants: { true: 'true', false: 'false', null: 'null' },
  spaced: false,
  trailingComma: false,
}
const TYPESCRIPT_LITERALS: Literals = {
  ...JSON_LITERALS,
  name: (name) => (/^[a-z_]\w*$/i.test(name) ? name : singleQuoted(name)),
  text: singleQuoted,
  spaced: true,
  trailingComma: true,
}
const PYTHON_LITERALS: Literals = {
  ...JSON_LITERALS,
  indent: '    ',
  constants: { true: 'True', false: 'False', null: 'None' },
  trailingComma: true,
}

function singleQuoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const LINE_MAX_CHARACTERS = 60

/**
 * On one line if that is short, otherwise with each member on its own line; `margin` goes before the lines after the
 * first.
 */
function printLiteral(value: Json, literals: Literals, margin = ''): string {
  if (value instanceof Numeral) return value.source
  if (typeof value === 'string') return literals.text(value)
  if (value === null || typeof value === 'boolean') return literals.constants[`${value}`]
  const members = isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [`${literals.name(name)}: `, member] as const)
    : value.map((member) => ['', member] as const)
  const [open, close] = isJsonObject(value) ? ['{', '}'] : ['[', ']']
  if (members.length === 0) return open + close
  const inOneLine = members.map(([name, member]) => name + printLiteral(member, literals)).join(', ')
  const gap = literals.spaced && open === '{' ? ' ' : ''
  if (inOneLine.length + margin.length <= LINE_MAX_CHARACTERS && !inOneLine.includes('\n')) {
    return open + gap + inOneLine + gap + close
  }
  const inner = margin + literals.indent
  const spread = members.map(([name, member]) => inner + name + printLiteral(member, literals, inner))
  return `${open}\n${spread.join(',\n')}${literals.trailingComma ? ',' : ''}\n${margin}${close}`
}
