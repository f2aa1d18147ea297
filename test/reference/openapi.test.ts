import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import Schema from 'typebox/schema'
import { SCOPES } from '../../src/domain/scopes.ts'
import { EVENT_TYPES } from '../../src/features/events/record.ts'
import { routes } from '../../src/http/routes.ts'
import { errors } from '../../src/wire/errors.ts'
import { generateOpenApi } from '../../tools/generate.ts'
import { assertDocumented } from '../support/answers.ts'
import { forEachEngine } from '../support/engines.ts'
import { startService } from '../support/service.ts'

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(text)
const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({ path, method, ...operation })),
)
const authenticated = operations.filter(({ security }) => security.length > 0)

forEachEngine(({ test }) => {
  test('openapi.json is what would be generated now; if not, run npm run generate', async (db) => {
    assert.equal(await generateOpenApi(db), text)
  })

  test('the document is served to anybody, byte for byte but for its commit', async (db) => {
    const { app, close } = await startService(db)
    const answer = await app.inject({ url: '/v2/openapi.json' })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    const { version } = JSON.parse(text).info
    assert.equal(JSON.parse(answer.body).info.version, version)
    assert.equal(answer.body.replace(/\n {4}"x-commit": "[0-9a-f]{40}",/, ''), text)
    await close()
  })

  test('links lead from a new customer to a deposit and all that can be done with it', async (db) => {
    const { ask, close } = await startService(db)
    const reached = new Set<string>()
    async function follow({ operationId, parameters = {}, requestBody }: any, steps: number) {
      const { path, method, responses } = operations.find((one) => one.operationId === operationId)
      const url = path.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => parameters[name])
      const answer = await ask(method.toUpperCase(), url, requestBody)
      if (answer.status >= 300) return
      reached.add(operationId)
      if (steps === 0) return
      for (const reference of Object.values<any>(responses[answer.status].links ?? {})) {
        const link = evaluate(resolve(reference), answer.json)
        if (!reached.has(link.operationId)) await follow(link, steps - 1)
      }
    }
    const creation = operations.find(({ operationId }) => operationId === 'createCustomer')
    const { value } = creation.requestBody.content['application/json'].examples.example
    await follow({ operationId: 'createCustomer', requestBody: value }, 10)
    assert.deepEqual([...reached].sort(), [
      ...[
        'createCustomer',
        'creditAccount',
        'getAccount',
        'getAdvice',
        'getCertificate',
        'getCustomer',
        'getFixedDeposit',
        'getLien',
        'getLiquidation',
        'getOutlook',
        'getParties',
        'getStatement',
        'getTaxStatus',
      ],
      ...[
        'liquidateFixedDeposit',
        'listInterestPayments',
        'listLiens',
        'listLiquidations',
        'openAccount',
        'openFixedDeposit',
        'placeLien',
        'putMaturityInstruction',
        'putTaxStatus',
        'quoteLiquidation',
        'releaseLien',
        'reverseLiquidation',
      ],
      'updateCustomer',
    ])
    await close()
  })
})

/** Fills in what a link takes from the answer it was found in. */
function evaluate(link: any, body: any): any {
  return JSON.parse(JSON.stringify(link), (_, value) =>
    typeof value === 'string' && value.startsWith('$response.body#/data/')
      ? body.data[value.slice('$response.body#/data/'.length)]
      : value,
  )
}

test('every route is an operation, with its method, scope and chapter', () => {
  const reported = authenticated.map(({ path, method, operationId, summary, tags, security, ...more }) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    operationId,
    summary,
    tags,
    security,
    scope: more['x-scope'] ?? null,
  }))
  const expected = routes.map(({ method, path, operationId, summary, tag, scope }) => ({
    method,
    path,
    operationId,
    summary,
    tags: [tag],
    security: [{ apiKey: [] }],
    scope,
  }))
  assert.deepEqual(reported.toSorted(byId), expected.toSorted(byId))
})

