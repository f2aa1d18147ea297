import type { Queries, Transaction } from '../../src/engine/database/database.ts'
import { createScratch } from '../../src/engine/database/encoding.ts'
import { encodeRows } from '../../src/engine/database/rows.ts'

/**
 * Runs the work of a transaction with all its statements, writes too, going through one function. Writes are waited for
 * at the end, and the first one that failed is the transaction's failure, as with the real one.
 */
export async function through<Result>(
  query: Queries['query'],
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const writes: Promise<unknown>[] = []
  const write: Transaction['write'] = (given, plainValues) => {
    const { text, values } =
      typeof given === 'string'
        ? { text: given, values: plainValues }
        : encodeRows(createScratch(), given, { isSharded: true })
    const written = query(text, values)
    written.catch(() => {})
    writes.push(written)
  }
  try {
    return await work({ query, write, written: async () => void (await Promise.all(writes)) })
  } finally {
    await Promise.all(writes)
  }
}
