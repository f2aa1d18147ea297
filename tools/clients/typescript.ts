import {
  camel,
  isDecimal,
  isWhole,
  type Model,
  nameOf,
  type Operation,
  pascal,
  readShapes,
  type Schema,
} from './model.ts'

export function printTypeScript(model: Model): string {
  const { version, schemas, groups, operations, errorCodes, requested, answered } = model
  const shapes = readShapes(model)
  const names = Object.keys(schemas).filter((name) => requested.has(name) || answered.has(name))
  const types = names.flatMap((name) => {
    const twice = requested.has(name) && answered.has(name) && shapes[name] !== undefined
    const asInput = requested.has(name) && !answered.has(name)
    const printed = [typeText(name, schemas[name]!, { input: asInput })]
    if (twice) printed.push(typeText(`${name}Input`, schemas[name]!, { input: true }))
    return printed
  })
  return `/** Generated from openapi.json by tools/clients.ts. */
import type { Decimal, Shapes } from './money.ts'
import type { Call, CallOptions, List, Operations } from './transport.ts'

export const VERSION = '${version}'

/** The codes of the catalogue; an unknown one is passed through. */
export type ErrorCode =
${errorCodes.map((code) => `  | '${code}'`).join('\n')}

${types.join('\n\n')}

/** Where decimals are. */
export const shapes: Shapes = ${printShapes(usedShapes(shapes, model))}

/** Member, method, path with {} for what it names, the record of the body and of the answer, how that is read, ? for a query. */
export const operations = {
${operations.map(rowText).join('\n')}
} as const satisfies Operations

${groups.map((group) => groupText(group)).join('\n\n')}

/** The service: one member for each kind of record. */
export type Breakwater = {
${groups.map((group) => `  readonly ${group}: ${pascal(group)}Operations`).join('\n')}
}
`

  function typeText(name: string, schema: Schema, { input }: { input: boolean }): string {
    const text = schema.description === undefined ? '' : `/** ${comment(schema.description)} */\n`
    return `${text}export type ${name} = ${typeOf(schema, input)}`
  }

  function typeOf(schema: Schema, input: boolean): string {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      if (isDecimal(schemas, schema)) return input ? 'Decimal' : 'string'
      return input && answered.has(name) && shapes[name] !== undefined ? `${name}Input` : name
    }
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined && !('properties' in schema))
      return [...new Set(choices.map((one) => typeOf(one, input)))].join(' | ')
    if (Array.isArray(schema.type))
      return schema.type.map((type) => typeOf({ ...schema, type }, input)).join(' | ')
    switch (schema.type) {
      case 'number':
        return input ? 'Decimal' : 'string'
      case 'integer':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'null':
        return 'null'
      case 'array':
        return `readonly (${typeOf(schema.items!, input)})[]`
      case 'object':
        return objectText(schema, input)
      default:
        return schema.type === 'string' ? 'string' : 'unknown'
    }
  }

  function objectText(
    { properties = {}, required = [], additionalProperties }: Schema,
    input: boolean,
  ): string {
    const members = Object.entries(properties).map(([name, member]) => {
      const optional = required.includes(name) ? '' : '?'
      const about = member.description === undefined ? '' : `  /** ${comment(member.description)} */\n`
      return `${about}  ${name}${optional}: ${typeOf(member, input)}`
    })
    if (members.length > 0 && typeof additionalProperties === 'object')
      members.push(`  readonly [name: string]: ${typeOf(additionalProperties, input)}`)
    if (members.length > 0) return `{\n${members.join('\n')}\n}`
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, input) : 'unknown'
    return `{ readonly [name: string]: ${values} }`
  }

  function groupText(group: string): string {
    const methods = operations.filter((operation) => operation.group === group).map(methodText)
    return `export type ${pascal(group)}Operations = {
${methods.join('\n')}
}`
  }

  function methodText(operation: Operation): string {
    const { pathParameters, query, body, takesFile, answer, form } = operation
    const parameters = pathParameters.map((name) => `${camel(name)}: ${isWhole(name) ? 'number' : 'string'}`)
    if (body !== null) parameters.push(`body: ${bodyType(body)}`)
    if (takesFile) parameters.push('lines: string')
    const needsQuery = query.some(({ required }) => required)
    if (query.length > 0) parameters.push(`query${needsQuery ? '' : '?'}: ${queryType(operation)}`)
    parameters.push('options?: CallOptions')
    const result = {
      record: `Call<${answer}>`,
      page: `List<${answer}>`,
      lines: `Call<${answer}[]>`,
      bare: 'Call<JsonObject>',
      text: 'Call<string>',
    }[form]
    return `  /** ${comment(operation.summary)} */
  ${operation.name}(${parameters.join(', ')}): ${result}`
  }

  function rowText({
    id,
    group,
    name,
    method,
    path,
    query,
    body,
    takesFile,
    answer,
    form,
  }: Operation): string {
    const address = path.replaceAll(/\{\w+\}/g, '{}')
    const reading = form + (query.length > 0 ? '?' : '')
    return `  ${id}: ['${group}.${name}', '${method}', '${address}', '${takesFile ? 'lines' : (body ?? '')}', '${answer}', '${reading}'],`
  }

  function bodyType(name: string): string {
    return typeOf({ $ref: `#/components/schemas/${name}` }, true)
  }

  function queryType({ query }: Operation): string {
    const members = query.map(
      ({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema, false)}`,
    )
    return `{ ${members.join('; ')} }`
  }
}

/** Of what is sent, answered or received as an event; each type of event has a name of its own besides. */
function usedShapes(shapes: Shapes, { operations }: Model): Shapes {
  const used: Shapes = {}
  const waiting = ['Event', ...operations.flatMap(({ body, answer }) => [body ?? '', answer])]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const shape = shapes[name]
    if (shape === undefined || used[name] !== undefined) continue
    used[name] = shape
    waiting.push(...Object.values(shape).flatMap((kind) => (kind === 1 ? [] : kind.split('|'))))
  }
  return Object.fromEntries(Object.entries(shapes).filter(([name]) => used[name] !== undefined))
}

type Shapes = ReturnType<typeof readShapes>

function printShapes(shapes: Shapes): string {
  const rows = Object.entries(shapes).map(([name, shape]) => {
    const members = Object.entries(shape).map(([key, kind]) => `'${key}': ${kind === 1 ? 1 : literal(kind)}`)
    return `  ${name}: { ${members.join(', ')} },`
  })
  return `{\n${rows.join('\n')}\n}`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}

function comment(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')
}
