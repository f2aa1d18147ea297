/**
 * What takes long to add up is not added up for each reader: a value that took a quarter of a second or more is kept for
 * twenty times as long as it took, so that a large book spends at most a twentieth of the time on it.
 */
export type Keep = <Value>(key: string, read: () => Promise<Value>) => Promise<{ value: Value; at: Date }>

const SLOW_MS = 250
const KEPT_TIMES = 20
/** A key names a book and a day, so those of past days would otherwise stay. */
const KEPT_MAX = 1_000

export function createKeep(clock: () => Date, nowMs: () => number = () => performance.now()): Keep {
  const kept = new Map<string, { value: unknown; at: Date; untilMs: number }>()
  return async <Value>(key: string, read: () => Promise<Value>) => {
    const known = kept.get(key)
    if (known !== undefined && nowMs() < known.untilMs) return { value: known.value as Value, at: known.at }
    kept.delete(key)
    const [at, startedMs] = [clock(), nowMs()]
    const value = await read()
    const tookMs = nowMs() - startedMs
    if (kept.size >= KEPT_MAX) kept.clear()
    if (tookMs >= SLOW_MS) kept.set(key, { value, at, untilMs: nowMs() + KEPT_TIMES * tookMs })
    return { value, at }
  }
}
