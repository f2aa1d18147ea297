/**
 * A form with a file, as browsers send it (RFC 7578), read as it arrives: fields first, then one file, which is never held
 * as a whole. What comes after the file is not read.
 */
import type { Readable } from 'node:stream'
import { FailureError } from '../wire/failure.ts'

export const UPLOAD_TYPE = 'multipart/form-data'

const HEAD_MAX_BYTES = 4_096
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const LAST = '--'

/** `fields` is the text of a form without a file. */
export async function readUpload(
  body: Readable,
  type: string,
  fieldsMaxBytes: number,
): Promise<{ fields: string; file: AsyncIterable<Buffer> | null }> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw malformed()
  const mark = Buffer.from(`\r\n--${boundary}`)
  const { readTo, streamTo } = createReader(body)
  const fields = new URLSearchParams()
  await readTo(mark, 0)
  for (let left = fieldsMaxBytes; ; ) {
    if (String(await readTo(LINE_END, LAST.length)) === LAST) return { fields: fields.toString(), file: null }
    const head = String(await readTo(HEAD_END, HEAD_MAX_BYTES))
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1]
    if (name === undefined) throw malformed()
    if (/;\s*filename\*?=/i.test(head)) return { fields: fields.toString(), file: streamTo(mark) }
    const value = await readTo(mark, left)
    left -= value.length
    fields.append(name, String(value))
  }
}

function createReader(body: Readable) {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  // A boundary follows the end of a line, and the first one begins the body.
  let rest: Buffer = LINE_END

  async function readOn(): Promise<void> {
    const { value, done } = await chunks.next()
    if (done === true) throw malformed()
    rest = Buffer.concat([rest, value])
  }

  /** What comes before a mark, which is passed over. */
  async function readTo(mark: Buffer, maxBytes: number): Promise<Buffer> {
    for (;;) {
      const at = rest.indexOf(mark)
      if (at > maxBytes || (at < 0 && rest.length > maxBytes + mark.length)) throw malformed()
      if (at >= 0) return take(at, mark)
      await readOn()
    }
  }

  async function* streamTo(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = rest.indexOf(mark)
      if (at >= 0) return void (yield take(at, mark))
      // Its last bytes may be the beginning of the mark.
      const sure = rest.length - mark.length
      if (sure > 0) yield take(sure)
      await readOn()
    }
  }

  function take(bytes: number, mark?: Buffer): Buffer {
    const taken = rest.subarray(0, bytes)
    rest = rest.subarray(bytes + (mark?.length ?? 0))
    return taken
  }

  return { readTo, streamTo }
}

function malformed(): FailureError {
  return new FailureError({ code: 'malformed_request' })
}
