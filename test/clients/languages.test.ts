/** Runs the programs that the page shows as a reader would: from a file, with a key, against a running service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { engines, type TestDatabase } from '../support/engines.ts'
import { findProgram } from '../support/programs.ts'
import { openDeposit, startService, type TestService } from '../support/service.ts'

const run = promisify(execFile)
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor

let db: TestDatabase
let bank: TestService
let folder: string
let page: string
before(async () => {
  db = await engines[0]!.open()
  bank = await startService(db)
  await bank.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = bank.app.server.address() as AddressInfo
  page = (await bank.app.inject({ url: '/docs', headers: { host: `127.0.0.1:${port}` } })).body
  folder = await mkdtemp(join(tmpdir(), 'breakwater-samples-'))
})
after(async () => {
  await bank?.close()
  await db?.close()
  await rm(folder, { recursive: true })
})

const languages = [
  { name: 'curl', file: 'sample.sh', program: findProgram('curl') && 'sh', given: [] },
  { name: 'TypeScript', file: 'sample.ts', program: process.execPath, given: [] },
  { name: 'Python', file: 'sample.py', program: findProgram('python3'), given: [] },
  { name: 'Go', file: 'sample.go', program: findProgram('go'), given: ['run'] },
]

for (const { name, file, program, given } of languages) {
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
      const env = { ...process.env, API_KEY: key, NO_PROXY: '*', no_proxy: '*' }
      return (await run(program!, [...given, path], { env })).stdout
    }
    const depositNow = async () => (await bank.ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data

    const part = await perform('liquidateFixedDeposit', 'Request PARTIAL')
    assert.match(part, /partially liquidated/)
    assert.match(part, name === 'Python' ? /Decimal\('100000\.00'\)/ : /\b100000\b/)
    assert.equal((await depositNow()).remaining_principal, 400_000)
    await perform('liquidateFixedDeposit', 'Request FULL')
    assert.equal((await depositNow()).status, 'LIQUIDATED')
    assert.match(await perform('liquidateFixedDeposit', 'Request FULL'), /deposit_not_active/)

    assert.match(await perform('updateCustomer', 'Request'), /ada@example\.com/)
    const customer = await bank.ask('GET', `/v2/customer/${customerId}`)
    assert.equal(customer.json.data.email, 'ada@example.com')
    assert.match(await perform('updateCustomer', 'Request', 'bw_test_unknown'), /invalid_api_key/)
  })
}

test('the programs of every operation are well-formed', async () => {
  const write = async (language: string, extension: string) => {
    const codes = programs(language).map(({ code }) => code)
    assert(codes.length > 40)
    const paths = codes.map((_, index) => join(folder, `${index}.${extension}`))
    await Promise.all(paths.map((path, index) => writeFile(path, `${codes[index]!}\n`)))
    return paths
  }
  for (const { code } of programs('TypeScript')) new AsyncFunction(code)
  for (const path of await write('curl', 'sh')) await run('sh', ['-n', path])
  if (findProgram('python3')) {
    const parse = 'import ast, sys; [ast.parse(open(path).read()) for path in sys.argv[1:]]'
    await run('python3', ['-c', parse, ...(await write('Python', 'py'))])
  }
  if (findProgram('gofmt')) {
    const { stdout } = await run('gofmt', ['-l', ...(await write('Go', 'go'))])
    assert.equal(stdout, '', 'gofmt would write these otherwise')
  }
})

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
