import { Type } from 'typebox'
import type { BookSeal } from '../../domain/seal.ts'
import { WholeNumber } from '../../wire/fields.ts'
import { count, eventId, instant, kind, knownKind, listOf, orNull, record, text } from '../../wire/record.ts'

const hash = knownKind(
  'SHA-256, as 64 hexadecimal digits.',
  kind<string>(Type.String({ pattern: '^[0-9a-f]{64}$' }), (value) => value),
)
const sealNo = knownKind('Number of the seal; the first is 1.', count)

const HEAD =
  'Commits to everything that this seal and all seals before it cover. Keep it outside the database.'

export const SealRecord = record<BookSeal>('Seal', {
  seal_no: sealNo.of((seal) => seal.sealNo),
  covers_to: instant.as('What happened up to this time is covered.', ({ coversTo }) => coversTo),
  events: count.as('Events that it covers.', ({ events }) => events),
  ledger_entries: count.as('Ledger entries that it covers.', ({ entries }) => entries),
  root: hash.as('The root of their Merkle tree by RFC 6962.', ({ root }) => root),
  head: hash.as(HEAD, ({ head }) => head),
  sealed_at: instant.as('When it was made.', ({ sealedAt }) => sealedAt),
})

export const sealEvents = { 'book.sealed': SealRecord }

export const ProofQuery = Type.Object({
  seal_no: Type.Optional(
    WholeNumber({
      min: 1,
      max: 2_147_483_647,
      description: 'The seal whose head was kept; without it, the seal that covers the event.',
    }),
  ),
})

/** How the head of a seal is made. null: the head of the link before. */
export type Link = {
  sealNo: number
  previousHead: string | null
  earlierHead: string | null
  textHash: string
}

const LinkRecord = record<Link>('SealLink', {
  seal_no: sealNo.of((link) => link.sealNo),
  previous_head: orNull(hash).as(
    'Head of the seal before, zeros for the first seal; null: the head of the link before.',
    (link) => link.previousHead,
  ),
  earlier_head: orNull(hash).as(
    'Head of the seal whose number lacks the lowest bit, zeros if that is 0; null: the head of the link before.',
    (link) => link.earlierHead,
  ),
  text_hash: hash.as('Leaf hash of the text of the seal.', (link) => link.textHash),
})

export type Proof = {
  eventId: string
  leaf: string
  leafIndex: number
  path: readonly string[]
  seal: BookSeal
  sealText: string
  links: readonly Link[]
  head: string
}

export const ProofRecord = record<Proof>('EventProof', {
  event_id: eventId.of((proof) => proof.eventId),
  leaf: text.as('The stored event, as the text that was hashed.', (proof) => proof.leaf),
  leaf_index: count.as('Its place among the leaves of its seal, from 0.', (proof) => proof.leafIndex),
  path: listOf(hash).as('The hashes beside the way to the root, the lowest first.', (proof) => proof.path),
  seal: SealRecord.as('The seal that covers it.', (proof) => proof.seal),
  seal_text: text.as('That seal, as the text that was hashed.', (proof) => proof.sealText),
  links: listOf(LinkRecord).as('From that seal to the requested one.', (proof) => proof.links),
  head: hash.as('Head of the requested seal: compare it with the one that was kept.', (proof) => proof.head),
})
