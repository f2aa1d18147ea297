/** What holds for every page of the console, whichever is added. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page as Tab } from 'playwright-core'
import { ROLES, type Role } from '../../src/domain/people.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { createLog } from '../../src/observe/log.ts'
import type { Language, Texts } from '../../src/words/language.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { everyTable } from '../support/texts.ts'
import { furnish, type Ids, mayOpen, placesOf, roleFor } from './every-page.ts'
import { lend, type Office, openConsole, type Visitor } from './office.ts'

describe('every page', () => {
  let db: TestDatabase
  let office: Office
  let ids: Ids
  let logged = ''
  const visitors = new Map<Role, Visitor>()
  before(async () => {
    db = await engines[0]!.open()
    const log = createLog({
      level: 'debug',
      clock: () => new Date(),
      write: (lines) => {
        logged += lines
      },
    })
    office = await openConsole(db, { log })
    ids = await furnish(office)
    for (const role of ROLES) visitors.set(role, await office.visit(await office.employ(role)))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  test('opens for the roles with its scope and for no other', async () => {
    for (const place of placesOf(ids)) {
      for (const role of ROLES) {
        const visitor = visitors.get(role)!
        const { status } = await (place.method === 'GET'
          ? visitor.get(place.url)
          : visitor.post(place.url, {}))
        const what = `${role} ${place.method} ${place.path}: ${status}`
        assert.equal(status === 403, !mayOpen(role, place), what)
        assert(status < 500, what)
        if (place.method === 'GET' && mayOpen(role, place)) assert.equal(status, 200, what)
      }
    }
  })

  test('is not found under an identifier of another bank', async () => {
    const { caller } = await createCaller(db, {
      name: 'Other',
      timeZone: 'UTC',
      currency: 'USD',
      at: office.clock.now,
    })
    for (const role of ['SUPERVISOR', 'ADMINISTRATOR'] as const) {
      const stranger = await office.visit(await office.employ(role, ['test'], caller.callerId))
      for (const place of placesOf(ids).filter((one) => one.ids && mayOpen(role, one))) {
        const form = {
          reason: 'COURT_ORDER',
          key: 'k'.repeat(30),
          expected: '1.00',
          sure: 'yes',
          type: 'FULL',
        }
        const { status } = await (place.method === 'GET'
          ? stranger.get(place.url)
          : stranger.post(place.url, form))
        assert.equal(status, 404, `${role} ${place.method} ${place.path}`)
      }
    }
  })

  test('shows markup in every text as text, and logs and roles without a right to it see no canary', async () => {
    const canary = (field: string) => `<i class="kanari">${field}</i>`
    const customer = await office.ask('POST', '/v2/customer', {
      first_name: canary('first'),
      last_name: canary('last'),
      email: 'kanari@example.com',
      phone_number: '+999 000 111 2222',
      address: canary('address'),
    })
    const account = await office.ask('POST', '/v2/accounts', { customer_id: customer.json.data.customer_id })
    const { account_number } = account.json.data
    const narration = canary('narration')
    await office.ask('POST', `/v2/accounts/${account_number}/credits`, { amount: 3_000_000, narration })
    const opened = await office.ask('POST', '/v2/fixed-deposits', {
      account_number,
      amount: 2_000_000,
      tenor: 90,
      interest_rate: 10,
    })
    const depositId = opened.json.data.deposit_id
    const asked = await office.ask('POST', '/v2/approvals', {
      operation: 'liquidateFixedDeposit',
      target_id: depositId,
      body: { liquidation_type: 'FULL', reference: canary('reference') },
      note: canary('note'),
    })
    await office.ask('POST', `/v2/fixed-deposits/${depositId}/liens`, { amount: 5, reason: canary('lien') })
    const administrator = visitors.get('ADMINISTRATOR')!
    await administrator.post('/webhooks', { url: 'https://example.com/', description: canary('description') })
    const own = {
      ...ids,
      customer_id: customer.json.data.customer_id,
      deposit_id: depositId,
      approval_id: asked.json.data.approval_id,
    }
    let seen = 0
    logged = ''
    for (const place of placesOf(own).filter(({ method }) => method === 'GET')) {
      for (const role of ROLES.filter((one) => mayOpen(one, place))) {
        const { text, headers } = await visitors.get(role)!.get(place.url)
        if (String(headers['content-type']).startsWith('text/html')) {
          assert.doesNotMatch(text, /<i class=/, `${role} ${place.path}`)
        }
        if (/kanari/.test(text)) seen += 1
        // An administrator reads the audit log and webhooks, but neither customers nor deposits.
        if (role === 'ADMINISTRATOR' && !/^\/(audit|webhooks)/.test(place.path)) {
          assert.doesNotMatch(text, /kanari|000 111/, place.path)
        }
      }
    }
    assert(seen > 10, 'the canaries were shown where they belong')
    await visitors.get('CLERK')!.get('/search?q=kanari@example.com')
    await visitors.get('CLERK')!.post('/sign-in', { email: 'kanari@example.com', password: 'kanari kanari' })
    assert(logged.split('\n').length > 40, 'every request was logged')
    assert.doesNotMatch(logged, /kanari|000 111/)
  })

  test('takes each word from the table of its language, and reads from right to left where that does', async () => {
    const other = await openConsole(db, { language: pseudo })
    try {
      const ours = await furnish(other)
      const texts = leavesOf((await everyTable()).map(({ texts }) => texts.en)).filter((text) =>
        /^[A-Z][a-z]+ ?[a-z]{3}/.test(text),
      )
      assert(texts.length > 200)
      const people = new Map<Role, Visitor>()
      for (const role of ROLES) people.set(role, await other.visit(await other.employ(role)))
      for (const place of placesOf(ours).filter(
        ({ method, path }) => method === 'GET' && !path.endsWith('.csv'),
      )) {
        for (const role of ROLES.filter((one) => mayOpen(one, place))) {
          const { text } = await people.get(role)!.get(place.url)
          assert.match(text, /<html lang="ar-EG" dir="rtl">/)
          const bare = textOf(text)
          const lines = new Set(bare.split('\n').map((line) => line.trim()))
          const left = texts.filter((one) => (one.includes(' ') ? bare.includes(one) : lines.has(one)))
          assert.deepEqual(left, [], `${role} ${place.path}`)
        }
      }
    } finally {
      await other.close()
    }
  })

  describe('in a browser', { skip: browserAbsence }, () => {
    let browser: Browser
    let origin: string
    const tabs = new Map<Role, Tab>()
    const errors: string[] = []
    before(async () => {
      browser = await openBrowser()
      origin = await office.listen()
      for (const role of ROLES) {
        const context = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(context, origin, visitors.get(role)!)
        const tab = await context.newPage()
        // A breach of the content security policy, Trusted Types with it, is an error of the console too.
        tab.on(
          'console',
          (message) => message.type() === 'error' && errors.push(`${tab.url()} ${message.text()}`),
        )
        tab.on('pageerror', (error) => errors.push(`${tab.url()} ${error.message}`))
        tabs.set(role, tab)
      }
    })
    after(() => browser?.close())

    const shownWith = (known: Ids) =>
      placesOf(known).filter(({ method, path }) => method === 'GET' && !path.endsWith('.csv'))
    const shown = () => shownWith(ids)

    test('has no finding in light or dark, no error, and no sideways scroll on a tablet or a phone', async () => {
      const findings: string[] = []
      for (const place of shown()) {
        const tab = tabs.get(roleFor(place))!
        const look = async (scheme: 'light' | 'dark') => {
          await tab.emulateMedia({ colorScheme: scheme })
          const found = await accessibilityFindings(tab, { contrast: scheme === 'light' || 'alone' })
          findings.push(...found.map((finding) => `${place.path} ${scheme}: ${finding}`))
        }
        await tab.setViewportSize({ width: 1360, height: 900 })
        await tab.goto(`${origin}/console${place.url}`)
        await tab.evaluate('for (const one of document.querySelectorAll("main details")) one.open = true')
        await look('light')
        await look('dark')
        for (const width of [820, 390]) {
          await tab.setViewportSize({ width, height: 900 })
          const isWide = await tab.evaluate('document.documentElement.scrollWidth > innerWidth')
          if (isWide) findings.push(`${place.path} scrolls sideways at ${width}`)
        }
      }
      assert.deepEqual(findings, [])
      assert.deepEqual(errors, [])
    })

    test('shows the largest amounts, states and buttons whole on every width, without a scroll', async () => {
      const large = await furnish(office, '8900000000000.00')
      const cut: string[] = []
      for (const place of shownWith(large)) {
        const tab = tabs.get(roleFor(place))!
        await tab.goto(`${origin}/console${place.url}`)
        await tab.evaluate('for (const one of document.querySelectorAll("main details")) one.open = true')
        for (const width of [1200, 820, 390]) {
          await tab.setViewportSize({ width, height: 844 })
          const found = await tab.evaluate<string[]>(CUT_OFF)
          cut.push(...found.map((text) => `${place.path} at ${width}: ${text}`))
        }
        const findings = await accessibilityFindings(tab, { contrast: false })
        cut.push(...findings.map((finding) => `${place.path}: ${finding}`))
      }
      assert.deepEqual(cut, [])
    })

    test('shows every choice of a filter, and all that it says, whole in French on every width', async () => {
      const french = new Map<Role, Tab>()
      for (const role of ROLES) {
        const visitor = await office.visit(await office.employ(role))
        await visitor.post('/language', { language: 'fr' })
        const context = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(context, origin, visitor)
        french.set(role, await context.newPage())
      }
      const cut: string[] = []
      for (const place of shown()) {
        const tab = french.get(roleFor(place))!
        await tab.goto(`${origin}/console${place.url}`)
        await tab.evaluate('for (const one of document.querySelectorAll("main details")) one.open = true')
        for (const width of [1360, 820, 390]) {
          await tab.setViewportSize({ width, height: 844 })
          const found = [
            ...(await tab.evaluate<string[]>(CUT_OFF)),
            ...(await tab.evaluate<string[]>(CUT_CHOICES)),
          ]
          cut.push(...found.map((text) => `${place.path} at ${width}: ${text}`))
        }
      }
      for (const tab of french.values()) await tab.context().close()
      assert.deepEqual(cut, [])
    })

    test('closes the menu of the person by Escape and by a click elsewhere', async () => {
      const tab = tabs.get('CLERK')!
      await tab.goto(`${origin}/console`)
      const menu = tab.locator('.menu')
      for (const close of [() => tab.keyboard.press('Escape'), () => tab.locator('h1').click()]) {
        await menu.locator('summary').click()
        assert.equal(await menu.getAttribute('open'), '')
        await close()
        assert.equal(await menu.getAttribute('open'), null)
      }
    })

    test('the first one comes in at most 6 requests, and nothing that was read in it moves', async () => {
      const context = await browser.newContext()
      await lend(context, origin, visitors.get('CLERK')!)
      const tab = await context.newPage()
      let requests = 0
      tab.on('request', () => {
        requests += 1
      })
      await tab.goto(`${origin}/console/deposits/${ids.deposit_id}`, { waitUntil: 'load' })
      assert(requests <= 6, `${requests}`)
      const shift = await tab.evaluate<number>(SHIFTED)
      assert(shift < SHIFT_MAX, `${shift}`)
      await context.close()
    })
  })

  test('weighs little: the first load, the script, the style and a new quote', async () => {
    const clerk = visitors.get('CLERK')!
    const weigh = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await office.app.inject({
        url: path.startsWith('/console') ? path : `/console${path}`,
        headers: { cookie: clerk.cookie, 'accept-encoding': 'br', ...headers },
      })
      assert.equal(answer.statusCode, 200, path)
      return answer.rawPayload.length
    }
    const deposit = `/deposits/${ids.deposit_id}`
    const page = await clerk.get(deposit)
    const files = [...page.text.matchAll(/(?:href|src)="(\/console\/[\w.]+\?v=[^"]+)"/g)].map(
      ([, path]) => path!,
    )
    assert.equal(files.length, 4)
    const weights = Object.fromEntries(
      await Promise.all(files.map(async (path) => [path, await weigh(path)])),
    )
    const weightOf = (name: string) => weights[files.find((path) => path.includes(name))!]!
    assert(weightOf('console.js') + weightOf('early.js') <= 8_192)
    assert(weightOf('console.css') <= 8_192)
    const first = (await weigh(deposit)) + Object.values<number>(weights).reduce((sum, one) => sum + one, 0)
    assert(first <= 40_960, `${first}`)
    const quote = await weigh(`${deposit}?type=PARTIAL&amount=5000`, { 'x-part': 'quote' })
    assert(quote <= 6_144, `${quote}`)
  })
})

/** How far what was painted moved afterwards, as a share of the window. A slow browser paints half a header first. */
const SHIFTED = `new Promise((done) => {
  let sum = 0
  const seen = new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value
  })
  seen.observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(sum), 50)
})`
const SHIFT_MAX = 0.005

