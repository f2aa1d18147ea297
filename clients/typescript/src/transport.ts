/**
 * Sends requests. Every POST and PUT has an Idempotency-Key, and all attempts of one call send the same key and the same
 * bytes, so a retry never pays twice.
 */
import { BreakwaterError } from './errors.ts'
import {
  type Approval,
  type FieldError,
  type Breakwater as Members,
  operations,
  shapes,
  VERSION,
} from './generated.ts'
import { decode, encode } from './money.ts'

export type Options = {
  /** Of the service, such as https://bank.example.com; http only for this machine. */
  url: string
  /** bw_test_… or bw_live_…. It is never shown, not even by inspect. */
  key: string
  /** After the first attempt; 2 unless given. */
  retries?: number
  /** Of each attempt; 30 unless given. */
  timeoutSeconds?: number
  fetch?: typeof fetch
}

export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal }

export type WithResponse<Data> = { data: Data; status: number; requestId: string; replayed: boolean }

/** The record, or with withResponse() also what the answer says about itself. */
export type Call<Data> = Promise<Data> & { withResponse: () => Promise<WithResponse<Data>> }

export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null }

/** All records of a list, read page by page; page() reads one page. `limit` is the size of a page. */
export type List<Item> = AsyncIterable<Item> & { page: () => Call<Page<Item>> }

type Form = 'record' | 'page' | 'lines' | 'bare' | 'text'
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Operation = readonly [string, Method, string, string, string, Form | `${Form}?`]
export type Operations = Readonly<Record<string, Operation>>

type Given = {
  /** What the path names, in its order. */
  targets?: readonly (string | number)[]
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: object
  /** The body, where it is text already. */
  text?: string | undefined
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
/** What a header can hold; a wrong key would be shown by the error of fetch. */
const KEY = /^[!-~]+$/
const RETRY_AFTER_MAX_S = 30

/** `new Breakwater({ url, key })`. */
export const Breakwater = class {
  constructor(options: Options) {
    const { call, list } = createTransport(options)
    const members: Record<string, Record<string, unknown>> = {}
    for (const [id, [member, , path, body, , form]] of Object.entries<Operation>(operations)) {
      const [group, name] = member.split('.') as [string, string]
      members[group] ??= {}
      members[group][name] = (...given: unknown[]) => {
        const targets = given.splice(0, path.split('{}').length - 1)
        const sent = body === '' ? {} : { [body === 'lines' ? 'text' : 'body']: given.shift() }
        const query = form.endsWith('?') ? { query: given.shift() ?? {} } : {}
        const run = form.startsWith('page') ? list : call
        return run(id as OperationId, { targets, ...sent, ...query } as Given, given.shift() as CallOptions)
      }
    }
    Object.assign(this, members)
  }
} as unknown as new (
  options: Options,
) => Members

type OperationId = keyof typeof operations

function createTransport(given: Options) {
  const { key, retries = 2, timeoutSeconds = 30 } = given
  const base = new URL(given.url)
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && LOOPBACK.test(base.hostname)))
    throw new TypeError('The URL must begin with https://, because the key is sent in each request.')
  if (!KEY.test(key)) throw new TypeError('The key must be one word, without a line end.')
  const send = given.fetch ?? fetch

  return { call, list }

  function call<Data>(id: OperationId, given: Given, options: CallOptions = {}): Call<Data> {
    const answered = run<Data>(id, given, options)
    const data = answered.then((response) => response.data)
    // With withResponse() alone nobody waits for this promise, and its rejection would end the process.
    data.catch(() => {})
    return Object.assign(data, { withResponse: () => answered })
  }

  function list<Item>(id: OperationId, given: Given, options: CallOptions = {}): List<Item> {
    const page = (cursor?: string) =>
      call<Page<Item>>(
        id,
        cursor === undefined ? given : { ...given, query: { ...given.query, cursor } },
        options,
      )
    return {
      page: () => page(),
      async *[Symbol.asyncIterator]() {
        let cursor: string | undefined
        do {
          const { data, has_more, next_cursor } = await page(cursor)
          yield* data
          cursor = has_more && next_cursor !== null ? next_cursor : undefined
        } while (cursor !== undefined)
      },
    }
  }

  async function run<Data>(
    id: OperationId,
    { targets = [], query, body, text = body && encode(body, shapes, operations[id][3]) }: Given,
    options: CallOptions,
  ): Promise<WithResponse<Data>> {
    const [, method, path, sent, name, form] = operations[id]
    const changes = method === 'POST' || method === 'PUT'
    const once = changes ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    const headers: Record<string, string> = {
      authorization: `Bearer ${key}`,
      'user-agent': `breakwater-typescript/${VERSION}`,
      ...(text !== undefined && { 'content-type': `application/${sent === 'lines' ? 'x-ndjson' : 'json'}` }),
      ...(once !== undefined && { 'idempotency-key': once }),
    }
    const request = { method, headers, ...(text !== undefined && { body: text }) }
    const { response, answer } = await attempt(addressOf(path, targets, query), request, options.signal)
    if (!response.ok) {
      const note = (line?: string) => {
        const start = JSON.stringify({ operation: id, target_id: targets[0], note: line }).slice(0, -1)
        // Derived from this call's key, so that asking twice is one request.
        const derived = { idempotencyKey: `approval-of-${once}`.slice(0, 255) }
        return run<Approval>('requestApproval', { text: `${start},"body":${text ?? '{}'}}` }, derived)
      }
      throw failureOf(response, answer, async (line) => (await note(line)).data)
    }
    return {
      data: read(answer, name, form.replace('?', '') as Form) as Data,
      status: response.status,
      requestId: response.headers.get('request-id') ?? '',
      replayed: response.headers.get('idempotent-replayed') === 'true',
    }
  }

  async function attempt(url: URL, request: RequestInit, signal?: AbortSignal) {
    for (let retry = 0; ; retry += 1) {
      signal?.throwIfAborted()
      const limits = [AbortSignal.timeout(timeoutSeconds * 1000), ...(signal === undefined ? [] : [signal])]
      let waitSeconds = 0.5 * 2 ** retry * (0.5 + Math.random() / 2)
      try {
        const response = await send(url, { ...request, redirect: 'manual', signal: AbortSignal.any(limits) })
        // Read here, because an answer that is cut off is no answer.
        const answer = await response.text()
        const isRetried = (response.status === 429 || response.status === 503) && retry < retries
        const asked = Number(response.headers.get('retry-after') ?? Number.NaN)
        if (!isRetried || asked > RETRY_AFTER_MAX_S) return { response, answer }
        if (asked >= 0) waitSeconds = asked
      } catch (cause) {
        signal?.throwIfAborted()
        if (retry >= retries) throw unreachable(cause)
      }
      await pause(waitSeconds, signal)
    }
  }

  function unreachable(cause: unknown): BreakwaterError {
    const message = `${base.origin} does not answer.`
    return new BreakwaterError({
      code: 'connection_failed',
      status: 0,
      message,
      retryable: true,
      requestId: null,
      cause,
    })
  }

  function addressOf(path: string, targets: readonly (string | number)[], query: Given['query'] = {}): URL {
    const rest = [...targets]
    const named = path.replaceAll('{}', () => encodeURIComponent(rest.shift()!))
    const url = new URL(base.pathname.replace(/\/$/, '') + named, base)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    return url
  }
}

