/**
 * A file of lines that a person sends: cut into the parts that a program would send, as it arrives, so that a part is all
 * of it that is ever held. The same file has the same parts, which change nothing when they are sent again.
 */
import { BATCH_LINES_MAX, type Batch, PART_LINES_MAX, PART_MAX_BYTES } from '../../domain/batch.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Origin } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { readPart, sendPart } from '../batches/changes.ts'
import { FileError, type FileFault, type FileLine } from './fault.ts'
import { linesOfRows, type ReadNumber } from './rows.ts'

/** What arrives in the time that a request may take; a program sends more in parts. */
const FILE_MAX_BYTES = 32 * 1024 * 1024

type Sent = Pick<Batch, 'batchId' | 'operation'> & {
  mayWaive: boolean
  /** For the language of the person. */
  readNumber: ReadNumber
}

/** null: all of it was stored. */
export async function sendFile(
  engine: Engine,
  origin: Origin,
  { batchId, operation, mayWaive, readNumber }: Sent,
  file: AsyncIterable<Buffer>,
): Promise<FileFault | Refusal | null> {
  let [parts, lines] = [0, 0]
  try {
    const { isJson, content } = await begin(bounded(file))
    const read = isJson ? linesIn(content) : linesOfRows(content, operation, readNumber)
    for await (const part of partsOf(read)) {
      parts += 1
      const sent = readPart(operation, parts, part.content, isJson ? null : part.fileLines)
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

async function* partsOf(
  lines: AsyncIterable<FileLine>,
): AsyncGenerator<{ content: Buffer; fileLines: number[] }> {
  let part: FileLine[] = []
  let bytes = 0
  const whole = () => ({
    content: Buffer.concat(part.map(({ content }) => content)),
    fileLines: part.map(({ line }) => line),
  })
  for await (const line of lines) {
    if (part.length === PART_LINES_MAX || bytes + line.content.length > PART_MAX_BYTES) {
      yield whole()
      part = []
      bytes = 0
    }
    part.push(line)
    bytes += line.content.length
  }
  if (part.length > 0) yield whole()
}

const LINE_FEED = 0x0a
/** Some editors begin a file with it. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

async function* bounded(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [bytes, sinceLineFeed] = [0, 0]
  for await (const chunk of file) {
    bytes += chunk.length
    if (bytes > FILE_MAX_BYTES) throw new FileError('too_large')
    const last = chunk.lastIndexOf(LINE_FEED)
    sinceLineFeed = last === -1 ? sinceLineFeed + chunk.length : chunk.length - last - 1
    if (sinceLineFeed > PART_MAX_BYTES) throw new FileError('line_too_long')
    yield chunk
  }
}

/** A file may begin with blanks, but not with many. */
const SIGN_WITHIN_BYTES = 64 * 1024

/** Its first sign tells objects, one on each line, from rows of a spreadsheet. */
async function begin(
  file: AsyncGenerator<Buffer>,
): Promise<{ isJson: boolean; content: AsyncGenerator<Buffer> }> {
  let head = Buffer.alloc(0)
  let sign = ''
  while (sign === '' && head.length < SIGN_WITHIN_BYTES) {
    const next = await file.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
    if (head.length >= BYTE_ORDER_MARK.length)
      sign = withoutMark(head).toString('latin1').trimStart().charAt(0)
  }
  async function* content(): AsyncGenerator<Buffer> {
    yield withoutMark(head)
    yield* file
  }
  return { isJson: sign === '' || sign === '{' || sign === '[', content: content() }
}

function withoutMark(head: Buffer): Buffer {
  const isMarked = head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  return isMarked ? head.subarray(BYTE_ORDER_MARK.length) : head
}

async function* linesIn(content: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 0
  for await (const chunk of content) {
    rest = Buffer.concat([rest, chunk])
    let from = 0
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED, from)) {
      line += 1
      yield { content: rest.subarray(from, end + 1), line }
      from = end + 1
    }
    rest = rest.subarray(from)
  }
  if (rest.length > 0) yield { content: rest, line: line + 1 }
}
