/**
 * Webhooks may only be sent to the public internet, so that the service cannot be used to reach addresses that only it
 * can reach.
 *
 * - IPv4 is public unless a block below says otherwise; IPv6 is not public unless it is global unicast. Forms that
 *   contain an IPv4 address are judged by it, or rejected.
 * - A host is judged as normalised by the URL parser, so 127.1, 0x7f000001 and 2130706433 are all 127.0.0.1.
 * - One forbidden address among those of a name forbids the name.
 * - The connection uses exactly the addresses that were checked; a name is never looked up a second time.
 */
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Examined } from '../../domain/webhook.ts'
import type { AddressGuard } from './changes.ts'

/** Every address of a name; empty where it has none or cannot be looked up now. */
export type Resolve = (hostname: string) => Promise<string[]>

export function createAddressGuard(options: {
  /** Lets test books send to this machine, for development. */
  loopbackAllowed: boolean
  resolve?: Resolve
}): AddressGuard {
  const resolve = options.resolve ?? resolveByDns
  return async function examine(text, mode) {
    const url = new URL(text)
    const hostname = hostOf(url)
    const addresses = isIP(hostname) ? [hostname] : localAddresses(hostname)
    const loopbackAllowed = options.loopbackAllowed && mode === 'test'
    if (addresses !== null && !addresses.every(isAllowed)) return forbidden
    if (/^\.|\.\./.test(url.hostname)) return refuseForm('Send a URL whose host has no empty part.')
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuseForm('Send an https:// URL.')
    if (url.protocol !== 'https:' && mode === 'live') return refuseForm('In live mode send an https:// URL.')
    if (url.username !== '' || url.password !== '') {
      return refuseForm('Leave user name and password out of the URL; messages are signed instead.')
    }
    if (url.port === '0') return refuseForm('Send a URL with a port from 1 to 65535, or without one.')
    const found = addresses ?? (await resolve(hostname))
    if (!found.every(isAllowed)) return forbidden
    return {
      outcome: 'allowed',
      addresses: found.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 })),
    }

    function isAllowed(address: string): boolean {
      const reach = reachOf(address)
      return reach === 'public' || (reach === 'loopback' && loopbackAllowed)
    }
  }
}

const forbidden: Examined = {
  outcome: 'forbidden',
  code: 'forbidden_address',
  message: 'Send a URL whose host is on the public internet.',
}

function refuseForm(message: string): Examined {
  return { outcome: 'forbidden', code: 'invalid_value', message }
}

/** A final dot only makes the name absolute; several final dots must not hide an address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

const UNSPECIFIED = '0.0.0.0'

/** Names of this machine or this network on any resolver; null for all others. */
function localAddresses(hostname: string): string[] | null {
  if (/(?:^|\.)localhost$/.test(hostname)) return ['127.0.0.1', '::1']
  const isLocal = !hostname.includes('.') || /\.(?:local|internal|home\.arpa)$/.test(hostname)
  return isLocal ? [UNSPECIFIED] : null
}

/** What is not an address, or has a zone, is not public either. */
export function reachOf(address: string): 'public' | 'loopback' | 'other' {
  if (isIPv4(address)) {
    if (loopback.check(address)) return 'loopback'
    return special.check(address) ? 'other' : 'public'
  }
  const literal = `http://[${address}]`
  if (!URL.canParse(literal)) return 'other'
  const spelt = new URL(literal).hostname.slice(1, -1)
  if (spelt === '::1') return 'loopback'
  const carried = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(spelt)
  if (carried !== null) return reachOf(ipv4Of(carried[1]!, carried[2]!))
  return global.check(spelt, 'ipv6') && !specialGlobal.check(spelt, 'ipv6') ? 'public' : 'other'
}

function ipv4Of(high: string, low: string): string {
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.')
}

const loopback = blockList('ipv4', ['127.0.0.0/8'])

/** IANA's special-purpose registry, multicast and reserved space, and one cloud's metadata service in public space. */
const special = blockList('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '168.63.129.16/32', // Azure's metadata and DNS
  '169.254.0.0/16', // link-local, with most metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
])

const global = blockList('ipv6', ['2000::/3'])

const specialGlobal = blockList('ipv6', [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries an IPv4 address and is not used any more
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
])

function blockList(family: 'ipv4' | 'ipv6', blocks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const block of blocks) {
    const [network, prefix] = block.split('/')
    list.addSubnet(network!, Number(prefix), family)
  }
  return list
}

const DNS_TIMEOUT_MS = 1000
const DNS_TRIES = 2

/**
 * Queries name servers directly: the system's lookup would block one of a few threads for as long as a server does not
 * respond.
 */
async function resolveByDns(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}
