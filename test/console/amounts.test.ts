/** Amounts in the forms of the console: shown and read in the language of the person, exactly and never by guessing. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { formatPpm } from '../../src/domain/decimal.ts'
import { formatAmount, MINOR_MAX } from '../../src/domain/money.ts'
import type { FigureKind } from '../../src/words/figures.ts'
import { languages } from '../../src/words/language.ts'
import { type Words, wordsFor } from '../../src/words/words.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { harbourFix, harbourSheet } from '../support/products.ts'
import { fundedAccount, openDeposit } from '../support/service.ts'
import { lend, type Office, openConsole, type Visitor } from './office.ts'

const wordsOf = (code: 'en' | 'fr') =>
  wordsFor({ timeZone: 'UTC', currency: 'NGN', language: languages[code] })
const spoken = { en: wordsOf('en'), fr: wordsOf('fr') }
const both: readonly Words[] = Object.values(spoken)
const KINDS: readonly FigureKind[] = ['amount', 'rate', 'count']

test('whatever is shown in a language is read in it as the same', () => {
  const every = fc.record({
    amount: fc.bigInt(0n, MINOR_MAX),
    ppm: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    count: fc.integer({ min: 0, max: 1_000_000 }),
  })
  fc.assert(
    fc.property(every, ({ amount, ppm, count }) => {
      for (const words of both) {
        assert.equal(words.figure(words.plain(amount), 'amount'), formatAmount(amount))
        assert.equal(
          words.figure(words.typed(formatAmount(amount), 'amount'), 'amount'),
          formatAmount(amount),
        )
        assert.equal(words.figure(words.percent(ppm), 'rate'), formatPpm(ppm))
        assert.equal(words.figure(words.whole(count), 'count'), String(count))
      }
    }),
  )
})

test('no text is one figure in one language and another figure in another', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0157.,- \u00a0\u202f'), maxLength: 12 })
  fc.assert(
    fc.property(text, fc.constantFrom(...KINDS), (typed, kind) => {
      const read = both.map((words) => words.figure(typed, kind)).filter((figure) => figure !== null)
      assert(new Set(read).size <= 1, `${JSON.stringify(typed)} ${kind}: ${read}`)
    }),
    { numRuns: 20_000 },
  )
})

test('what is not surely one figure is none', () => {
  const cases: [typed: string, kind: FigureKind, english: string | null, french: string | null][] = [
    ['50000.50', 'amount', '50000.50', '50000.50'],
    ['1 234,56', 'amount', null, '1234.56'],
    ['1\u202f234,56', 'amount', null, '1234.56'],
    ['1\u00a0234.5', 'amount', '1234.5', '1234.5'],
    ['1234,5', 'amount', null, '1234.5'],
    ['50,000.50', 'amount', '50000.50', null],
    ['1,250,000', 'amount', '1250000', null],
    ['50,000', 'amount', '50000', null],
    ['50.000', 'amount', null, null],
    ['1.234,56', 'amount', null, null],
    ['1 234,567', 'amount', null, null],
    ['12 34', 'amount', null, null],
    ['1 2345', 'amount', null, null],
    ['1,23,456', 'amount', null, null],
    ['1,234 567', 'amount', null, null],
    ['1,5', 'amount', null, '1.5'],
    ['007', 'amount', '7', '7'],
    ['  7 ', 'amount', '7', '7'],
    ['7.', 'amount', null, null],
    ['.5', 'amount', null, null],
    ['-1', 'amount', null, null],
    ['1e5', 'amount', null, null],
    ['₦5', 'amount', null, null],
    ['', 'amount', null, null],
    ['1234567890123456', 'amount', null, null],
    ['4,125', 'rate', null, '4.125'],
    ['4.125', 'rate', '4.125', '4.125'],
    ['1 234', 'rate', null, null],
    ['0.12345', 'rate', null, null],
    ['-0,5', 'rate', null, '-0.5'],
    ['\u22120.5', 'rate', '-0.5', '-0.5'],
    ['-0', 'rate', '0', '0'],
    ['1 000', 'count', '1000', '1000'],
    ['1,000', 'count', '1000', null],
    ['1.0', 'count', null, null],
  ]
  for (const [typed, kind, english, french] of cases) {
    const read = both.map((words) => words.figure(typed, kind))
    assert.deepEqual(read, [english, french], `${JSON.stringify(typed)} ${kind}`)
  }
})

describe('forms of a person who speaks French', () => {
  let db: TestDatabase
  let office: Office
  let french: Visitor
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    french = await office.visit(await office.employ('SUPERVISOR'))
    await french.post('/language', { language: 'fr' })
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  const dataOf = async (path: string) => (await office.ask('GET', path)).json.data
  /** The fields of a form as the browser would send them, with spaces that a person can type. */
  const fieldsOf = (text: string, form: RegExp): Record<string, string> => {
    const [markup] = form.exec(text)!
    const inputs = [...markup.matchAll(/<input [^>]*?>/g)].map(([input]) => ({
      name: /name="([^"]*)"/.exec(input)?.[1] ?? '',
      value: /value="([^"]*)"/.exec(input)?.[1] ?? '',
      isSent: !/type="(checkbox|radio)"/.test(input) || input.includes(' checked'),
    }))
    const selects = [...markup.matchAll(/<select [^>]*name="([^"]*)"[\s\S]*?<\/select>/g)].map(
      ([select, name]) => [name!, /value="([^"]*)" selected/.exec(select)?.[1] ?? ''] as const,
    )
    const areas = [...markup.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>([^<]*)</g)].map(
      ([, name, value]) => [name!, value!.replaceAll('&#34;', '"')] as const,
    )
    const sent = inputs.filter(({ isSent }) => isSent).map(({ name, value }) => [name, value] as const)
    return Object.fromEntries([...sent, ...selects, ...areas])
  }
  const sure = (form: Record<string, string>) => ({ ...form, sure: 'yes', key: randomUUID() })

  test('hold what is stored, and sent back as they are they change nothing', async () => {
    const [rules, taxRules] = [await dataOf('/v2/liquidation-rules'), await dataOf('/v2/tax-rules')]
    assert.equal(
      (await office.ask('PUT', '/v2/liquidation-rules', { ...ruleBody(rules), ...MINIMUMS })).status,
      200,
    )
    const page = await french.get('/rules')
    const form = fieldsOf(page.text, /<form class="tiers"[\s\S]*?<\/form>/)
    assert.deepEqual(
      [form.min_partial_amount, form.min_remaining_principal, form.until0],
      ['1\u202f500,50', '10\u202f000,00', '20,5'],
    )
    const made = await french.post('/rules', sure(form))
    assert.match(made.location, /done=/, made.text)
    assert.deepEqual(ruleBody(await dataOf('/v2/liquidation-rules')), { ...ruleBody(rules), ...MINIMUMS })
    assert.deepEqual(await dataOf('/v2/tax-rules'), taxRules)
  })
  const MINIMUMS = {
    min_partial_amount: 1500.5,
    min_remaining_principal: 10_000,
    penal_rules: [
      {
        when: { elapsed_percent: { lt: 20.5 } },
        terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 50 }],
        combine: 'SUM',
        min: 0,
        max: null,
      },
      {
        when: {},
        terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 12.25 }],
        combine: 'SUM',
        min: 0,
        max: null,
      },
    ],
  }
  const ruleBody = ({ version: _version, created_at: _createdAt, ...body }: Record<string, unknown>) => body

  test('hold the conditions of a policy as amounts, percents and hours', async () => {
    const conditions = [
      { amount: { gte: 1_000_000 } },
      { waived_percent: { gte: 12.5 } },
      { contact_changed_hours: { lt: 48 } },
      { sum: { of: 'CUSTOMER', days: 7, amount: { gte: 20_000.75 } } },
    ]
    const rules = conditions.map((when) => ({ operation: 'liquidateFixedDeposit', when, approvals: 1 }))
    await setPolicy(office, { expires_after_hours: 72, deciders: 'PERSON', rules })
    const { text } = await french.get('/policy')
    const form = fieldsOf(text, /<form class="tiers[\s\S]*?<\/form>/)
    const shown = conditions.map((_, index) => form[`value${index}`])
    assert.deepEqual(shown, ['1\u202f000\u202f000,00', '12,5', '48', '20\u202f000,75'])
    const again = await french.post('/policy', sure({ ...form, hours: '71' }))
    // A policy guards itself: the request has the rules as they were.
    assert.equal(again.location, '/console/requests', again.text)
    const [request] = (await office.ask('GET', '/v2/approvals')).json.data
    assert.deepEqual(request.body.rules, rules)
    await setPolicy(office, { expires_after_hours: 72, deciders: 'PERSON', rules: [] })
  })

  test('hold a product and its sheet, and a rate with a comma is not ten times as much', async () => {
    const product = { ...harbourFix, min_amount: 1500.5, bonuses: { SENIOR: 0.25 } }
    assert.equal((await office.ask('PUT', '/v2/products/QUAI', product)).status, 200)
    assert.equal((await office.ask('POST', '/v2/products/QUAI/rate-sheets', harbourSheet)).status, 201)
    const stored = await dataOf('/v2/products/QUAI')
    const page = await french.get('/products/QUAI/edit')
    const form = fieldsOf(page.text, /<form class="fill"[\s\S]*?<\/form>/)
    assert.deepEqual([form.min_amount, form.bonuses], ['1\u202f500,50', 'SENIOR 0,25'])
    const written = await french.post('/products/QUAI/edit', { ...form, key: randomUUID() })
    assert.match(written.location, /done=written/, written.text)
    const { version, created_at, ...terms } = stored
    const { version: next, created_at: later, ...same } = await dataOf('/v2/products/QUAI')
    assert.deepEqual([same, next > version, later >= created_at], [terms, true, true])

    const sheetPage = await french.get('/products/QUAI/sheet')
    const sheet = fieldsOf(sheetPage.text, /<form class="tiers grid"[\s\S]*?<\/form>/)
    const typed = { ...sheet, r0_0: '8,5', key: randomUUID(), effective_from: '2026-09-01' }
    const added = await french.post('/products/QUAI/sheet', typed)
    assert.match(added.location, /done=added/, added.text)
    const { data } = (await office.ask('GET', '/v2/products/QUAI/rate-sheets')).json
    const newest = data.find(
      ({ effective_from }: { effective_from: string }) => effective_from === '2026-09-01',
    )
    assert.deepEqual(newest.rates[0][0], 8.5)
    assert.deepEqual(newest.amount_from, harbourSheet.amount_from)
  })

  test('refuse what could be thousands, with a sentence under the field, and nothing is done', async () => {
    const { accountNumber } = await fundedAccount(office.ask, 1_000)
    const action = `/accounts/${accountNumber}/credit`
    const send = (amount: string) => french.post(action, { key: randomUUID(), amount })
    for (const amount of ['50,000', '50.000', '1.234,56', '1,234.56', '12 34']) {
      const { status, text } = await send(amount)
      assert.equal(status, 422, amount)
      assert.match(text, /id="amount-error">Indiquez le montant en chiffres[^<]*50\u202f000,00/)
      assert(text.includes(`value="${amount}"`), amount)
    }
    for (const amount of ['1 234,56', '1234,5', '1234.56']) {
      assert.match((await send(amount)).location, /done=credited/, amount)
    }
    assert.equal((await dataOf(`/v2/accounts/${accountNumber}`)).balance, 1_000 + 1234.56 + 1234.5 + 1234.56)
    const { depositId } = await openDeposit(office.ask, { amount: 9_000 })
    const held = await french.post(`/deposits/${depositId}/liens`, {
      ...{ key: randomUUID(), of: 'lien', amount: '1.000', reason: 'Prêt 77' },
    })
    assert.match(held.text, /id="lien-amount-error">Indiquez le montant/)
    const product = await french.post('/new-product', {
      key: randomUUID(),
      product_code: 'X-1',
      min_amount: '1.000',
    })
    assert.match(product.text, /id="min_amount-error">Indiquez le montant minimal/)
  })

  test('filter a list by rates with a comma, and say when a rate is none', async () => {
    await openDeposit(office.ask, { amount: 9_000, interest_rate: 12.5 })
    const found = await french.get('/deposits?rate_from=12,5&rate_below=12,6')
    assert.match(found.text, /name="rate_from"[^>]* value="12,5"/)
    assert.match(found.text, /12,5\u00a0%/)
    const wrong = await french.get('/deposits?rate_from=douze')
    assert.match(wrong.text, /id="rate_from-error">Non utilisé/)
  })

  test('in a browser: a part is typed in French, paid, and passed on to somebody who speaks English', {
    skip: browserAbsence,
  }, async () => {
    const { depositId } = await openDeposit(office.ask, { amount: '500000.00', start_date: '2026-03-23' })
    const english = await office.visit(await office.employ('CLERK'))
    const origin = await office.listen()
    const browser = await openBrowser()
    try {
      const context = await browser.newContext({ viewport: { width: 1360, height: 900 } })
      await lend(context, origin, french)
      const tab = await context.newPage()
      await tab.goto(`${origin}/console/deposits/${depositId}`)
      await tab.fill('#amount', '50,000')
      await tab.locator('#quote .notice.bad').waitFor()
      assert.match((await tab.textContent('#quote'))!, /Indiquez le montant en chiffres/)
      await tab.fill('#amount', '2 234,5')
      await tab.waitForURL(/amount=2234\.5(&|$)/)
      const passedOn = new URL(tab.url())
      const theirs = await english.get(passedOn.pathname + passedOn.search)
      assert.match(theirs.text, /id="amount"[^>]*\svalue="2,234\.50"/)
      await tab.reload()
      assert.equal(await tab.inputValue('#amount'), '2\u202f234,50')
      await tab.selectOption('#reason', 'CUSTOMER_IN_BRANCH')
      await tab.locator('.act > .button.primary').click()
      await tab.locator('dialog[open] .button.primary').click()
      await tab.waitForURL('**?done=liq_*')
      assert.equal((await dataOf(`/v2/fixed-deposits/${depositId}`)).remaining_principal, 500_000 - 2234.5)
    } finally {
      await browser.close()
    }
  })
})
