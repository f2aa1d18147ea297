import { Type } from 'typebox'
import {
  BATCH_OPERATIONS,
  BATCH_STATUSES,
  type Batch,
  LINE_OUTCOMES,
  PART_LINES_MAX,
  PART_MAX_BYTES,
  scopesOfLines,
} from '../../domain/batch.ts'
import { grants } from '../../domain/scopes.ts'
import {
  type Asked,
  listReply,
  pageQuery,
  type Reply,
  type Route,
  reply,
  replyWith,
  route,
  success,
} from '../../route/route.ts'
import type { Places } from '../../wire/cursor.ts'
import { jsonLinesOf } from '../../wire/export.ts'
import { FailureError, found } from '../../wire/failure.ts'
import { Choice } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import { cancelBatch, createBatch, readLines, readPart, sendPart, startBatch } from './changes.ts'
import { BatchRecord, BatchResultRecord, BatchStart, NewBatch } from './record.ts'
import { type BatchFilters, findBatch, linesOf, listBatches } from './store.ts'

const BatchesQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Choice(BATCH_STATUSES, { title: 'BatchStatus', description: 'Only batches in this state.' }),
  ),
  operation: Type.Optional(
    Choice(BATCH_OPERATIONS, { title: 'BatchOperation', description: 'Only batches of this operation.' }),
  ),
})

const ResultsQuery = Type.Object({
  ...pageQuery,
  outcome: Type.Optional(
    Choice(LINE_OUTCOMES, { title: 'LineOutcome', description: 'Only lines with this outcome.' }),
  ),
})

