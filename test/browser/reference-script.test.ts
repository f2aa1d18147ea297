/** The script of the page, in a browser, against a running service. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit, startService, type TestService } from '../support/service.ts'

describe('the script of the reference', { skip: browserAbsence }, () => {
  let db: TestDatabase
  let bank: TestService
  let origin: string
  let browser: Browser
  let context: BrowserContext
  let tab: Page
  let complaints: string[]
  let requests: Request[]

  before(async () => {
    db = await engines[0]!.open()
    bank = await startService(db)
    await bank.app.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(bank.app.server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await bank?.close()
    await db?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
    })
    tab = await context.newPage()
    complaints = []
    requests = []
    tab.on('console', (message) => complaints.push(message.text()))
    tab.on('pageerror', (error) => complaints.push(error.message))
    await tab.goto(`${origin}/docs`)
    tab.on('request', (request) => requests.push(request))
  })
  afterEach(() => context.close())

  test('a language that is chosen for one request is shown for all, and what was clicked stays in place', async () => {
    const sample = tab.locator('#getLiquidation .tabbed')
    await sample.scrollIntoViewIfNeeded()
    const before = await sample.boundingBox()
    await sample.getByRole('radio', { name: 'Go' }).check()
    assert(Math.abs((await sample.boundingBox())!.y - before!.y) < 1)
    assert.equal(await tab.locator('pre.go:visible').count(), await tab.locator('.tabbed').count())
    assert.equal(await tab.locator('pre.curl:visible').count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('what is copied is the program that is shown', async () => {
    const sample = tab.locator('#updateCustomer .tabbed')
    await sample.getByRole('radio', { name: 'Python' }).check()
    await sample.getByRole('button', { name: 'Copy' }).click()
    await tab.getByText('Request copied.').waitFor({ state: 'attached' })
    const copied = await tab.evaluate('navigator.clipboard.readText()')
    assert.equal(copied, await sample.locator('pre.python').textContent())
  })

  test('copying works where the browser offers no clipboard, as over plain HTTP', async () => {
    await tab.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await tab.reload()
    await tab.locator('#getCustomer .tabbed').getByRole('button', { name: 'Copy' }).click()
    await tab.getByText('Request copied.').waitFor({ state: 'attached' })
    const other = await context.newPage()
    await other.goto(`${origin}/docs`)
    assert.match(String(await other.evaluate('navigator.clipboard.readText()')), /^curl http:\/\/127/)
  })

  test('beside a demo bank, samples and forms use its key and its records', async () => {
    const { depositId, customerId } = await openDeposit(bank.ask, { amount: 5_000 })
    await tab.route('**/docs', async (route) => {
      const response = await route.fetch()
      const demo = `<html data-demo="${bank.testKey} ${depositId} ${customerId}" `
      await route.fulfill({ response, body: (await response.text()).replace('<html ', demo) })
    })
    await tab.reload()
    const sample = tab.locator('#getFixedDeposit .tabbed')
    const program = await sample.locator('pre.curl').textContent()
    assert(program!.includes(`/v2/fixed-deposits/${depositId}`) && program!.includes(bank.testKey), program!)
    assert((await tab.locator('.title').textContent())!.includes(`export API_KEY=${bank.testKey}`))
    await openForm('#getFixedDeposit', 'Request')
    await tab.getByRole('button', { name: 'Send' }).click()
    await tab.locator('#try-answer').getByText(depositId).first().waitFor()
  })

  test('requests show the origin of the browser where the service is configured with another one', async () => {
    await tab.route('**/docs', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(origin, 'http://internal:8080')
      await route.fulfill({ response, body })
    })
    await tab.reload()
    const text = await tab.locator('main').textContent()
    assert(text!.includes(`curl ${origin}/v2/customer`))
    assert(!text!.includes('http://internal'))
  })

  test('the search leads to operations, fields, errors, messages and chapters', async () => {
    for (const [query, kind, name, hint, place] of [
      ['liquidate', 'Operations', 'Liquidate fixed deposit', 'POST /v2/fixed-dep', 'liquidateFixedDeposit'],
      ['customer put', 'Operations', 'Update customer', 'PUT /v2/customer/', 'updateCustomer'],
      ['capped_from', 'Fields', 'capped_from', 'Quote liquidation, answer 200, expl', 'quoteLiquidation'],
      ['not_active', 'Errors', 'deposit_not_active', 'The fixed deposit', 'error-deposit_not_active'],
      ['too_precise', 'Errors', 'too_precise', '', 'errors'],
      ['account.credited', 'Messages', 'account.credited', 'Message', 'message-account-credited'],
      ['429', 'Errors', 'rate_limited', 'Too many requests', 'error-rate_limited'],
      ['pagination', 'Guide', 'Lists', '', 'lists'],
      ['sandbox', 'Guide', 'Test mode', '', 'test-mode'],
      ['withdraw deposit', 'Operations', 'Liquidate fixed deposit', 'POST', 'liquidateFixedDeposit'],
      ['holidays', 'Operations', 'Get calendar', 'GET', 'getCalendar'],
      ['Idempotent-Replayed: true', 'Guide', 'Sending a request again', '', 'sending-a-request-again'],
    ] as const) {
      await tab.keyboard.press('/')
      await tab.keyboard.type(query)
      const link = tab.locator('#results > div', { hasText: kind }).getByRole('link').first()
      assert.equal(await link.locator('b').textContent(), name)
      assert((await link.locator('span').textContent())!.startsWith(hint))
      await link.click()
      const found = tab.locator(`#${place}.found, #${place} .found`)
      await found.waitFor()
      const { y } = (await found.boundingBox())!
      assert(y >= 0 && y < 720, `${query} is at ${y}`)
      assert.equal(await tab.locator('#results').isVisible(), false)
    }
    assert.deepEqual(complaints, [])
  })

  test('the search is used by the keyboard alone', async () => {
    await tab.keyboard.press('/')
    await tab.keyboard.type('roll')
    await tab.keyboard.press('ArrowDown')
    assert.equal(
      await tab
        .locator('#results a')
        .first()
        .evaluate((one: any) => one.matches(':focus')),
      true,
    )
    await tab.keyboard.press('ArrowDown')
    assert.equal(
      await tab
        .locator('#results a')
        .nth(1)
        .evaluate((one: any) => one.matches(':focus')),
      true,
    )
    await tab.keyboard.press('Escape')
    assert.equal(await tab.locator('#results').isVisible(), false)
    await tab.keyboard.press('/')
    await tab.keyboard.type('zzz')
    assert.equal(await tab.locator('#results').textContent(), 'Nothing found.')
    assert.equal(await tab.locator('#announcement').textContent(), '0 found.')
  })

  test('the contents say what is being read', async () => {
    await tab.setViewportSize({ width: 1360, height: 900 })
    await tab.goto(`${origin}/docs#rollApiKey`)
    const current = tab.locator('.side [aria-current]')
    await current.waitFor()
    assert.equal(await current.getAttribute('href'), '#rollApiKey')
    assert.equal(await current.isVisible(), true)
  })

  test('the form sends a request with a test key, which is not stored anywhere', async () => {
    const { depositId } = await openDeposit(bank.ask, { amount: 5_000 })
    await openForm('#liquidateFixedDeposit', 'Request PARTIAL')
    await tab.locator('dialog').getByLabel('Test key').fill(bank.testKey)
    await tab.locator('dialog').getByLabel('deposit_id').fill(depositId)
    await tab.locator('dialog').getByLabel('Idempotency-Key').fill('tried')
    await tab.locator('dialog').getByLabel('Body').fill('{"liquidation_type": "PARTIAL", "amount": 1000.50}')
    const answer = tab.locator('#try-answer')
    for (const expected of [/^200 req_\w{24}\{/, /^200 req_\w{24} replayed\{/]) {
      await tab.getByRole('button', { name: 'Send' }).click()
      await answer.filter({ hasText: expected }).waitFor()
    }
    assert((await answer.locator('pre').textContent())!.includes('\n    "principal_returned": 1000.50,\n'))
    const after = await bank.ask('GET', `/v2/fixed-deposits/${depositId}`)
    assert.equal(after.json.data.remaining_principal, 3_999.5)

    for (const request of requests) assert(!request.url().includes(bank.testKey))
    assert(!tab.url().includes('bw_test_'))
    assert.deepEqual(await context.cookies(), [])
    assert.deepEqual(await tab.evaluate('[localStorage.length, sessionStorage.length]'), [0, 0])
    await tab.getByRole('button', { name: 'Close' }).click()
    await openForm('#getCustomer', 'Request')
    assert.equal(await tab.locator('dialog').getByLabel('Test key').inputValue(), bank.testKey)
    await tab.reload()
    await openForm('#getCustomer', 'Request')
    assert.equal(await tab.locator('dialog').getByLabel('Test key').inputValue(), '')
    assert.deepEqual(complaints, [])
  })

  test('a live key and what is no key are refused before anything is sent', async () => {
    await openForm('#getFixedDeposit', 'Request')
    await tab.locator('dialog').getByLabel('deposit_id').fill('fd_1')
    for (const [key, error, left] of [
      [bank.liveKey, 'This is a live key. Use a test key, which begins with bw_test_.', ''],
      ['', 'Enter a test key. It begins with bw_test_.', ''],
      ['bw_test_', 'Enter a test key. It begins with bw_test_.', 'bw_test_'],
      ['bw_test_a\u00e9', 'Enter a test key. It begins with bw_test_.', 'bw_test_a\u00e9'],
    ] as const) {
      await tab.locator('dialog').getByLabel('Test key').fill(key)
      await tab.getByRole('button', { name: 'Send' }).click()
      assert.equal(await tab.locator('#try-key-error').textContent(), error)
      assert.equal(await tab.locator('dialog').getByLabel('Test key').inputValue(), left)
      assert.equal(await tab.locator('dialog').getByLabel('Test key').getAttribute('aria-invalid'), 'true')
    }
    assert.deepEqual(
      requests.map((request) => request.url()),
      [],
    )
  })

  test('parameters go where they belong, and a refusal is shown as it came', async () => {
    await openForm('#listFixedDeposits', 'Request')
    await tab.locator('dialog').getByLabel('Test key').fill(bank.testKey)
    await tab.locator('dialog').getByLabel('status').fill('ACTIVE & more')
    await tab.getByRole('button', { name: 'Send' }).click()
    await tab.locator('#try-answer .bad').waitFor()
    assert.match((await tab.locator('#try-answer').textContent())!, /^400 .*"code": "invalid_request"/s)
    assert.deepEqual(
      requests.map((request) => request.url()),
      [`${origin}/v2/fixed-deposits?status=ACTIVE+%26+more`],
    )
    await tab.getByRole('button', { name: 'Close' }).click()
    await openForm('#getFixedDeposit', 'Request')
    await tab.locator('dialog').getByLabel('deposit_id').fill('../customer')
    await tab.getByRole('button', { name: 'Send' }).click()
    await tab.locator('#try-answer .bad').waitFor()
    assert(requests.at(-1)!.url().endsWith('/v2/fixed-deposits/..%2Fcustomer'))
    const sent = await requests.at(-1)!.allHeaders()
    assert.equal(sent.authorization, `Bearer ${bank.testKey}`)
    assert.equal(sent.referer, undefined)
  })

  test("neither the form nor the search stands in anybody's way, in light and in dark colours", async () => {
    await tab.locator('article ~ article, .guide, #messages, #errors').evaluateAll((all: any[]) => {
      for (const one of all) one.remove()
    })
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.locator('#search').fill('amount')
      assert.deepEqual(await accessibilityFindings(tab), [])
      await tab.keyboard.press('Escape')
      await openForm('#liquidateFixedDeposit', 'Request FULL')
      await tab.locator('dialog').getByLabel('Test key').fill(bank.testKey)
      await tab.locator('dialog').getByLabel('deposit_id').fill('fd_1')
      await tab.getByRole('button', { name: 'Send' }).click()
      await tab.locator('#try-answer pre').waitFor()
      await tab.locator('dialog').getByLabel('Test key').fill(bank.liveKey)
      await tab.getByRole('button', { name: 'Send' }).click()
      assert.deepEqual(await accessibilityFindings(tab), [])
      await tab.getByRole('button', { name: 'Close' }).click()
    }
  })

  test('on a phone neither the form nor the search needs scrolling sideways', async () => {
    await tab.setViewportSize({ width: 390, height: 844 })
    const overflow = () => tab.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    await tab.locator('#search').fill('liquidation')
    assert.equal(await overflow(), 0)
    await tab.keyboard.press('Escape')
    await openForm('#replaceRules', 'Request')
    assert.equal(await overflow(), 0)
    const dialog = tab.locator('dialog')
    assert.equal(await dialog.evaluate((one: any) => one.scrollWidth - one.clientWidth), 0)
  })

  async function openForm(article: string, title: string): Promise<void> {
    const name = `Try it: ${article.slice(1)}, ${title}`
    await tab.locator(article).getByRole('button', { name, exact: true }).click()
  }
})
