/** Breakwater beside ledgers of others: figures, what each promises when it answers, and what is not equal. */
import type { MeasuredOperation } from './operations-table.ts'
import { markdown, micros, ratiosInTurns, spreadText, type Table, whole, wrapped } from './table.ts'

export type PeerName = 'breakwater' | 'formance' | 'blnk'

export type Peer = MeasuredOperation & {
  name: PeerName
  version: string
  /** Bytes of PostgreSQL's log for a movement. */
  walBytes: number
}

export type Peers = {
  peers: Peer[]
  /** Transfers a second of TigerBeetle's own benchmark; null where its program was not at hand. */
  tigerbeetle: { version: string; perSecond: number } | null
  /** In one line each, which parties are missing. */
  missing: string[]
}

const PROMISES: Record<PeerName, string> = {
  breakwater: `a liquidation: interest and charge by the rules that are pinned to the deposit, an entry of four postings, the
changed deposit and balance, a record, an event and a stored answer are durable before it is answered. A repeated key is answered
with the stored answer. The request is authenticated and logged.`,
  formance: `a transaction of one posting, its log entry with a hash over the one before it, and the volumes of both accounts are
durable before it is answered. A repeated key is answered with the first answer. The source must have the amount.`,
  blnk: `with \`skip_queue\`, a transaction and both balances are durable before it is answered. A reference that was used is
refused. Both balances are locked in Redis meanwhile; the source may be overdrawn.`,
}

const NOT_EQUAL = `Not equal: a liquidation computes its amounts and writes more rows than a movement of a given amount; it is authenticated
and logged, the others are asked without a key, as their first steps show. Each deposit is liquidated once, in random order, from a book of
many; movements go from one to the other of 1,000 pairs of accounts, of which no two requests use one at the same time. Peers run with their
own defaults (connections, caches), and Blnk's share of CPU includes that of its Redis. All use one PostgreSQL with the same settings, in
turns, while the others rest.`

const TIGERBEETLE = `has no PostgreSQL, no HTTP and one batch of thousands of transfers in a request: a bound for what the disk and one core
allow, not a like for like.`

export function peersTable({ peers }: Peers): Table {
  const [own] = peers
  return {
    head: [
      'Ledger',
      'Movements a second',
      'Breakwater to it',
      'p50 ms',
      'p99 ms',
      'Service CPU',
      'Database CPU',
      'CPU together',
      'To that of Breakwater',
      'Log bytes',
    ],
    rows: peers.map((peer) => {
      const [cpu, ownCpu] = [togetherOf(peer), togetherOf(own!)]
      return [
        `${peer.label} ${peer.version}`,
        whole(peer.perSecond),
        peer === own ? '' : spreadText(ratiosInTurns(own, peer)),
        peer.p50Ms?.toFixed(2) ?? '',
        peer.p99Ms?.toFixed(2) ?? '',
        peer.serverCpu === null ? '' : micros(peer.serverCpu),
        peer.databaseCpu === null ? '' : micros(peer.databaseCpu),
        cpu === null ? '' : micros(cpu),
        cpu === null || ownCpu === null ? '' : (cpu / ownCpu).toFixed(2),
        whole(peer.walBytes),
      ]
    }),
  }
}

function togetherOf({ serverCpu, databaseCpu }: Peer): number | null {
  return serverCpu === null || databaseCpu === null ? null : serverCpu + databaseCpu
}

export function peersText(measured: Peers): string {
  const { peers, tigerbeetle, missing } = measured
  const promises = peers.map(({ name, label }) =>
    wrapped(`**${label}** answers when this holds: ${PROMISES[name]}`),
  )
  const limit =
    tigerbeetle === null
      ? []
      : [
          wrapped(
            `**TigerBeetle ${tigerbeetle.version}** made ${whole(tigerbeetle.perSecond)} transfers a second in its own benchmark. It ${TIGERBEETLE}`,
          ),
        ]
  return [
    ...promises,
    ...limit,
    ...(peers.length > 1 ? [wrapped(NOT_EQUAL)] : []),
    ...missing.map(wrapped),
  ].join('\n\n')
}

export function peersMarkdown(measured: Peers): string {
  return `${markdown(peersTable(measured))}\n\n${peersText(measured)}\n`
}
