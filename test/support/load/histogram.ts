/** Latencies in buckets that each are 2% wider than the one before: exact enough for quantiles, and cheap to fill. */

const GROWTH = 1.02
const SMALLEST_MS = 0.01
const BUCKETS = 1000

export function createHistogram() {
  const counts = new Uint32Array(BUCKETS)
  let total = 0
  let largestMs = 0

  return {
    record(ms: number): void {
      const bucket = Math.ceil(Math.log(Math.max(ms, SMALLEST_MS) / SMALLEST_MS) / Math.log(GROWTH))
      counts[Math.min(bucket, BUCKETS - 1)]! += 1
      total += 1
      if (ms > largestMs) largestMs = ms
    },
    count: () => total,
    max: () => largestMs,
    /** The upper edge of the bucket that holds it. */
    quantile(share: number): number {
      let seen = 0
      for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
        seen += counts[bucket]!
        if (seen >= share * total) return SMALLEST_MS * GROWTH ** bucket
      }
      return largestMs
    },
  }
}
