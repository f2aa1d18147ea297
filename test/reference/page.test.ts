import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import type { Browser } from 'playwright-core'
import { createService } from '../../src/cli/compose.ts'
import type { Database } from '../../src/engine/database/database.ts'
import { buildServer } from '../../src/http/server.ts'
import { STYLE } from '../../src/reference/style.ts'
import { html, render } from '../../src/wire/html.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { testLimits } from '../support/service.ts'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const operations = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods))

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
      for (const scope of operation.security[0]?.apiKey ?? [])
        assert(article.includes(`<code>${scope}</code>`))
      for (const code of codesOf(operation)) assert(article.includes(`<code>${code}</code>`), code)
    }
  }
  for (const type of Object.keys(document.webhooks)) assert(page.includes(`<code>${type}</code></a></h3>`))
  for (const code of Object.keys(document.components.examples)) assert(page.includes(`id="error-${code}"`))
})

test('every operation has a program in each language, and amounts in its answer show both decimals', () => {
  for (const language of ['curl', 'typescript', 'python', 'go']) {
    const programs = page.match(new RegExp(`<pre class="program ${language}"`, 'g'))
    // Liquidating has three.
    assert.equal(programs?.length, operations.length + 2, language)
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
    ['data:image/svg+xml,%', '/docs/reference.js?v', '/docs', '/v2/openapi.json'],
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

describe('in a browser', { skip: browserAbsence }, () => {
  let browser: Browser
  let url: string
  before(async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/docs`
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const [name, width, colorScheme] of [
    ['a desk', 1440, 'light'],
    ['a desk in the dark', 1440, 'dark'],
    ['a tablet', 820, 'light'],
    ['a phone', 390, 'light'],
    ['a small phone', 360, 'dark'],
  ] as const) {
    test(`on ${name} the page loads nothing but its script, without a complaint, and needs no scrolling sideways`, async () => {
      const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
      const complaints: string[] = []
      const requests: string[] = []
      tab.on('console', (message) => complaints.push(message.text()))
      tab.on('pageerror', (error) => complaints.push(error.message))
      tab.on('request', (request) => requests.push(request.url()))
      await tab.goto(url)
      assert.deepEqual(complaints, [])
      const [first, second, ...others] = requests.filter((one) => !one.startsWith('data:'))
      assert.equal(first, url)
      assert.match(second!, /\/docs\/reference\.js\?v=[\w-]{16}$/)
      assert.deepEqual(others, [])
      const [content, visible] = (await tab.evaluate(
        '[document.documentElement.scrollWidth, window.innerWidth]',
      )) as number[]
      assert(content! <= visible!, `${content} pixels in ${visible}`)
      assert.equal(
        await tab.locator('article:visible').count(),
        operations.length + Object.keys(document.webhooks).length,
      )
      assert.equal(await tab.getByRole('navigation', { name: 'Contents' }).count(), width < 960 ? 0 : 1)
      await tab.close()
    })
  }

  test("nothing on the page stands in anybody's way, light on a desk and dark on a phone", async () => {
    const tab = await browser.newPage()
    await tab.goto(url)
    await tab.locator('details').evaluateAll((all: any[]) => {
      for (const one of all) one.open = true
    })
    assert.deepEqual(await accessibilityFindings(tab, { contrast: false }), [])
    // Articles of a section have the same colours, and axe takes seconds for each thousand elements.
    await tab.locator('article ~ article').evaluateAll((all: any[]) => {
      for (const one of all) one.remove()
    })
    for (const [colorScheme, width] of [
      ['light', 1360],
      ['dark', 390],
    ] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.setViewportSize({ width, height: 844 })
      assert.deepEqual(await accessibilityFindings(tab), [])
    }
    await tab.close()
  })

  test('the keyboard reaches the content, the samples and what is folded away', async () => {
    const tab = await browser.newPage()
    await tab.goto(`${url}#liquidateFixedDeposit`)
    const focused = () => tab.evaluate('document.activeElement.textContent')
    await tab.locator('#liquidateFixedDeposit h3 a').focus()
    const passed: string[] = []
    while (!passed.at(-1)?.includes('that many operations share') && passed.length < 5) {
      await tab.keyboard.press('Tab')
      passed.push(String(await focused()).trim())
    }
    assert.deepEqual(passed.slice(0, -1), [
      'Members of waiver',
      'Members of waiver',
      'Members of adjustments',
    ])
    await tab.keyboard.press('Enter')
    assert(await tab.locator('#liquidateFixedDeposit a[href="#error-invalid_api_key"]').isVisible())
    const samples = tab.locator('#liquidateFixedDeposit pre')
    assert.deepEqual(
      new Set(await samples.evaluateAll((all: any[]) => all.map((one) => one.tabIndex))),
      new Set([0]),
    )
    await tab.goto(url)
    await tab.keyboard.press('Tab')
    assert.equal(await focused(), 'Skip to the content')
    await tab.close()
  })

  test('it is complete without script, and offers nothing that needs it', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const tab = await context.newPage()
    await tab.goto(url)
    assert(await tab.getByRole('heading', { level: 1, name: 'Breakwater' }).isVisible())
    for (const absent of ['search', 'dialog', 'button'] as const) {
      assert.equal(await tab.getByRole(absent).count(), 0, absent)
    }
    const sample = tab.locator('#updateCustomer .tabbed')
    for (const [language, start] of [
      ['TypeScript', 'const response'],
      ['Python', 'import json'],
      ['Go', 'package main'],
      ['curl', 'curl -X PUT'],
    ] as const) {
      await sample.getByRole('radio', { name: language }).check()
      const visible = await sample.locator('pre:visible').allTextContents()
      assert.equal(visible.length, 1)
      assert(visible[0]!.startsWith(start))
    }
    await context.close()
  })

  test('on paper the contents and the controls make room', async () => {
    const tab = await browser.newPage()
    await tab.goto(url)
    await tab.emulateMedia({ media: 'print' })
    for (const absent of ['navigation', 'search', 'button', 'radio'] as const) {
      assert.equal(await tab.getByRole(absent).count(), 0, absent)
    }
    await tab.close()
  })
})

function buildWithoutDatabase(): Promise<FastifyInstance> {
  const refuse = () => Promise.reject(new Error('The reference does not need the database.'))
  const db: Database = { query: refuse, transaction: refuse, script: refuse, close: async () => {} }
  const service = createService({
    db,
    clock: () => new Date(),
    limits: { lanes: 1, batchMax: 1, queueMax: 1 },
  })
  return buildServer({ service, limits: testLimits, log: () => {} })
}

function articleOf(id: string): string {
  const start = page.indexOf(`<article id="${id}"`)
  assert(start !== -1, `${id} is on the page`)
  return page.slice(start, page.indexOf('</article>', start))
}

function codesOf({ responses }: any): string[] {
  return Object.entries<any>(responses).flatMap(([status, response]) => {
    const { content } =
      response.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1)]
    return Number(status) < 400 ? [] : Object.keys(content['application/json'].examples)
  })
}

function escaped(text: string): string {
  return render(html`${text}`)
}

function coloursOf(style: string): Record<string, string>[] {
  const pairs = [...style.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)]
  return [2, 3].map((column) => Object.fromEntries(pairs.map((pair) => [pair[1], pair[column]])))
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
