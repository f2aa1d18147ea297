/**
 * What holds for every list of the console, whichever is added: filters in the address, order by the server over all
 * rows, totals, the same as a file, and pages that begin where the last one ended.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pages } from '../../src/console/pages.ts'
import { ROLES, type Role } from '../../src/domain/people.ts'
import { create } from '../support/batches.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { harbourFix } from '../support/products.ts'
import { type Ask, openDeposit, replaceRules, replaceTaxRules } from '../support/service.ts'
import { furnish, type Ids, type Place, placesOf, roleFor } from './every-page.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

/** Every list; the deliveries are those of one address. */
const LISTS = [
  ...['/deposits', '/liquidations', '/liens', '/ledger', '/tax', '/customers', '/accounts'],
  ...['/requests', '/products', '/batches', '/audit', '/access', '/access/keys', '/webhooks'],
  '/webhooks/:webhook_endpoint_id',
]

/** Tables of records that are a part of a page, with what has all of their rows. */
const PARTS: Record<string, string> = {
  '/': 'the nearest and newest; each leads to its list',
  '/search': 'what a search found, best first',
  '/customers/:customer_id': 'the newest; /deposits and /accounts have all by customer',
  '/deposits/:deposit_id': 'the newest payments; /ledger has all entries',
  '/batches/new': 'the columns that a file may have',
  '/batches/:batch_id': 'the first lines that failed; the file has all',
  '/accounting': 'the codes of one document, and the last closed days',
  '/me': 'the sessions and browsers of one person',
  '/me/factors': 'the second factors of one person',
  '/policy': 'the rules of one document',
  '/rules': 'the rules of one document',
  '/accounts/:account_number/open-deposit': 'a preview',
}

/** Others see those that they asked for or could have sent. */
const ALL_SEEN_BY_SUPERVISORS = ['/requests', '/batches']

const ROWS = 52
const PAGE = 50

for (const engine of engines) {
  describe(`${engine.name}: every list`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let ids: Ids
    const visitors = new Map<Role, Visitor>()
    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      ids = await furnish(office)
      for (const role of ROLES) visitors.set(role, await office.visit(await office.employ(role)))
      await fill(office, visitors.get('ADMINISTRATOR')!)
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })

    const shown = () => placesOf(ids).filter(({ method, path }) => method === 'GET' && !path.endsWith('.csv'))
    const visitorOf = (place: Place) =>
      visitors.get(ALL_SEEN_BY_SUPERVISORS.includes(place.path) ? 'SUPERVISOR' : roleFor(place))!
    const lists = () => shown().filter(({ path }) => LISTS.includes(path))
    const open = async (place: Place, query = '') => {
      const answer = await visitorOf(place).get(`${place.url}?${withAll(place, query)}`)
      assert.equal(answer.status, 200, `${place.path}?${query}`)
      return answer.text
    }
    const fileOf = async (place: Place, text: string) => {
      const answer = await visitorOf(place).get(fileLinkOf(text))
      assert.match(String(answer.headers['content-disposition']), /^attachment; filename="[\w.-]+\.csv"$/)
      return csvRows(answer.text)
    }

    test('is one of these lists, or a part of a page that says where all of its rows are', async () => {
      const found: string[] = []
      for (const place of shown()) {
        const text = await open(place)
        if (/<table class="rows"/.test(text)) found.push(place.path)
      }
      assert.deepEqual(
        found.filter((path) => PARTS[path] === undefined).toSorted(),
        LISTS.toSorted(),
        'a new table of records is a list, or says in PARTS why it is none',
      )
    })

    test('has its filters in the address, and in that of its file', async () => {
      for (const place of lists()) {
        const fields = fieldsOf(await open(place))
        assert(fields.size > 0, place.path)
        for (const [name, value] of fields) {
          const text = await open(place, `${name}=${encodeURIComponent(value)}`)
          assert.equal(fieldsOf(text, 'chosen').get(name), value, `${place.path} ${name}`)
          assert.equal(new URLSearchParams(fileLinkOf(text).split('?')[1]).get(name), value)
        }
      }
    })

    test('adds up all that the filters let through, and its file has exactly that', async () => {
      for (const place of lists()) {
        const text = await open(place)
        const [, ...rows] = await fileOf(place, text)
        assert(rows.length > PAGE, `${place.path} ${rows.length}`)
        assert.equal(countOf(text), rows.length, place.path)
      }
    })

    test('is sorted by the server over all rows, both ways, and so is its file', async () => {
      for (const place of lists()) {
        const keys = new Set([...(await open(place)).matchAll(/[?;&]sort=-?(\w+)"/g)].map(([, key]) => key!))
        assert(keys.size > 0, place.path)
        for (const key of keys) {
          const [up, down] = [await open(place, `sort=${key}`), await open(place, `sort=-${key}`)]
          assert.match(up, /aria-sort="ascending"/, `${place.path} ${key}`)
          assert.match(down, /aria-sort="descending"/, `${place.path} ${key}`)
          const [rising, falling] = [await fileOf(place, up), await fileOf(place, down)]
          const valuesOf = ([head, ...rows]: string[][]) => {
            const column = head!.indexOf(key)
            assert(column >= 0, `${place.path}: the file has no column ${key}`)
            return rows.map((row) => row[column]!).filter((value) => value !== '')
          }
          assert.deepEqual(valuesOf(rising), valuesOf(falling).toReversed(), `${place.path} ${key}`)
          assert.deepEqual(rising.slice(1).flat().toSorted(), falling.slice(1).flat().toSorted())
        }
      }
    })

    test('begins the next page where the last one ended, in each order', async () => {
      for (const place of lists()) {
        const first = await open(place)
        const key = /[?;&]sort=(-?\w+)"/.exec(first)![1]!
        for (const start of [first, await open(place, `sort=${key}`)]) {
          const [, ...all] = await fileOf(place, start)
          let [text, rows, turned] = [start, rowsOf(start), 1]
          for (let next = nextOf(text); next !== null; next = nextOf(text), turned += 1) {
            text = (await visitorOf(place).get(next)).text
            assert.match(text, /First page/, place.path)
            assert.equal(countOf(text), all.length, `${place.path}: the totals stay those of all pages`)
            rows = [...rows, ...rowsOf(text)]
          }
          assert.equal(turned, Math.ceil(all.length / PAGE), place.path)
          assert.equal(rows.length, all.length, place.path)
        }
      }
    })
  })
}

