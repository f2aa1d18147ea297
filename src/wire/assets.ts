/**
 * Static content such as a page, a script or a document: compressed once, tagged by content, and answered with 304 to a
 * client that has it already.
 */
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

export type Asset = {
  type: string
  /** Changes with the content. A URL that contains it can be cached permanently. */
  version: string
  bodies: Record<Encoding, Buffer>
}

type Encoding = 'br' | 'gzip' | 'identity'

/** Suitable for any asset; higher levels cost ten times as much and save a tenth. */
const BROTLI_QUALITY = 9

export async function createAsset({ type, content }: { type: string; content: Buffer }): Promise<Asset> {
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    promisify(gzip)(content),
  ])
  const version = hash('sha256', content, 'base64url').slice(0, 16)
  return { type, version, bodies: { br, gzip: gzipped, identity: content } }
}

/** Cached by the client, and revalidated before each use; `private`: not by shared caches. */
export type Caching = 'no-cache' | 'private, no-cache' | 'public, max-age=31536000, immutable'

/** For a URL with a version: the content of another version may be sent, but not cached under that URL. */
export function cachingOf(asset: Asset, versionAsked: string | undefined): Caching {
  return versionAsked === asset.version ? 'public, max-age=31536000, immutable' : 'no-cache'
}

type AssetAnswer = { status: 200 | 304; headers: Record<string, string>; body: Buffer }

export function answerAsset(asset: Asset, asked: IncomingHttpHeaders, caching: Caching): AssetAnswer {
  const encoding = chooseEncoding(asked['accept-encoding'])
  // Each encoding has its own tag, because a strong tag promises the same bytes.
  const tag = `"${asset.version}-${encoding}"`
  const headers = {
    'content-type': asset.type,
    'cache-control': caching,
    etag: tag,
    vary: 'accept-encoding',
  }
  if (isKnown(tag, asked['if-none-match'])) return { status: 304, headers, body: NOTHING }
  return {
    status: 200,
    headers: { ...headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) },
    body: asset.bodies[encoding],
  }
}

const NOTHING = Buffer.alloc(0)

/** The encoding the client prefers; the smaller one where it prefers none. */
function chooseEncoding(accepted = ''): Encoding {
  const weights = new Map(accepted.toLowerCase().split(',').map(readWeight))
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [br, gzipped] = [weightOf('br'), weightOf('gzip')]
  if (br > 0 && br >= gzipped) return 'br'
  return gzipped > 0 ? 'gzip' : 'identity'
}

/** `gzip; q=0.5` */
function readWeight(part: string): [name: string, weight: number] {
  const [name, ...parameters] = part.split(';').map((piece) => piece.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return [name!, quality === undefined ? 1 : Number(quality.slice(2))]
}

function isKnown(tag: string, known = ''): boolean {
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag) || known.trim() === '*'
}
