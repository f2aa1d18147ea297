/**
 * Checks an answer against openapi.json: its status is documented for the operation, its body has exactly the
 * documented members, its code is one of those listed, and its amounts are written with two decimals.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import Schema from 'typebox/schema'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

/** Every operation can return these: they are detected before the path is used. */
const EVERYWHERE = ['malformed_request', 'service_unavailable', 'internal_error']

export function assertDocumented(method: string, url: string, status: number, text: string): void {
  const found = findPath(url.replace(/[?#].*$/s, ''))
  const operation = found?.methods[(method === 'HEAD' ? 'GET' : method).toLowerCase()]
  if (operation === undefined) {
    const expected = found === undefined ? 'route_not_found' : 'method_not_allowed'
    assertFailure(status, text, [expected, ...EVERYWHERE])
    return
  }
  const name = `${method} ${found!.template} ${status}`
  const response = resolve(operation.responses[status])
  assert(response !== undefined, `${name} is not documented; it answered ${text}`)
  const content = response.content['application/json']
  if (method === 'HEAD' || content === undefined) return
  const body = assertValid(name, content.schema, text)
  if (status >= 400)
    assert(body.error.code in content.examples, `${name} does not list code ${body.error.code}`)
}

function assertFailure(status: number, text: string, codes: readonly string[]): void {
  if (text === '') return
  const { error } = assertValid('A failure', document.components.schemas.Failure, text)
  assert(codes.includes(error.code), `expected one of ${codes}: ${text}`)
  assert.equal(document.components.examples[error.code]['x-http-status'], status)
}

function assertValid(name: string, schema: object, text: string): any {
  const body = JSON.parse(withoutEcho(text), keepAmounts)
  const validator = validatorOf(schema)
  if (!validator.Check(body)) {
    const [, errors] = validator.Errors(body)
    const shown = errors.map((error) => `${error.instancePath} ${error.message}`).join('; ')
    assert.fail(`${name} is not as documented: ${shown}\n${text}`)
  }
  return body
}

const validators = new Map<object, ReturnType<typeof compile>>()

function validatorOf(schema: object): ReturnType<typeof compile> {
  const known = validators.get(schema) ?? compile(schema)
  validators.set(schema, known)
  return known
}

function compile(schema: object) {
  return Schema.Compile({ ...schema, components: document.components } as object)
}

const amountNames = new Set(
  Object.values<any>(document.components.schemas).flatMap(({ properties = {} }) =>
    Object.keys(properties).filter((name) => /Amount"/.test(JSON.stringify(properties[name]))),
  ),
)
// Of a charge these are amounts, of a product tenors and rates.
for (const name of ['min', 'max']) amountNames.delete(name)

/** What has to wait, or waits, is shown as the caller spelt it. */
function withoutEcho(text: string): string {
  const { error, data } = JSON.parse(text)
  const echo = error?.details?.approval ?? (data?.approval_id === undefined ? undefined : data.body)
  return echo === undefined ? text : text.replace(JSON.stringify(echo), '{}')
}

/** 1500.5 is the same number as 1500.50, but not the same answer. */
function keepAmounts(name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number' && amountNames.has(name)) {
    assert.match(context?.source ?? '', /^-?\d+\.\d\d$/, `${name} is written with two decimals`)
  }
  return value
}

type Path = { template: string; pattern: RegExp; methods: Record<string, any> }

/** A path without parameters goes before one that would match it too. */
const paths: Path[] = Object.entries<any>(document.paths)
  .map(([template, methods]) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    methods,
  }))
  .sort((left, right) => Number(left.template.includes('{')) - Number(right.template.includes('{')))

function findPath(path: string): Path | undefined {
  return paths.find(({ pattern }) => pattern.test(path))
}

function resolve(target: any): any {
  if (target?.$ref === undefined) return target
  return target.$ref
    .slice(2)
    .split('/')
    .reduce((inside: any, name: string) => inside[name], document)
}
