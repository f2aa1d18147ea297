/**
 * Pictures in turn as one animated PNG, which every browser shows and which needs no script. The pictures are PNG files of
 * one size and one kind of pixels; their compressed pixels are taken as they are.
 */
import { crc32 } from 'node:zlib'

export type Frame = { png: Buffer; ms: number }

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** It begins again after the last picture. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames
  if (first === undefined) throw new Error('An animation has at least one picture.')
  const header = headerOf(first.png)
  let sequence = 0
  const parts = frames.flatMap(({ png, ms }, index) => {
    if (!headerOf(png).equals(header)) throw new Error(`Picture ${index + 1} has another size or kind.`)
    const control = chunk('fcTL', frameControl(header, sequence++, ms))
    const pixels = chunksOf(png).filter(({ type }) => type === 'IDAT')
    // The first picture is also what a program shows that knows no animations.
    const written = pixels.map(({ data }) =>
      index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([number(sequence++), data])),
    )
    return [control, ...written]
  })
  const forever = 0
  const animation = chunk('acTL', Buffer.concat([number(frames.length), number(forever)]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    animation,
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export type Chunk = { type: string; data: Buffer }

export function chunksOf(png: Buffer): Chunk[] {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('This is no PNG file.')
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const end = at + 8 + length
    if (png.readUInt32BE(end) !== crc32(png.subarray(at + 4, end))) throw new Error('A chunk is damaged.')
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) })
    at = end + 4
  }
  return chunks
}

export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([number(data.length), named, number(crc32(named))])
}

function headerOf(png: Buffer): Buffer {
  return chunksOf(png)[0]!.data
}

/** The whole picture, for so many milliseconds; it is neither cleared nor blended with the one before. */
function frameControl(header: Buffer, sequence: number, ms: number): Buffer {
  const [width, height] = [header.subarray(0, 4), header.subarray(4, 8)]
  const delay = Buffer.alloc(4)
  delay.writeUInt16BE(ms, 0)
  delay.writeUInt16BE(1000, 2)
  const [left, top, dispose, blend] = [number(0), number(0), 0, 0]
  return Buffer.concat([number(sequence), width, height, left, top, delay, Buffer.from([dispose, blend])])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
