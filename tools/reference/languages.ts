/**
 * A request in several languages: by curl, and by the clients of clients/. Each is a complete program that takes the key
 * from API_KEY and prints the answer; a test compiles all of them and runs some.
 */
import type { Model } from '../clients/model.ts'
import { printPython, printTypeScript } from './client-programs.ts'
import { printGo } from './go-program.ts'
import { JSON_LITERALS, printLiteral } from './literals.ts'
import type { SampleRequest } from './sample-request.ts'

export const LANGUAGES: readonly {
  name: string
  print: (request: SampleRequest, model: Model) => string
}[] = [
  { name: 'curl', print: printCurl },
  { name: 'TypeScript', print: printTypeScript },
  { name: 'Python', print: printPython },
  { name: 'Go', print: printGo },
]

function printCurl(request: SampleRequest): string {
  const { operation, needsKey, takesIdempotencyKey, body, lines } = request
  const { method } = operation
  const url = urlOf(request)
  const type = lines !== null ? 'application/x-ndjson' : body !== null ? 'application/json' : null
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

function urlOf({ operation, origin, targets, query }: SampleRequest): string {
  const rest = [...targets]
  const path = operation.path.replaceAll(/\{\w+\}/g, () => rest.shift()!)
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()
  return origin + path + (search && `?${search}`)
}
