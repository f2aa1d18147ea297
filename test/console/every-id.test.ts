/** Every identifier is a link that opens, every figure of a report leads to its rows, and tabs can be told apart. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ROLES, type Role } from '../../src/domain/people.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { furnish, type Ids, mayOpen, placesOf } from './every-page.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

describe('every page of a bank', () => {
  let db: TestDatabase
  let office: Office
  let banks: Ids[]
  const visitors = new Map<Role, Visitor>()
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    // The same again: the second of each is named, and costs, what the first does.
    banks = [await furnish(office), await furnish(office)]
    const body = { decision: 'refuse', note: 'No' }
    for (const role of ROLES) visitors.set(role, await office.visit(await office.employ(role)))
    await visitors.get('SUPERVISOR')!.post(`/approvals/${banks[0]!.approval_id}/decide`, body)
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  const shown = (ids: Ids) =>
    placesOf(ids).filter(({ method, path }) => method === 'GET' && !path.endsWith('.csv'))

  test('has a title of its own', async () => {
    const titles = new Map<string, string>()
    for (const place of banks.flatMap(shown)) {
      const role = ROLES.find((one) => mayOpen(one, place))!
      const { text } = await visitors.get(role)!.get(place.url)
      const title = /<title>([^<]+)<\/title>/.exec(text)![1]!
      const other = titles.get(title) ?? place.url
      assert.equal(other, place.url, `${title} is the title of both`)
      titles.set(title, place.url)
    }
    assert(titles.size > 60, `${titles.size}`)
  })

  test('shows every identifier but its own inside a link', async () => {
    const loose: string[] = []
    let linked = 0
    for (const place of banks.flatMap(shown)) {
      for (const role of ROLES.filter((one) => mayOpen(one, place))) {
        const { text } = await visitors.get(role)!.get(place.url)
        linked += idsIn(inLinks(text)).length
        const found = idsIn(outsideLinks(text)).filter((id) => !place.url.includes(id))
        loose.push(...found.map((id) => `${role} ${place.path}: ${id}`))
      }
    }
    assert.deepEqual([...new Set(loose)], [])
    assert(linked > 50, `${linked}`)
  })

  test('leads by the links of identifiers to pages that exist', async () => {
    const followed = new Set<string>()
    for (const role of ['SUPERVISOR', 'ADMINISTRATOR'] as const) {
      const visitor = visitors.get(role)!
      for (const place of shown(banks[0]!).filter((one) => mayOpen(role, one))) {
        const { text } = await visitor.get(place.url)
        for (const [, href] of text.matchAll(/<a href="(\/console\/[^"]+)"><code>\w+_/g)) {
          if (followed.has(href!)) continue
          followed.add(href!)
          const { status } = await visitor.get(href!.replaceAll('&#38;', '&'))
          // A supervisor reads of keys and people in the audit log, and administrators of deposits.
          assert(status === 200 || status === 403, `${place.path} ${href} ${status}`)
        }
      }
    }
    assert(followed.size > 10, `${followed.size}`)
  })

  test('about what belongs to a customer leads to that customer, by name in lists', async () => {
    const supervisor = visitors.get('SUPERVISOR')!
    const { account_number, liquidation_id, customer_id } = banks[0]!
    const customer = new RegExp(`<a href="/console/customers/${customer_id}">[A-Z]`)
    const account = `/accounts/${account_number}`
    for (const path of [
      ...[account, `${account}/open-deposit`, `/liquidations/${liquidation_id}`],
      ...['/liquidations', '/liens'],
    ]) {
      assert.match((await supervisor.get(path)).text, customer, path)
    }
    const credits = await supervisor.get('/ledger?kind=CREDIT')
    assert.match(credits.text, new RegExp(`data-name="Record"><a href="/console${account}">`))
    // Everybody sees where their requests will be.
    for (const visitor of visitors.values()) {
      assert.match((await visitor.get('/')).text, /You have asked for nothing yet/)
    }
  })

  test('of a report has figures that lead to their rows', async () => {
    const supervisor = visitors.get('SUPERVISOR')!
    const { text } = await supervisor.get('/report')
    const figures = [...text.matchAll(/<dl class="figures many">[\s\S]*?<\/dl>/g)]
      .map(([all]) => all)
      .join('')
    const all = [...figures.matchAll(/<dd[^>]*>/g)].length
    const links = [...figures.matchAll(/<dd><a href="([^"]+)"/g)].map(([, link]) => link!)
    // All but whether the ledger balanced when it was verified.
    assert.equal(links.length, all - 1)
    for (const link of links) {
      assert.equal((await supervisor.get(link.replaceAll('&#38;', '&'))).status, 200, link)
    }
  })
})

/** Of records; a request of the API is none. */
const ID = /\b(?:apr|bat|cus|evt|fd|key|le|lien|liq|per|we)_\w{12,}|\b\d{10}\b/g

function idsIn(text: string): string[] {
  return text.match(ID) ?? []
}

/**
 * What staff read: not what they fill in, not the payload of an event or a document in JSON, not letters, which are for
 * customers, and not the questions of dialogs, from which a link would lead away from a form that is filled in.
 */
function readable(page: string): string {
  return page.replace(/<(script|textarea|pre|select|title|article|dialog)\b[\s\S]*?<\/\1>/g, '')
}

function inLinks(page: string): string {
  return textOf([...readable(page).matchAll(/<a\b[\s\S]*?<\/a>/g)].map(([link]) => link).join('\n'))
}

function outsideLinks(page: string): string {
  return textOf(readable(page).replace(/<a\b[\s\S]*?<\/a>/g, '\n'))
}

function textOf(markup: string): string {
  return markup.replace(/<[^>]*>/g, '\n')
}
