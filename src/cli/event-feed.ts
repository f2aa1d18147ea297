/**
 * The events of a book as they happen, for integrators: read from a running service with a key, oldest first, each once
 * and as the very text that a webhook would have.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Environment, UsageError } from './command.ts'
import { baseUrl, type Config } from './config.ts'

export type FedEvent = { id: string; type: string; text: string }

const POLL_MS = 1000
const PAGE = 100
/** Transactions that run side by side commit in another order than their events are listed in; none runs for longer. */
const COMMIT_MAX_MS = 10_000

/** The key of BREAKWATER_KEY, or that of the demo bank; a key among the arguments would be seen by other users. */
export function keyOf(env: Environment, config: Config): string {
  const given = env.BREAKWATER_KEY ?? ''
  if (given !== '') return given
  try {
    return JSON.parse(readFileSync(join(config.dataDirectory, 'demo.json'), 'utf8')).test_key
  } catch {
    throw new UsageError('Set BREAKWATER_KEY to the key whose book is to be followed.')
  }
}

export function addressOf(given: string | undefined, config: Config): string {
  return (given ?? baseUrl(config)).replace(/\/$/, '')
}

/** Events from now on, until the process is stopped. */
export async function* followEvents(url: string, key: string): AsyncGenerator<FedEvent> {
  const read = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } }).catch((cause) => {
      throw new Error(`There is no answer at ${url}.`, { cause })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error((JSON.parse(text) as { message: string }).message)
    return text
  }
  const { ids: earlier } = idsOf(await read(`/v2/events?limit=${PAGE}`))
  const seen: Seen = new Map(earlier.map((id) => [id, -Infinity]))
  for (;;) {
    for (const id of await newIds(read, seen)) {
      yield eventOf(await read(`/v2/events/${id}`), id)
      seen.set(id, performance.now())
    }
    forget(seen)
    await sleep(POLL_MS)
  }
}

/** When each event was first read. */
type Seen = Map<string, number>

const isSettled = (at: number | undefined): boolean =>
  at !== undefined && at <= performance.now() - COMMIT_MAX_MS

/** What was not seen yet, oldest first. Reads back to an event that no later one can still be listed behind. */
async function newIds(read: (path: string) => Promise<string>, seen: Seen): Promise<string[]> {
  const found: string[] = []
  let path = `/v2/events?limit=${PAGE}`
  for (;;) {
    const { ids, next } = idsOf(await read(path))
    found.push(...ids.filter((id) => !seen.has(id)))
    if (next === null || isSettled(seen.get(ids.at(-1)!))) return found.reverse()
    path = `/v2/events?limit=${PAGE}&cursor=${encodeURIComponent(next)}`
  }
}

/** All but the last page of the settled events: no more than that is read again. */
function forget(seen: Seen): void {
  const settled = [...seen].filter(([, at]) => isSettled(at))
  for (const [id] of settled.slice(0, -PAGE)) seen.delete(id)
}

function idsOf(text: string): { ids: string[]; next: string | null } {
  const { data, meta } = JSON.parse(text) as { data: { id: string }[]; meta: { next_cursor: string | null } }
  return { ids: data.map(({ id }) => id), next: meta.next_cursor }
}

/** Cut out and not written again, because amounts lose their digits in a float. */
function eventOf(answer: string, id: string): FedEvent {
  const text = answer.slice(answer.indexOf('"data":') + '"data":'.length, -1)
  return { id, type: (JSON.parse(text) as { type: string }).type, text }
}
