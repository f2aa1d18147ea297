/**
 * The address of a client. Without trusted proxies it is the remote address of the connection. A trusted proxy names
 * its client in X-Forwarded-For: the entries are followed from the last one, which the nearest proxy added, as long as
 * trusted proxies added them. Earlier entries were sent by the client itself, and are ignored. X-Forwarded-Proto counts in
 * the same way: only from a trusted proxy.
 */
import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    readonly clientAddress: string
    /** Whether the client uses TLS, as far as this service or a trusted proxy knows. */
    readonly isSecure: boolean
  }
}

export type ClientAddresses = ReturnType<typeof createClientAddresses>

export function createClientAddresses(options: {
  /** Addresses or ranges, such as 10.0.0.0/8. */
  trustedProxies: readonly string[]
  /** Whether the log shows addresses unhashed. */
  logged: boolean
}) {
  const trusted = options.trustedProxies.length === 0 ? null : rangesOf(options.trustedProxies)!
  const salt = randomBytes(16).toString('base64')
  let hashes = new Map<string, string>()
  return { addressOf, isSecure, shown, decorate }

  function decorate(app: FastifyInstance): void {
    app.decorateRequest('clientAddress', {
      getter() {
        return addressOf(this.raw)
      },
    })
    app.decorateRequest('isSecure', {
      getter() {
        return isSecure(this.raw)
      },
    })
  }

  /** The service itself speaks plain HTTP: TLS ends at a proxy. */
  function isSecure(request: IncomingMessage): boolean {
    if (trusted === null || !isWithin(trusted, peerOf(request))) return false
    return request.headers['x-forwarded-proto'] === 'https'
  }

  function addressOf(request: IncomingMessage): string {
    const peer = peerOf(request)
    return trusted === null ? peer : follow(peer, trusted, request.headers['x-forwarded-for'])
  }

  /** The address as the log shows it: the same one until the process ends, and not reversible. */
  function shown(address: string): string {
    if (options.logged) return address
    const known = hashes.get(address)
    if (known !== undefined) return known
    if (hashes.size === HASHES_MAX) hashes = new Map()
    const hashed = hash('sha256', salt + address, 'base64url').slice(0, SHOWN_CHARACTERS)
    hashes.set(address, hashed)
    return hashed
  }
}

const SHOWN_CHARACTERS = 16
const HASHES_MAX = 10_000

/** undefined: one of them is neither an address nor a range. */
export function rangesOf(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', prefix, ...more] = text.split('/')
    const version = isIP(address)
    const bits = version === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (version === 0 || length < 0 || length > bits || more.length > 0) return undefined
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

function follow(peer: string, trusted: BlockList, forwardedFor: string | string[] | undefined): string {
  let address = peer
  const entries = String(forwardedFor ?? '').split(',')
  while (isWithin(trusted, address) && entries.length > 0) {
    const next = readAddress(entries.pop()!)
    if (next === null) break
    address = next
  }
  return address
}

function peerOf({ socket }: IncomingMessage): string {
  const known = peers.get(socket)
  if (known !== undefined) return known
  const peer = readAddress(socket.remoteAddress ?? '') ?? 'unknown'
  peers.set(socket, peer)
  return peer
}

/** Addresses by connection, because every request asks for its own twice. */
const peers = new WeakMap<Socket, string>()

/** Some proxies add the port. A mapped IPv4 address is that address. */
function readAddress(text: string): string | null {
  const trimmed = text.trim()
  const address = /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed.replace(/^([\d.]+):\d+$/, '$1')
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '')
  return isIP(plain) === 0 ? null : plain.toLowerCase()
}

function isWithin(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
