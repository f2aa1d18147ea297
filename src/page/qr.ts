/**
 * A QR code as SVG, drawn on the server: ISO/IEC 18004, byte mode, the lowest level of error correction, since a screen
 * is not dirty. Enough versions for a text of 858 bytes.
 */
import assert from 'node:assert/strict'
import { type Html, trusted } from './html.ts'

type Square = boolean[][]
/** Dark or light, and null where no value is set yet. */
type Draft = (boolean | null)[][]

/** Bytes of correction of a block at level L, by version, from 1 on. */
const CORRECTION_BYTES = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]
const VERSION_MAX = CORRECTION_BYTES.length
const LEVEL_BITS = 1
const QUIET_ZONE = 4

export function qrSvg(text: string, label: string): Html {
  const square = qrSquare(text)
  const size = square.length + 2 * QUIET_ZONE
  const path = square
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : '')),
    )
    .join('')
  const name = label.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return trusted(`<svg class="qr" role="img" aria-label="${name}" viewBox="0 0 ${size} ${size}">
<rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${path}"/></svg>`)
}

/** Row by row, true where it is dark. */
export function qrSquare(text: string): Square {
  const bytes = Buffer.from(text, 'utf8')
  const version = versionFor(bytes.length)
  const bits = interleaved(dataBytes(bytes, version), version).flatMap((byte) => bitsOf(byte, 8))
  const base = fixedPatterns(version)
  const filled = withData(base, bits)
  const masked = MASKS.map((mask, index) => withFormat(withMask(filled, base, mask), index))
  return masked.reduce((best, one) => (unevennessOf(one) < unevennessOf(best) ? one : best))
}

function sizeOf(version: number): number {
  return 17 + 4 * version
}

function versionFor(bytes: number): number {
  for (let version = 1; version <= VERSION_MAX; version += 1) {
    if (4 + lengthBits(version) + 8 * bytes <= 8 * dataCapacity(version)) return version
  }
  throw new assert.AssertionError({ message: 'the text is too long for a QR code' })
}

function lengthBits(version: number): number {
  return version < 10 ? 8 : 16
}

function totalBytes(version: number): number {
  const free = fixedPatterns(version)
    .flat()
    .filter((cell) => cell === null).length
  return Math.floor(free / 8)
}

function dataCapacity(version: number): number {
  return totalBytes(version) - BLOCKS[version - 1]! * CORRECTION_BYTES[version - 1]!
}

function bitsOf(value: number, length: number): boolean[] {
  return Array.from({ length }, (_, index) => ((value >> (length - 1 - index)) & 1) === 1)
}

function dataBytes(bytes: Uint8Array, version: number): number[] {
  const capacity = dataCapacity(version)
  const bits = [
    ...bitsOf(0b0100, 4),
    ...bitsOf(bytes.length, lengthBits(version)),
    ...[...bytes].flatMap((byte) => bitsOf(byte, 8)),
  ]
  bits.push(...bitsOf(0, Math.min(4, 8 * capacity - bits.length)))
  bits.push(...bitsOf(0, (8 - (bits.length % 8)) % 8))
  const data = Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(8 * index, 8 * index + 8).reduce((byte, bit) => 2 * byte + Number(bit), 0),
  )
  while (data.length < capacity)
    data.push((capacity - data.length) % 2 === (capacity - bits.length / 8) % 2 ? 0xec : 0x11)
  return data
}

/** Blocks with their correction, one byte of each block after the other. */
function interleaved(data: readonly number[], version: number): number[] {
  const count = BLOCKS[version - 1]!
  const correction = CORRECTION_BYTES[version - 1]!
  const short = Math.floor(data.length / count)
  const longBlocks = data.length % count
  let start = 0
  const blocks = Array.from({ length: count }, (_, index) => {
    const length = short + (index >= count - longBlocks ? 1 : 0)
    const block = data.slice(start, start + length)
    start += length
    return { data: block, correction: correctionOf(block, correction) }
  })
  const across = (of: 'data' | 'correction', length: number) =>
    Array.from({ length }, (_, index) => blocks.flatMap((block) => block[of][index] ?? [])).flat()
  return [...across('data', short + 1), ...across('correction', correction)]
}

/** Multiplication in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(left: number, right: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((right >> bit) & 1) * left
  }
  return product
}

/** The remainder of a division by the generator, whose roots are the first powers of 2. */
function correctionOf(data: readonly number[], length: number): number[] {
  let generator = [1]
  let root = 1
  for (let index = 0; index < length; index += 1) {
    const shifted = [...generator, 0]
    generator = shifted.map((value, place) => value ^ (place > 0 ? times(generator[place - 1]!, root) : 0))
    root = times(root, 2)
  }
  const remainder = [...data, ...Array.from({ length }, () => 0)]
  for (let index = 0; index < data.length; index += 1) {
    const factor = remainder[index]!
    generator.forEach((value, place) => {
      remainder[index + place]! ^= times(value, factor)
    })
  }
  return remainder.slice(data.length)
}

