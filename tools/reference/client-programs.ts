/** Programs that call an operation by the clients for TypeScript and Python. */
import { isJsonObject, type Json, Numeral } from '../../src/wire/json.ts'
import {
  isAmount,
  isDecimal,
  isWhole,
  type Model,
  memberOf,
  type Operation,
  type Schema,
} from '../clients/model.ts'
import { safe, snake } from '../clients/python.ts'
import { type Literals, PYTHON_LITERALS, printLiteral, TYPESCRIPT_LITERALS } from './literals.ts'
import type { SampleRequest } from './sample-request.ts'

/** Before it stand the name of the operation and what the path names. */
const ARGUMENT_MAX_CHARACTERS = 40

export function printTypeScript(request: SampleRequest, model: Model): string {
  const { operation, origin, lines } = request
  const literal = (value: Json) =>
    printLiteral(value, TYPESCRIPT_LITERALS, { lineMax: ARGUMENT_MAX_CHARACTERS })
  const query = queryOf(request, model)
  const given = [
    ...targetsOf(request, TYPESCRIPT_LITERALS),
    ...bodyOf(request, model).map(literal),
    ...(lines === null ? [] : [literal(lines)]),
    ...(Object.keys(query).length === 0 ? [] : [literal(query)]),
  ]
  const call = `bank.${operation.group}.${operation.name}(${given.join(', ')})`
  const name = answerName(request)
  const run =
    operation.form === 'page'
      ? `for await (const ${name} of ${call}) console.log(${name})`
      : `const ${name} = await ${call}\nconsole.log(${name})`
  return `import { Breakwater } from '@breakwater/client'

const bank = new Breakwater({ url: '${origin}', key: process.env.API_KEY! })
${run}`
}

export function printPython(request: SampleRequest, model: Model): string {
  const { operation, origin, lines } = request
  const literal = (value: Json) => printLiteral(value, PYTHON_LITERALS, { lineMax: ARGUMENT_MAX_CHARACTERS })
  const given = [
    ...targetsOf(request, PYTHON_LITERALS),
    ...bodyOf(request, model).map(literal),
    ...(lines === null ? [] : [literal(lines)]),
    ...Object.entries(queryOf(request, model)).map(([name, value]) => `${safe(name)}=${literal(value)}`),
  ]
  const call = `bank.${snake(operation.group)}.${safe(snake(operation.name))}(${given.join(', ')})`
  const name = snake(answerName(request))
  const run =
    operation.form === 'page'
      ? `for ${name} in ${call}:\n    print(${name})`
      : `${name} = ${call}\nprint(${name})`
  return `import os

from breakwater import Breakwater

bank = Breakwater("${origin}", os.environ["API_KEY"])
${run}`
}

function targetsOf({ operation, targets }: SampleRequest, { text }: Literals): string[] {
  return targets.map((target, place) => (isWhole(operation.pathParameters[place]!) ? target : text(target)))
}

function bodyOf({ operation, body }: SampleRequest, { schemas }: Model): Json[] {
  return operation.body === null ? [] : [withTexts(body ?? {}, schemas[operation.body], schemas)]
}

/** Without the size of a page, because the clients read a list to its end. */
export function wantedQuery({ operation, query }: SampleRequest): Operation['query'] {
  return operation.query.filter(
    ({ name }) => query[name] !== undefined && !(operation.form === 'page' && name === 'limit'),
  )
}

function queryOf(request: SampleRequest, { schemas }: Model): Record<string, Json> {
  return Object.fromEntries(
    wantedQuery(request).map(({ name, schema }) => [name, withTexts(request.query[name]!, schema, schemas)]),
  )
}

/** Decimals as texts, which is how the clients take them. */
function withTexts(value: Json, schema: Schema | undefined, schemas: Model['schemas']): Json {
  if (value instanceof Numeral) {
    if (schema === undefined || !isDecimal(schemas, schema)) return value
    return isAmount(schemas, schema) ? amountText(value) : value.source
  }
  const inside = (name: string, member: Json) => withTexts(member, memberOf(schemas, schema, name), schemas)
  if (Array.isArray(value)) return value.map((item) => inside('', item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(name, member)]))
}

/** With two digits after the point. */
export function amountText({ source }: Numeral): string {
  const [whole, fraction = ''] = source.split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

/** What the program calls the answer, or one record of a list. */
export function answerName({ operation: { answer, form } }: SampleRequest): string {
  if (form === 'text') return 'text'
  if (form === 'bare') return 'document'
  if (form === 'lines') return 'records'
  return answer[0]!.toLowerCase() + answer.slice(1)
}
