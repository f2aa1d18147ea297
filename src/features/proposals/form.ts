/**
 * A document that people change by a form or as JSON: what they typed is read as the API reads it, gets a second look, is
 * put in force or waits for approval, and stays readable as a version.
 */
import type { Static, TSchema } from 'typebox'
import { type ApprovableOperation, countApprovals } from '../../domain/approvals.ts'
import type { Version } from '../../domain/document.ts'
import { card } from '../../page/card.ts'
import { crumbs } from '../../page/crumbs.ts'
import { type Fields, hiddenFields } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, type PageAnswer, show } from '../../page/page.ts'
import { backButton, goesBack, isSure } from '../../page/sure.ts'
import { type Json, type JsonObject, MalformedJsonError, parseJson } from '../../wire/json.ts'
import { type FieldError, readBody } from '../../wire/reader.ts'
import type { Text, Texts } from '../../words/language.ts'
import type { Words } from '../../words/words.ts'
import { carryOut, keptNote, keyField, made, noteField } from '../counter/form.ts'
import type { DocumentOf } from '../documents/changes.ts'
import { policyReader } from '../holding/changes.ts'

type OfVersion = (version: Text) => string
type ProposalTexts = {
  title: string
  text: string
  none: string
  inForce: OfVersion
  submit: OfVersion
  ask: OfVersion
  sure: OfVersion
  sureAsk: OfVersion
  done: OfVersion
  json: string
  jsonLabel: string
  jsonText?: string
  wrong: string
  wrongJson: string
  versions: string
}

/** A kind of document, with its form. */
export type ProposalForm<Schema extends TSchema, Document> = {
  path: string
  operation: ApprovableOperation
  texts: Texts<ProposalTexts>
  schema: Schema
  from: (body: Static<Schema>) => Document
  format: (document: Document) => string
  document: DocumentOf<Document>
  jsonRows: number
}

export type Proposed<Document> =
  | { ok: true; document: Document; body: JsonObject }
  | { ok: false; text: string }

export type RefusedProposal = { text: string; status: number }

/** `text` says what is wrong with the first member that cannot be read. */
export function readProposed<Schema extends TSchema, Document>(
  { schema, from }: Pick<ProposalForm<Schema, Document>, 'schema' | 'from'>,
  body: Json,
  text: (error: FieldError) => string,
): Proposed<Document> {
  const reading = readBody(schema, body)
  if (!reading.ok) return { ok: false, text: text(reading.fields[0]!) }
  return { ok: true, document: from(reading.value), body: body as JsonObject }
}

/** What a form proposes: the fields of its table, or JSON. */
export function proposedIn<Schema extends TSchema, Document>(
  form: Fields,
  kind: ProposalForm<Schema, Document>,
  words: Words,
  readTyped: () => Proposed<Document>,
): Proposed<Document> {
  if (!form.has('json')) return readTyped()
  try {
    return readProposed(kind, parseJson(form.get('json')), ({ field, message }) => `${field}: ${message}`)
  } catch (error) {
    if (error instanceof MalformedJsonError) return { ok: false, text: words.of(kind.texts).wrongJson }
    throw error
  }
}

type Steps<Document> = {
  look: (document: Document) => Promise<PageAnswer>
  /** null: the person went back. */
  again: (refused: RefusedProposal | null) => Promise<PageAnswer>
}

export async function propose<Schema extends TSchema, Document>(
  asked: Asked,
  { path, operation, texts, schema, from, document }: ProposalForm<Schema, Document>,
  proposed: Proposed<Document>,
  { look, again }: Steps<Document>,
): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  const { wrong } = words.of(texts)
  if (goesBack(form)) return again(null)
  if (!proposed.ok) return again({ text: `${wrong} ${proposed.text}`, status: 422 })
  if (!isSure(form)) return look(proposed.document)
  return carryOut(asked, {
    schema,
    body: proposed.body,
    held: { operation, targetId: null },
    run: (value: Static<Schema>) =>
      document.replace(service, originOf(form.get('key')), from(value), ({ version }) =>
        made(String(version)),
      ),
    done: (madeId) => `/console${path}?done=${madeId}`,
    again: ({ notice, status = 422 }) => again({ text: String(notice?.text ?? wrong), status }),
  })
}

/** Whether the next version has to wait for others. */
async function isHeld({ service: { db, versions }, book }: Asked, operation: ApprovableOperation) {
  const policy = await policyReader.readNewest(db, versions, book.bookId)
  return countApprovals(policy?.document ?? null, operation, () => ({})).needed > 0
}

