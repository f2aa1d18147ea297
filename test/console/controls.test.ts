/** What holds for the controls of every page: a disabled one says why, and help says what the page is for. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { purposeOf } from '../../src/console/frame.ts'
import { pages } from '../../src/console/pages.ts'
import { consoleWords } from '../../src/console/words.ts'
import { ROLES, type Role } from '../../src/domain/people.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit, replaceRules } from '../support/service.ts'
import { furnish, type Ids, mayOpen, placesOf } from './every-page.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

describe('the controls of every page', () => {
  let db: TestDatabase
  let office: Office
  let ids: Ids
  const visitors = new Map<Role, Visitor>()
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    ids = await furnish(office)
    for (const role of ROLES) visitors.set(role, await office.visit(await office.employ(role)))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  const shownPages = (known: Ids) =>
    placesOf(known).filter(({ method, path }) => method === 'GET' && !path.endsWith('.csv'))

  /** Controls that cannot be used and do not say why, by an element of the page that is described. */
  const unexplained = (text: string) => {
    const disabled = [
      ...text.matchAll(/<(?:input|button|select|textarea|fieldset)\b[^>]*\s(?:aria-)?disabled\b[^>]*>/g),
    ]
    const silent = disabled.filter(([control]) => {
      const id = /aria-describedby="([^"]+)"/.exec(control)?.[1]
      const reason = id === undefined ? undefined : new RegExp(`id="${id}">([^<]+)<`).exec(text)?.[1]
      return reason === undefined || reason.trim() === '' || !/title="[^"]+"/.test(control)
    })
    return { seen: disabled.length, silent: silent.map(([control]) => control) }
  }

  test('a disabled control always says why, for everybody who sees it', async () => {
    // A deposit of which no part can be taken, because the rules say so, and one of which too little remains.
    await replaceRules(office.ask, { allow_partial: false })
    const whole = await openDeposit(office.ask, { amount: '5000.00' })
    await replaceRules(office.ask, { min_partial_amount: 900, min_remaining_principal: 900 })
    const small = await openDeposit(office.ask, { amount: '1000.00' })
    let seen = 0
    for (const known of [
      ids,
      { ...ids, deposit_id: whole.depositId },
      { ...ids, deposit_id: small.depositId },
    ]) {
      for (const place of shownPages(known)) {
        for (const role of ROLES.filter((one) => mayOpen(one, place))) {
          const found = unexplained((await visitors.get(role)!.get(place.url)).text)
          assert.deepEqual(found.silent, [], `${role} ${place.url}`)
          seen += found.seen
        }
      }
    }
    assert(seen >= 4, `${seen} disabled controls were seen`)
    const reasons = [
      [whole.depositId, /title="The rules of this deposit allow only all of it/],
      [small.depositId, /title="Too little remains/],
    ] as const
    for (const [depositId, reason] of reasons)
      assert.match((await visitors.get('CLERK')!.get(`/deposits/${depositId}`)).text, reason)
  })

  test('help says on every page what that page is for', async () => {
    const { purposes } = consoleWords.en.help
    const home = purposes['/']!
    for (const place of shownPages(ids)) {
      const role = ROLES.find((one) => mayOpen(one, place))!
      const { text } = await visitors.get(role)!.get(place.url)
      const help = /<dialog id="help"[\s\S]*?<p>([^<]+)<\/p>/.exec(text)?.[1]
      assert(help !== undefined, place.path)
      assert.equal(help === home, place.path === '/', `${place.path}: ${help}`)
    }
    // Also where a form answers with a page.
    for (const { path } of pages) assert(purposeOf(path, null, purposes).length > 20, path)
    const known = new Set(pages.map(({ path }) => path))
    const gone = Object.keys(purposes).filter(
      (path) => ![...known].some((one) => one === path || one.startsWith(path)),
    )
    assert.deepEqual(gone, [])
  })
})
