import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { html, render } from '../../src/page/html.ts'
import { errors } from '../../src/wire/errors.ts'
import { generateReference } from '../../tools/generate.ts'
import { STYLE } from '../../tools/reference/style.ts'
import { buildWithoutDatabase } from '../support/service.ts'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const operations = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods))

test('the page is what would be printed now; if not, run npm run generate', async () => {
  const [printed, text] = ['../../src/reference/page.html', '../../openapi.json'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  )
  assert(printed === (await generateReference(text!)))
})

let app: FastifyInstance
let page: string
before(async () => {
  app = await buildWithoutDatabase()
  page = (await app.inject({ url: '/docs' })).body
})
after(() => app.close())

test('the page is served to anybody under a policy that allows its own style and script and nothing else', async () => {
  const { statusCode, headers } = await app.inject({ url: '/docs' })
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; script-src 'self'; style-src 'sha256-[\w+/]{43}='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'$/,
  )
  assert.doesNotMatch(page, /<iframe| style=| on\w+=/i)
  assert.deepEqual(page.match(/<script.*/gi)?.length, 1)
  assert.match(page, /<script type="module" src="\/docs\/reference\.js\?v=[\w-]{16}"><\/script>/)
})

test('every operation is on the page with its path, its scope and all its codes', () => {
  for (const [path, methods] of Object.entries<any>(document.paths)) {
    for (const [method, operation] of Object.entries<any>(methods)) {
      const article = articleOf(operation.operationId)
      assert(article.includes(escaped(operation.summary)))
      assert(article.includes(`>${method.toUpperCase()}</span> <code>${path}</code>`))
      const scope = operation['x-scope']
      assert(scope === undefined || article.includes(`<code>${scope}</code>`))
      for (const code of codesOf(operation)) assert(article.includes(`<code>${code}</code>`), code)
    }
  }
  for (const type of Object.keys(document.webhooks)) assert(page.includes(`<code>${type}</code></a></h3>`))
  for (const code of Object.keys(errors)) assert(page.includes(`id="error-${code}"`))
})

test('every operation has a program in each language, and amounts in its answer show both decimals', () => {
  for (const language of ['curl', 'typescript', 'python', 'go']) {
    const programs = page.match(new RegExp(`<pre class="program ${language}"`, 'g'))
    // Liquidating has three, opening a deposit and the quote of a product two.
    assert.equal(programs?.length, operations.length + 4, language)
  }
  assert(articleOf('listFixedDeposits').includes('/v2/fixed-deposits?'))
  assert.doesNotMatch(page, /\bobject Object\b|undefined|\{\w+_id\}\/?(?=[^<]*<\/code><\/pre>)/)
  const article = articleOf('liquidateFixedDeposit')
  assert(article.includes('-X POST http://localhost/v2/fixed-deposits/fd_'))
  assert(
    article.includes(
      '<span class="name">&#34;principal_returned&#34;</span>: <span class="value">100000.00</span>',
    ),
  )
})

test('what all messages share is shown without the values of one of them', () => {
  const start = page.indexOf('<section id="messages">')
  const shared = page.slice(start, page.indexOf('<article', start))
  assert(shared.includes('<code>type</code> <span class="type">string</span>'))
})

test('places in the page have their own names, and every link inside it leads to one', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert(ids.includes(target), target)
  const outside = [...page.matchAll(/(?:href|src)="(?!#)([^"]{0,20})/g)].map(([, target]) => target)
  assert.deepEqual(
    [...new Set(outside)],
    [
      ...['data:image/svg+xml,%', '/docs/reference.js?v', '/docs', '/v2/openapi.json'],
      ...['/docs/desk', '/docs/products', '/docs/desk#limits-wh'],
    ],
  )
})

test('headings go down one level at a time', () => {
  const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
  assert.equal(levels[0], 1)
  assert.equal(levels.filter((level) => level === 1).length, 1)
  levels.reduce((above, level) => {
    assert(level <= above + 1)
    return level
  })
})

test('text and the edges of controls stand out from what is behind them, light and dark', () => {
  for (const colours of coloursOf(STYLE)) {
    const assertContrast = (front: string, behind: string, least: number) => {
      const ratio = contrast(colours[front]!, colours[behind]!)
      assert(ratio >= least, `${front} on ${behind} has a contrast of ${ratio.toFixed(2)}`)
    }
    for (const behind of ['paper', 'surface', 'sunken', 'mark']) {
      for (const text of ['ink', 'soft', 'accent', 'text', 'value', 'get', 'post', 'put', 'delete']) {
        assertContrast(text, behind, 4.5)
      }
      assertContrast('edge', behind, 3)
    }
    assertContrast('on-accent', 'accent', 4.5)
  }
})

test('whatever is put into html stays text, and html stays html', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const rendered = render(html`<p title="${value}">${value}</p>`)
      const inside = rendered.slice('<p title="'.length, -'</p>'.length)
      assert.doesNotMatch(inside.replace('">', ''), /[<>"']/)
      const decoded = escaped(value).replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      assert.equal(decoded, value)
    }),
  )
  assert.equal(render(html`${[html`<b>${'<'}</b>`, 1, null, false, undefined]}`), '<b>&#60;</b>1')
})

function articleOf(id: string): string {
  const start = page.indexOf(`<article id="${id}"`)
  assert(start !== -1, `${id} is on the page`)
  return page.slice(start, page.indexOf('</article>', start))
}

function codesOf({ responses }: any): string[] {
  return Object.entries<any>(responses).flatMap(([status, response]) => {
    const { content } =
      response.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1)]
    return Number(status) >= 400 ? Object.keys(content['application/json'].examples) : []
  })
}

function escaped(text: string): string {
  return render(html`${text}`)
}

function coloursOf(style: string): Record<string, string>[] {
  const pairs = [...style.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)]
  const names = [...style.matchAll(/--([\w-]+): var\(--([\w-]+)\)/g)]
  return [2, 3].map((column) => {
    const colours = Object.fromEntries(pairs.map((pair) => [pair[1], pair[column]!]))
    return { ...colours, ...Object.fromEntries(names.map(([, name, other]) => [name, colours[other!]!])) }
  })
}

/** As WCAG 2 reckons it. */
function contrast(left: string, right: string): number {
  const [darker, lighter] = [luminance(left), luminance(right)].sort((one, other) => one - other)
  return (lighter! + 0.05) / (darker! + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
