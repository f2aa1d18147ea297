/** What browsers load besides the pages, read once; and how a page is sent. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Asset, createAsset } from '../wire/assets.ts'
import { type Assets, ICON_FILE } from './frame.ts'

type File = { path: string; asset: Asset }

export async function readFiles(): Promise<{ assets: Assets; all: File[] }> {
  const read = async (path: string, type: string, content: Promise<Buffer> | Buffer): Promise<File> => ({
    path,
    asset: await createAsset({ type, content: await content }),
  })
  const [style, early, script, icon] = await Promise.all([
    read('/console.css', 'text/css; charset=utf-8', readStyle()),
    read(
      '/early.js',
      'text/javascript; charset=utf-8',
      readFile(new URL('./browser/early.js', import.meta.url)),
    ),
    read(
      '/console.js',
      'text/javascript; charset=utf-8',
      readFile(new URL('./browser/console.js', import.meta.url)),
    ),
    read('/icon.svg', 'image/svg+xml', Buffer.from(ICON_FILE)),
  ])
  const urlOf = ({ path, asset }: File) => `/console${path}?v=${asset.version}`
  return {
    assets: { style: urlOf(style), early: urlOf(early), script: urlOf(script), icon: urlOf(icon) },
    all: [style, early, script, icon],
  }
}

/** By layer: a later one wins, and in a layer a later file. */
const STYLE = {
  base: ['../page/style/tokens', './style/base'],
  parts: [
    ...['./style/search', './style/buttons', './style/notices', './style/fields'],
    ...['./style/tables', './style/details'],
  ],
  pages: [
    ...['./style/frame', './style/page', './style/breaking', './style/lists', './style/charts'],
    ...['./style/sign-in', './style/approvals', './style/rules', './style/letters', './style/narrow'],
    ...['./style/forms', './style/access', './style/phone'],
  ],
  print: ['./style/print'],
}

/** The parts of the stylesheet as one file. */
async function readStyle(): Promise<Buffer> {
  const layers = Object.entries(STYLE).map(async ([layer, names]) => {
    const parts = names.map((name) => readFile(new URL(`${name}.css`, import.meta.url), 'utf8'))
    return `@layer ${layer} {\n${(await Promise.all(parts)).join('')}}\n`
  })
  return Buffer.from((await Promise.all(layers)).join(''))
}

const compress = promisify(brotliCompress)
const COMPRESSED_MIN = 1_024

export async function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding')
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (text.length < COMPRESSED_MIN || !/\bbr\b/.test(accepted)) return reply.send(text)
  const body = await compress(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } })
  return reply.header('content-encoding', 'br').send(body)
}
