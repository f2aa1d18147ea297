import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { chunk } from '../../tools/animated-png.ts'
import { packedPng, rowsOf } from '../../tools/packed-png.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A row for each filter; the bytes after the number of the filter are differences. */
function pictureOf(rows: readonly number[][], kind = 2): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(2, 0)
  header.writeUInt32BE(rows.length, 4)
  header.set([8, kind], 8)
  const data = deflateSync(Buffer.from(rows.flat()), { level: 0 })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const picture = pictureOf([
  [0, 10, 20, 30, 40, 50, 60],
  [1, 10, 20, 30, 1, 2, 3],
  [2, 1, 1, 1, 255, 255, 255],
  [3, 0, 0, 0, 10, 10, 10],
  [4, 5, 5, 5, 1, 1, 1],
])

test('the pixels of a picture are found behind every filter', () => {
  assert.deepEqual(
    rowsOf(picture).map((row) => [...row]),
    [
      [10, 20, 30, 40, 50, 60],
      [10, 20, 30, 11, 22, 33],
      [11, 21, 31, 10, 21, 32],
      [5, 10, 15, 17, 25, 33],
      [10, 15, 20, 18, 26, 34],
    ],
  )
})

test('a picture is packed into fewer bytes with the same pixels', () => {
  const packed = packedPng(picture)
  assert(packed.length < picture.length, `${packed.length} of ${picture.length}`)
  assert.deepEqual(rowsOf(packed), rowsOf(picture))
  assert.equal(packedPng(packed), packed)
})

test('what is no picture of a screen is refused', () => {
  assert.throws(() => packedPng(pictureOf([[0, 1, 2]], 0)), /no picture of a screen/)
})
