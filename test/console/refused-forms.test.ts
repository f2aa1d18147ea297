/** What is wrong with a form is said in the language of the person, not in that of the API. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { engines, type TestDatabase } from '../support/engines.ts'
import { harbourFix, harbourSheet } from '../support/products.ts'
import { openDeposit } from '../support/service.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

describe('a form that is refused', () => {
  let db: TestDatabase
  let office: Office
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  const french = async (role: 'SUPERVISOR' | 'ADMINISTRATOR'): Promise<Visitor> => {
    const visitor = await office.visit(await office.employ(role))
    await visitor.post('/language', { language: 'fr' })
    return visitor
  }

  test('speaks French to those who chose it', async () => {
    const { depositId, accountNumber } = await openDeposit(office.ask, { amount: 1_000 })
    await office.ask('PUT', '/v2/products/HARBOUR', harbourFix)
    await office.ask('POST', '/v2/products/HARBOUR/rate-sheets', harbourSheet)
    const supervisor = await french('SUPERVISOR')
    const open = `/accounts/${accountNumber}/open-deposit`
    const terms = { product_code: 'HARBOUR', amount: '500', unit: 'MONTH' }
    const cases: [visitor: Visitor, path: string, form: Record<string, string>, sentence: RegExp][] = [
      [supervisor, open, { ...terms, tenor: 'douze' }, /id="tenor-error">Indiquez le nombre de mois/],
      [supervisor, open, { ...terms, tenor: '12', bonuses: '§' }, /Indiquez des références du produit/],
      [supervisor, open, { amount: '5', tenor: '30', interest_rate: '-1' }, /Indiquez le taux en pour cent/],
      [supervisor, '/calendar', { holidays: '2026-02-30' }, /Indiquez chaque jour de fermeture/],
      [
        supervisor,
        '/new-product',
        { product_code: 'X-1', tenor_min: 'x' },
        /id="tenor_min-error">Indiquez un nombre/,
      ],
      [
        supervisor,
        '/products/HARBOUR/sheet',
        { t0: '0', a0: '0', r0_0: 'huit' },
        /Indiquez un jour qui existe/,
      ],
      [supervisor, `/deposits/${depositId}/parties`, { mandate: 'X' }, /Quelque chose manque/],
      [
        await french('ADMINISTRATOR'),
        '/webhooks',
        { url: 'nowhere', events: 'all' },
        /Indiquez une adresse https:/,
      ],
    ]
    for (const [visitor, path, form, sentence] of cases) {
      const { text } = await visitor.post(path, { key: randomUUID(), ...form })
      assert.match(text, sentence, path)
      assert.doesNotMatch(text, /\b(Send|Leave|The field|The text|The number)\b/, path)
    }
  })
})
