import { type BookSeal, earlierSeal, sealsBetween } from '../../domain/seal.ts'
import type { Queries } from '../../engine/database/database.ts'
import { leafHash, NO_HEAD, pathTo } from '../../engine/database/merkle.ts'
import { ListQuery, listReply, type Route, reply, route } from '../../route/route.ts'
import { FailureError, found } from '../../wire/failure.ts'
import { readEntryHashes, readEventHashes, textOfSeal } from './changes.ts'
import { type Link, type Proof, ProofQuery, ProofRecord, SealRecord } from './record.ts'
import { countEventsBefore, findSealedEvent, findSeals, listSeals, readEventLeaf } from './store.ts'

export const sealRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/seals',
    operationId: 'listSeals',
    summary: 'List the seals of the book, newest first',
    tag: 'Events',
    scope: 'events:read',
    query: ListQuery,
    success: { status: 200, data: SealRecord, list: true },
    answer: (asked) =>
      listReply(asked, {
        operationId: 'listSeals',
        message: 'The seals.',
        read: (page) => listSeals(asked.service.db, asked.book.bookId, page),
        show: SealRecord.write,
      }),
  }),
  route({
    method: 'GET',
    path: '/v2/events/:event_id/proof',
    operationId: 'getEventProof',
    summary: 'Prove that an event is covered by a seal, against the head of this or a later one',
    tag: 'Events',
    scope: 'events:read',
    query: ProofQuery,
    success: { status: 200, data: ProofRecord },
    refusals: ['event_not_found', 'event_not_sealed', 'seal_not_found'],
    answer: async ({ service, book, params, query }) => {
      const asked = { eventId: params.event_id!, sealNo: query.seal_no }
      return reply('The proof.', ProofRecord.write(await readProof(service.db, book.bookId, asked)))
    },
  }),
]

async function readProof(
  db: Queries,
  bookId: string,
  { eventId, sealNo }: { eventId: string; sealNo: number | undefined },
): Promise<Proof> {
  const { ordinal, seal } = found(await findSealedEvent(db, bookId, eventId), 'event_not_found')
  if (seal === null) throw new FailureError({ code: 'event_not_sealed' })
  const { links, head } = await readLinks(db, bookId, { from: seal.sealNo, to: sealNo ?? seal.sealNo })
  const hashes: string[] = []
  for await (const page of readEventHashes(db, bookId, seal)) hashes.push(...page)
  for await (const page of readEntryHashes(db, bookId, seal)) hashes.push(...page)
  const { from, salt } = seal
  const leafIndex = await countEventsBefore(db, bookId, { from, ordinal, eventId })
  const leaf = await readEventLeaf(db, bookId, { salt, eventId })
  const path = pathTo(leafIndex, hashes)
  return { eventId, leaf, leafIndex, path, seal, sealText: textOfSeal(seal), links, head }
}

/** The seal of the event has both heads before it; of each later link one is the head computed so far. */
async function readLinks(
  db: Queries,
  bookId: string,
  { from, to }: { from: number; to: number },
): Promise<{ links: Link[]; head: string }> {
  if (to < from) throw new FailureError({ code: 'seal_not_found' })
  const way = [from, ...sealsBetween({ from, to })]
  const needed = way.flatMap((sealNo) => [sealNo, sealNo - 1, earlierSeal(sealNo)])
  const seals = await findSeals(db, bookId, [...new Set(needed)])
  const { head } = found(seals.get(to), 'seal_not_found')
  const links = way.map((sealNo, index) => linkOf(seals, sealNo, way[index - 1]))
  return { links, head }
}

function linkOf(seals: ReadonlyMap<number, BookSeal>, sealNo: number, known: number | undefined): Link {
  const headOf = (other: number) => (other === known ? null : (seals.get(other)?.head ?? NO_HEAD))
  return {
    sealNo,
    previousHead: headOf(sealNo - 1),
    earlierHead: headOf(earlierSeal(sealNo)),
    textHash: leafHash(textOfSeal(seals.get(sealNo)!)),
  }
}
