/** Caches versioned documents, such as rule sets, after parsing. A version never changes. */
const VERSIONS_MAX = 10_000

export type VersionCache = {
  get: <Document>(kind: string, bookId: string, version: number) => Document | undefined
  set: (kind: string, bookId: string, version: number, document: unknown) => void
}

export function createVersionCache(): VersionCache {
  const kept = new Map<string, unknown>()
  return {
    get: <Document>(kind: string, bookId: string, version: number) =>
      kept.get(`${kind} ${bookId} ${version}`) as Document | undefined,
    set(kind, bookId, version, document) {
      kept.set(`${kind} ${bookId} ${version}`, document)
      if (kept.size > VERSIONS_MAX) kept.delete(kept.keys().next().value!)
    },
  }
}