export const batchRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/batches',
    operationId: 'createBatch',
    summary: 'Create a batch, whose lines are sent next; also needs the scope of its operation',
    tag: 'Batches',
    scope: 'batches:write',
    scopeOfBody: {
      scope: 'batches:import',
      when: 'its lines are imports',
      isNeeded: ({ operation }) => scopesOfLines({ operation, waives: false }).includes('batches:import'),
    },
    body: NewBatch,
    success: { status: 201, data: BatchRecord },
    refusals: ['too_many_batches'],
    answer: ({ service, origin, apiKey, body }) => {
      const { operation, name = null, expected } = body
      requireScopes(apiKey.scopes, { operation, waives: false })
      const totals = expected ? { lines: expected.lines, total: expected.total_amount } : null
      const answer = success(201, 'The batch was created. Send its parts.', BatchRecord.write)
      return replyWith(createBatch(service, origin, { operation, name, expected: totals }, answer))
    },
  }),
  route({
    method: 'GET',
    path: '/v2/batches',
    operationId: 'listBatches',
    summary: 'List batches, newest first',
    tag: 'Batches',
    scope: 'batches:read',
    query: BatchesQuery,
    success: { status: 200, data: BatchRecord, list: true },
    answer: (asked) => {
      const { service, book, query } = asked
      const filters: BatchFilters = {
        ...(query.status !== undefined && { status: query.status }),
        ...(query.operation !== undefined && { operation: query.operation }),
      }
      return listReply(asked, {
        operationId: 'listBatches',
        message: 'The batches.',
        read: (page) => listBatches(service.db, book.bookId, filters, page),
        show: BatchRecord.write,
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/batches/:batch_id',
    operationId: 'getBatch',
    summary: 'Get a batch, with how far it has come',
    tag: 'Batches',
    scope: 'batches:read',
    success: { status: 200, data: BatchRecord },
    refusals: ['batch_not_found'],
    answer: async (asked) => reply('The batch.', BatchRecord.write(await batchOf(asked))),
  }),
  route({
    method: 'POST',
    path: '/v2/batches/:batch_id/parts/:part',
    operationId: 'sendBatchPart',
    summary: 'Send the next part: up to 10,000 lines of JSON; the same part again changes nothing',
    tag: 'Batches',
    scope: 'batches:write',
    fileMaxBytes: PART_MAX_BYTES,
    success: { status: 201, data: BatchRecord },
    refusals: [
      ...(['batch_not_found', 'batch_not_uploading', 'part_already_sent', 'part_missing'] as const),
      'approval_already_pending',
    ],
    answer: async (asked) => {
      const { service, origin, params, file } = asked
      const number = readPlace(params.part!, file)
      const { operation } = await batchOf(asked)
      const sent = readPart(operation, number, file)
      const request = { batchId: params.batch_id!, sent }
      return replyWith(
        sendPart(service, origin, request, ({ batch, part }) =>
          success(part === null ? 200 : 201, 'The part was stored.', BatchRecord.write)(batch),
        ),
      )
    },
  }),
  route({
    method: 'POST',
    path: '/v2/batches/:batch_id/start',
    operationId: 'startBatch',
    summary: 'Start a batch: its lines are carried out in order, as if each was sent by itself',
    tag: 'Batches',
    scope: 'batches:write',
    body: BatchStart,
    bodyOptional: true,
    success: { status: 200, data: BatchRecord },
    refusals: [
      ...(['batch_not_found', 'batch_not_uploading'] as const),
      ...(['control_totals_differ', 'too_many_batches', 'approval_required'] as const),
    ],
    answer: async (asked) => {
      const { service, origin, apiKey, params } = asked
      requireScopes(apiKey.scopes, await batchOf(asked))
      const answer = success<Batch>(200, 'The batch was started.', BatchRecord.write)
      return replyWith(startBatch(service, origin, params.batch_id!, answer))
    },
  }),
  route({
    method: 'POST',
    path: '/v2/batches/:batch_id/cancel',
    operationId: 'cancelBatch',
    summary: 'Cancel a batch: what is done stays, the other lines are skipped',
    tag: 'Batches',
    scope: 'batches:write',
    success: { status: 200, data: BatchRecord },
    refusals: ['batch_not_found', 'batch_finished'],
    answer: ({ service, origin, params }) => {
      const answer = success<Batch>(200, 'The batch was cancelled.', BatchRecord.write)
      return replyWith(cancelBatch(service, origin, params.batch_id!, answer))
    },
  }),
  route({
    method: 'GET',
    path: '/v2/batches/:batch_id/results',
    operationId: 'listBatchResults',
    summary: 'What became of the lines, in their order; with Accept: application/x-ndjson as a file',
    tag: 'Batches',
    scope: 'batches:read',
    query: ResultsQuery,
    success: { status: 200, data: BatchResultRecord, list: true },
    refusals: ['batch_not_found'],
    answer: async (asked) => {
      const { query, prefers } = asked
      const batch = await batchOf(asked)
      const filters = { ...(query.outcome !== undefined && { outcome: query.outcome }) }
      if (prefers(['application/json', 'application/x-ndjson']) !== 'application/json') {
        return resultsFile(asked, batch, filters)
      }
      return listReply(asked, {
        operationId: 'listBatchResults',
        message: 'The results.',
        places,
        read: async ({ limit, before }) => {
          const page = { filters, after: before ?? 0, limit }
          const { lines, next } = await readLines(asked.service.db, asked.book, batch, page)
          return { items: lines, next }
        },
        show: BatchResultRecord.write,
      })
    },
  }),
]

/** The number of the last line of a page. */
const places: Places<number> = {
  write: String,
  read: (text) => (/^\d{1,7}$/.test(text) ? Number(text) : null),
}

type AskedOfBatch = Pick<Asked<unknown, unknown>, 'service' | 'book' | 'params'>

async function batchOf({ service, book, params }: AskedOfBatch): Promise<Batch> {
  return found(await findBatch(service.db, book.bookId, params.batch_id!), 'batch_not_found')
}

function requireScopes(held: readonly string[], batch: Pick<Batch, 'operation' | 'waives'>): void {
  const missing = scopesOfLines(batch).find((scope) => !grants(held, scope))
  if (missing === undefined) return
  throw new FailureError({ code: 'insufficient_scope', details: { required_scope: missing } })
}

/** All errors together. */
function readPlace(part: string, file: Buffer): number {
  const lines = linesOf(file.toString('latin1')).length
  const most = `Send at most ${PART_LINES_MAX} lines in a part.`
  const none = { field: 'lines', code: 'required', message: 'Send at least one line.' } as const
  const errors: FieldError[] = [
    ...(PART_NUMBER.test(part)
      ? []
      : [{ field: 'part', code: 'invalid_format', message: 'Send a number from 1 on.' } as const]),
    ...(lines === 0 ? [none] : []),
    ...(lines > PART_LINES_MAX ? [{ field: 'lines', code: 'too_many', message: most } as const] : []),
  ]
  if (errors.length > 0) throw new FailureError({ code: 'invalid_request', fields: errors })
  return Number(part)
}

const PART_NUMBER = /^[1-9]\d{0,8}$/

const FILE_PAGE = 500

function resultsFile(
  asked: AskedOfBatch,
  batch: Batch,
  filters: Parameters<typeof readLines>[3]['filters'],
): Reply {
  async function* pages() {
    for (let after: number | null = 0; after !== null; ) {
      const page = await readLines(asked.service.db, asked.book, batch, { filters, after, limit: FILE_PAGE })
      if (page.lines.length > 0) yield page.lines.map((line) => BatchResultRecord.write(line))
      after = page.next
    }
  }
  return {
    status: 200,
    body: jsonLinesOf({ pages: pages() }),
    replayed: false,
    headers: {
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="${batch.batchId}.ndjson"`,
    },
  }
}