test('every path parameter is described, and every parameter and member says what it means', () => {
  for (const { path, parameters = [] } of operations) {
    const named = parameters.filter((one: any) => one.in === 'path').map((one: any) => one.name)
    assert.deepEqual(
      named,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
    for (const parameter of parameters) assert.match(resolve(parameter).description, /^[^a-z].*[.]$/)
  }
  for (const [name, schema] of Object.entries<any>(document.components.schemas)) {
    for (const [member, { description }] of Object.entries<any>(schema.properties ?? {})) {
      assert.match(description, /\.$/, `${name}.${member}`)
    }
  }
})

test('a request body takes no other member than those it lists', () => {
  const bodies = authenticated.flatMap(
    ({ requestBody }) => requestBody?.content['application/json']?.schema ?? [],
  )
  assert(bodies.length > 10)
  for (const body of bodies) assert.equal(resolve(body).additionalProperties, false)
  for (const { properties, propertyNames, additionalProperties } of objectsIn(document)) {
    // Where the names are the sender's, they have a form instead.
    const lists = Object.keys(properties ?? {}).length > 0 && propertyNames === undefined
    if (lists) assert.equal(additionalProperties, false)
  }
})

test('every reference leads to a part of the document', () => {
  const references = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, $ref]) => $ref)
  assert(references.length > 500)
  for (const $ref of references) assert.notEqual(resolve({ $ref }), undefined, $ref)
})

