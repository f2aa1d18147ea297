/**
 * A program that calls an operation by the client for Go. It is formatted as gofmt formats it, so that no machine without
 * Go writes another page.
 */
import { isJsonObject, type Json, type JsonObject, Numeral } from '../../src/wire/json.ts'
import { aligned, createGoTypes, goName, type Member, valueName } from '../clients/go-types.ts'
import {
  isAmount,
  isDecimal,
  isWhole,
  type Model,
  nameOf,
  type Schema,
  withoutNull,
} from '../clients/model.ts'
import { amountText, answerName, wantedQuery } from './client-programs.ts'
import { JSON_LITERALS, LINE_MAX_CHARACTERS, printLiteral } from './literals.ts'
import type { SampleRequest } from './sample-request.ts'

const PACKAGE = 'breakwater.'

export function printGo(request: SampleRequest, model: Model): string {
  const { operation, origin, targets, body, lines } = request
  const { form, pathParameters } = operation
  const values = createGoValues(model)
  const given = [
    ...(form === 'page' ? [] : ['ctx']),
    ...targets.map((target, place) => (isWhole(pathParameters[place]!) ? target : JSON.stringify(target))),
    ...(operation.body === null ? [] : [values.record((body ?? {}) as JsonObject, operation.body, '\t')]),
    ...(lines === null ? [] : [`[]byte(${JSON.stringify(lines)})`]),
    ...(operation.query.length === 0 ? [] : [queryText(request, values)]),
  ]
  const call = `bank.${goName(operation.group)}.${goName(operation.name)}(${given.join(', ')})`
  const name = answerName(request)
  const printed = form === 'text' ? `fmt.Println(${name})` : `json.NewEncoder(os.Stdout).Encode(${name})`
  const run =
    form === 'page'
      ? `\tfor ${name}, err := range ${call}.All(ctx) {\n${check('\t\t')}\n\t\t${printed}\n\t}`
      : `\t${name}, err := ${call}\n${check('\t')}\n\t${printed}`
  const isJson = form !== 'text' || call.includes('json.')
  const imports = ['context', ...(isJson ? ['encoding/json'] : ['fmt']), 'log', 'os']
  return `package main

import (
${imports.map((path) => `\t"${path}"`).join('\n')}

	breakwater "github.com/breakwater/breakwater/clients/go"
)

func main() {
	ctx := context.Background()
	bank, err := breakwater.New("${origin}", os.Getenv("API_KEY"))
${check('\t')}
${run}
}`
}

const check = (margin: string) => `${margin}if err != nil {\n${margin}\tlog.Fatal(err)\n${margin}}`

function queryText(request: SampleRequest, values: GoValues): string {
  const fields = wantedQuery(request).map(
    ({ name, schema }) => `${goName(name)}: ${values.value(request.query[name]!, schema, '\t')}`,
  )
  return `${PACKAGE}${goName(request.operation.id)}Query{${fields.join(', ')}}`
}

type GoValues = ReturnType<typeof createGoValues>

/** Values of openapi.json as Go writes them; `margin` goes before the lines after the first. */
function createGoValues({ schemas }: Model) {
  const { membersOf, goType, fieldType } = createGoTypes(schemas, PACKAGE)
  return { value, record }

  function value(given: Json, described: Schema, margin: string): string {
    const { schema } = withoutNull(described)
    if (given instanceof Numeral && isDecimal(schemas, schema))
      return isAmount(schemas, schema)
        ? `${PACKAGE}Minor(${amountText(given)
            .replace('.', '')
            .replace(/^0+(?=\d)/, '')})`
        : `${PACKAGE}Decimal("${given.source}")`
    if (schema.$ref !== undefined) return named(given, nameOf(schema.$ref), margin)
    const type = goType(schema)
    if (Array.isArray(given) && schema.items !== undefined) {
      const items = given.map((item) => withoutType(value(item, schema.items!, `${margin}\t`), type.slice(2)))
      return list(type, items, margin)
    }
    if (isJsonObject(given) && type.startsWith('map')) {
      const values = schema.additionalProperties as Schema
      const members = Object.entries(given).map(([name, member]) => [
        JSON.stringify(name),
        value(member, values, `${margin}\t`),
      ])
      return pairs(type, members, margin)
    }
    return type.startsWith('json.') ? raw(given, margin) : printLiteral(given, JSON_LITERALS)
  }

  function named(given: Json, name: string, margin: string): string {
    const schema = schemas[name]!
    if (schema.enum !== undefined) return `${PACKAGE}${name}${valueName(String(given))}`
    return isJsonObject(given) && membersOf(schema) !== null
      ? record(given, name, margin)
      : value(given, schema, margin)
  }

  /** A member that is null is left out: nil is what the client sends as null, or not at all. */
  function record(given: JsonObject, name: string, margin: string): string {
    const members = membersOf(schemas[name]!)!.filter((member) => (given[member.name] ?? null) !== null)
    const fields = members.map((member) => [
      goName(member.name),
      field(given[member.name]!, member, `${margin}\t`),
    ])
    return pairs(PACKAGE + name, fields, margin)
  }

  function field(given: Json, member: Member, margin: string): string {
    if (member.schema === null) return raw(given, margin)
    const text = value(given, member.schema, margin)
    const type = fieldType(member)
    if (!type.startsWith('*')) return text
    if (text.endsWith('}')) return `&${text}`
    return `${PACKAGE}Ptr(${type === '*int64' ? `int64(${text})` : text})`
  }

  function raw(given: Json, margin: string): string {
    return `json.RawMessage(\`${printLiteral(given, JSON_LITERALS, { margin })}\`)`
  }
}

/** Inside of a list the type of a record is known. */
function withoutType(text: string, type: string): string {
  return text.startsWith(`${type}{`) ? text.slice(type.length) : text
}

function list(type: string, items: readonly string[], margin: string): string {
  const inOneLine = `${type}{${items.join(', ')}}`
  if (isShort(inOneLine, margin)) return inOneLine
  return `${type}{\n${items.map((item) => `${margin}\t${item},`).join('\n')}\n${margin}}`
}

function pairs(type: string, members: readonly (readonly string[])[], margin: string): string {
  const inOneLine = `${type}{${members.map(([name, text]) => `${name}: ${text}`).join(', ')}}`
  if (isShort(inOneLine, margin)) return inOneLine
  const rows = members.map(([name, text]) => [`${name}:`, `${text},`])
  return `${type}{\n${alignedRuns(rows, `${margin}\t`)}\n${margin}}`
}

/** A value of several lines ends a run of aligned ones. */
function alignedRuns(rows: readonly (readonly string[])[], margin: string): string {
  const runs: (readonly string[])[][] = []
  let isOpen = false
  for (const row of rows) {
    const isLong = row[1]!.includes('\n')
    if (isOpen && !isLong) runs.at(-1)!.push(row)
    else runs.push([row])
    isOpen = !isLong
  }
  return runs.map((run) => aligned(run, margin)).join('\n')
}

function isShort(text: string, margin: string): boolean {
  return !text.includes('\n') && text.length + margin.length <= LINE_MAX_CHARACTERS
}
