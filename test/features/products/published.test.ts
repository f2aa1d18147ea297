/** The worked examples of docs/products.md: the service opens each deposit, and the page has the figures it gives. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { type Ask, ada, startService } from '../../support/service.ts'

const page = readFileSync(new URL('../../../docs/products.md', import.meta.url), 'utf8')
const START = '2024-01-15'

type Example = {
  product: { currency?: string; rules?: object }
  rate_sheet: object
  opening: { amount: number }
  broken_on: string | null
}

const chapter = page.slice(page.indexOf('## Ten published products'))
const [preface, ...sections] = chapter.split('\n### ')
const jsonIn = (text: string) => JSON.parse(/```json\n([\s\S]*?)```/.exec(text)![1]!)
const base = jsonIn(preface!)

const rowIn = (text: string): string[] => {
  const row = text.trimEnd().split('\n').at(-1)!
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

const amountText = (amount: number | undefined) =>
  amount === undefined
    ? '–'
    : amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

async function figuresOf(ask: Ask, code: string, example: Example): Promise<string[]> {
  const { product, rate_sheet, opening, broken_on } = example
  const { currency = base.currency, rules = {} } = product
  const document = { ...base, ...product, rules: { ...base.rules, ...rules } }
  const put = await ask('PUT', `/v2/products/${code}`, document)
  assert.equal(put.status, 200, put.text)
  const added = await ask('POST', `/v2/products/${code}/rate-sheets`, {
    effective_from: START,
    ...rate_sheet,
  })
  assert.equal(added.status, 201, added.text)
  const quoted = await ask('POST', `/v2/products/${code}/quote`, opening)
  assert.equal(quoted.status, 200, quoted.text)
  const { interest_rate, expected_interest, schedule, effective_annual_rate } = quoted.json.data
  const first = schedule.length > 1 ? schedule[0].interest : undefined

  const person = { ...ada, email: `${code.toLowerCase()}@example.com` }
  const { customer_id } = (await ask('POST', '/v2/customer', person)).json.data
  const { account_number } = (await ask('POST', '/v2/accounts', { customer_id, currency })).json.data
  await ask('POST', `/v2/accounts/${account_number}/credits`, { amount: opening.amount })
  const opened = await ask('POST', '/v2/fixed-deposits', { account_number, product_code: code, ...opening })
  assert.equal(opened.status, 201, opened.text)
  const broken = await ask('POST', `/v2/fixed-deposits/${opened.json.data.deposit_id}/liquidation-quote`, {
    liquidation_type: 'FULL',
    as_of: broken_on ?? '2024-12-31',
  })
  assert.equal(broken.json.error?.code ?? null, broken_on === null ? 'liquidation_locked' : null, broken.text)
  const { penal_assessed, net_credited } = broken.json.data ?? {}
  return [
    String(interest_rate),
    amountText(expected_interest),
    amountText(first),
    amountText(effective_annual_rate),
    broken_on ?? '–',
    amountText(penal_assessed),
    amountText(net_credited),
  ]
}

test('ten products of other banks pay what the page says', async () => {
  assert.equal(sections.length, 10)
  const db = await engines[0]!.open()
  const { ask, clock, close } = await startService(db)
  clock.now = new Date(`${START}T10:00:00.000Z`)
  try {
    for (const [index, section] of sections.entries()) {
      const [title] = section.split('\n')
      assert.deepEqual(rowIn(section), await figuresOf(ask, `BANK-${index}`, jsonIn(section)), title)
    }
  } finally {
    await close()
    await db.close()
  }
})
