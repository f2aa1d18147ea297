import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { GUIDES } from '../../src/http/reference.ts'
import { generateGuides } from '../../tools/generate.ts'
import { buildWithoutDatabase } from '../support/service.ts'

let app: FastifyInstance
const pages = new Map<string, string>()
before(async () => {
  app = await buildWithoutDatabase()
  for (const path of ['/docs', ...GUIDES.map((name) => `/docs/${name}`)])
    pages.set(path, (await app.inject({ url: path })).body)
})
after(() => app.close())

test('the guides are what would be printed now; if not, run npm run generate', async () => {
  for (const [name, page] of await generateGuides())
    assert(page === readFileSync(new URL(`../../src/reference/${name}`, import.meta.url), 'utf8'), name)
})

test('a guide is served to anybody, under the policy of the reference and without a script', async () => {
  const reference = await app.inject({ url: '/docs' })
  for (const name of GUIDES) {
    const { statusCode, headers, body } = await app.inject({ url: `/docs/${name}` })
    assert.equal(statusCode, 200)
    for (const header of ['content-type', 'content-security-policy', 'referrer-policy'])
      assert.equal(headers[header], reference.headers[header])
    assert.doesNotMatch(body, /<script|<iframe| style=| on\w+=/i)
  }
})

test('every link of a guide and to one leads to a place that exists', () => {
  const idsOf = (path: string) => [...pages.get(path)!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  for (const [path, page] of pages) {
    assert.equal(new Set(idsOf(path)).size, idsOf(path).length)
    for (const [, target] of page.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const { pathname, hash } = new URL(target!, `http://localhost${path}`)
      if (pathname === '/v2/openapi.json') continue
      assert(pages.has(pathname), target)
      assert(hash === '' || idsOf(pathname).includes(hash.slice(1)), target)
    }
  }
})

test('no Markdown is left in a guide', () => {
  for (const [path, page] of pages) {
    const sections = [...page.matchAll(/<section class="guide"[\s\S]*?<\/section>/g)].join('')
    const words = sections
      .replaceAll(/<pre[\s\S]*?<\/pre>|<code>.*?<\/code>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
    assert(words.length > 5000, path)
    assert.deepEqual(words.match(/\]\(|^ *#+ .*|`|\*\*|^ *\|.*/gm) ?? [], [], path)
  }
})
