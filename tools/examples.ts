/**
 * The examples of the reference: real requests and their real responses. They are recorded with a fixed clock, and
 * random values are replaced, so that the same program always produces the same text.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createService, type Service } from '../src/cli/compose.ts'
import { type Actor, OPERATOR } from '../src/domain/actor.ts'
import { FULL_AUTHORITY } from '../src/domain/authority.ts'
import { UPLOADING_MAX } from '../src/domain/batch.ts'
import { MODES } from '../src/domain/book.ts'
import { ACTIVE_LIENS_MAX } from '../src/domain/lien.ts'
import type { Person, Role } from '../src/domain/people.ts'
import type { Database } from '../src/engine/database/database.ts'
import { ordinalAt } from '../src/engine/database/ids.ts'
import { createApiKey } from '../src/features/api-keys/changes.ts'
import { runBatches } from '../src/features/batches/job.ts'
import { calendar } from '../src/features/calendar/document.ts'
import { createCaller } from '../src/features/callers/changes.ts'
import { findBook } from '../src/features/callers/store.ts'
import { documentKinds } from '../src/features/document-kinds/document.ts'
import { EVENT_TYPES } from '../src/features/events/record.ts'
import { addFactor } from '../src/features/factors/changes.ts'
import {
  type Asker,
  changePersonRole,
  confirmPerson,
  disablePerson,
  invitePerson,
  issueResetLink,
  removeFactorsOf,
} from '../src/features/people/changes.ts'
import { findPerson } from '../src/features/people/store.ts'
import { sealPass } from '../src/features/seals/job.ts'
import { setPasswordByLink, startSession } from '../src/features/sessions/changes.ts'
import type { DocumentDescription } from '../src/features/versions/document.ts'
import type { AddressGuard } from '../src/features/webhooks/changes.ts'
import { routes } from '../src/http/routes.ts'
import { buildServer } from '../src/http/server.ts'
import { type ErrorCode, errors } from '../src/wire/errors.ts'
import { type Json, parseJson } from '../src/wire/json.ts'
import type { Example, Examples } from './reference/openapi-document.ts'

const NOW = new Date('2026-07-01T09:30:00.000Z')

export async function recordExamples(db: Database): Promise<Examples> {
  const limits = { workers: 1, batchMax: 1, queueMax: 100 }
  const service = createService({ db, clock: () => NOW, limits, addressGuard })
  const app = await buildServer({ service, limits: HTTP_LIMITS, log: () => {} })
  const bank = { name: 'Example Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: NOW }
  const { keys, caller } = await createCaller(db, bank)
  const [testKey, liveKey] = keys.map(({ key }) => key) as [string, string]
  const recorder = createRecorder(app, testKey)
  try {
    await recordKeys(recorder)
    await recordProfiles(recorder)
    const deposit = await recordDeposits(recorder)
    await recordProducts(recorder, deposit)
    await recordLiens(recorder, deposit)
    await recordParties(recorder, deposit)
    await recordApprovals(recorder, deposit)
    await recordTax(recorder, deposit)
    await recordLiquidations(recorder, deposit)
    await recordWebhooks(recorder)
    await recordBatches(recorder, deposit, () => carryOut(service, caller.callerId))
    await recordSeals(recorder, service)
    const newKey = await actOnPeople(service, caller.callerId)
    await recordTime(recorder, deposit)
    await recordFailures(recorder, { ...deposit, liveKey, newKey })
    return withStableNames(recorder.examples)
  } finally {
    await app.close()
  }
}

/** No name is looked up: the examples are the same on a machine without a network. */
const addressGuard: AddressGuard = async () => ({ outcome: 'allowed', addresses: [] })

const HTTP_LIMITS = {
  bodyMaxBytes: 65_536,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  answerTimeoutMs: 10_000,
  connectionsMax: 1_000,
  inFlightMax: 10,
  rateLimitPerMinute: 0,
  failedAuthenticationsPerMinute: 0,
}

/** `file`: the body is a file of one line. */
type Sent = { name?: string; parameters?: Record<string, string>; body?: string; key?: string; file?: true }
type Request = {
  method: string
  url: string
  body?: string
  /** null: none is sent. */
  key?: string | null
  headers?: Record<string, string>
}
type Recorder = ReturnType<typeof createRecorder>