test('every list has the page of its file', () => {
  const files = pages.filter(({ path }) => path.endsWith('.csv')).map(({ path }) => path)
  for (const list of LISTS) {
    const own =
      { '/access': '/access/people', '/webhooks/:webhook_endpoint_id': `${list}/deliveries` }[list] ?? list
    assert(files.includes(`${own}.csv`), list)
  }
})

/** More of everything than a page shows. */
async function fill(office: Office, administrator: Visitor): Promise<void> {
  const { ask } = office
  await replaceRules(ask, { penal_rules: [] })
  await replaceTaxRules(ask)
  const times = Array.from({ length: ROWS }, (_, index) => index)
  for (const index of times) {
    await oneOfEach(ask, index)
    await administrator.post('/webhooks', { url: `https://example.com/hook/${index}` })
    await office.invite({ email: `person-${index}@example.com`, name: `Person ${index}` })
  }
}

async function oneOfEach(ask: Ask, index: number): Promise<void> {
  const made = async (method: 'POST' | 'PUT', path: string, body?: object) => {
    const answer = await ask(method, path, body)
    assert(answer.status < 300, `${path} ${answer.text}`)
    return answer.json.data
  }
  const { depositId } = await openDeposit(ask, {
    ...{ amount: `${1_000_000 + index * 1000}.00`, start_date: '2026-03-23' },
    interest_rate: 5 + (index % 7),
  })
  await made('POST', `/v2/fixed-deposits/${depositId}/liens`, { amount: 10 + index, reason: `Loan ${index}` })
  const body = { liquidation_type: 'PARTIAL', amount: 1000 + index }
  await made('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
  await made('POST', '/v2/approvals', {
    ...{ operation: 'liquidateFixedDeposit', target_id: depositId },
    body,
  })
  await made('POST', '/v2/api-keys', { name: `Key ${index}`, scopes: ['customers:read'] })
  await made('PUT', `/v2/products/PRODUCT-${index}`, { ...harbourFix, name: `Product ${index}` })
  const batchId = await create(ask, 'creditAccount', { name: `Batch ${index}` })
  await made('POST', `/v2/batches/${batchId}/cancel`)
}

/** Requests are one's own where nothing else is asked for. */
function withAll({ path }: Place, query: string): string {
  return path === '/requests' && !query.includes('whose=') ? `whose=all&${query}` : query
}

const TABLE = /<table class="rows">[\s\S]*?<\/table>/

function rowsOf(text: string): string[] {
  return [...(TABLE.exec(text)?.[0] ?? '').matchAll(/<tr[ >]/g)].slice(1).map(([row]) => row)
}

function plain(href: string): string {
  return href.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
}

function fileLinkOf(text: string): string {
  const head = text.slice(0, text.indexOf('<form class="filters"'))
  return plain(/href="(\/console\/[^"]+\.csv\?[^"]*)">Download CSV</.exec(head)![1]!)
}

function nextOf(text: string): string | null {
  const next = /rel="next" href="([^"]+)"/.exec(text)
  return next && plain(next[1]!)
}

/** How many rows the totals include, in all currencies. */
function countOf(text: string): number {
  const lines = [
    ...text.matchAll(/<p class="inset sums"><span>(?:Sum of all )?([\d,]+)(?:, [A-Z]{3}| in all)</g),
  ]
  return lines.reduce((sum, [, rows]) => sum + Number(rows!.replaceAll(',', '')), 0)
}

/** Something to choose for each filter, or what is chosen. */
function fieldsOf(text: string, wanted: 'offered' | 'chosen' = 'offered'): Map<string, string> {
  const form = /<form class="filters"[\s\S]*?<\/form>/.exec(text)![0]
  const inputs = [...form.matchAll(/<input id="\w+" name="(\w+)"([^>]*)>/g)].map(([, name, rest]) => {
    const value = /value="([^"]*)"/.exec(rest!)?.[1] ?? ''
    return [name!, wanted === 'chosen' ? value : /type="date"/.test(rest!) ? '2026-05-01' : 'xyz'] as const
  })
  const selects = [...form.matchAll(/<select id="\w+" name="(\w+)"[\s\S]*?<\/select>/g)].map(
    ([all, name]) => {
      const options = [...all.matchAll(/<option value="([^"]*)"( selected)?/g)]
      const chosen = options.find(([, , selected]) => selected !== undefined)
      return [name!, (wanted === 'chosen' ? chosen : options.at(-1))?.[1] ?? ''] as const
    },
  )
  return new Map([...inputs, ...selects])
}

/** RFC 4180. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && rows.at(-1)!.length === 0) break
    rows.at(-1)!.push(quoted === undefined ? bare! : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}
