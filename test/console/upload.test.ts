/** Forms with a file are read as they arrive, wherever the network cuts them. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readUpload } from '../../src/console/upload.ts'

const TYPE = 'multipart/form-data; boundary=xyz'

function body(...parts: [head: string, content: string][]): Buffer {
  const text = parts.map(
    ([head, content]) => `--xyz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`,
  )
  return Buffer.from(`${text.join('')}--xyz--\r\n`)
}

function inPieces(content: Buffer, bytes: number): Readable {
  const pieces = Array.from({ length: Math.ceil(content.length / bytes) }, (_, index) =>
    content.subarray(index * bytes, (index + 1) * bytes),
  )
  return Readable.from(pieces)
}

async function read(content: Buffer, bytes = content.length) {
  const { fields, file } = await readUpload(inPieces(content, bytes), TYPE, 100)
  const chunks: Buffer[] = []
  for await (const chunk of file ?? []) chunks.push(chunk)
  return {
    fields: Object.fromEntries(new URLSearchParams(fields)),
    file: file && String(Buffer.concat(chunks)),
  }
}

test('fields and a file are the same however the body is cut', async () => {
  const almost = 'line 1\r\n--xy\r\n--xylophone\nline 2\n'
  const content = body(
    ['name="name"', 'Ünï & more'],
    ['name="key"', ''],
    ['name="file"; filename="a"', almost],
  )
  for (const bytes of [1, 2, 3, 7, 50, content.length])
    assert.deepEqual(await read(content, bytes), { fields: { name: 'Ünï & more', key: '' }, file: almost })
  assert.deepEqual(await read(body(['name="file"; filename=""', ''])), { fields: {}, file: '' })
  assert.deepEqual(await read(body(['name="name"', 'x'])), { fields: { name: 'x' }, file: null })
})

test('a body that ends early, has no boundary or too long fields is refused', async () => {
  const whole = body(['name="name"', 'x'], ['name="file"; filename="a"', 'line 1\n'])
  const malformed = { message: 'malformed_request' }
  for (let bytes = 1; bytes < whole.length - '\r\n--xyz--\r\n'.length; bytes += 1)
    await assert.rejects(read(whole.subarray(0, bytes)), malformed, String(bytes))
  await assert.rejects(readUpload(inPieces(whole, 9), 'multipart/form-data', 100), malformed)
  await assert.rejects(read(body(['name="name"', 'x'.repeat(101)])), malformed)
  await assert.rejects(read(body(['name="a"', 'x'.repeat(60)], ['name="b"', 'x'.repeat(60)])), malformed)
  await assert.rejects(read(body([`name="${'x'.repeat(5000)}"`, 'x'])), malformed)
  await assert.rejects(read(body(['nothing="x"', 'x'])), malformed)
})
