/** Examples for people: a request to paste in each language, and its answer. */

import { type Html, html } from '../../src/page/html.ts'
import type { Json } from '../../src/wire/json.ts'
import type { Model, Operation } from '../clients/model.ts'
import { LANGUAGES } from './languages.ts'
import type { Content, Document, DocumentedOperation, Parameter, Response } from './openapi-document.ts'
import { renderTryButton } from './request-form.ts'
import type { SampleRequest } from './sample-request.ts'
import { exampleOf, resolve } from './schema.ts'

/** Where the service listens by default. The page shows the origin that the browser used instead. */
export const DEFAULT_ORIGIN = 'http://127.0.0.1:8080'

export type Entry = { method: string; path: string; operation: DocumentedOperation }

/** Renders the samples of operations; `model` is how the clients name them. */
export function createSamples(document: Document, model: Model) {
  const operations = new Map(model.operations.map((operation) => [operation.id, operation]))
  return (entry: Entry, parameters: readonly Parameter[]) => {
    const operation = operations.get(entry.operation.operationId)!
    const print = (given: Given) =>
      LANGUAGES.map(({ name, print: write }) => ({
        name,
        code: write(requestOf({ entry, operation, parameters }, given), model),
      }))
    return renderSamples(entry, parameters, { document, print })
  }
}

type Given = Pick<SampleRequest, 'body' | 'lines'>
type Program = { name: string; code: string }

function renderSamples(
  entry: Entry,
  parameters: readonly Parameter[],
  { document, print }: { document: Document; print: (given: Given) => Program[] },
): Html {
  const { operationId, requestBody, responses, security } = entry.operation
  const sent = valuesOf(requestBody?.content['application/json'])
  const files = valuesOf(requestBody?.content['application/x-ndjson'])
  const success = resolve<Response>(Object.values(responses)[0]!, document)
  const answers = [...valuesOf(success.content?.['application/json'])]
  const request = (name: string, title: string) => {
    const body = sent.get(name) ?? null
    const lines = (files.get(name) as string | undefined) ?? null
    return html`<figure class="sample tabbed"><figcaption>${title}</figcaption>
${security.length > 0 && lines === null && renderTryButton({ ...entry, body, name: `${operationId}, ${title}` }, parameters)}
${renderPrograms(print({ body, lines }), { title, id: `${operationId}-${name}` })}</figure>`
  }
  if (answers.length === 0) return request('example', 'Request')
  return html`${answers.map(([name, answer]) => {
    const kind = answers.length > 1 ? ` ${name}` : ''
    return [request(name, `Request${kind}`), renderJson(`Answer${kind}`, answer)]
  })}`
}

/** One tab for each language. They are radio buttons, so that they work without script. */
function renderPrograms(given: readonly Program[], { title, id }: { title: string; id: string }): Html {
  const tabs = given.map(({ name }, index) => {
    const checked = index === 0 && html` checked`
    return html`<label><input type="radio" name="${id}" value="${name.toLowerCase()}"${checked}>${name}</label>`
  })
  const programs = given.map(({ name, code }) => {
    const attributes = html`class="program ${name.toLowerCase()}" aria-label="${title} in ${name}"`
    return renderCode(attributes, paint(code, CODE_TOKEN))
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
  { entry, operation, parameters }: { entry: Entry; operation: Operation; parameters: readonly Parameter[] },
  given: Given,
): SampleRequest {
  const shown = (place: Parameter['in']) =>
    parameters.filter((parameter) => parameter.in === place && parameter.example !== undefined)
  return {
    operation,
    origin: DEFAULT_ORIGIN,
    targets: shown('path').map(exampleOf),
    query: Object.fromEntries(shown('query').map(({ name, example }) => [name, example as unknown as Json])),
    needsKey: entry.operation.security.length > 0,
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    ...given,
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