function failureOf(
  response: Response,
  answer: string,
  requestApproval: (note?: string) => Promise<Approval>,
): BreakwaterError {
  const { message, error } = readFailure(answer)
  return new BreakwaterError({
    code: error?.code ?? `http_${response.status}`,
    status: response.status,
    message: message ?? `The answer was ${response.status}.`,
    fields: error?.fields ?? [],
    details: error?.details ?? {},
    retryable: error?.retryable ?? false,
    requestId: error?.request_id ?? response.headers.get('request-id'),
    requestApproval: error?.code === 'approval_required' ? requestApproval : undefined,
  })
}

type Failure = {
  message?: string
  error?: {
    code: string
    fields: FieldError[]
    details: Record<string, unknown>
    retryable: boolean
    request_id: string
  }
}

/** A proxy may answer with something else than the service does. */
function readFailure(answer: string): Failure {
  try {
    return decode(answer, shapes, '') as Failure
  } catch {
    return {}
  }
}

function read(answer: string, name: string, form: Form): unknown {
  if (form === 'text') return answer
  if (form === 'bare') return decode(answer, shapes, name)
  if (form === 'lines') return readLines(answer, name)
  const { data, meta } = decode(answer, { ...shapes, '': { data: name } }, '') as {
    data: unknown
    meta: object
  }
  return form === 'page' ? { data, ...meta } : data
}

/** The last line says how many there are, so that a file that was cut off is noticed. */
function readLines(answer: string, name: string): unknown[] {
  const records = answer
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => decode(line, shapes, name))
  const last = records.pop() as { rows?: number } | undefined
  if (last?.rows !== records.length) throw new TypeError('The file is not complete; ask for it again.')
  return records
}

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
