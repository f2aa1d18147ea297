/** Examples for people: a request to paste in each language, and its answer. */

import { type Html, html } from '../../src/page/html.ts'
import type { Json } from '../../src/wire/json.ts'
import { LANGUAGES, type SampleRequest } from './languages.ts'
import type { Content, Document, DocumentedOperation, Parameter, Response } from './openapi-document.ts'
import { renderTryButton } from './request-form.ts'
import { exampleOf, resolve } from './schema.ts'

/** Where the service listens by default. The page shows the origin that the browser used instead. */
export const DEFAULT_ORIGIN = 'http://127.0.0.1:8080'

export type Entry = { method: string; path: string; operation: DocumentedOperation }

export function renderSamples(entry: Entry, parameters: readonly Parameter[], document: Document): Html {
  const { operationId, requestBody, responses, security } = entry.operation
  const sent = valuesOf(requestBody?.content['application/json'])
  const files = valuesOf(requestBody?.content['application/x-ndjson'])
  const success = resolve<Response>(Object.values(responses)[0]!, document)
  const answers = [...valuesOf(success.content?.['application/json'])]
  const request = (name: string, title: string) => {
    const body = sent.get(name) ?? null
    const lines = (files.get(name) as string | undefined) ?? null
    const sample = requestOf(entry, parameters, { body, lines, success })
    return html`<figure class="sample tabbed"><figcaption>${title}</figcaption>
${security.length > 0 && lines === null && renderTryButton({ ...entry, body, name: `${operationId}, ${title}` }, parameters)}
${renderPrograms(sample, { title, id: `${operationId}-${name}` })}</figure>`
  }
  if (answers.length === 0) return request('example', 'Request')
  return html`${answers.map(([name, answer]) => {
    const kind = answers.length > 1 ? ` ${name}` : ''
    return [request(name, `Request${kind}`), renderJson(`Answer${kind}`, answer)]
  })}`
}

/** One tab for each language. They are radio buttons, so that they work without script. */
function renderPrograms(request: SampleRequest, { title, id }: { title: string; id: string }): Html {
  const tabs = LANGUAGES.map(({ name }, index) => {
    const checked = index === 0 && html` checked`
    return html`<label><input type="radio" name="${id}" value="${name.toLowerCase()}"${checked}>${name}</label>`
  })
  const programs = LANGUAGES.map(({ name, print }) => {
    const attributes = html`class="program ${name.toLowerCase()}" aria-label="${title} in ${name}"`
    return renderCode(attributes, paint(print(request), CODE_TOKEN))
  })
  return html`<fieldset class="tabs"><legend>Language</legend>${tabs}</fieldset>${programs}`
}

export function renderJson(title: string, value: Json): Html {
  const code = paint(JSON.stringify(value, null, 2), JSON_TOKEN)
  return html`<figure class="sample"><figcaption>${title}</figcaption>${renderCode(html`aria-label="${title}"`, code)}</figure>`
}

/** A long sample scrolls, and what scrolls must be reachable by the keyboard. */
function renderCode(attributes: Html, code: Html): Html {
  return html`<pre ${attributes} role="group" tabindex="0"><code>${code}</code></pre>`
}

/** Examples by their name. */
export function valuesOf(content: Content | undefined): Map<string, Json> {
  const examples = Object.entries(content?.examples ?? {})
  return new Map(examples.flatMap(([name, example]) => ('value' in example ? [[name, example.value]] : [])))
}

function requestOf(
  { method, path, operation }: Entry,
  parameters: readonly Parameter[],
  { body, lines, success }: Pick<SampleRequest, 'body' | 'lines'> & { success: Response },
): SampleRequest {
  const names = parameters.map(({ name }) => name)
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((url, parameter) => url.replace(`{${parameter.name}}`, exampleOf(parameter)), path)
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
  const search = new URLSearchParams(
    query.map((parameter): [string, string] => [parameter.name, exampleOf(parameter)]),
  ).toString()
  return {
    method,
    url: DEFAULT_ORIGIN + filled + (search && `?${search}`),
    needsKey: operation.security.length > 0,
    takesIdempotencyKey: names.includes('Idempotency-Key'),
    body,
    lines,
    answersJson: success.content?.['application/json'] !== undefined,
  }
}

/** Texts of all four languages. */
const CODE_TOKEN = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)/g
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g

/** Names, strings and other values in different colours. */
function paint(code: string, tokens: RegExp): Html {
  const painted: Html[] = []
  let end = 0
  for (const match of code.matchAll(tokens)) {
    const [token, text, colon] = match
    painted.push(html`${code.slice(end, match.index)}`)
    if (colon !== undefined) painted.push(html`<span class="name">${text}</span>${colon}`)
    else painted.push(html`<span class="${text === undefined ? 'value' : 'text'}">${token}</span>`)
    end = match.index + token.length
  }
  return html`${painted}${code.slice(end)}`
}