/** The proposed version once more; the first focus is on the way back. */
export async function secondLook<Schema extends TSchema, Document>(
  asked: Asked,
  { path, operation, texts }: ProposalForm<Schema, Document>,
  next: number,
  { above, about }: { above: Html; about?: Html },
): Promise<PageAnswer> {
  const { form, words } = asked
  const say = words.of(texts)
  const waits = await isHeld(asked, operation)
  const title = waits ? say.sureAsk(next) : say.sure(next)
  const kept = [...new URLSearchParams(form.text)].filter(
    ([name]) => !['key', 'sure', 'add', 'note'].includes(name),
  )
  return show(
    'rules',
    title,
    html`<header class="head"><h1>${title}</h1></header>
${above}
<section class="card">
${about}
<form class="fill" method="post" action="/console${path}">${keyField(asked)}${hiddenFields(kept)}
${waits && noteField(asked)}
<div class="row">
${backButton(words)}
<button class="button primary" name="sure" value="yes">${waits ? say.ask(next) : say.submit(next)}</button>
</div></form></section>`,
  )
}

/** The page of the document: its version, what was done or refused, and what it is made of. */
export function proposalPage<Schema extends TSchema, Document>(
  { words, query }: Asked,
  { texts }: ProposalForm<Schema, Document>,
  version: number,
  { content, refused }: { content: Html; refused: RefusedProposal | null },
): PageAnswer {
  const say = words.of(texts)
  const done = query.get('done')
  return show(
    'rules',
    say.title,
    html`${crumbs([[words.say.sections.rules, '/rules']], say.title, words)}
<header class="head"><div>
<h1>${say.title} <span class="thin">${version === 0 ? say.none : say.inForce(version)}</span></h1>
<p class="sub">${say.text}</p></div></header>
${/^\d+$/.test(done) && showNotice({ kind: 'good', text: say.done(done) }, words)}
${refused !== null && showNotice({ kind: 'bad', text: refused.text }, words)}
${content}`,
    refused?.status ?? 200,
  )
}

/** The form of the table, and the same as JSON; `document` is the one that JSON begins with. */
export async function proposalForms<Schema extends TSchema, Document>(
  asked: Asked,
  kind: ProposalForm<Schema, Document>,
  form: Fields,
  { next, document, fields, more }: { next: number; document: Document | null; fields: Html; more: Html },
): Promise<Html> {
  const { path, operation, texts, format, jsonRows } = kind
  const say = asked.words.of(texts)
  const submit = (await isHeld(asked, operation)) ? say.ask(next) : say.submit(next)
  const stored = document === null ? '' : JSON.stringify(parseJson(format(document)), null, 2)
  const json = form.has('json') ? form.get('json') : stored
  return html`<form class="tiers" action="/console${path}" data-live="preview">
${fields}
${keptNote(form)}
<div class="row">
${more}
<button class="button primary" formmethod="post">${submit}</button>
</div></form>
<details class="edit"${form.has('json') && trusted(' open')}>
<summary>${say.json}</summary>
<form class="fill" method="post" action="/console${path}">
<div class="field">
<label for="json">${say.jsonLabel}</label>
${say.jsonText !== undefined && html`<p class="hint">${say.jsonText}</p>`}
<textarea id="json" name="json" rows="${jsonRows}" spellcheck="false">${json}</textarea>
</div>
${keptNote(form)}
<button class="button">${submit}</button>
</form></details>`
}

type VersionView<Document> = {
  newest: number
  /** How many of the newest are shown. */
  most: number
  summary: (version: Version<Document>) => string
  content: (document: Document) => Html
}

export async function versionsCard<Schema extends TSchema, Document>(
  { service, book, words }: Asked,
  { document, texts }: ProposalForm<Schema, Document>,
  { newest, most, summary, content }: VersionView<Document>,
): Promise<Html | false> {
  const numbers = Array.from({ length: most }, (_, index) => newest - index).filter((one) => one > 0)
  if (numbers.length === 0) return false
  const { db, versions } = service
  const { readVersion } = document.reader
  const stored = await Promise.all(numbers.map((number) => readVersion(db, versions, book.bookId, number)))
  const line = (version: Version<Document>) => html`<details class="edit">
<summary>${summary(version)}</summary>
${content(version.document)}</details>`
  return card(
    { id: 'versions', title: words.of(texts).versions },
    html`${stored.map((one) => one !== undefined && line(one))}`,
  )
}
