import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines } from '../support/engines.ts'
import { lend, openConsole } from './office.ts'

test('a question mark shows the keys and what the page is for, and not while somebody types', {
  skip: browserAbsence,
}, async () => {
  const db = await engines[0]!.open()
  const office = await openConsole(db)
  const browser = await openBrowser()
  try {
    const clerk = await office.visit(await office.employ('CLERK'))
    const origin = await office.listen()
    const context = await browser.newContext()
    await lend(context, origin, clerk)
    const tab = await context.newPage()
    await tab.goto(`${origin}/console/deposits`)
    await tab.keyboard.press('?')
    const help = tab.locator('dialog#help[open]')
    assert.match(await help.innerText(), /Open, break and hold deposits/)
    assert.match(await help.innerText(), /g c\s+Go to: Customers/)
    assert.doesNotMatch(await help.innerText(), /Webhooks/)
    assert.equal(await tab.locator(':focus').innerText(), 'Close')
    assert.deepEqual(await accessibilityFindings(tab), [])
    await tab.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    await tab.keyboard.press('/')
    await tab.keyboard.type('?')
    assert.equal(await help.count(), 0)
    assert.equal(await tab.locator('#find').inputValue(), '?')
  } finally {
    await browser.close()
    await office.close()
    await db.close()
  }
})
