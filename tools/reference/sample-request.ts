import type { Json } from '../../src/wire/json.ts'
import type { Operation } from '../clients/model.ts'

/** A request that the samples of every language send. */
export type SampleRequest = {
  operation: Operation
  /** Of the service. */
  origin: string
  /** What the path names, in its order. */
  targets: string[]
  query: Record<string, Json>
  needsKey: boolean
  takesIdempotencyKey: boolean
  /** null: no body is sent. */
  body: Json | null
  /** A file of JSON lines in place of a body. */
  lines: string | null
}