test('every number that may have decimals is a double, which holds the largest amount to the cent', () => {
  const numbers = [...text.matchAll(/"type": "number",?\s+"?([^"]*)"?: "?([^",\s]*)/g)]
  assert(numbers.length > 20)
  for (const [, keyword, value] of numbers) assert.deepEqual([keyword, value], ['format', 'double'])
  assert.equal(JSON.stringify(9999999999999.99), '9999999999999.99')
})

test('amounts are never given as multiples, which would refuse 143.48', () => {
  assert.doesNotMatch(text, /multipleOf/)
})

test('a POST and a PUT take an Idempotency-Key, and nothing else does', () => {
  for (const { method, parameters = [] } of authenticated) {
    const takesKey = parameters.some((parameter: any) => resolve(parameter).name === 'Idempotency-Key')
    assert.equal(takesKey, method === 'post' || method === 'put')
  }
})

test('every operation lists its own refusals and those of the order of checks, each under its HTTP status', () => {
  const always = [
    ...['malformed_request', 'missing_authorization', 'malformed_authorization', 'invalid_api_key'],
    ...['api_key_revoked', 'api_key_expired', 'rate_limited', 'internal_error', 'service_unavailable'],
  ]
  for (const operation of authenticated) {
    const route = routes.find(({ operationId }) => operationId === operation.operationId)!
    const codes = codesOf(operation)
    for (const { status, code } of codes) assert.equal(errors[code as keyof typeof errors].http, status, code)
    const listed = codes.map(({ code }) => code)
    assert.equal(new Set(listed).size, listed.length)
    const expected = [...always, ...route.refusals]
    if (route.scope !== null) expected.push('insufficient_scope')
    if (route.testModeOnly) expected.push('test_mode_only')
    if (route.body !== null) expected.push('invalid_request', 'malformed_json', 'body_too_large')
    assert.deepEqual(
      expected.filter((code) => !listed.includes(code)),
      [],
      operation.operationId,
    )
  }
})

test('every operation has a response for failures that it does not list', () => {
  for (const { operationId, responses } of operations) {
    assert.deepEqual(responses.default, { $ref: '#/components/responses/other' }, operationId)
  }
  const { description, content } = document.components.responses.other
  assert.match(description, /^Any other failure/)
  const { schema, examples } = content['application/json']
  assert.deepEqual(schema, { $ref: '#/components/schemas/Failure' })
  assert.deepEqual(Object.keys(examples), ['route_not_found', 'method_not_allowed'])
})

/** Results of lines that are imports; no response has them as its own. */
const OF_LINES = ['account_number_taken', 'interest_paid_to_invalid', 'maturity_date_invalid']

test('every code is shown as it is sent and belongs to an operation, or is named at the result of a line', () => {
  const { examples, schemas, responses } = document.components
  const listed = new Set(operations.flatMap(codesOf).map(({ code }) => code))
  for (const code of Object.keys(responses.other.content['application/json'].examples)) listed.add(code)
  for (const [code, { http, message, retryable }] of Object.entries(errors)) {
    assert.equal(listed.has(code), !OF_LINES.includes(code), code)
    assert.equal(
      schemas.BatchResult.properties.error.description.includes(code),
      OF_LINES.includes(code),
      code,
    )
    assert.equal(code in examples, listed.has(code), code)
    if (!listed.has(code)) continue
    const { value, ...example } = examples[code]
    assert.deepEqual(example, { summary: message, 'x-http-status': http })
    assertMatches(schemas.Failure, value, code)
    assert.deepEqual([value.error.code, value.error.retryable], [code, retryable])
  }
})

test('every operation shows a real answer that is as documented, and every event a real message', () => {
  for (const { operationId, requestBody, responses } of authenticated) {
    const [[status, success]] = Object.entries<any>(responses) as [[string, any]]
    const { schema, examples } =
      success.content['application/json'] ?? success.content['application/x-ndjson']
    assert(Object.keys(examples).length > 0, `${operationId} has an example`)
    for (const [name, { value }] of Object.entries<any>(examples)) {
      assertMatches(schema, value, `${operationId} ${status} ${name}`)
      const sent = requestBody?.content['application/json']
      if (sent !== undefined) assertMatches(sent.schema, sent.examples[name].value, `${operationId} ${name}`)
    }
  }
  assert.deepEqual(Object.keys(document.webhooks), [...EVENT_TYPES, 'ping'])
  for (const [type, { post }] of Object.entries<any>(document.webhooks)) {
    const { schema, examples } = post.requestBody.content['application/json']
    assertMatches(schema, examples.example.value, type)
  }
})

test('every scope is needed somewhere', () => {
  const needed = new Set(authenticated.map((operation) => operation['x-scope']))
  // Some bodies need a further one, which the description names.
  const isNamed = (scope: string) =>
    authenticated.some(({ description }) => description.includes(`\`${scope}\``))
  assert.deepEqual(
    SCOPES.filter((scope) => !needed.has(scope) && !isNamed(scope)),
    [],
  )
})

test('the check of answers sees what is not documented', () => {
  const path = '/v2/customer/cus_000000000000000000000000'
  const example = operations.find(({ operationId }) => operationId === 'getCustomer')
  const [shown] = Object.values<any>(example.responses[200].content['application/json'].examples)
  const answer = shown.value
  assertDocumented('GET', path, 200, JSON.stringify(answer))
  const refused = (change: object) => () =>
    assertDocumented('GET', path, 200, JSON.stringify({ ...answer, ...change }))
  assert.throws(refused({ more: 1 }), /additional/)
  assert.throws(refused({ data: { ...answer.data, email: undefined } }), /email/)
  assert.throws(refused({ data: { ...answer.data, updated_at: 'yesterday' } }), /updated_at/)
  assert.throws(() => assertDocumented('GET', path, 201, '{}'), /not documented/)
  const failure = JSON.stringify(document.components.examples.deposit_not_found.value)
  assert.throws(() => assertDocumented('GET', path, 404, failure), /code/)
  assert.throws(() => assertDocumented('GET', '/v2/nothing', 404, failure), /route_not_found/)
  const account = { account_number: '0123456789', customer_id: answer.data.customer_id, currency: 'NGN' }
  const body = JSON.stringify({
    status: true,
    message: '',
    data: { ...account, balance: 1, created_at: NOW, external_id: null, metadata: {} },
  })
  assert.throws(() => assertDocumented('GET', '/v2/accounts/0123456789', 200, body), /two decimals/)
  assertDocumented('GET', '/v2/accounts/0123456789', 200, body.replace('"balance":1', '"balance":1.00'))
})

const NOW = '2026-07-01T10:00:00.000Z'

function codesOf({ responses }: any): { status: number; code: string }[] {
  return Object.entries<any>(responses)
    .map(([status, response]) => ({ status: Number(status), response: resolve(response) }))
    .filter(({ status }) => status >= 400)
    .flatMap(({ status, response }) => {
      const { schema, examples } = response.content['application/json']
      assert.deepEqual(schema, { $ref: '#/components/schemas/Failure' })
      return Object.keys(examples).map((code) => ({ status, code }))
    })
}

function assertMatches(schema: object, value: unknown, name: string): void {
  const [matches, differences] = Schema.Errors(
    { ...schema, components: document.components } as object,
    value,
  )
  assert(matches, `${name}: ${JSON.stringify(differences)}`)
}

function objectsIn(value: any): any[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, member]) =>
    name === 'examples' || name === 'example' ? [] : objectsIn(member),
  )
  return value.type === 'object' && typeof value.properties === 'object' ? [value, ...inner] : inner
}

function resolve(target: any): any {
  if (target.$ref === undefined) return target
  return target.$ref
    .slice(2)
    .split('/')
    .reduce((inside: any, name: string) => inside[name], document)
}

function byId(left: { operationId: string }, right: { operationId: string }): number {
  return left.operationId < right.operationId ? -1 : 1
}
