/** What the client generators know of openapi.json: operations in groups, and the records they take and give. */

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: (string | number)[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  maximum?: number
}
type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: string; required?: boolean; schema: Schema; description?: string }
type DocumentedOperation = {
  operationId: string
  summary: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export type OpenApi = {
  info: { version: string }
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Form = 'record' | 'page' | 'lines' | 'bare' | 'text'

export type Operation = {
  id: string
  group: string
  /** Its name in the group: liquidate, for liquidateFixedDeposit of fixedDeposits. */
  name: string
  summary: string
  method: Method
  path: string
  pathParameters: string[]
  /** Without the cursor: a list is read to its end. */
  query: Parameter[]
  body: string | null
  /** Whether it takes a file of JSON lines, as it is. */
  takesFile: boolean
  /** The record of the answer, or of each line or entry; empty where it is text. */
  answer: string
  form: Form
}

export type Model = {
  version: string
  schemas: Record<string, Schema>
  operations: Operation[]
  groups: string[]
  errorCodes: string[]
  /** Records that requests contain, and records that answers contain. */
  requested: Set<string>
  answered: Set<string>
}

export function readModel(document: OpenApi): Model {
  const { schemas } = document.components
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      readOperation(path, method.toUpperCase() as Method, described, schemas),
    ),
  )
  const failure = schemas.Failure!.properties!.error!.properties!.code!
  return {
    version: document.info.version,
    schemas,
    operations,
    groups: [...new Set(operations.map(({ group }) => group))],
    errorCodes: failure.enum as string[],
    requested: reached(
      schemas,
      operations.map(({ body }) => body ?? ''),
    ),
    answered: reached(schemas, [
      ...operations.map(({ answer }) => answer),
      'Event',
      'FieldError',
      ...operations.flatMap(({ query }) => namesIn(query)),
    ]),
  }
}

function readOperation(
  path: string,
  method: Method,
  described: DocumentedOperation,
  schemas: Record<string, Schema>,
): Operation {
  const { operationId: id, summary, requestBody } = described
  const parameters = (described.parameters ?? []).filter((one): one is Parameter => 'name' in one)
  const group = groupOf(path)
  const body = requestBody?.content['application/json']?.schema.$ref
  return {
    ...{ id, group, name: nameIn(group, id), summary, method, path },
    pathParameters: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    query: parameters.filter((one) => one.in === 'query' && one.name !== 'cursor'),
    body: body === undefined ? null : nameOf(body),
    takesFile: requestBody?.content['application/x-ndjson'] !== undefined,
    ...readAnswer(described, schemas),
  }
}

function readAnswer(
  { responses }: DocumentedOperation,
  schemas: Record<string, Schema>,
): Pick<Operation, 'answer' | 'form'> {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))!
  const content = success.content ?? {}
  const lines = content['application/x-ndjson']?.schema
  if (lines !== undefined) return { answer: nameOf(lines.$ref!), form: 'lines' }
  const json = content['application/json']?.schema
  if (json === undefined) return { answer: '', form: 'text' }
  if (json.$ref === undefined) return { answer: 'JsonObject', form: 'bare' }
  const { data } = schemas[nameOf(json.$ref)]!.properties!
  if (data!.items !== undefined) return { answer: nameOf(data!.items.$ref!), form: 'page' }
  return { answer: nameOf(data!.$ref!), form: 'record' }
}

/** Operations are where their path begins: what is done to a deposit is in fixedDeposits. */
function groupOf(path: string): string {
  const [, version, first] = path.split('/')
  if (version !== 'v2' || first === 'openapi.json') return 'service'
  return camel(first === 'customer' ? 'customers' : first!)
}

/** Without the noun of its group, which is said already: list, not listFixedDeposits. */
function nameIn(group: string, id: string): string {
  const plural = group[0]!.toUpperCase() + group.slice(1)
  const nouns = [
    plural,
    plural.replace(/ies$/, 'y').replace(/s$/, ''),
    plural.replace(/^Liquidation(?=Rules)/, ''),
  ]
  const noun = nouns.find((one) => new RegExp(`^[a-z][A-Za-z]*?${one}(?![a-z])`).test(id))
  return noun === undefined ? id : id.replace(noun, '')
}

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

export function camel(text: string): string {
  return text.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function pascal(text: string): string {
  const whole = camel(text.replaceAll(/[^0-9A-Za-z_-]/g, '_'))
  return whole[0]!.toUpperCase() + whole.slice(1)
}

/** Of what a path names only versions and numbers are whole numbers. */
export function isWhole(pathParameter: string): boolean {
  return ['version', 'number', 'part'].includes(pathParameter)
}

/** The names that a schema refers to, directly. */
export function namesIn(schema: object | undefined): string[] {
  return [...JSON.stringify(schema ?? {}).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name!,
  )
}

function reached(schemas: Record<string, Schema>, first: readonly string[]): Set<string> {
  const found = new Set<string>()
  const waiting = first.filter((name) => name !== '')
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    waiting.push(...namesIn(schemas[name]))
  }
  return found
}

