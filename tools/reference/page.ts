/**
 * The reference as one page, made from the OpenAPI document. It is complete without script; the script adds search,
 * copying and sending a request. Nothing is loaded from elsewhere.
 */
import { type Html, html, render } from '../../src/page/html.ts'
import { type ErrorCode, errors } from '../../src/wire/errors.ts'
import type { Model } from '../clients/model.ts'
import { renderFrame } from './frame.ts'
import type { Guide } from './guide.ts'
import { readChapters, renderLine, slug } from './markdown.ts'
import type { Document, DocumentedOperation, Parameter, Response } from './openapi-document.ts'
import { REQUEST_FORM } from './request-form.ts'
import { createSamples, DEFAULT_ORIGIN, type Entry, renderJson, valuesOf } from './samples.ts'
import { membersOf, renderField, renderMembers, resolve } from './schema.ts'

export function renderReference(
  document: Document,
  { scriptUrl, model, guides }: { scriptUrl: string; model: Model; guides: readonly Guide[] },
): string {
  const { info } = document
  const samplesOf = createSamples(document, model)
  const [preface, ...guide] = readChapters(info.description)
  const chapters = chaptersOf(document)
  const shared = sharedCodes(chapters, document)
  const places = guide.map(({ title }) => title!)
  const contents = renderContents({ places, guides, chapters, events: Object.keys(document.webhooks) })
  const main = html`<div class="title">
<h1>${info.title} API reference</h1>
<p class="summary">${info.summary}</p>
<dl class="facts">
<div><dt>Version</dt><dd>${info.version}</dd></div>
<div><dt>Base URL</dt><dd><code>${DEFAULT_ORIGIN}</code></dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="/v2/openapi.json">/v2/openapi.json</a></dd></div>
</dl>
</div>
<details class="contents"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
<section class="guide">${preface!.blocks}</section>
${guide.map(({ title, blocks }) => html`<section class="guide" id="${slug(title!)}">${heading(title!)}${blocks}</section>`)}
${chapters.map(({ name, description, entries }) => {
  const operations = entries.map((entry) => renderOperation(entry, { document, shared, samplesOf }))
  return html`<section id="${slug(name)}">${heading(name)}<p class="lead">${description}</p>${operations}</section>`
})}
${renderEvents(document)}
${renderErrors(document)}
<p class="hidden" id="announcement" role="status"></p>`
  return render(
    renderFrame({
      title: `${info.title}: API reference`,
      attributes: html` data-origin="${DEFAULT_ORIGIN}"`,
      script: html`<script type="module" src="${scriptUrl}"></script>`,
      head: html`${SEARCH}
<a class="document" href="/v2/openapi.json">OpenAPI</a>`,
      contents,
      main,
      end: REQUEST_FORM,
    }),
  )
}

/** Shown by the script, because it needs the script. */
const SEARCH = html`<div class="search" role="search" hidden>
<input type="search" id="search" aria-label="Search operations, fields and errors" placeholder="Search operations, fields and errors"
 autocomplete="off" autocapitalize="off" spellcheck="false" aria-controls="results"><kbd>/</kbd>
<div id="results" hidden></div>
</div>`

type Chapter = { name: string; description: string; entries: Entry[] }

