/** How schemas are shown to people: fields with their type, bounds and meaning, nested ones collapsed. */

import { type Html, html } from '../../src/page/html.ts'
import { renderLine, slug } from './markdown.ts'
import type { Document, Parameter } from './openapi-document.ts'
import type { Reference, Schema } from './schema-printer.ts'

export type Field = { name: string; schema: Schema; required: boolean }

export function resolve<Target>(target: Target | Reference, document: Document): Target {
  if (typeof target !== 'object' || target === null || !('$ref' in target)) return target as Target
  const names = (target as Reference).$ref.slice('#/'.length).split('/')
  return names.reduce((inside: unknown, name) => (inside as Schema)[name], document) as Target
}

export function membersOf(schema: Schema, document: Document): Record<string, Schema> {
  return (resolve(schema, document).properties ?? {}) as Record<string, Schema>
}

/** As text; numbers of the document keep their spelling. */
export function exampleOf({ example = '' }: Parameter): string {
  return typeof example === 'string' ? example : JSON.stringify(example)
}

/** The members of an object, or of each variant it may have. */
export function renderMembers(schema: Schema, document: Document): Html {
  const target = resolve(schema, document)
  const variants = variantsOf(target)
  if (variants.length > 0) return html`${variants.map((variant) => renderVariant(variant, document))}`
  const required = (target.required ?? []) as string[]
  const fields = Object.entries(membersOf(target, document)).map(([name, member]) =>
    renderField({ name, schema: member, required: required.includes(name) }, document),
  )
  return html`<dl class="fields">${fields}</dl>`
}

export function renderField({ name, schema, required }: Field, document: Document): Html {
  const core = resolve(withoutNull(schema), document)
  const values = allowedValues(core)
  const type = typeOf(schema, document)
  // All amounts have the same bounds; the guide states them once.
  const bounds = type.startsWith('amount') ? '' : boundsOf(core)
  const inner = innerRecord(core, document)
  return html`<div>
<dt><code>${name}</code> <span class="type">${type}</span>${
    !required && html` <span class="tag">optional</span>`
  }</dt>
<dd>${typeof schema.description === 'string' && renderLine(schema.description)}${
    values.length > 1 &&
    html` <span class="values">${values.map((value) => html`<code>${value}</code> `)}</span>`
  }${bounds !== '' && html` <span class="bounds">${bounds}</span>`}${
    inner !== null &&
    html`<details class="members"><summary>Members of ${name}</summary>${renderMembers(inner, document)}</details>`
  }</dd>
</div>`
}

function renderVariant(variant: Schema, document: Document): Html {
  const members = membersOf(variant, document)
  const name = Object.values(members)
    .map((member) => allowedValues(member))
    .find((values) => values.length === 1)?.[0]
  // An event is shown in full with the messages.
  if (name !== undefined && name in document.webhooks) {
    return html`<p class="values"><a href="#message-${slug(name)}"><code>${name}</code></a></p>`
  }
  return html`<details class="members"><summary>${name ?? 'An object'}</summary>${renderMembers(variant, document)}</details>`
}

/** What a list or an object holds, if that has members to show. */
function innerRecord(core: Schema, document: Document): Schema | null {
  if (core.type === 'array') return innerRecord(resolve(core.items as Schema, document), document)
  const variants = variantsOf(core)
  const objects = variants.filter((variant) => Object.keys(membersOf(variant, document)).length > 0)
  if (variants.length > 0) {
    return objects.length === 0 ? null : objects.length === 1 ? objects[0]! : { anyOf: objects }
  }
  return Object.keys(membersOf(core, document)).length > 0 ? core : null
}

function variantsOf(schema: Schema): Schema[] {
  const variants = (schema.anyOf ?? schema.oneOf ?? []) as Schema[]
  return variants.filter((variant) => variant.type !== 'null')
}

/** A value that may also be null is shown as the value; its type shows the null. */
function withoutNull(schema: Schema): Schema {
  const variants = variantsOf(schema)
  return schema.anyOf !== undefined && variants.length === 1 ? variants[0]! : schema
}

function typeOf(schema: Schema, document: Document): string {
  const core = withoutNull(schema)
  const mayBeNull = core !== schema || (Array.isArray(schema.type) && schema.type.includes('null'))
  return mayBeNull ? `${coreType(core, document)} or null` : coreType(core, document)
}

const FORMATS: Record<string, string> = { date: 'date', 'date-time': 'time', email: 'e-mail', uri: 'URL' }

function coreType(schema: Schema, document: Document): string {
  const reference = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : ''
  if (reference.endsWith('Amount')) return 'amount'
  const core = resolve(schema, document)
  if (core.type === 'array') return `list of ${coreType(core.items as Schema, document)}s`
  if ('const' in core) return JSON.stringify(core.const)
  const variants = variantsOf(core)
  if (variants.length > 0 && core.type !== 'object') {
    const types = variants.map((variant) => coreType(variant, document))
    return [...new Set(types)].join(' or ')
  }
  const type = Array.isArray(core.type) ? String(core.type[0]) : String(core.type ?? 'object')
  return FORMATS[String(core.format)] ?? (type === 'integer' ? 'whole number' : type)
}

function allowedValues(schema: Schema): string[] {
  if (Array.isArray(schema.enum)) return schema.enum as string[]
  const variants = variantsOf(schema)
  const constants = variants.flatMap((variant) =>
    variant.const === undefined ? [] : [String(variant.const)],
  )
  return schema.const === undefined ? constants : [String(schema.const)]
}

/** Numbers of the document are shown as they are written there. */
function boundsOf(schema: Schema): string {
  const shown = (keyword: string) => (schema[keyword] === undefined ? null : JSON.stringify(schema[keyword]))
  const [above, least, most] = [shown('exclusiveMinimum'), shown('minimum'), shown('maximum')]
  const [shortest, longest] = [shown('minLength'), shown('maxLength')]
  const [fewest, greatest] = [shown('minItems'), shown('maxItems')]
  return [
    above !== null && `above ${above}`,
    least !== null && most !== null && `${least} to ${most}`,
    least !== null && most === null && `at least ${least}`,
    least === null && most !== null && `at most ${most}`,
    shortest !== null && longest !== null && shortest !== longest && `${shortest} to ${longest} characters`,
    shortest === null && longest !== null && `at most ${longest} characters`,
    fewest !== null && greatest !== null && `${fewest} to ${greatest} items`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}