/** Finders, alignment, timing, and the places of format and version; null where data goes. */
function fixedPatterns(version: number): Draft {
  const size = sizeOf(version)
  const draft: Draft = Array.from({ length: size }, () => Array.from({ length: size }, () => null))
  const set = (x: number, y: number, isDark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) draft[y]![x] = isDark
  }
  for (let place = 0; place < size; place += 1) {
    set(6, place, place % 2 === 0)
    set(place, 6, place % 2 === 0)
  }
  const corners = [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const
  for (const [x, y] of corners) ringsAround(x, y, 4, (distance) => distance !== 2 && distance !== 4)
  const places = alignmentPlaces(version)
  const last = places.at(-1)
  for (const x of places)
    for (const y of places) {
      const isCorner = (x === 6 && (y === 6 || y === last)) || (y === 6 && x === last)
      if (!isCorner) ringsAround(x, y, 2, (distance) => distance !== 1)
    }
  for (const [x, y] of formatPlaces(size).flat()) set(x, y, false)
  set(8, size - 8, true)
  if (version >= 7) {
    const bits = versionBits(version)
    bits.forEach((bit, index) => {
      const [far, near] = [size - 11 + (index % 3), Math.floor(index / 3)]
      set(far, near, bit)
      set(near, far, bit)
    })
  }
  return draft

  function ringsAround(x: number, y: number, reach: number, isDark: (distance: number) => boolean) {
    for (let dy = -reach; dy <= reach; dy += 1)
      for (let dx = -reach; dx <= reach; dx += 1)
        set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
  }
}

function alignmentPlaces(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((4 * version + 4) / (2 * count - 2)) * 2
  const places = Array.from({ length: count - 1 }, (_, index) => sizeOf(version) - 7 - index * step)
  return [6, ...places.reverse()]
}

/** The lowest bit first. */
function versionBits(version: number): boolean[] {
  const bits = (version << 12) | remainderOf(version, 12, 0x1f25)
  return bitsOf(bits, 18).reverse()
}

function remainderOf(value: number, length: number, generator: number): number {
  let remainder = value
  for (let index = 0; index < length; index += 1)
    remainder = (remainder << 1) ^ ((remainder >> (length - 1)) * generator)
  return remainder
}

/** The two places of the format, the lowest bit first. */
function formatPlaces(size: number): [number, number][][] {
  const around = (index: number): [number, number] => {
    if (index < 6) return [8, index]
    if (index < 8) return [8, index + 1]
    if (index === 8) return [7, 8]
    return [14 - index, 8]
  }
  const apart = (index: number): [number, number] =>
    index < 8 ? [size - 1 - index, 8] : [8, size - 15 + index]
  const indexes = Array.from({ length: 15 }, (_, index) => index)
  return [indexes.map(around), indexes.map(apart)]
}

function withFormat(square: Square, mask: number): Square {
  const chosen = (LEVEL_BITS << 3) | mask
  const bits = bitsOf(((chosen << 10) | remainderOf(chosen, 10, 0x537)) ^ 0x5412, 15).reverse()
  for (const places of formatPlaces(square.length))
    places.forEach(([x, y], index) => {
      square[y]![x] = bits[index]!
    })
  return square
}

/** Bits are placed from the right in columns of two, up and down by turns; what is left over stays light. */
function withData(base: Draft, bits: readonly boolean[]): Square {
  const square = base.map((row) => [...row])
  const size = square.length
  let next = 0
  let isUpward = true
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step += 1) {
      const row = square[isUpward ? size - 1 - step : step]!
      for (const x of [right, right - 1]) {
        if (row[x] !== null) continue
        row[x] = bits[next] ?? false
        next += 1
      }
    }
    isUpward = !isUpward
  }
  return square as Square
}

type Mask = (x: number, y: number) => boolean
const MASKS: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function withMask(square: Square, base: Draft, mask: Mask): Square {
  return square.map((row, y) =>
    row.map((isDark, x) => (base[y]![x] === null ? isDark !== mask(x, y) : isDark)),
  )
}

/** How hard it is to read: long runs, blocks, what looks like a finder, and more of one colour. */
function unevennessOf(square: Square): number {
  const columns = square.map((_, x) => square.map((row) => row[x]!))
  const lines = [...square, ...columns].map((line) => line.map(Number).join(''))
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? [])
  const finders = lines.flatMap((line) => [...line.matchAll(/(?=10111010000|00001011101)/g)])
  const blocks = square.flatMap((row, y) =>
    row.filter((isDark, x) => {
      const below = square[y + 1]
      return below?.[x] === isDark && row[x + 1] === isDark && below?.[x + 1] === isDark
    }),
  )
  const cells = square.flat()
  const dark = cells.filter(Boolean).length / cells.length
  const imbalance = Math.floor(Math.abs(dark - 0.5) * 20)
  return (
    runs.reduce((sum, run) => sum + run.length - 2, 0) +
    3 * blocks.length +
    40 * finders.length +
    10 * imbalance
  )
}
