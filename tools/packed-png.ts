/**
 * A picture of a screen in fewer bytes. Its large areas of one colour compress best as they are, without the filters of
 * PNG, which are for photographs. Every pixel stays the same.
 */
import { deflateSync, inflateSync } from 'node:zlib'
import { chunk, chunksOf } from './animated-png.ts'

const SIGNATURE_BYTES = 8
/** Eight bits of red, green and blue, and perhaps of opacity. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

export function packedPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const rows = rowsOf(png).flatMap((row) => [Buffer.alloc(1), row])
  const data = deflateSync(Buffer.concat(rows), { level: 9, memLevel: 9 })
  const others = (after: boolean) =>
    chunks
      .filter(({ type }) => type !== 'IDAT' && (type === 'IEND') === after)
      .map(({ type, data }) => chunk(type, data))
  const packed = Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    ...others(false),
    chunk('IDAT', data),
    ...others(true),
  ])
  return packed.length < png.length ? packed : png
}

/** The pixels of each row. */
export function rowsOf(png: Buffer): Buffer[] {
  const chunks = chunksOf(png)
  const header = chunks[0]!.data
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bits, kind, , , interlaced] = header.subarray(8)
  const bytes = PIXEL_BYTES[kind!]
  if (bits !== 8 || bytes === undefined || interlaced !== 0)
    throw new Error('This is no picture of a screen.')
  const pixels = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  const filtered = inflateSync(Buffer.concat(pixels))
  const length = width * bytes
  let above = Buffer.alloc(length)
  return Array.from({ length: height }, (_, index) => {
    const start = index * (length + 1)
    const row = Buffer.from(filtered.subarray(start + 1, start + 1 + length))
    unfilter(row, above, { filter: filtered[start]!, bytes })
    above = row
    return row
  })
}

/** By the filters of the PNG specification, in place: a byte is written as its difference from those before it. */
function unfilter(row: Buffer, above: Buffer, { filter, bytes }: { filter: number; bytes: number }): void {
  for (let at = 0; at < row.length; at += 1) {
    const left = at >= bytes ? row[at - bytes]! : 0
    const corner = at >= bytes ? above[at - bytes]! : 0
    const predicted = [0, left, above[at]!, (left + above[at]!) >> 1, nearest(left, above[at]!, corner)]
    row[at] = (row[at]! + predicted[filter]!) & 0xff
  }
}

/** Which of the three lies nearest to left + above − corner; the first of those as near. */
function nearest(left: number, above: number, corner: number): number {
  const aim = left + above - corner
  const [far, further, furthest] = [left, above, corner].map((one) => Math.abs(aim - one))
  if (far! <= further! && far! <= furthest!) return left
  return further! <= furthest! ? above : corner
}
