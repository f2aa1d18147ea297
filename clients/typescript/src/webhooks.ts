/** Webhooks by Standard Webhooks 1.0. Forged, changed and old messages are rejected, in constant time. */
import { type Event, shapes } from './generated.ts'
import { decode } from './money.ts'

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The event of a message. `body` is what was received, byte by byte, before anything parsed it. Give both secrets while a
 * secret is being rotated.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderBag,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: { toleranceSeconds?: number; now?: Date } = {},
): Promise<Event> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures) throw new TypeError('This is not a webhook: its headers are missing.')
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!(ageSeconds <= toleranceSeconds)) throw new TypeError('The webhook is too old, or from the future.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = bytesOf(
    `${id}.${timestamp}.`,
    typeof body === 'string' ? new TextEncoder().encode(body) : body,
  )
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret)
    for (const signature of signatures.split(' ')) {
      const given = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
      // Compared by WebCrypto, in constant time.
      if (given !== undefined && (await crypto.subtle.verify('HMAC', key, given, signed)))
        return decode(text, shapes, 'Event') as Event
    }
  }
  throw new TypeError('The webhook has no valid signature.')
}

function headerOf(headers: HeaderBag, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0) throw new TypeError('A webhook secret begins with whsec_.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[0-9A-Za-z+/]*={0,2}$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function bytesOf(start: string, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(start)
  const whole = new Uint8Array(head.length + rest.length)
  whole.set(head)
  whole.set(rest, head.length)
  return whole
}
