/**
 * One signed message over HTTP. Messages are independent: the name is looked up, the addresses are checked, and the
 * connection uses one of exactly those. Redirects are treated like any other response; only a bounded part of a body is
 * read.
 */
import type { ClientRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Mode } from '../../domain/book.ts'
import { hostOf } from './address-guard.ts'
import type { AddressGuard } from './changes.ts'
import type { DeliveryFault, Outcome } from './schedule.ts'

// Not imported, for the reason that src/http/connections.ts gives.
const { request: httpRequest } = process.getBuiltinModule('node:http')

export type Message = { url: string; mode: Mode; headers: Record<string, string>; body: string }

/** Never rejects: an unreachable receiver is an outcome. */
export type Post = (message: Message) => Promise<Outcome>

const ANSWER_READ_MAX_BYTES = 4096

export function createPost(options: { addressGuard: AddressGuard; timeoutMs: number }): Post {
  return async function post(message) {
    const { promise: timedOut, resolve } = Promise.withResolvers<Outcome>()
    const controller = new AbortController()
    const timer = setTimeout(() => {
      resolve(unanswered('timed_out'))
      controller.abort()
    }, options.timeoutMs)
    try {
      return await Promise.race([send(message, options.addressGuard, controller.signal), timedOut])
    } finally {
      clearTimeout(timer)
    }
  }
}

async function send(message: Message, addressGuard: AddressGuard, signal: AbortSignal): Promise<Outcome> {
  const examined = await addressGuard(message.url, message.mode)
  if (examined.outcome === 'forbidden') return unanswered('forbidden_address')
  if (examined.addresses.length === 0) return unanswered('name_not_resolved')
  return exchange(message, examined.addresses, signal)
}

type Addresses = { address: string; family: 4 | 6 }[]

function exchange(message: Message, addresses: Addresses, signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const url = new URL(message.url)
  const isSecure = url.protocol === 'https:'
  const body = Buffer.from(message.body)
  const request = (isSecure ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'Breakwater',
      ...message.headers,
    },
    // Connections are not reused: the next message may go to another address, which has to be checked again.
    agent: false,
    lookup: pinnedLookup(addresses),
    // The server name of a certificate has no final dot (RFC 6066); an address has no such name.
    ...(url.hostname.endsWith('.') && { servername: hostOf(url) }),
    signal,
  })
  const fault = watchConnection(request, isSecure)
  request.on('response', (response) => {
    const { statusCode = 0, headers } = response
    const answered: Outcome = { kind: 'answered', statusCode, retryAfter: headers['retry-after'] ?? null }
    let readBytes = 0
    response.on('data', (chunk: Buffer) => {
      readBytes += chunk.length
      if (readBytes > ANSWER_READ_MAX_BYTES) end(answered)
    })
    response.on('end', () => end(answered))
    response.on('error', () => end(unanswered('connection_failed')))
  })
  request.on('error', () => end(unanswered(fault())))
  request.on('close', () => end(unanswered(fault())))
  request.end(body)
  return promise

  function end(outcome: Outcome): void {
    resolve(outcome)
    request.destroy()
  }
}

/** Returns the checked addresses, whatever a name server would return now. */
function pinnedLookup(addresses: Addresses): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
}

/** Distinguishes an unreachable receiver from one with an invalid certificate. */
function watchConnection(request: ClientRequest, isSecure: boolean): () => DeliveryFault {
  let isConnected = false
  let isTrusted = false
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      isConnected = true
    })
    socket.once('secureConnect', () => {
      isTrusted = true
    })
  })
  return () => (isSecure && isConnected && !isTrusted ? 'tls_failed' : 'connection_failed')
}

function unanswered(error: DeliveryFault): Outcome {
  return { kind: 'unanswered', error }
}