/** Cells, states, buttons and fields that reach over the edge of their card or have to be scrolled to. */
const CUT_OFF = `[...document.querySelectorAll('main :is(tbody .num, .sum td, .figures dd, .badge, .button, input, select)')]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    const card = (one.closest('.card, .figures, main')).getBoundingClientRect()
    const text = document.createRange()
    text.selectNodeContents(one)
    const box = (one.matches('input, select') ? one : text).getBoundingClientRect()
    return box.left < card.left - 1 || box.right > card.right + 1 || card.right > innerWidth
  })
  .map((one) => one.name || one.textContent.trim())
  .filter((text) => text !== '')`

/** What a browser draws at the end of a select, in pixels. */
const ARROW = 16

/** Choices of filters and of what is done that are longer than their field, beside its arrow, and a page that is wider than the window. */
const CUT_CHOICES = `(() => {
  const pen = document.createElement('canvas').getContext('2d')
  const cut = [...document.querySelectorAll(':is(.filters, .act) select')].flatMap((select) => {
    const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select)
    pen.font = font
    const room = select.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd) - ${ARROW}
    return [...select.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > room)
  })
  return document.documentElement.scrollWidth > innerWidth ? [...cut, 'the page'] : cut
})()`

/** Every word of English in brackets, from right to left, with the figures and dates of Egypt. */
const pseudo: Language = {
  locale: 'ar-EG',
  direction: 'rtl',
  choose: <Table>({ en }: Texts<Table>) => bracketed(en) as Table,
}

function bracketed(value: unknown): unknown {
  if (typeof value === 'string') return `⟦${value}⟧`
  if (typeof value === 'function') return (...given: unknown[]) => bracketed(value(...given))
  if (Array.isArray(value)) return value.map(bracketed)
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, bracketed(one)]))
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

/** What people read of a page, without the text in brackets. */
function textOf(page: string): string {
  let text = page.replace(/<(script|textarea|pre)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, '\n')
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(/⟦[^⟦⟧]*⟧/g, '')
  }
  return text
}
