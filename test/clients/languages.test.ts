/** Runs the programs that the page shows as a reader would: from a file, with a key, against a running service. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { endOf, openDirectory, runProgram } from '../install/installed.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { findProgram } from '../support/programs.ts'
import { openDeposit, startService, type TestService } from '../support/service.ts'
import { clientEnv, PROGRAMS, placeClients, ROOT, TSC } from './placed.ts'

const folder = await openDirectory({ after })
let db: TestDatabase
let bank: TestService
let page: string
before(async () => {
  db = await engines[0]!.open()
  bank = await startService(db)
  await bank.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = bank.app.server.address() as AddressInfo
  page = (await bank.app.inject({ url: '/docs', headers: { host: `127.0.0.1:${port}` } })).body
  await placeClients(folder)
})
after(async () => {
  await bank?.close()
  await db?.close()
})

for (const { name, file, program, given } of PROGRAMS) {
  const skip = program === undefined && `there is no ${name} on this machine`
  test(`the ${name} programs break a deposit and change a customer`, { skip }, async () => {
    const { depositId, customerId } = await openDeposit(bank.ask, { amount: 500_000 })
    const perform = async (operationId: string, title: string, key = bank.testKey) => {
      const sample = programs(name).find((one) => one.operationId === operationId && one.title === title)!
      const code = sample.code
        .replaceAll(/fd_[0-9A-Za-z]{24}/g, depositId)
        .replaceAll(/cus_[0-9A-Za-z]{24}/g, customerId)
      const path = join(folder, file)
      await writeFile(path, code)
      const { stdout, stderr } = await endOf(program!, [...given, path], { cwd: folder, env: clientEnv(key) })
      return stdout + stderr
    }
    const depositNow = async () => (await bank.ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data

    const part = await perform('liquidateFixedDeposit', 'Request PARTIAL')
    assert.match(part, /\b100000\.00\b/, 'both decimals of an amount are kept')
    assert.equal((await depositNow()).remaining_principal, 400_000)
    await perform('liquidateFixedDeposit', 'Request FULL')
    assert.equal((await depositNow()).status, 'LIQUIDATED')
    assert.match(await perform('liquidateFixedDeposit', 'Request FULL'), /is not active/)

    assert.match(await perform('updateCustomer', 'Request'), /ada@example\.com/)
    const customer = await bank.ask('GET', `/v2/customer/${customerId}`)
    assert.equal(customer.json.data.email, 'ada@example.com')
    assert.match(await perform('updateCustomer', 'Request', 'bw_test_unknown'), /API key/)

    await perform('putProduct', 'Request')
    const product = await bank.ask('GET', '/v2/products/HARBOUR-FIX')
    assert.deepEqual(
      product.json.data.bonuses,
      { SENIOR: 0.5, STAFF: 1 },
      'names of the caller keep their decimals',
    )
  })
}

test('the programs of every operation compile, with the types of the clients', async () => {
  for (const path of await writeAll('curl', (at) => `${at}.sh`)) await runProgram('sh', ['-n', path])
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8'))
  const files = await writeAll('TypeScript', (at) => `${at}.ts`)
  const options = { ...compilerOptions, typeRoots: [join(ROOT, 'node_modules/@types')] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
  await runProgram(TSC, ['-p', folder])
  if (findProgram('go') === undefined) return
  const paths = await writeAll('Go', (at) => `go${at}/main.go`)
  assert.equal(await runProgram('gofmt', ['-l', ...paths]), '', 'gofmt would write these otherwise')
  await runProgram('go', ['vet', '-buildvcs=false', './go...'], { cwd: folder })
})

/** Python finds a wrong name only when it gets there. A refusal of the service is none. */
const RUN_ALL = `
import runpy, sys
from breakwater import BreakwaterError
for path in sys.argv[1:]:
    try:
        runpy.run_path(path)
    except BreakwaterError as error:
        assert error.status >= 400, path
`

test('the Python programs of every operation run', {
  skip: findProgram('python3') === undefined && 'there is no Python on this machine',
}, async () => {
  const paths = await writeAll('Python', (at) => `${at}.py`)
  await runProgram('python3', ['-c', RUN_ALL, ...paths], { cwd: folder, env: clientEnv(bank.testKey) })
})

async function writeAll(language: string, nameOf: (at: number) => string): Promise<string[]> {
  const codes = programs(language).map(({ code }) => code)
  assert(codes.length > 100)
  return Promise.all(
    codes.map(async (code, at) => {
      const path = join(folder, nameOf(at))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `${code}\n`)
      return path
    }),
  )
}

/** What the page shows, as text. */
function programs(language: string): { operationId: string; title: string; code: string }[] {
  return page.split('<article id="').flatMap((article) =>
    [...article.matchAll(/<pre class="program \w+" aria-label="([^"]+) in (\w+)"[^>]*><code>(.*?)<\/code>/gs)]
      .filter(([, , name]) => name === language)
      .map(([, title, , code]) => ({
        operationId: article.slice(0, article.indexOf('"')),
        title: title!,
        code: code!
          .replaceAll(/<[^>]+>/g, '')
          .replaceAll(/&#(\d+);/g, (_, character) => String.fromCharCode(Number(character))),
      })),
  )
}
