/** The messages between the main thread and the engine's thread. */

export type WorkerData = {
  /** null: in memory. */
  cluster: string | null
  /** A tar of a cluster for an engine in memory; null: the one that comes with the program. */
  template: string | null
  /** Two Int32 counters that the main thread watches: PROGRESS and SYNCS. */
  counters: SharedArrayBuffer
}
export const PROGRESS = 0
export const SYNCS = 1

export type ToWorker = { kind: 'message'; bytes: Uint8Array } | { kind: 'close' }

/** An empty response means that the engine is ready; then each message has one response, in order. */
export type FromWorker =
  | { kind: 'answer'; bytes: Uint8Array }
  | { kind: 'failed'; sentence: string }
  | { kind: 'died'; sentence: string }

/** Always a separate buffer, so that it can be transferred to the other thread instead of copied. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}