function createRecorder(app: FastifyInstance, testKey: string) {
  const examples: Examples = { operations: {}, failures: {}, events: {} }

  async function send({ method, url, body, key = testKey, headers }: Request) {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    })
    return { status: answer.statusCode, text: answer.body }
  }

  async function succeed(request: Request): Promise<string> {
    const { status, text } = await send(request)
    assert(status < 300, `${request.method} ${request.url} succeeds, but answered ${text}`)
    return text
  }

  return {
    examples,
    ask: async (request: Request): Promise<Members> => JSON.parse(await succeed(request)).data,
    /** Records one request to an operation and its response, and returns the data of the response. */
    async show(
      operationId: string,
      { name = 'example', parameters = {}, body, key, file }: Sent = {},
    ): Promise<Members> {
      const route = routes.find((one) => one.operationId === operationId)
      assert(route !== undefined, `there is an operation ${operationId}`)
      const path = route.path.replaceAll(/:(\w+)/g, (_, parameter: string) => parameters[parameter]!)
      const query = Object.entries(parameters).filter(([parameter]) => !route.path.includes(`:${parameter}`))
      const url = query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`
      const text = await succeed({
        method: route.method,
        url,
        ...(body !== undefined && { body }),
        ...(key !== undefined && { key }),
        ...(file && { headers: { 'content-type': 'application/x-ndjson' } }),
      })
      const shown: Example = {
        name,
        parameters,
        body: body === undefined ? null : parseJson(body),
        // Of a file, its first record.
        answer: parseJson(route.success.file ? text.slice(0, text.indexOf('\n')) : text),
      }
      examples.operations[operationId] = [...(examples.operations[operationId] ?? []), shown]
      return route.success.file ? {} : JSON.parse(text).data
    },
    async fail(code: ErrorCode, request: Request): Promise<void> {
      const { status, text } = await send(request)
      const provoked: string = JSON.parse(text).error?.code
      assert(status === errors[code].http && provoked === code, `${code} is provoked, but it was ${text}`)
      examples.failures[code] = parseJson(text)
    },
    /** Records the newest event of a type. */
    async announce(type: string): Promise<void> {
      const text = await succeed({ method: 'GET', url: `/v2/events?type=${type}&limit=1` })
      const { data } = parseJson(text) as { data: Json[] }
      assert(data.length === 1, `there is an event ${type}`)
      examples.events[type] = data[0]!
    },
  }
}

/** The data of a response; every member that is used here is text. */
type Members = Record<string, string>

async function recordKeys({ show }: Recorder): Promise<void> {
  await show('getCurrentApiKey')
  const scopes = '["fixed_deposits:read", "fixed_deposits:liquidate"]'
  const created = await show('createApiKey', {
    body: `{"name": "Branch 12", "scopes": ${scopes}, "expires_at": "2027-07-01T00:00:00Z"}`,
  })
  const rolled = await show('rollApiKey', {
    parameters: { api_key_id: created.api_key_id! },
    body: '{"overlap_seconds": 3600}',
  })
  await show('revokeApiKey', { parameters: { api_key_id: rolled.api_key_id! } })
  await show('listApiKeys', { parameters: { limit: '2' } })
}

async function recordProfiles({ show }: Recorder): Promise<void> {
  const { customer_id } = await show('createCustomer', {
    body: `{
      "first_name": "Ada", "last_name": "Obi", "email": "ada.obi@example.com",
      "phone_number": "+234 801 234 5678", "address": "12 Marina Road, Lagos",
      "external_id": "CIF-0042", "metadata": {"branch": "Marina"}
    }`,
  })
  const customer = { customer_id: customer_id! }
  await show('updateCustomer', {
    parameters: customer,
    body: '{"email": "ada@example.com", "address": "7 Broad Street\\nLagos Island"}',
  })
  await show('getCustomer', { parameters: customer })
  await show('listCustomers', { parameters: { limit: '1' } })
}

type Opened = { customerId: string; accountNumber: string; depositId: string }

async function recordDeposits({ show, examples }: Recorder): Promise<Opened> {
  const [example] = examples.operations.createCustomer!
  const customerId = (example!.answer as { data: Members }).data.customer_id!
  await show('getRules')
  await show('replaceRules', { body: RULES })
  await show('getRulesVersion', { parameters: { version: '2' } })
  const { account_number } = await show('openAccount', { body: `{"customer_id": "${customerId}"}` })
  const accountNumber = account_number!
  const account = { account_number: accountNumber }
  await show('creditAccount', {
    parameters: account,
    body: '{"amount": 1250000.00, "narration": "Opening transfer"}',
  })
  const { deposit_id } = await show('openFixedDeposit', {
    body: `{
      "account_number": "${accountNumber}", "amount": 500000.00, "tenor": 365, "interest_rate": 10,
      "start_date": "2026-03-01"
    }`,
  })
  await show('getAccount', { parameters: account })
  await show('listAccounts', { parameters: { customer_id: customerId, limit: '10' } })
  await show('getFixedDeposit', { parameters: { deposit_id: deposit_id! } })
  await show('getCertificate', { parameters: { deposit_id: deposit_id! } })
  await show('getStatement', { parameters: { deposit_id: deposit_id!, to: '2026-07-01' } })
  await show('listFixedDeposits', { parameters: { status: 'ACTIVE', limit: '10' } })
  return { customerId, accountNumber, depositId: deposit_id! }
}

const PRODUCT = `{
  "name": "Harbour Fix", "currency": "NGN", "status": "OPEN", "min_amount": 50000.00, "max_amount": null,
  "tenor": {"unit": "MONTH", "min": 1, "max": 36, "multiple": 1},
  "interest": {"method": "PAYOUT", "every": "MONTH", "recover_paid_interest": true},
  "maturity": {"on_holiday": "NEXT_BUSINESS_DAY", "instruction": "ROLL_OVER", "rollover_limit": null},
  "negotiated_rate": {"min": 8, "max": 15}, "bonuses": {"SENIOR": 0.5, "STAFF": 1}, "rules": null
}`

const RATE_SHEET = `{
  "effective_from": "2026-01-01", "tenor_unit": "MONTH", "tenor_from": [0, 1, 6, 12],
  "amount_from": [0.00, 1000000.00], "rates": [[0, 0], [8, 8.25], [9.5, 10], [11, 11.5]]
}`

const RULES = `{
  "day_count": "ACT/365F", "rounding": "HALF_UP",
  "allow_partial": true, "min_partial_amount": 1000.00, "min_remaining_principal": 10000.00, "min_holding_days": 0,
  "penal_rules": [
    {
      "when": {"elapsed_percent": {"lt": 20}},
      "terms": [{"kind": "PERCENT", "of": "ACCRUED_INTEREST", "percent": 90}]
    },
    {
      "when": {},
      "terms": [
        {"kind": "RERATE", "rate": {"of": "CONTRACT", "add": -1}},
        {"kind": "FIXED", "amount": 50.00}
      ],
      "combine": "SUM", "min": 0.00, "max": null
    }
  ]
}`

async function recordParties(
  { show, ask, fail }: Recorder,
  { depositId, customerId }: Opened,
): Promise<void> {
  const parameters = { deposit_id: depositId }
  const { customer_id } = await ask({
    method: 'POST',
    url: '/v2/customer',
    body: `{
      "first_name": "Chidi", "last_name": "Obi", "email": "chidi.obi@example.com",
      "phone_number": "+234 802 222 3344", "address": "12 Marina Road, Lagos"
    }`,
  })
  const bodyOf = (id: string) => `{"mandate": "ALL", "parties": [{"customer_id": "${id}", "role": "JOINT"}]}`
  await show('putParties', { parameters, body: bodyOf(customer_id!) })
  await show('getParties', { parameters })
  const url = `/v2/fixed-deposits/${depositId}/parties`
  await fail('party_is_holder', { method: 'PUT', url, body: bodyOf(customerId) })
}

async function recordLiens({ show, ask, fail }: Recorder, { depositId }: Opened): Promise<void> {
  const deposit = { deposit_id: depositId }
  const { lien_id } = await show('placeLien', {
    parameters: deposit,
    body: '{"amount": 450000.00, "reason": "Collateral", "reference": "LOAN-4711"}',
  })
  const lien = { lien_id: lien_id! }
  await show('getLien', { parameters: lien })
  await show('listLiens', { parameters: { ...deposit, limit: '10' } })
  const instruction = '{"maturity_instruction": "ROLL_OVER_PRINCIPAL"}'
  await show('putMaturityInstruction', { parameters: deposit, body: instruction })
  await show('listInterestPayments', { parameters: { ...deposit, limit: '10' } })
  const post = (url: string, body: string) => ({ method: 'POST', url, body })
  const path = `/v2/fixed-deposits/${depositId}`
  await fail(
    'amount_under_lien',
    post(`${path}/liquidate`, '{"liquidation_type": "PARTIAL", "amount": 60000.00}'),
  )
  await fail('deposit_under_lien', post(`${path}/liquidate`, '{"liquidation_type": "FULL"}'))
  await fail('lien_exceeds_principal', post(`${path}/liens`, '{"amount": 60000.00, "reason": "Court order"}'))
  const fee = post(`${path}/liens`, '{"amount": 1.00, "reason": "Fees"}')
  const fees: string[] = []
  for (let more = 1; more < ACTIVE_LIENS_MAX; more += 1) fees.push((await ask(fee)).lien_id!)
  await fail('too_many_liens', fee)
  for (const other of fees) await ask(post(`/v2/liens/${other}/release`, '{"reason": "Paid"}'))
  await show('releaseLien', { parameters: lien, body: '{"reason": "Loan repaid"}' })
  await fail('lien_not_active', post(`/v2/liens/${lien_id}/release`, '{"reason": "Loan repaid"}'))
  await fail('lien_not_found', { method: 'GET', url: `/v2/liens/lien_${'A'.repeat(24)}` })
}

async function recordApprovals(recorder: Recorder, { depositId, accountNumber }: Opened): Promise<void> {
  const { show, ask, fail } = recorder
  const { key: checker = '' } = await ask({
    method: 'POST',
    url: '/v2/api-keys',
    body: '{"name": "Checker", "scopes": ["*"]}',
  })
  const unknown = `apr_${'A'.repeat(24)}`
  const post = (path: string, body: object = {}, key?: string) => ({
    method: 'POST',
    url: `/v2/approvals${path}`,
    body: JSON.stringify(body),
    ...(key !== undefined && { key }),
  })
  await fail('document_version_not_found', { method: 'GET', url: '/v2/approval-policy/9' })
  await show('replaceApprovalPolicy', {
    body: `{
      "expires_after_hours": 48, "deciders": "ANY",
      "rules": [
        {"operation": "liquidateFixedDeposit", "when": {"amount": {"gte": 400000.00}}, "approvals": 1},
        {"operation": "liquidateFixedDeposit", "when": {"contact_changed_hours": {"lt": 48}}, "approvals": 2},
        {
          "operation": "liquidateFixedDeposit",
          "when": {"sum": {"of": "CUSTOMER", "days": 7, "amount": {"gte": 1000000.00}}},
          "approvals": 1
        },
        {"operation": "replaceApprovalPolicy", "when": {}, "approvals": 1}
      ]
    }`,
  })
  await show('getApprovalPolicy')
  await show('getApprovalPolicyVersion', { parameters: { version: '1' } })
  const whole = { liquidation_type: 'FULL' }
  const direct = { method: 'POST', url: `/v2/fixed-deposits/${depositId}/liquidate` }
  await fail('approval_required', { ...direct, body: JSON.stringify(whole) })
  const asked = `{"operation": "liquidateFixedDeposit", "target_id": "${depositId}", "body": {"liquidation_type": "FULL"}}`
  const { approval_id } = await show('requestApproval', { body: asked })
  const approval = { approval_id: approval_id! }
  await fail('approval_already_pending', { method: 'POST', url: '/v2/approvals', body: asked })
  await fail('maker_cannot_approve', post(`/${approval_id}/approve`))
  await fail('not_your_request', post(`/${approval_id}/cancel`, {}, checker))
  await show('approveApproval', { parameters: approval, key: checker, body: '{}' })
  await fail('already_voted', post(`/${approval_id}/approve`, {}, checker))
  await show('getApproval', { parameters: approval })
  await show('rejectApproval', {
    parameters: approval,
    key: checker,
    body: '{"reason": "The customer was not identified"}',
  })
  await fail('approval_not_pending', post(`/${approval_id}/approve`, {}, checker))
  await fail('approval_not_found', { method: 'GET', url: `/v2/approvals/${unknown}` })
  const second = await ask({ method: 'POST', url: '/v2/approvals', body: asked })
  await show('cancelApproval', { parameters: { approval_id: second.approval_id! } })
  await show('listApprovals', { parameters: { status: 'REJECTED', limit: '10' } })
  const replacePolicy = async (policy: object) => {
    const body = JSON.stringify({ operation: 'replaceApprovalPolicy', body: policy })
    const waiting = await ask({ method: 'POST', url: '/v2/approvals', body })
    await ask(post(`/${waiting.approval_id}/approve`, {}, checker))
  }
  const ofPeople = { expires_after_hours: 1, deciders: 'PERSON', rules: [] }
  await fail('too_few_deciders', {
    method: 'PUT',
    url: '/v2/approval-policy',
    body: JSON.stringify({ ...ofPeople, rules: [{ operation: 'creditAccount', when: {}, approvals: 1 }] }),
  })
  await replacePolicy(ofPeople)
  const credit = await ask(creditApproval(accountNumber))
  await fail('person_required', post(`/${credit.approval_id}/approve`, {}, checker))
  await ask({
    method: 'PUT',
    url: '/v2/approval-policy',
    body: '{"expires_after_hours": 1, "deciders": "ANY", "rules": []}',
  })
  await ask(post(`/${credit.approval_id}/approve`, {}, checker))
  await ask(creditApproval(accountNumber))
}

function creditApproval(accountNumber: string): Request {
  const asked = { operation: 'creditAccount', target_id: accountNumber, body: { amount: 1 } }
  return { method: 'POST', url: '/v2/approvals', body: JSON.stringify(asked) }
}

async function recordProducts(recorder: Recorder, { accountNumber }: Opened): Promise<void> {
  const { show, fail, ask } = recorder
  const code = { product_code: 'HARBOUR-FIX' }
  const url = '/v2/products/HARBOUR-FIX'
  await show('putProduct', { parameters: code, body: PRODUCT })
  await show('getProduct', { parameters: code })
  await show('getProductVersion', { parameters: { ...code, version: '1' } })
  await show('listProducts', { parameters: { status: 'OPEN', limit: '10' } })
  await show('addRateSheet', { parameters: code, body: RATE_SHEET })
  await show('listRateSheets', { parameters: { ...code, limit: '10' } })
  await show('getRateSheet', { parameters: { ...code, number: '1' } })

  await show('quoteProduct', {
    parameters: code,
    body: '{"amount": 600000.00, "tenor_months": 12, "bonuses": ["SENIOR"], "start_date": "2026-01-15"}',
  })
  await show('quoteProduct', {
    name: 'with an outlook',
    parameters: code,
    body: '{"amount": 600000.00, "tenor_months": 3, "outlook": true}',
  })
  const quote = async (failure: ErrorCode, body: string) =>
    fail(failure, { method: 'POST', url: `${url}/quote`, body })
  await quote('amount_not_offered', '{"amount": 100.00, "tenor_months": 12}')
  await quote('tenor_not_offered', '{"amount": 600000.00, "tenor": 90}')
  await quote('no_rate_sheet', '{"amount": 600000.00, "tenor_months": 12, "start_date": "2025-01-15"}')
  await quote('bonus_not_offered', '{"amount": 600000.00, "tenor_months": 12, "bonuses": ["LOYAL"]}')
  await quote('rate_out_of_range', '{"amount": 600000.00, "tenor_months": 12, "interest_rate": 20}')

  const { deposit_id } = await show('openFixedDeposit', {
    name: 'by a product',
    body: `{
      "account_number": "${accountNumber}", "amount": 50000.00, "product_code": "HARBOUR-FIX", "tenor_months": 12,
      "bonuses": ["SENIOR"], "start_date": "2026-05-15", "maturity_instruction": "PAY_OUT",
      "expected_interest_rate": 11.5
    }`,
  })
  await show('listInterestPayments', { parameters: { deposit_id: deposit_id!, limit: '10' } })
  const firm = PRODUCT.replace('{"min": 8, "max": 15}', 'null')
  await ask({ method: 'PUT', url: '/v2/products/FIRM', body: firm })
  await ask({ method: 'POST', url: '/v2/products/FIRM/rate-sheets', body: RATE_SHEET })
  const firmQuote = { method: 'POST', url: '/v2/products/FIRM/quote' }
  const negotiated = '{"amount": 600000.00, "tenor_months": 12, "interest_rate": 12}'
  await fail('rate_not_negotiable', { ...firmQuote, body: negotiated })
  await fail('effective_date_in_past', {
    method: 'POST',
    url: `${url}/rate-sheets`,
    body: RATE_SHEET.replace('2026-01-01', '2026-06-30'),
  })
  await ask({ method: 'PUT', url: '/v2/products/FIRM', body: firm.replace('OPEN', 'CLOSED') })
  await fail('product_closed', { ...firmQuote, body: '{"amount": 600000.00, "tenor_months": 12}' })
  await recordDocument(recorder, calendar)

  await fail('product_not_found', { method: 'GET', url: '/v2/products/UNKNOWN' })
  await fail('rate_sheet_not_found', { method: 'GET', url: `${url}/rate-sheets/2` })
  await fail('currency_mismatch', { method: 'PUT', url, body: PRODUCT.replace('NGN', 'USD') })
  await fail('effective_date_before_last', {
    method: 'POST',
    url: `${url}/rate-sheets`,
    body: RATE_SHEET.replace('2026-01-01', '2025-12-31'),
  })
}

async function carryOut(service: Service, callerId: string): Promise<void> {
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  await runBatches(service, book, { instance: 'example', isStopped: () => false })
}

async function recordBatches(
  { show, ask, fail }: Recorder,
  { accountNumber }: Opened,
  carryOut: () => Promise<void>,
): Promise<void> {
  const body = `{
    "operation": "creditAccount", "name": "Salaries of July", "expected": {"lines": 1, "total_amount": 2500.00}
  }`
  const { batch_id = '' } = await show('createBatch', { body })
  const batch = { batch_id }
  const line = `{"account_number": "${accountNumber}", "amount": 2500.00, "external_id": "PAY-0042"}`
  const part = (number: number, sent: string): Request => ({
    method: 'POST',
    url: `/v2/batches/${batch_id}/parts/${number}`,
    body: sent,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  const post = (id: string, verb: string): Request => ({ method: 'POST', url: `/v2/batches/${id}/${verb}` })
  await fail('part_missing', part(2, line))
  await fail('control_totals_differ', post(batch_id, 'start'))
  await show('sendBatchPart', { parameters: { ...batch, part: '1' }, body: line, file: true })
  await fail('part_already_sent', part(1, '{}'))
  await show('startBatch', { parameters: batch, body: '{}' })
  await fail('batch_not_uploading', part(2, line))
  await carryOut()
  await show('getBatch', { parameters: batch })
  await show('listBatchResults', { parameters: { ...batch, limit: '10' } })
  await fail('batch_finished', post(batch_id, 'cancel'))
  await fail('batch_not_found', { method: 'GET', url: `/v2/batches/bat_${'A'.repeat(24)}` })
  await show('listBatches', { parameters: { status: 'DONE', limit: '10' } })
  const create: Request = { method: 'POST', url: '/v2/batches', body: '{"operation": "creditAccount"}' }
  const open: string[] = []
  while (open.length < UPLOADING_MAX) open.push((await ask(create)).batch_id!)
  await fail('too_many_batches', create)
  await show('cancelBatch', { parameters: { batch_id: open.pop()! } })
  for (const id of open) await ask(post(id, 'cancel'))
}

async function recordTax({ show }: Recorder, { customerId }: Opened): Promise<void> {
  await show('replaceTaxRules', {
    body: `{
      "effective_from": "2026-01-01", "base": "NET", "on_recovery": "KEEP", "rounding": "HALF_UP",
      "classes": {"STANDARD": 10, "COMPANY": 7.5, "EXEMPT": 0}
    }`,
  })
  await show('getTaxRules')
  await show('getTaxRulesVersion', { parameters: { version: '1' } })
  const customer = { customer_id: customerId }
  await show('putTaxStatus', {
    parameters: customer,
    body: '{"tax_class": "COMPANY", "reference": "RC 112233", "valid_until": "2027-12-31"}',
  })
  await show('getTaxStatus', { parameters: customer })
}

async function recordLiquidations(recorder: Recorder, { depositId, customerId }: Opened): Promise<void> {
  const { show, announce } = recorder
  const deposit = { deposit_id: depositId }
  const part = '{"liquidation_type": "PARTIAL", "amount": 100000.00}'
  await show('quoteLiquidation', { parameters: deposit, body: part })
  await show('getOutlook', { parameters: { ...deposit, amount: '100000.00' } })
  const { liquidation_id } = await show('liquidateFixedDeposit', {
    name: 'PARTIAL',
    parameters: deposit,
    body: part,
  })
  const span = { from: '2026-07-01', to: '2026-07-31' }
  // Now, while it is the only one: those of one instant have no order of their own.
  await show('exportLiquidations', { parameters: span })
  await show('liquidateFixedDeposit', {
    name: 'PARTIAL, half of the charge waived',
    parameters: deposit,
    body: `{
      "liquidation_type": "PARTIAL",
      "amount": 50000.00,
      "waiver": { "percent": 50, "reason": "GOODWILL", "note": "Complaint of 12 June" },
      "reference": "BR12-0042"
    }`,
  })
  const whole = await show('liquidateFixedDeposit', {
    name: 'FULL',
    parameters: deposit,
    body: '{"liquidation_type": "FULL"}',
  })
  await show('getLiquidation', { parameters: { liquidation_id: liquidation_id! } })
  await show('getAdvice', { parameters: { liquidation_id: liquidation_id! } })
  await show('findLiquidations', { parameters: { reference: 'BR12-0042', limit: '10' } })
  await show('listLiquidations', { parameters: { ...deposit, limit: '1' } })
  await show('exportDeposits', { parameters: span })
  await show('exportLedgerEntries', { parameters: span })
  await show('exportTax', { parameters: span })
  await show('exportInterestPayments', { parameters: span })
  await show('exportApprovals', { parameters: span })
  await show('reportLiquidations', { parameters: span })
  await show('reportTax', { parameters: span })
  await show('foreseeRules', { body: RULES })
  await show('foreseeProduct', { parameters: { product_code: 'HARBOUR-FIX' }, body: PRODUCT })
  await show('foreseePolicy', { body: '{"expires_after_hours": 72, "deciders": "PERSON", "rules": []}' })
  await show('reportCashFlow', { parameters: { from: '2026-07-01', to: '2026-09-30' } })
  await show('getInterestCertificate', { parameters: { customer_id: customerId, ...span } })
  await show('listLedgerEntries', { parameters: { ...deposit, limit: '2' } })
  await show('listAuditLog', { parameters: { action: 'customer.updated' } })
  await announce('fixed_deposit.partially_liquidated')
  await recordReversal(recorder, { first: liquidation_id!, last: whole.liquidation_id! })
  await recorder.ask({
    method: 'POST',
    url: `/v2/fixed-deposits/${depositId}/liquidate`,
    body: '{"liquidation_type": "FULL"}',
  })
}

async function recordReversal(
  { show, fail }: Recorder,
  { first, last }: { first: string; last: string },
): Promise<void> {
  const body = '{"reason": "The customer had asked for another deposit", "note": "Branch 12, by telephone"}'
  const reverse = (liquidationId: string) => ({
    method: 'POST',
    url: `/v2/liquidations/${liquidationId}/reverse`,
    body,
  })
  await fail('not_latest_movement', reverse(first))
  await show('reverseLiquidation', { parameters: { liquidation_id: last }, body })
  await fail('liquidation_already_reversed', reverse(last))
}

async function recordWebhooks({ show, examples }: Recorder): Promise<void> {
  const { webhook_endpoint_id } = await show('createWebhookEndpoint', {
    body: `{
      "url": "https://example.com/webhooks/breakwater",
      "event_types": ["fixed_deposit.liquidated", "fixed_deposit.partially_liquidated"],
      "description": "Core banking"
    }`,
  })
  const endpoint = { webhook_endpoint_id: webhook_endpoint_id! }
  await show('updateWebhookEndpoint', { parameters: endpoint, body: '{"event_types": ["*"]}' })
  await show('getWebhookEndpoint', { parameters: endpoint })
  await show('listWebhookEndpoints', { parameters: { limit: '10' } })
  await show('rotateWebhookSecret', { parameters: endpoint, body: '{"overlap_seconds": 86400}' })
  await show('pingWebhookEndpoint', { parameters: endpoint })
  const [ping] = examples.operations.pingWebhookEndpoint!
  examples.events.ping = (ping!.answer as { data: Json }).data
  await show('listEvents', { parameters: { type: 'fixed_deposit.liquidated', limit: '1' } })
  const [list] = examples.operations.listEvents!
  const [event] = (list!.answer as { data: Members[] }).data
  await show('getEvent', { parameters: { event_id: event!.id! } })
  await show('redeliverEvent', { parameters: { event_id: event!.id! } })
  await show('listWebhookDeliveries', { parameters: { ...endpoint, limit: '1' } })
  await show('deleteWebhookEndpoint', { parameters: endpoint })
}

async function recordSeals({ show, ask, fail }: Recorder, service: Service): Promise<void> {
  await sealPass(service, { marginMs: 0 })
  await show('listSeals', { parameters: { limit: '1' } })
  const [event] = await listOf(ask, '/v2/events?type=customer.created&limit=1')
  await show('getEventProof', { parameters: { event_id: event!.id!, seal_no: '1' } })
  const url = `/v2/events/${event!.id}/proof?seal_no=2`
  await fail('seal_not_found', { method: 'GET', url })
  const [sealed] = await listOf(ask, '/v2/events?type=book.sealed&limit=1')
  await fail('event_not_sealed', { method: 'GET', url: `/v2/events/${sealed!.id}/proof` })
}

async function listOf(ask: Recorder['ask'], url: string): Promise<Members[]> {
  return (await ask({ method: 'GET', url })) as unknown as Members[]
}

/** What administrators do at the console, for its events. Answers a key that one of them made for the live book. */
async function actOnPeople(service: Service, callerId: string): Promise<string> {
  const invited = async (asker: Asker, name: string, role: Role) => {
    const email = `${name.toLowerCase()}@example.com`
    const linked = await invitePerson(service, asker, { callerId, name, email, role, modes: MODES })
    assert(linked.outcome === 'linked', `${name} is invited`)
    await setPasswordByLink(service, { token: linked.link.token, passwordHash: 'unused' })
    return linked.person
  }
  const asPerson = ({ personId, name }: Person): Asker & { actor: Actor } => {
    return { actor: { kind: 'PERSON', id: personId, name }, requestId: null, modes: MODES }
  }
  const operator = { actor: OPERATOR, requestId: null }
  const first = asPerson(await invited(operator, 'Bola', 'ADMINISTRATOR'))
  const second = asPerson(await invited(operator, 'Chidi', 'ADMINISTRATOR'))
  const clerk = await invited(first, 'Ada', 'CLERK')
  const changed = await changePersonRole(service, first, { ...clerk, role: 'SUPERVISOR' })
  assert(changed.outcome === 'changed' && changed.person.rest !== null)
  await confirmPerson(service, second, { ...clerk, shown: changed.person.rest.until })
  await issueResetLink(service, first, clerk)
  const stored = await findPerson(service.db, clerk)
  const browser = { address: null, userAgent: null, device: null }
  await startSession(service, stored!, browser, { isBreakGlass: true })
  const passkey = { credentialId: 'example', publicKey: 'example', counter: 0n }
  const app = { encryptedSecret: null, lastStep: null }
  const factor = { kind: 'PASSKEY', name: 'Telephone', ...app, ...passkey } as const
  await addFactor(service, { ...clerk, sessionId: 'none' }, factor)
  await removeFactorsOf(service, first, clerk)
  await disablePerson(service, first, clerk)
  await invited(first, 'Ada', 'CLERK')
  const book = (await findBook(service.db, { callerId, mode: 'live' }))!
  const terms = { name: null, scopes: ['accounts:write' as const], expiresAt: null, rateLimitPerMinute: null }
  const origin = { book, actor: first.actor, requestId: null, idempotency: null }
  const made = await createApiKey(service, origin, { ...terms, held: FULL_AUTHORITY })
  assert(made.outcome === 'done', 'a key is made')
  return made.value.key
}

/** Two short deposits that mature on different days, so that their order does not depend on their ids. */
async function recordTime(recorder: Recorder, { accountNumber }: Opened): Promise<void> {
  const { show, ask, announce, examples } = recorder
  for (const terms of ['"tenor": 30', '"tenor": 31, "auto_rollover": true']) {
    const body = `{"account_number": "${accountNumber}", "amount": 10000.00, "interest_rate": 12, ${terms}}`
    await ask({ method: 'POST', url: '/v2/fixed-deposits', body })
  }
  await show('getTestClock')
  for (const kind of documentKinds)
    if (examples.operations[kind.operation] === undefined) await recordDocument(recorder, kind)
  await show('moveTestClock', { body: '{"now": "2026-08-03T08:00:00Z"}' })
  await show('reportAccruals', { parameters: { date: '2026-07-31' } })
  // The pending approval has expired, which is recorded with the next request.
  await ask(creditApproval(accountNumber))
  for (const type of EVENT_TYPES) if (examples.events[type] === undefined) await announce(type)
}

async function recordDocument({ show }: Recorder, kind: DocumentDescription<unknown>): Promise<void> {
  await show(kind.get.operationId)
  await show(kind.replace.operationId, { body: kind.example })
  await show(kind.version.operationId, { parameters: { version: '1' } })
}

async function recordFailures(
  { ask, fail }: Recorder,
  made: Opened & { liveKey: string; newKey: string },
): Promise<void> {
  const customer = `/v2/customer/${made.customerId}`
  const credits = `/v2/accounts/${made.accountNumber}/credits`
  const get = (url: string, key?: string | null) => ({
    method: 'GET',
    url,
    ...(key !== undefined && { key }),
  })
  const post = (url: string, body: string, key?: string) => ({
    method: 'POST',
    url,
    body,
    ...(key && { key }),
  })
  const put = (body: string, headers = {}) => ({ method: 'PUT', url: customer, body, headers })
  const unknown = 'A'.repeat(24)

  await fail('route_not_found', get('/v2/fixed-deposit'))
  await fail('method_not_allowed', { method: 'DELETE', url: customer })
  await fail('missing_authorization', get(customer, null))
  await fail('malformed_authorization', get(customer, 'two words'))
  await fail('invalid_api_key', get(customer, 'bw_test_mistyped'))
  await fail('test_mode_only', get('/v2/test-clock', made.liveKey))
  await fail('unsupported_media_type', put('email=ada', { 'content-type': 'text/plain' }))
  await fail('body_too_large', put(`{"address": "${'x'.repeat(65_536)}"}`))
  await fail('malformed_json', put('{"email": "ada@example.com",}'))
  await fail('invalid_idempotency_key', put('{}', { 'idempotency-key': 'x'.repeat(256) }))
  await fail('invalid_request', put('{"email": "ada(at)example.com", "adress": "7 Broad Street"}'))
  await ask(put('{}', { 'idempotency-key': 'update-1' }))
  await fail('idempotency_key_reused', put('{"email": "ada@example.com"}', { 'idempotency-key': 'update-1' }))

  await fail('customer_not_found', get(`/v2/customer/cus_${unknown}`))
  await fail('account_not_found', get('/v2/accounts/0000000000'))
  await fail('deposit_not_found', get(`/v2/fixed-deposits/fd_${unknown}`))
  const kept = await ask(get(`/v2/fixed-deposits/${made.depositId}/liquidations?limit=1`))
  const [{ liquidation_id }] = kept as unknown as [Members]
  await fail(
    'reversal_window_closed',
    post(`/v2/liquidations/${liquidation_id}/reverse`, '{"reason": "Mistake"}'),
  )
  await fail('liquidation_not_found', get(`/v2/liquidations/liq_${unknown}`))
  await fail('rules_version_not_found', get('/v2/liquidation-rules/99'))
  await fail('event_not_found', get(`/v2/events/evt_${unknown}`))
  await fail('webhook_endpoint_not_found', get(`/v2/webhook-endpoints/we_${unknown}`))
  await fail('api_key_not_found', { method: 'DELETE', url: `/v2/api-keys/key_${unknown}` })

  const again = JSON.stringify({
    first_name: 'Ada',
    last_name: 'Obi',
    email: 'ada@example.com',
    phone_number: '+234 801 234 5678',
    address: '7 Broad Street',
    external_id: 'CIF-0042',
  })
  await fail('external_id_taken', post('/v2/customer', again))
  await fail('balance_limit_exceeded', post(credits, '{"amount": 9999999999999.99}'))
  await fail('insufficient_funds', opening('"amount": 90000000.00'))
  await fail('start_date_in_future', opening('"amount": 100.00, "start_date": "2027-01-01"'))
  await fail('start_date_too_early', opening('"amount": 100.00, "start_date": "1526-07-01"'))
  await fail('clock_move_too_far', post('/v2/test-clock', '{"now": "2526-07-01T00:00:00Z"}'))
  await fail('clock_moves_forward_only', post('/v2/test-clock', '{"now": "2026-07-01T00:00:00Z"}'))

  const whole = '{"liquidation_type": "FULL"}'
  const part = (amount: string) => `{"liquidation_type": "PARTIAL", "amount": ${amount}}`
  await fail('deposit_not_active', post(`/v2/fixed-deposits/${made.depositId}/liquidate`, whole))
  const { deposit_id } = await ask(opening('"amount": 50000.00'))
  const liquidate = (body: string) => post(`/v2/fixed-deposits/${deposit_id}/liquidate`, body)
  await fail('amount_conflicts_with_full', liquidate('{"liquidation_type": "FULL", "amount": 20000.00}'))
  await fail('amount_exceeds_principal', liquidate(part('60000.00')))
  await fail('amount_equals_principal', liquidate(part('50000.00')))
  await fail('amount_below_minimum', liquidate(part('500.00')))
  await fail('remaining_below_minimum', liquidate(part('45000.00')))
  const waiving = (amount: string) =>
    `{"liquidation_type": "FULL", "waiver": {"amount": ${amount}, "reason": "GOODWILL"}}`
  await fail('nothing_to_waive', liquidate(waiving('10.00')))
  const charged = await ask(opening('"amount": 50000.00, "start_date": "2026-06-01"'))
  await fail(
    'waiver_exceeds_charge',
    post(`/v2/fixed-deposits/${charged.deposit_id}/liquidate`, waiving('1000.00')),
  )
  await fail('figures_changed', liquidate('{"liquidation_type": "FULL", "expected_net_credited": 50100.00}'))
  const early = '{"liquidation_type": "FULL", "as_of": "2026-01-01"}'
  await fail('as_of_before_start', post(`/v2/fixed-deposits/${deposit_id}/liquidation-quote`, early))

  const strict = RULES.replace('"allow_partial": true', '"allow_partial": false')
  const rules = { method: 'PUT', url: '/v2/liquidation-rules' }
  await ask({ ...rules, body: strict })
  const undivided = await ask(opening('"amount": 50000.00'))
  await fail(
    'partial_liquidation_not_allowed',
    post(`/v2/fixed-deposits/${undivided.deposit_id}/liquidate`, part('20000.00')),
  )
  await ask({ ...rules, body: RULES.replace('"min_holding_days": 0', '"min_holding_days": 30') })
  const held = await ask(opening('"amount": 50000.00'))
  await fail('liquidation_locked', post(`/v2/fixed-deposits/${held.deposit_id}/liquidate`, whole))

  const keys = '/v2/api-keys'
  await fail('expires_at_in_past', post(keys, '{"scopes": ["*"], "expires_at": "2026-01-01T00:00:00Z"}'))
  const narrow = await ask(post(keys, '{"scopes": ["api_keys:write"], "rate_limit_per_minute": 3}'))
  await fail('insufficient_scope', get(customer, narrow.key!))
  await fail('scope_escalation', post(keys, '{"scopes": ["*"]}', narrow.key!))
  const wider = '{"scopes": ["api_keys:write"], "rate_limit_per_minute": 4}'
  await fail('key_escalation', post(keys, wider, narrow.key!))
  await fail('key_too_new', post('/v2/accounts/1000000000/credits', '{"amount": 100.00}', made.newKey))
  await fail('rate_limited', get(customer, narrow.key!))
  await ask({ method: 'DELETE', url: `${keys}/${narrow.api_key_id}` })
  await fail('api_key_revoked', get(customer, narrow.key!))
  await fail('api_key_not_active', post(`${keys}/${narrow.api_key_id}/roll`, '{}'))

  function opening(terms: string) {
    const account = `"account_number": "${made.accountNumber}", "interest_rate": 10, "tenor": 365`
    return post('/v2/fixed-deposits', `{${account}, ${terms}}`)
  }
}

/**
 * Ids, keys, cursors, hashes and account numbers are random, ordinals follow the time; each is replaced by one that depends on its position in the text.
 */
function withStableNames(examples: Examples): Examples {
  const stable = new Map<string, string>()
  const replace = (random: string, make: (ordinal: number) => string) => {
    if (!stable.has(random)) stable.set(random, make(stable.size))
    return stable.get(random)!
  }
  const text = JSON.stringify(examples)
    .replaceAll(/\b(?!whsec_)([a-z]+_)[0-9A-Za-z]{24}\b/g, (id, prefix: string) =>
      replace(id, (ordinal) => prefix + lettersOf(id.slice(0, 3) + ordinal, 24)),
    )
    .replaceAll(/bw_(test|live)_[0-9A-Za-z]{4}(?:[0-9A-Za-z]{34})?/g, (key, mode: string) => {
      const start = replace(key.slice(0, 12), (ordinal) => `bw_${mode}_${lettersOf(`key ${ordinal}`, 4)}`)
      return key.length === 12 ? start : start + lettersOf(start, 34)
    })
    .replaceAll(/whsec_[^"]+/g, (secret) =>
      replace(
        secret,
        (ordinal) => `whsec_${createHash('sha256').update(`secret ${ordinal}`).digest('base64')}`,
      ),
    )
    .replaceAll(/\b[0-9a-f]{64}\b/g, (hash) =>
      /^0+$/.test(hash)
        ? hash
        : replace(hash, (ordinal) => createHash('sha256').update(`hash ${ordinal}`).digest('hex')),
    )
    .replaceAll(/\b3\d{18}\b/g, (ordinal) => replace(ordinal, (place) => String(ORDINAL + BigInt(place))))
    .replaceAll(/"covers_to":"[^"]+"/g, `"covers_to":"${NOW.toISOString()}"`)
    .replaceAll(/"next_cursor":"[^"]+"/g, `"next_cursor":"${lettersOf('cursor', 43)}"`)
    .replaceAll(
      /"(?!0+")(\d{10})"/g,
      (_, number: string) => `"${replace(number, (ordinal) => String(3_010_000_000 + ordinal * 104_729))}"`,
    )
  return revive(parseJson(text, { depthMax: 32 }))
}

/** Of the time of the examples. */
const ORDINAL = ordinalAt(NOW)

/** What was written as JSON comes back with members of the same names. */
function revive(json: Json): Examples {
  return json as unknown as Examples
}

function lettersOf(seed: string, length: number): string {
  const letters = createHash('sha512')
    .update(seed)
    .digest('base64')
    .replaceAll(/[^0-9A-Za-z]/g, '')
  return letters.slice(0, length)
}
