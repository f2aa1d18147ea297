import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { animatedPng, chunk, chunksOf } from '../../tools/animated-png.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A picture of one grey pixel, its size given as that of `width` pixels. */
function pixel(grey: number, width = 1): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(1, 4)
  header[8] = 8
  const pixels = deflateSync(Buffer.from([0, ...Array(width).fill(grey)]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('an animation has the pixels of each picture, in turn, for its time', () => {
  const animation = animatedPng([
    { png: pixel(10), ms: 1500 },
    { png: pixel(20), ms: 700 },
    { png: pixel(30), ms: 40 },
  ])
  const chunks = chunksOf(animation)
  assert.deepEqual(
    chunks.map(({ type }) => type),
    ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND'],
  )
  const of = (type: string) => chunks.filter((one) => one.type === type).map(({ data }) => data)
  assert.deepEqual(of('acTL'), [Buffer.from([0, 0, 0, 3, 0, 0, 0, 0])])
  assert.deepEqual(
    of('fcTL').map((data) => [data.readUInt32BE(0), data.readUInt16BE(20), data.readUInt16BE(22)]),
    [
      [0, 1500, 1000],
      [1, 700, 1000],
      [3, 40, 1000],
    ],
  )
  assert.deepEqual(
    of('fdAT').map((data) => [data.readUInt32BE(0), inflateSync(data.subarray(4))[1]]),
    [
      [2, 20],
      [4, 30],
    ],
  )
})

test('pictures of different sizes and damaged ones make no animation', () => {
  const frames = [pixel(1), pixel(2, 3)].map((png) => ({ png, ms: 100 }))
  assert.throws(() => animatedPng(frames), /Picture 2 has another size/)
  const damaged = pixel(1)
  damaged[20]! ^= 1
  assert.throws(() => animatedPng([{ png: damaged, ms: 100 }]), /damaged/)
  assert.throws(() => animatedPng([]), /at least one/)
})

test('the animation of the README is short and light', () => {
  const path = new URL('../../docs/pictures/breaking.png', import.meta.url)
  const file = readFileSync(path)
  assert(file.length < 1_500_000, `${file.length}`)
  const controls = chunksOf(file).filter(({ type }) => type === 'fcTL')
  const seconds = controls.reduce((sum, { data }) => sum + data.readUInt16BE(20), 0) / 1000
  assert(controls.length >= 6 && seconds >= 5 && seconds <= 30, `${controls.length} pictures, ${seconds} s`)
  assert.match(
    readFileSync(new URL('../../README.md', import.meta.url), 'utf8'),
    /docs\/pictures\/breaking\.png/,
  )
})
