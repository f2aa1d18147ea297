import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createService } from '../src/cli/compose.ts'
import { settingsMarkdown } from '../src/cli/config.ts'
import type { Database } from '../src/engine/database/database.ts'
import { buildServer } from '../src/http/server.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { engines } from './support/engines.ts'
import { createAsk, openDeposit, replaceRules, startService, testLimits } from './support/service.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const handbook = readFileSync(`${root}docs/operating.md`, 'utf8')

test('the handbook has the table of settings as the program reads them', () => {
  assert(handbook.includes(settingsMarkdown()), 'docs/operating.md holds what settingsMarkdown() prints')
})

test('the handbook names every metric of the service, and none that does not exist', async () => {
  const nothing = async () => []
  const db: Database = {
    isSharded: false,
    query: nothing,
    transaction: (work) => work({ query: nothing, write: () => {}, written: async () => {} }),
    script: async () => {},
    close: async () => {},
  }
  const service = createService({
    db,
    clock: () => new Date(),
    limits: { workers: 1, batchMax: 1, queueMax: 1 },
  })
  const app = await buildServer({ service, limits: testLimits, log: () => {}, metrics: createMetrics() })
  const { body } = await app.inject({ url: '/metrics' })
  await app.close()
  const reported = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
  const named = handbook.matchAll(/\b((?:breakwater|process|nodejs)_[a-z_]+?)(?:_bucket)?\b/g)
  const names = [...new Set([...named].map(([, name]) => name!))]
  const ours = (name: string) => name.startsWith('breakwater_')
  assert.deepEqual(names.filter(ours).sort(), reported.filter(ours).sort())
  assert.deepEqual(
    names.filter((name) => !reported.includes(name)),
    [],
  )
})

test('the handbook explains every event that is logged', () => {
  const events = globSync('src/**/*.ts', { cwd: root }).flatMap((path) => {
    const source = readFileSync(root + path, 'utf8')
    return [...source.matchAll(/\blog\(\s*[^()]+?,\s*'(\w+)'/g)].map(([, event]) => event!)
  })
  assert(events.includes('fault') && events.includes('request'))
  assert.deepEqual(
    events.filter((event) => !handbook.includes(`\`${event}\``)),
    [],
  )
})

test('every picture of a document exists and is small, and every picture is shown in one', () => {
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: root })]
  const shown = documents.flatMap((document) =>
    [...readFileSync(`${root}${document}`, 'utf8').matchAll(/\((?:docs\/)?(pictures\/[\w-]+\.png)\)/g)].map(
      ([, picture]) => `docs/${picture}`,
    ),
  )
  const taken = globSync('docs/pictures/*', { cwd: root })
  assert.deepEqual([...new Set(shown)].sort(), taken.sort())
  for (const picture of taken) assert(readFileSync(`${root}${picture}`).length <= 153_600, picture)
})

/** A request as desk.md writes it: the line, headers, the body, and what is answered. */
function readExample(block: string) {
  const [, method, url, headers, body, status, code] =
    /^(GET|POST|PUT) (\S+)\n((?:[\w-]+: .*\n)*)([\s\S]*?)\n?(\d{3})(?: (\w+))?\n$/.exec(block)!
  const pairs = headers!.split('\n').filter((line) => line !== '')
  return {
    method: method as 'GET' | 'POST' | 'PUT',
    url: url!,
    headers: Object.fromEntries(
      pairs.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    ),
    body: body!.trim() === '' ? undefined : body!,
    status: Number(status),
    code: code ?? null,
  }
}

for (const engine of engines) {
  test(`${engine.name}: every request of the guides works as it says`, { skip: engine.skip }, async () => {
    const db = await engine.open()
    const { app, ask, testKey, close } = await startService(db)
    try {
      await replaceRules(ask, {
        penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
      })
      const opened = await openDeposit(ask, { amount: 5_000_000, start_date: '2026-05-01' })
      const names = new Map([
        ['API_KEY', testKey],
        ['DEPOSIT_ID', opened.depositId],
        ['CUSTOMER_ID', opened.customerId],
      ])
      const named = (text: string) =>
        text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
          assert(names.has(name), `${name} is known by now`)
          return names.get(name)!
        })
      const sending = createAsk(app)(testKey)

      const desk = readFileSync(`${root}docs/desk.md`, 'utf8')
      const requests = [...desk.matchAll(/```http\n([\s\S]*?)```/g)].map(([, block]) => readExample(block!))
      assert(requests.length > 20)
      for (const { method, url, headers, body, status, code } of requests) {
        const more = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, named(value)]))
        const answer = await sending(method, named(url), body && named(body), more)
        assert.deepEqual(
          [answer.status, answer.json?.error?.code ?? null],
          [status, code],
          `${method} ${url}`,
        )
        const { data } = answer.json ?? {}
        for (const name of ['approval_id', 'lien_id', 'liquidation_id'])
          if (data?.[name] !== undefined) names.set(name.toUpperCase(), data[name])
        if (data?.key !== undefined) names.set('SECOND_KEY', data.key)
      }

      const guide = readFileSync(`${root}docs/api.md`, 'utf8')
      const commands = [...guide.matchAll(/```sh\ncurl ([\s\S]*?)```/g)].map(([, command]) => command!)
      assert(commands.length >= 3)
      for (const command of commands) {
        const [, method = 'GET'] = /-X (\w+)/.exec(command) ?? []
        const [, url] = /http:\/\/127\.0\.0\.1:8080([^\s"]+)/.exec(command)!
        const [, body] = /-d '([^']+)'/.exec(command) ?? []
        const pairs = [...command.matchAll(/-H ["']([\w-]+): ([^"']+)["']/g)]
        const headers = Object.fromEntries(
          pairs.map(([, name, value]) => [name!.toLowerCase(), named(value!)]),
        )
        const answer = await app.inject({
          method: method as 'GET',
          url: named(url!),
          headers,
          ...(body !== undefined && { payload: body }),
        })
        assert.equal(answer.statusCode, 200, `${command} ${answer.body}`)
        const { accept } = headers
        if (accept !== undefined) assert(String(answer.headers['content-type']).startsWith(accept))
      }
    } finally {
      await close()
      await db.close()
    }
  })
}