/** A schema without null, and whether it may be null. */
export function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices === undefined) {
    if (!Array.isArray(schema.type)) return { schema, nullable: false }
    const [type, ...others] = schema.type.filter((one) => one !== 'null')
    return others.length > 0
      ? { schema, nullable: false }
      : { schema: { ...schema, type: type! }, nullable: true }
  }
  const rest = choices.filter(({ type }) => type !== 'null')
  const nullable = rest.length < choices.length
  return { schema: rest.length === 1 ? rest[0]! : { ...schema, anyOf: rest }, nullable }
}

/** Amounts, rates and percents. Whole numbers, such as days, are none. */
export function isDecimal(schemas: Record<string, Schema>, given: Schema): boolean {
  const { schema } = withoutNull(given)
  if (schema.$ref !== undefined) return isDecimal(schemas, schemas[nameOf(schema.$ref)]!)
  return schema.type === 'number'
}

/** Money that fits into 64 bits of cents; other decimals are rates, percents and sums without a bound. */
export function isAmount(schemas: Record<string, Schema>, given: Schema): boolean {
  const { schema } = withoutNull(given)
  if (schema.$ref !== undefined) return isAmount(schemas, schemas[nameOf(schema.$ref)]!)
  return schema.type === 'number' && (schema.maximum ?? 0) > 1e12
}

/** The schema of a member of a record or of any of the records of a union; of an array, of what is in it. */
export function memberOf(
  schemas: Record<string, Schema>,
  given: Schema | undefined,
  name: string,
): Schema | undefined {
  if (given === undefined) return undefined
  const { schema } = withoutNull(given)
  if (schema.$ref !== undefined) return memberOf(schemas, schemas[nameOf(schema.$ref)], name)
  if (schema.items !== undefined) return schema.items
  const { additionalProperties: others } = schema
  const choices = (schema.anyOf ?? schema.oneOf)?.map((choice) => memberOf(schemas, choice, name))
  return (
    choices?.find((choice) => choice !== undefined) ??
    schema.properties?.[name] ??
    (typeof others === 'object' ? others : undefined)
  )
}

/** Where decimals are in each record: 1, or the names of records that are there, separated by |; * is any other name. */
export function readShapes({
  schemas,
  requested,
  answered,
}: Model): Record<string, Record<string, 1 | string>> {
  const shapes: Record<string, Record<string, 1 | string>> = {}
  const names = [...new Set([...requested, ...answered])].sort()
  for (const name of names) {
    const members = shapeOf(schemas, schemas[name]!)
    if (Object.keys(members).length > 0) shapes[name] = members
  }
  // What leads to no decimal is left out.
  for (let changed = true; changed; ) {
    changed = false
    for (const [name, shape] of Object.entries(shapes)) {
      for (const [key, kind] of Object.entries(shape)) {
        if (kind === 1) continue
        const known = kind.split('|').filter((one) => shapes[one] !== undefined)
        if (known.join('|') === kind) continue
        changed = true
        if (known.length > 0) shape[key] = known.join('|')
        else delete shape[key]
      }
      if (Object.keys(shape).length === 0) delete shapes[name]
    }
  }
  return shapes
}

function shapeOf(schemas: Record<string, Schema>, schema: Schema): Record<string, 1 | string> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) {
    const all = choices.map((one) =>
      shapeOf(schemas, one.$ref === undefined ? one : schemas[nameOf(one.$ref)]!),
    )
    const merged: Record<string, 1 | string> = {}
    for (const [key, kind] of all.flatMap((one) => Object.entries(one))) {
      const earlier = merged[key]
      merged[key] =
        typeof earlier === 'string' && typeof kind === 'string'
          ? [...new Set([...earlier.split('|'), ...kind.split('|')])].join('|')
          : kind
    }
    return merged
  }
  const members = Object.entries(schema.properties ?? {}).flatMap(([key, member]): [string, 1 | string][] => {
    if (isDecimal(schemas, member)) return [[key, 1]]
    const names = namesIn(member)
    return names.length === 0 ? [] : [[key, names.join('|')]]
  })
  const { additionalProperties: others } = schema
  if (typeof others === 'object' && isDecimal(schemas, others)) members.push(['*', 1])
  return Object.fromEntries(members)
}
