/** The service that an import talks to, by its API and with a key. */
import { randomUUID } from 'node:crypto'
import type { ReadableStream } from 'node:stream/web'
import type { KnownOfDeposits } from '../../domain/import.ts'
import { parseGrid, parseProduct } from '../../features/products/record.ts'
import { isJsonObject, type Json, type JsonObject, Numeral, parseJson } from '../../wire/json.ts'

/** What the service refused; its message is a sentence. */
export class RefusedError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export type Service = {
  get: (path: string) => Promise<JsonObject>
  post: (path: string, body?: object | Buffer) => Promise<JsonObject>
  /** Every member of a list, page after page. */
  list: (path: string) => AsyncGenerator<JsonObject>
  /** The lines of an answer of JSON lines. */
  lines: (path: string) => AsyncGenerator<JsonObject>
}

export function createService(url: string, key: string): Service {
  async function send(path: string, options: RequestInit): Promise<Response> {
    const headers = { authorization: `Bearer ${key}`, ...options.headers }
    const answer = await fetch(url + path, { ...options, headers }).catch((cause) => {
      throw new Error(
        `There is no answer at ${url}. Run the same command again: it goes on where it stopped.`,
        { cause },
      )
    })
    if (answer.ok) return answer
    const { error, message } = parseJson(await answer.text()) as JsonObject
    throw new RefusedError(
      String((error as JsonObject).code),
      sentenceOf(String(message), error as JsonObject),
    )
  }
  const read = async (path: string, options: RequestInit = {}) =>
    parseJson(await (await send(path, options)).text()) as JsonObject
  return {
    get: async (path) => (await read(path)).data as JsonObject,
    async post(path, body = {}) {
      const isFile = Buffer.isBuffer(body)
      const type = isFile ? 'application/x-ndjson' : 'application/json'
      const headers = { 'content-type': type, 'idempotency-key': randomUUID() }
      const sent = isFile ? new Uint8Array(body) : JSON.stringify(body)
      return (await read(path, { method: 'POST', headers, body: sent })).data as JsonObject
    },
    async *list(path) {
      for (let cursor: Json = null; ; ) {
        const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`
        const { data, meta } = await read(`${path}${path.includes('?') ? '&' : '?'}limit=100${next}`)
        yield* data as JsonObject[]
        cursor = (meta as JsonObject).next_cursor ?? null
        if (cursor === null) return
      }
    },
    async *lines(path) {
      const answer = await send(path, { headers: { accept: 'application/x-ndjson' } })
      for await (const line of linesIn(answer.body as ReadableStream<Uint8Array>)) {
        const parsed = parseJson(line)
        if (isJsonObject(parsed)) yield parsed
      }
    },
  }
}

/** The message alone would not say which scope a key lacks. */
function sentenceOf(message: string, { details }: JsonObject): string {
  const scope = details != null && isJsonObject(details) ? details.required_scope : undefined
  return typeof scope === 'string' ? `${message} (${scope})` : message
}

async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines.filter((line) => line !== '')
  }
  if (rest !== '') yield rest
}

type Product = Pick<KnownOfDeposits, 'version' | 'sheets'>

/** Each product is asked for once. */
export function createProducts(service: Service): (code: string) => Promise<Product> {
  const known = new Map<string, Promise<Product>>()
  return (code) => {
    const product = known.get(code) ?? readProduct(service, code)
    known.set(code, product)
    return product
  }
}

async function readProduct({ get, list }: Service, code: string): Promise<Product> {
  const path = `/v2/products/${encodeURIComponent(code)}`
  try {
    const { product_code: _, version, created_at: createdAt, ...product } = await get(path)
    const sheets: KnownOfDeposits['sheets'][number][] = []
    for await (const { product_code: _, number, created_at: __, ...grid } of list(`${path}/rate-sheets`))
      sheets.push({ ...parseGrid(JSON.stringify(grid)), number: countOf(number) })
    sheets.sort((a, b) => a.number - b.number)
    const kept = { product: parseProduct(JSON.stringify(product)), createdAt: new Date(String(createdAt)) }
    return { version: { productCode: code, version: countOf(version), ...kept }, sheets }
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'product_not_found')
      return { version: undefined, sheets: [] }
    throw error
  }
}

export function countOf(value: Json | undefined): number {
  return value instanceof Numeral ? Number(value.source) : 0
}
