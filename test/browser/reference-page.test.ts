/** The reference as it is seen and used, at every width, with and without script. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Browser } from 'playwright-core'
import { GUIDES } from '../../src/http/reference.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { buildWithoutDatabase } from '../support/service.ts'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const operations = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods))

describe('the reference in a browser', { skip: browserAbsence }, () => {
  let app: FastifyInstance
  let browser: Browser
  let url: string
  before(async () => {
    app = await buildWithoutDatabase()
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/docs`
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  for (const [name, width, colorScheme] of [
    ['a desk', 1440, 'light'],
    ['a desk in the dark', 1440, 'dark'],
    ['a tablet', 820, 'light'],
    ['a phone', 390, 'light'],
    ['a small phone', 360, 'dark'],
  ] as const) {
    test(`on ${name} the page loads nothing but its scripts, without a complaint, and needs no scrolling sideways`, async () => {
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
      assert.deepEqual(others.sort(), [`${url}/elements.js`, `${url}/search.js`])
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

  test("the guides stand in nobody's way, light on a desk and dark on a phone", async () => {
    const tab = await browser.newPage()
    const complaints: string[] = []
    tab.on('console', (message) => complaints.push(message.text()))
    for (const name of GUIDES) {
      await tab.goto(`${url}/${name}`)
      for (const [colorScheme, width] of [
        ['light', 1360],
        ['dark', 390],
      ] as const) {
        await tab.emulateMedia({ colorScheme })
        await tab.setViewportSize({ width, height: 844 })
        assert.deepEqual(await accessibilityFindings(tab), [])
        assert.equal(
          await tab.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
          true,
          name,
        )
      }
    }
    assert.deepEqual(complaints, [])
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
      ['TypeScript', 'import { Breakwater }'],
      ['Python', 'import os'],
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
