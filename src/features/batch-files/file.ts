/**
 * A file of lines that a person sends: cut into the parts that a program would send, as it arrives, so that a part is all
 * of it that is ever held. The same file has the same parts, which change nothing when they are sent again.
 */
import { BATCH_LINES_MAX, type Batch, PART_LINES_MAX, PART_MAX_BYTES } from '../../domain/batch.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Origin } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { readPart, sendPart } from '../batches/changes.ts'

/** What arrives in the time that a request may take; a program sends more in parts. */
export const FILE_MAX_BYTES = 32 * 1024 * 1024

export type FileFault = 'empty' | 'too_large' | 'too_many_lines' | 'line_too_long' | 'waives_charge'

class FileError extends Error {
  readonly fault: FileFault
  constructor(fault: FileFault) {
    super(fault)
    this.fault = fault
  }
}

/** null: all of it was stored. */
export async function sendFile(
  engine: Engine,
  origin: Origin,
  { batchId, operation, mayWaive }: Pick<Batch, 'batchId' | 'operation'> & { mayWaive: boolean },
  file: AsyncIterable<Buffer>,
): Promise<FileFault | Refusal | null> {
  let [parts, lines] = [0, 0]
  try {
    for await (const content of partsOf(file)) {
      parts += 1
      const sent = readPart(operation, parts, content)
      lines += sent.lines
      if (lines > BATCH_LINES_MAX) return 'too_many_lines'
      if (sent.waives && !mayWaive) return 'waives_charge'
      const result = await sendPart(engine, origin, { batchId, sent })
      if (result.outcome === 'refused') return result
    }
  } catch (error) {
    if (error instanceof FileError) return error.fault
    throw error
  }
  return parts === 0 ? 'empty' : null
}

async function* partsOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let part: Buffer[] = []
  let bytes = 0
  for await (const line of linesIn(file)) {
    if (part.length === PART_LINES_MAX || bytes + line.length > PART_MAX_BYTES) {
      yield Buffer.concat(part)
      part = []
      bytes = 0
    }
    part.push(line)
    bytes += line.length
  }
  if (part.length > 0) yield Buffer.concat(part)
}

const LINE_FEED = 0x0a
/** Some editors begin a file with it. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Each with the line feed that ends it. */
async function* linesIn(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of file) {
    const isFirst = bytes < BYTE_ORDER_MARK.length
    bytes += chunk.length
    if (bytes > FILE_MAX_BYTES) throw new FileError('too_large')
    rest = Buffer.concat([rest, chunk])
    if (isFirst && rest.subarray(0, 3).equals(BYTE_ORDER_MARK)) rest = rest.subarray(3)
    let from = 0
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED, from)) {
      yield rest.subarray(from, end + 1)
      from = end + 1
    }
    rest = rest.subarray(from)
    if (rest.length > PART_MAX_BYTES) throw new FileError('line_too_long')
  }
  if (rest.length > 0) yield rest
}
