/** Certificate and statement at the counter: what the API says, in the language of the person, with a line to sign on. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { updateSender } from '../../src/features/callers/store.ts'
import { sealPass } from '../../src/features/seals/job.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit, replaceTaxRules } from '../support/service.ts'
import { lend, type Office, openConsole, type Visitor } from './office.ts'

const [engine] = engines

describe('letters in the console', () => {
  let db: TestDatabase
  let office: Office
  let viewer: Visitor
  let depositId: string
  let customerId: string
  let letters: string[]
  before(async () => {
    db = await engine!.open()
    office = await openConsole(db)
    const terms = { amount: '500000.00', interest_rate: 12.5, start_date: '2026-03-23' }
    ;({ depositId, customerId } = await openDeposit(office.ask, terms))
    const broken = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'PARTIAL',
      amount: 100_000,
    })
    letters = [
      `/deposits/${depositId}/certificate`,
      `/deposits/${depositId}/statement`,
      `/liquidations/${broken.json.data.liquidation_id}/advice`,
      `/customers/${customerId}/interest-certificate`,
    ]
    viewer = await office.visit(await office.employ('VIEWER'))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  test('are linked from the deposit, and titled so that tabs can be told apart', async () => {
    const { text } = await viewer.get(`/deposits/${depositId}`)
    for (const letter of ['certificate', 'statement']) {
      assert(text.includes(`href="/console/deposits/${depositId}/${letter}"`), letter)
    }
    const titles = new Set<string>()
    for (const path of ['', '/certificate', '/statement']) {
      const page = await viewer.get(`/deposits/${depositId}${path}`)
      titles.add(/<title>([^<]+)/.exec(page.text)![1]!)
    }
    assert.equal(titles.size, 3)
  })

  test('have the figures of the API and a line for the signature', async () => {
    const { data } = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/certificate`)).json
    const { text } = await viewer.get(`/deposits/${depositId}/certificate`)
    const worth = data.maturity_value ?? data.worth_at_maturity
    assert(worth > 400_000)
    assert(
      text.includes(`₦${Number(worth).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`),
      String(worth),
    )
    assert.match(text, /12\.5 %/)
    assert.match(text, /class="signature"/)
    const statement = await viewer.get(`/deposits/${depositId}/statement`)
    assert.match(statement.text, /Part of the deposit broken/)
    assert.match(statement.text, /<th scope="col" class="num">Amount<\/th>/)
    assert.match(statement.text, /<td class="nowrap">\d+ \w+ 2026<\/td>/)
    const earlier = await viewer.get(`/deposits/${depositId}/statement?from=2026-03-23&to=2026-04-01`)
    assert.doesNotMatch(earlier.text, /Part of the deposit broken/)
  })

  test('speak French to those who chose it', async () => {
    await viewer.post('/language', { language: 'fr' })
    const { text } = await viewer.get(`/deposits/${depositId}/certificate`)
    assert.match(text, /Certificat de dépôt à terme/)
    assert.match(text, /12,5\u00a0%/)
    const statement = await viewer.get(`/deposits/${depositId}/statement`)
    assert.match(statement.text, /Pendant cette période\u00a0: intérêts [\d\s,]+<\/td>/)
    const interest = await viewer.get(`/customers/${customerId}/interest-certificate`)
    assert.match(interest.text, /<th scope="col" class="num">Pénalité<\/th>/)
    assert.match(text, /Cachet et signature/)
  })

  test('of a year of interest: for the span that is chosen, and a wrong one is refused in words', async () => {
    const english = await office.visit(await office.employ('CLERK'))
    const { text } = await english.get(`/customers/${customerId}`)
    assert(text.includes(`href="/console/customers/${customerId}/interest-certificate"`))
    const path = `/customers/${customerId}/interest-certificate`
    const api = `/v2/customer/${customerId}/interest-certificate?from=2026-01-01&to=2026-12-31`
    const [total] = (await office.ask('GET', api)).json.data.totals
    assert(total.net_interest > 0)
    const shown = Number(total.net_interest).toLocaleString('en-GB', { minimumFractionDigits: 2 })
    assert((await english.get(path)).text.includes(shown), shown)
    assert.match(
      (await english.get(`${path}?from=2025-01-01&to=2025-02-01`)).text,
      /paid no interest from 1 Jan 2025 to 1 Feb 2025\./,
    )
    for (const span of ['from=2026-02-01&to=2026-01-01', 'from=2024-01-01&to=2026-01-01', 'from=x']) {
      const refused = await english.get(`${path}?${span}`)
      assert.equal(refused.status, 422)
      assert.match(refused.text, /Choose two days/)
    }
    assert.equal((await english.get('/customers/cus_x/interest-certificate')).status, 404)
  })

  test('have no word that only engineers use, and no line about a tax that is none', async () => {
    const english = await office.visit(await office.employ('SUPERVISOR'))
    await replaceTaxRules(office.ask, { classes: { STANDARD: 0 } })
    await sealPass(office.service, { marginMs: 0 })
    const part = { liquidation_type: 'PARTIAL', amount: 5_000 }
    const broken = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part)
    const path = `/liquidations/${broken.json.data.liquidation_id}`
    for (const page of [...letters, `${path}/advice`, '/report']) {
      const { text } = await english.get(page)
      const shown = /<(article)[\s\S]*<\/article>/.exec(text)?.[0] ?? /<main[\s\S]*<\/main>/.exec(text)![0]
      const words = shown.replaceAll(/<code>[^<]*<\/code>|<[^>]*>/g, ' ')
      assert.doesNotMatch(
        words,
        /\bseal\b|\bhead of\b|breakwater|\brule \d|ACT\/|HALF_|[A-Z]_[A-Z]|\bscope\b|JSON/,
        page,
      )
      assert.match(words, /Control code \d+:/, page)
    }
    const advice = await english.get(`${path}/advice`)
    assert.doesNotMatch(advice.text, /[Ww]ithholding tax/)
    assert.doesNotMatch((await english.get(path)).text, /rule \d/)
    await replaceTaxRules(office.ask, { classes: { STANDARD: 10 } })
    const taxed = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part)
    const advised = await english.get(`/liquidations/${taxed.json.data.liquidation_id}/advice`)
    assert.match(advised.text, /Withholding tax, 10 % of interest/)
  })

  test('begin with the letterhead, in the language of the customers', async () => {
    const english = await office.visit(await office.employ('SUPERVISOR'))
    const logo = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`
    const head = { name: 'Banque du Port', address: '1 Quai\nDakar', logo, language: 'fr' }
    await updateSender(db, office.callerId, head)
    const titles = new Set<string>()
    for (const path of letters) {
      const { text } = await english.get(path)
      titles.add(/<title>([^<]+)/.exec(text)![1]!)
      const letter = /<article[\s\S]*<\/article>/.exec(text)![0]
      assert.match(letter, /^<article class="advice card" lang="fr-FR">/)
      for (const part of ['Banque du Port', '1 Quai\nDakar', `src="${logo}"`, 'Cachet et signature'])
        assert(letter.includes(part), `${part} in ${path}`)
      assert.match(letter, /data-print>Print</)
    }
    assert.equal(titles.size, letters.length)
    const certificate = await office.app.inject({
      url: `/v2/fixed-deposits/${depositId}/certificate`,
      headers: { accept: 'text/html', authorization: `Bearer ${office.testKey}` },
    })
    assert.match(certificate.body, /Certificat de dépôt à terme/)
    assert(certificate.body.includes(`src="${logo}"`))
    assert.match(String(certificate.headers['content-security-policy']), /img-src data:/)
    const { text } = await english.get('/report')
    assert.match(text, /<div class="on-paper"><div class="sender">[\s\S]*Banque du Port/)
    assert.match(text, /Stamp and signature of the bank/)
  })

  test('in a browser: one sheet of A4 each, with the letterhead and without the console', {
    skip: browserAbsence,
  }, async () => {
    const supervisor = await office.visit(await office.employ('SUPERVISOR'))
    const origin = await office.listen()
    const browser = await openBrowser()
    try {
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      await lend(context, origin, supervisor)
      const tab = await context.newPage()
      for (const path of [...letters, '/report']) {
        await tab.emulateMedia({ media: 'screen', colorScheme: 'light' })
        await tab.goto(`${origin}/console${path}`)
        assert.deepEqual(await accessibilityFindings(tab), [], path)
        await tab.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await accessibilityFindings(tab, { contrast: 'alone' }), [], path)
        for (const width of [1360, 820, 390]) {
          await tab.setViewportSize({ width, height: 800 })
          assert(
            await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'),
            `${path} at ${width}`,
          )
        }
        await tab.emulateMedia({ media: 'print' })
        assert(await tab.locator('.sender').getByText('Banque du Port').isVisible(), path)
        assert(await tab.locator('.signature').isVisible(), path)
        // A long letter does not end on a page that has its signature alone, without the line before.
        const endings = `[...document.querySelectorAll('.ending')].map((end) => getComputedStyle(end).breakInside)`
        assert.deepEqual(await tab.evaluate(endings), path === '/report' ? [] : ['avoid'], path)
        assert.equal(
          await tab.locator('.side, .top, .filters, button').locator('visible=true').count(),
          0,
          path,
        )
        assert.equal(await tab.locator('details:not([open])').locator('visible=true').count(), 0, path)
        const paper = (await tab.pdf({ format: 'A4' })).toString('latin1')
        assert.equal([...paper.matchAll(/\/Type\s*\/Page\b/g)].length, 1, path)
      }
    } finally {
      await browser.close()
    }
  })
})
