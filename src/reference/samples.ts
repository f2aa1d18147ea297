/** Examples as people use them: a command to paste, and the answer it gets. */

import { type Html, html } from '../wire/html.ts'
import type { Json } from '../wire/json.ts'
import type { Content, Document, DocumentedOperation, Parameter, Response } from './openapi-document.ts'
import { resolve } from './schema.ts'

/** Where the service listens by default. The page shows the origin it was asked from in its place. */
export const DEFAULT_ORIGIN = 'http://127.0.0.1:8080'
const LINE_MAX_CHARACTERS = 60

export type Entry = { method: string; path: string; operation: DocumentedOperation }

export function renderSamples(entry: Entry, parameters: readonly Parameter[], document: Document): Html {
  const { requestBody, responses } = entry.operation
  const sent = valuesOf(requestBody?.content['application/json'])
  const success = resolve<Response>(Object.values(responses)[0]!, document)
  const answers = [...valuesOf(success.content?.['application/json'])]
  if (answers.length === 0) return renderCommand('Request', commandOf(entry, parameters, null))
  return html`${answers.map(([name, answer]) => {
    const kind = answers.length > 1 ? ` ${name}` : ''
    const command = commandOf(entry, parameters, sent.get(name) ?? null)
    return [renderCommand(`Request${kind}`, command), renderJson(`Answer${kind}`, answer)]
  })}`
}

function renderCommand(title: string, command: string): Html {
  return renderSample(title, html`<span class="command">${command}</span>`)
}

export function renderJson(title: string, value: Json): Html {
  return renderSample(title, paint(JSON.stringify(value, null, 2)))
}

/** Examples by their name. */
export function valuesOf(content: Content | undefined): Map<string, Json> {
  const examples = Object.entries(content?.examples ?? {})
  return new Map(examples.flatMap(([name, example]) => ('value' in example ? [[name, example.value]] : [])))
}

/** A long sample scrolls, and what scrolls must be reachable by the keyboard. */
function renderSample(title: string, code: Html): Html {
  const pre = html`<pre tabindex="0" role="group" aria-label="${title}"><code>${code}</code></pre>`
  return html`<figure><figcaption>${title}</figcaption>${pre}</figure>`
}

function commandOf({ method, path, operation }: Entry, parameters: readonly Parameter[], body: Json | null) {
  const examples = new Map(parameters.map(({ name, example }) => [name, example]))
  const filled = path.replaceAll(/\{(\w+)\}/g, (unfilled, name: string) =>
    String(examples.get(name) ?? unfilled),
  )
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
  const search = new URLSearchParams(
    Object.fromEntries(query.map(({ name, example }) => [name, String(example)])),
  ).toString()
  const url = DEFAULT_ORIGIN + filled
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${search === '' ? url : `'${url}?${search}'`}`,
    operation.security.length > 0 && '-H "Authorization: Bearer $API_KEY"',
    body !== null && "-H 'Content-Type: application/json'",
    examples.has('Idempotency-Key') && '-H "Idempotency-Key: $(uuidgen)"',
    body !== null && `-d '${inOneLineIfShort(body).replaceAll("'", "'\\''")}'`,
  ]
    .filter((part) => part !== false)
    .join(' \\\n  ')
}

function inOneLineIfShort(body: Json): string {
  const lines = JSON.stringify(body, null, 2)
  const line = lines.replaceAll(/\n\s*/g, ' ').replace(/^\{ /, '{').replace(/ \}$/, '}')
  return line.length <= LINE_MAX_CHARACTERS ? line : lines
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g

/** Names, texts and other values in different shades. */
function paint(json: string): Html {
  const painted: Html[] = []
  let end = 0
  for (const match of json.matchAll(TOKEN)) {
    const [token, text, colon] = match
    painted.push(html`${json.slice(end, match.index)}`)
    if (colon !== undefined) painted.push(html`<span class="name">${text}</span>${colon}`)
    else painted.push(html`<span class="${text === undefined ? 'value' : 'text'}">${token}</span>`)
    end = match.index + token.length
  }
  return html`${painted}${json.slice(end)}`
}