function chaptersOf(document: Document): Chapter[] {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return document.tags
    .map((tag) => ({ ...tag, entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter((chapter) => chapter.entries.length > 0)
}

function renderContents({
  places,
  guides,
  chapters,
  events,
}: {
  places: readonly string[]
  guides: readonly Guide[]
  chapters: readonly Chapter[]
  events: readonly string[]
}): Html {
  const link = (id: string, text: unknown) => html`<a href="#${id}">${text}</a>`
  const list = (links: Html[]) => html`<ul>${links.map((one) => html`<li>${one}</li>`)}</ul>`
  const chapterLinks = ({ entries }: Chapter) =>
    list(
      entries.map(({ method, operation }) =>
        link(operation.operationId, [renderMethod(method), ' ', inWords(operation.operationId)]),
      ),
    )
  const guideLinks = guides.map(({ path, title }) => html`<a href="${path}">${title}</a>`)
  return html`<p class="group">Guide</p>${list([...places.map((title) => link(slug(title), title)), ...guideLinks])}
${chapters.map((chapter) => html`<p class="group">${link(slug(chapter.name), chapter.name)}</p>${chapterLinks(chapter)}`)}
<p class="group">${link('messages', 'Messages')}</p>${list(events.map((type) => link(`message-${slug(type)}`, type)))}
<p class="group">${link('errors', 'Errors')}</p>`
}

type Sources = {
  document: Document
  shared: ReadonlySet<ErrorCode>
  samplesOf: ReturnType<typeof createSamples>
}

function renderOperation(entry: Entry, { document, shared, samplesOf }: Sources): Html {
  const { method, path, operation } = entry
  const { operationId, summary, description, requestBody } = operation
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter, document))
  const body = requestBody?.content['application/json']
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title" data-name="${inWords(operationId)}">
<div class="words">
<h3 id="${operationId}-title"><a href="#${operationId}">${summary}</a></h3>
<p class="request">${renderMethod(method)} <code>${path}</code></p>
<p class="scope">${renderLine(description)}</p>
${PLACES.map(([place, title]) => renderParameters(title, place, parameters, document))}
${body && html`<h4>Body</h4>${renderMembers(body.schema, document)}`}
${renderSuccess(operation, document)}
${renderCodes(operation, document, shared)}
</div>
<div class="samples">${samplesOf(entry, parameters)}</div>
</article>`
}

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const

function renderParameters(
  title: string,
  place: Parameter['in'],
  parameters: readonly Parameter[],
  document: Document,
): Html | false {
  const fields = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ description, schema, ...field }) =>
      renderField({ ...field, schema: { ...schema, description } }, document),
    )
  return fields.length > 0 && html`<h4>${title}</h4><dl class="fields">${fields}</dl>`
}

function renderSuccess({ responses }: DocumentedOperation, document: Document): Html {
  const [status, response] = Object.entries(responses)[0]!
  const { description, content } = resolve<Response>(response, document)
  const title = html`<h4>Answer <span class="status">${status}</span></h4>`
  const { data, meta } = membersOf(content?.['application/json']?.schema ?? {}, document)
  if (data === undefined)
    return html`${title}<p>${description} <code>${Object.keys(content ?? {})}</code></p>`
  if (meta === undefined) return html`${title}<p>In <code>data</code>:</p>${renderMembers(data, document)}`
  return html`${title}<p>${description} In each record of <code>data</code>:</p>${renderMembers(data.items as typeof data, document)}`
}

/** The operation's own codes are explained; those that most operations share are only listed. */
function renderCodes(
  operation: DocumentedOperation,
  document: Document,
  shared: ReadonlySet<ErrorCode>,
): Html {
  const codes = codesOf(operation, document)
  const own = codes.filter((code) => !shared.has(code))
  const others = codes.filter((code) => shared.has(code))
  return html`<h4>Errors</h4>
${own.length > 0 && html`<dl class="fields codes">${own.map((code) => renderCode(code))}</dl>`}
<details class="members"><summary>${own.length > 0 ? 'And those' : 'Those'} that many operations share</summary>
<p class="values">${others.map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `)}</p></details>`
}

function renderCode(code: ErrorCode, id?: string): Html {
  const { http, message } = errors[code]
  const anchor = id !== undefined && html` id="${id}"`
  return html`<div${anchor}><dt><code>${code}</code> <span class="status">${http}</span></dt><dd>${message}</dd></div>`
}

/** A code that a quarter of the operations can return says little about any one of them. */
function sharedCodes(chapters: readonly Chapter[], document: Document): Set<ErrorCode> {
  const operations = chapters.flatMap(({ entries }) => entries.map(({ operation }) => operation))
  const counts = new Map<ErrorCode, number>()
  for (const code of operations.flatMap((operation) => codesOf(operation, document))) {
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count * 4 > operations.length).map(([code]) => code))
}

function codesOf({ responses }: DocumentedOperation, document: Document): ErrorCode[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, response]) => {
      const { content } = resolve<Response>(response, document)
      return Object.keys(content?.['application/json']?.examples ?? {}) as ErrorCode[]
    })
}

/** All messages differ only in their data, so the envelope is described once. */
function renderEvents(document: Document): Html {
  const messages = Object.entries(document.webhooks).map(([type, { post }]) => {
    const content = post.requestBody!.content['application/json']!
    const { data, ...around } = membersOf(content.schema, document)
    return { type, description: post.description, content, data: data!, around }
  })
  // The type has a fixed value in each message, but not in all of them.
  const common = Object.entries(messages[0]!.around).map(([name, { const: _, ...schema }]) =>
    renderField({ name, schema, required: true }, document),
  )
  return html`<section id="messages">${heading('Messages')}
<p class="lead">What arrives at a webhook endpoint, one message per event. Beside its <code>data</code> each has:</p>
<dl class="fields index">${common}</dl>
${messages.map(({ type, description, content, data }) => {
  const id = `message-${slug(type)}`
  const examples = [...valuesOf(content).values()].map((value) => renderJson('Message', value))
  return html`<article id="${id}" aria-labelledby="${id}-title" data-name="${type}">
<div class="words"><h3 id="${id}-title"><a href="#${id}"><code>${type}</code></a></h3>
<p class="scope">${description}</p><h4>In <code>data</code></h4>${renderMembers(data, document)}</div>
<div class="samples">${examples}</div></article>`
})}</section>`
}

function renderErrors(document: Document): Html {
  const { code } = membersOf(document.components.schemas.FieldError!, document)
  const codes = Object.keys(errors) as ErrorCode[]
  const fieldCodes = code!.oneOf as { const: string; description: string }[]
  return html`<section id="errors">${heading('Errors')}
<p class="lead">Every code that <code>error.code</code> can hold, and those of <code>error.fields</code>.</p>
<dl class="fields index">${codes.map((name) => renderCode(name, `error-${name}`))}</dl>
<h3>Codes of fields</h3>
<dl class="fields index">${fieldCodes.map(
    (one) => html`<div><dt><code>${one.const}</code></dt><dd>${one.description}</dd></div>`,
  )}</dl>
</section>`
}

function heading(title: string): Html {
  return html`<h2><a href="#${slug(title)}">${title}</a></h2>`
}

function renderMethod(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** liquidateFixedDeposit: Liquidate fixed deposit */
function inWords(operationId: string): string {
  const words = operationId
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace('api ', 'API ')
  return words[0]!.toUpperCase() + words.slice(1)
}
