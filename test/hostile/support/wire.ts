/** Raw bytes over a separate connection, and the answers that arrive before the server closes it. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../support/service.ts'

/** One complete request that closes the connection afterwards. */
export async function exchange(port: number, bytes: string | Buffer): Promise<Answer> {
  const answers = await converse(port, [bytes])
  assert.equal(answers.length, 1, 'one request has one answer')
  return answers[0]!
}

/** Sends the pieces one after another, and returns what had arrived when the server closed the connection. */
export async function converse(
  port: number,
  pieces: readonly (string | Buffer)[],
  interim = { count: 0 },
): Promise<Answer[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const received: Buffer[] = []
  const closed = new Promise<void>((resolve) => {
    // A server that closes with unread input resets the connection: not an error, its answer was sent.
    socket.on('error', () => {}).on('close', () => resolve())
  })
  socket.on('data', (piece) => received.push(piece))
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(PAUSE_MS)
    if (socket.writable) socket.write(piece)
  }
  await closed
  return readAnswers(Buffer.concat(received), interim)
}

/** Long enough that two pieces arrive as two. */
const PAUSE_MS = 20

const HEAD_END = '\r\n\r\n'

/** Every answer says how long it is, so that many can follow each other. */
function readAnswers(received: Buffer, interim = { count: 0 }): Answer[] {
  const answers: Answer[] = []
  let rest = received
  while (rest.length > 0) {
    const headEnd = rest.indexOf(HEAD_END)
    assert(headEnd > 0, `an answer has a head: ${rest.toString('latin1').slice(0, 200)}`)
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    )
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    rest = rest.subarray(headEnd + HEAD_END.length)
    // 100 Continue announces an answer and is none.
    if (status === 100) {
      interim.count += 1
      continue
    }
    const length = Number(headers['content-length'])
    assert(rest.length >= length, `an answer is whole: ${statusLine}`)
    const text = rest.subarray(0, length).toString('utf8')
    answers.push({ status, headers, text, json: text === '' ? null : JSON.parse(text) })
    rest = rest.subarray(length)
  }
  return answers
}
