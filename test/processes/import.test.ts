/** A bank that arrives: its files are checked, taken over once, and proved by totals. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startBatchJob } from '../../src/features/batches/job.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { errors } from '../../src/wire/errors.ts'
import { launch, run, temporaryDirectory } from '../cli/program.ts'
import { commandsOf } from '../support/documents.ts'
import { engines } from '../support/engines.ts'
import { issueKey } from '../support/keys.ts'
import { setPolicy } from '../support/policy.ts'
import { startService } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'examples/import')

async function startBank(t: TestContext, engine: (typeof engines)[number]) {
  const db = await engine.open()
  const bank = await startService(db)
  const url = await bank.app.listen({ host: '127.0.0.1', port: 0 })
  const startJob = () => {
    const job = startBatchJob({
      engine: bank.service,
      everySeconds: 0.05,
      log: (_, event) => assert.fail(event),
    })
    t.after(() => job.stop())
  }
  t.after(async () => {
    await bank.close()
    await db.close()
  })
  return { ...bank, url, startJob }
}

type Bank = Awaited<ReturnType<typeof startBank>>

const MAPPING = `
customers:
  external_id: id
  first_name: first
  last_name: last
  email: email
  phone_number: phone
  address: address
accounts:
  external_id: id
  customer_external_id: owner
  account_number: number
  currency: currency
  balance: balance
deposits:
  external_id: id
  account_external_id: account
  product_code: product
  principal: principal
  interest_rate: rate
  tenor: days
  start_date: start
`
const CUSTOMERS = `id,first,last,email,phone,address
C1,Ada,Obi,ada@example.com,+234 801 234 5678,1 Marina Road
C2,Ife,Ojo,ife@example.com,+234 801 234 5679,2 Marina Road
`
const ACCOUNTS = `id,owner,number,currency,balance
A1,C1,7000000001,NGN,100.25
A2,C2,,NGN,0
`
const DEPOSITS = `id,account,product,principal,rate,days,start
D1,A1,,5000,12,365,2026-02-01
D2,A2,,70000.50,10.5,180,2026-05-05
`

async function writeFiles(t: TestContext, changes: Partial<Record<string, string>> = {}) {
  const directory = await temporaryDirectory(t)
  const files = { customers: CUSTOMERS, accounts: ACCOUNTS, deposits: DEPOSITS, ...changes }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, `${name}.csv`), text!)
  writeFileSync(join(directory, 'mapping.yaml'), changes.mapping ?? MAPPING)
  const paths = ['customers', 'accounts', 'deposits'].map((name) => join(directory, `${name}.csv`))
  return { directory, args: ['import', ...paths, '--map', join(directory, 'mapping.yaml')] }
}

const command = ({ url, testKey }: Bank, args: readonly string[]) =>
  run([...args, '--url', url], { BREAKWATER_KEY: testKey, NODE_NO_WARNINGS: '1' })

const count = async ({ ask }: Bank, path: string) =>
  (await ask('GET', `${path}?limit=100`)).json.data.length as number

for (const engine of engines) {
  test(`${engine.name}: the commands of the example work as they say`, { skip: engine.skip }, async (t) => {
    const bank = await startBank(t, engine)
    bank.startJob()
    const bin = await temporaryDirectory(t)
    writeFileSync(join(bin, 'breakwater'), `#!/bin/sh\nexec node '${root}/src/cli/main.ts' "$@"\n`)
    chmodSync(join(bin, 'breakwater'), 0o755)
    const guide = readFileSync(join(folder, 'README.md'), 'utf8')
    const script = commandsOf('examples/import/README.md', 'sh').join('\n')
    const page = join(bin, 'totals.html')
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-ec', script.replace('totals.html', `'${page}'`)],
      {
        cwd: folder,
        env: {
          PATH: `${bin}:${process.env.PATH}`,
          BREAKWATER: bank.url,
          BREAKWATER_KEY: bank.testKey,
          NODE_NO_WARNINGS: '1',
        },
      },
    )
    const [, expected] = /```text\n(clients\.csv[\s\S]*?)```/.exec(guide)!
    assert(stdout.startsWith(expected!), stdout)
    assert.equal(stdout.match(/^All totals agree\.$/gm)?.length, 2, stdout)
    assert.match(stdout, /^Principal +MONTHLY-INCOME +NGN +2 +575,000\.00 +2 +575,000\.00 +yes$/m)
    assert.match(stdout, /^Interest paid +DAT-AVANCE +XOF +1 +157,500\.00 +1 +157,500\.00 +yes$/m)
    assert.match(readFileSync(page, 'utf8'), /all totals agree[\s\S]*<td class="num">1,454,311\.25<\/td>/)
    assert.equal(await count(bank, '/v2/customer'), 7)
    const { json } = await bank.ask('GET', '/v2/fixed-deposits?external_id=000000021')
    const { interest_paid_out, interest_paid_to, remaining_principal, metadata } = json.data[0]
    assert.deepEqual(
      { interest_paid_out, interest_paid_to, remaining_principal, metadata },
      {
        interest_paid_out: 25_150.68,
        interest_paid_to: '2025-10-15',
        remaining_principal: 500_000,
        metadata: {},
      },
    )
  })

  test(`${engine.name}: a run that was stopped goes on, and no line takes effect twice`, {
    skip: engine.skip,
  }, async (t) => {
    const bank = await startBank(t, engine)
    const { args } = await writeFiles(t)
    const stopped = launch([...args, '--url', bank.url], { BREAKWATER_KEY: bank.testKey })
    while ((await bank.ask('GET', '/v2/batches')).json.data[0]?.status !== 'RUNNING') await sleep(20)
    stopped.child.kill('SIGKILL')
    bank.startJob()
    for (const _ of [1, 2]) {
      const ended = await command(bank, args)
      assert.equal(ended.code, 0, ended.stdout + ended.stderr)
      assert.match(ended.stdout, /^Principal +- +NGN +2 +75,000\.50 +2 +75,000\.50 +yes$/m)
    }
    assert.equal(await count(bank, '/v2/batches'), 3)
    assert.equal(await count(bank, '/v2/customer'), 2)
    assert.equal(await count(bank, '/v2/fixed-deposits'), 2)
  })

  test(`${engine.name}: what was only begun to be sent is sent to its end`, {
    skip: engine.skip,
  }, async (t) => {
    const bank = await startBank(t, engine)
    const { args } = await writeFiles(t)
    bank.startJob()
    // The name of a batch is that of its lines: the same in another bank.
    const first = await command(bank, args)
    assert.equal(first.code, 0)
    const { name } = (await bank.ask('GET', '/v2/batches?operation=createCustomer')).json.data[0]
    const other = await startBank(t, engine)
    const begun = await other.ask('POST', '/v2/batches', { operation: 'createCustomer', name })
    other.startJob()
    assert.equal((await command(other, args)).code, 0)
    const batches = (await other.ask('GET', '/v2/batches?operation=createCustomer')).json.data
    assert.deepEqual(
      batches.map(({ batch_id, status, succeeded }: Record<string, unknown>) => [
        batch_id,
        status,
        succeeded,
      ]),
      [[begun.json.data.batch_id, 'DONE', 2]],
    )
  })

  test(`${engine.name}: the dry run reports every wrong line and writes nothing`, {
    skip: engine.skip,
  }, async (t) => {
    const bank = await startBank(t, engine)
    const wrong = await writeFiles(t, {
      customers: `${CUSTOMERS}C2,Ife,Ojo,ife@example.com,+234 801 234 5679,2 Marina Road
,Ife,Ojo,no address,+234 801 234 5679,
"C5,Ife
`,
      accounts: `${ACCOUNTS}A3,C9,,NGN,1
A4,C1,7000000001,NGN,1
A5,C1,12,NGN,-1
A6,C1,,XOF,1.50
A7,C1,,NGN
`,
      deposits: `${DEPOSITS}D3,A9,,5000,12,365,2026-02-01
D4,A1,NONE,5000,12,365,2026-02-01
D5,A1,,5000,12,365,2027-02-01
D6,A1,,five,120,365,01.02.2026
D1,A1,,1,1,1,2026-06-01
`,
    })
    const ended = await command(bank, wrong.args)
    assert.equal(ended.code, 1)
    assert.deepEqual(ended.stdout.trim().split('\n'), [
      'customers.csv: 5 lines, 3 wrong',
      'accounts.csv: 7 lines, 5 wrong',
      'deposits.csv: 7 lines, 5 wrong',
      `customers.csv:4: external_id: ${errors.external_id_taken.message}`,
      'customers.csv:5: external_id: Send this field; it is required.',
      'customers.csv:5: email: Send an e-mail address of the form name@example.com, without spaces.',
      'customers.csv:5: address: Send this field; it is required.',
      'customers.csv:6: The quotes of this row are wrong.',
      `accounts.csv:4: customer_external_id: ${errors.customer_not_found.message}`,
      `accounts.csv:5: account_number: ${errors.account_number_taken.message}`,
      'accounts.csv:6: account_number: Send at least 10 characters.',
      'accounts.csv:6: balance: Send an amount that is not below zero.',
      'accounts.csv:7: balance: Send an amount without cents; XOF has none.',
      'accounts.csv:8: The row has 4 cells, the first row has 5.',
      `deposits.csv:4: account_external_id: ${errors.account_not_found.message}`,
      `deposits.csv:5: product_code: ${errors.product_not_found.message}`,
      `deposits.csv:6: ${errors.start_date_in_future.message} (business_date 2026-07-01)`,
      'deposits.csv:7: principal: principal is not a number.',
      'deposits.csv:7: start_date: start is not a date of the form yyyy-MM-dd.',
      'deposits.csv:7: interest_rate: Send a number above 0 and at most 100.',
      `deposits.csv:8: external_id: ${errors.external_id_taken.message}`,
    ])
    assert.match(ended.stderr, /^Nothing was written\./m)
    assert.equal(await count(bank, '/v2/batches'), 0)
    assert.equal(await count(bank, '/v2/customer'), 0)
    const good = await command(bank, [...(await writeFiles(t)).args, '--dry-run'])
    assert.equal(good.code, 0)
    assert.equal(await count(bank, '/v2/batches'), 0)
  })

  test(`${engine.name}: a line that the service refuses is named, and succeeds once it is mended`, {
    skip: engine.skip,
  }, async (t) => {
    const bank = await startBank(t, engine)
    bank.startJob()
    const earlier = await writeFiles(t, {
      customers: CUSTOMERS.replaceAll(/^C/gm, 'X'),
      accounts: 'id,owner,number,currency,balance\nX1,X1,7000000001,NGN,1\n',
      deposits: 'id,account,product,principal,rate,days,start\n',
    })
    assert.equal((await command(bank, earlier.args)).code, 0)
    const refused = await command(bank, (await writeFiles(t)).args)
    assert.equal(refused.code, 1)
    assert.match(refused.stdout, /^Balances +- +NGN +2 +100\.25 +1 +0\.00 +NO$/m)
    assert.match(refused.stdout, /^Principal +- +NGN +2 +75,000\.50 +1 +70,000\.50 +NO$/m)
    assert.deepEqual(refused.stdout.match(/^\w+\.csv:.*$/gm)!.slice(3), [
      'accounts.csv:2: Another account has this number.',
      'deposits.csv:2: account_external_id: Its account was not taken over.',
    ])
    const mended = await writeFiles(t, { accounts: ACCOUNTS.replace('7000000001', '7000000002') })
    const ended = await command(bank, mended.args)
    assert.equal(ended.code, 0, ended.stdout + ended.stderr)
    assert.match(ended.stdout, /^Principal +- +NGN +2 +75,000\.50 +2 +75,000\.50 +yes$/m)
    assert.equal(await count(bank, '/v2/fixed-deposits'), 2)
  })
}

test('an import whose start others have to approve asks them, and goes on once they did', async (t) => {
  const bank = await startBank(t, engines[0]!)
  bank.startJob()
  const rule = { operation: 'startBatch', when: {}, approvals: 1 }
  await setPolicy(bank, { expires_after_hours: 24, deciders: 'ANY', rules: [rule] })
  const book = (await findBook(bank.service.db, { callerId: bank.callerId, mode: 'test' }))!
  const { key } = await issueKey(bank.service.db, book, { scopes: ['*'], at: bank.clock.now })
  const checker = bank.askWith(key)
  const { args } = await writeFiles(t)
  for (const file of ['customers', 'accounts', 'deposits']) {
    // Asked once, however often the command is run meanwhile.
    for (const _ of [1, 2]) {
      const ended = await command(bank, args)
      assert.equal(ended.code, 1, ended.stdout)
      assert.match(ended.stderr, new RegExp(`^The start of ${file} waits for approval\\.`, 'm'))
    }
    const waiting = (await checker('GET', '/v2/approvals?status=PENDING')).json.data
    assert.equal(waiting.length, 1)
    const approved = await checker('POST', `/v2/approvals/${waiting[0].approval_id}/approve`, {})
    assert.equal(approved.json.data.status, 'APPROVED', approved.text)
  }
  const ended = await command(bank, args)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /^All totals agree\.$/m)
  assert.equal(await count(bank, '/v2/batches'), 3)
  assert.equal(await count(bank, '/v2/fixed-deposits'), 2)
})

test('a live key takes the bank over into the live book', async (t) => {
  const bank = await startBank(t, engines[0]!)
  bank.startJob()
  const live = { ...bank, testKey: bank.liveKey, ask: bank.askWith(bank.liveKey) }
  const ended = await command(live, (await writeFiles(t)).args)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /^All totals agree\.$/m)
  assert.deepEqual([await count(live, '/v2/fixed-deposits'), await count(bank, '/v2/fixed-deposits')], [2, 0])
})

test('a key without the scopes, a wrong mapping and a missing column are said at once', async (t) => {
  const bank = await startBank(t, engines[0]!)
  const book = (await findBook(bank.service.db, { callerId: bank.callerId, mode: 'test' }))!
  const { key } = await issueKey(bank.service.db, book, { scopes: ['customers:write'], at: bank.clock.now })
  const noScope = await command({ ...bank, testKey: key }, (await writeFiles(t)).args)
  assert.equal(noScope.code, 1)
  assert.match(noScope.stderr, /^The API key lacks the scope this operation needs\..*\(batches:read\)$/m)
  const noColumn = await command(bank, (await writeFiles(t, { deposits: 'id,account\n' })).args)
  assert.equal(noColumn.code, 1)
  assert.match(noColumn.stderr, /^deposits\.csv has no column product, principal, rate, days, start\.$/m)
  const mapping = await command(bank, (await writeFiles(t, { mapping: 'customers:\n  x: y\n' })).args)
  assert.equal(mapping.code, 2)
  assert.match(mapping.stderr, /^mapping\.yaml: customers\.x is not one of /m)
})

test('a page that could not be written is refused before anything is', async (t) => {
  const bank = await startBank(t, engines[0]!)
  bank.startJob()
  const { directory, args } = await writeFiles(t)
  const missing = join(directory, 'missing')
  const locked = join(directory, 'locked.html')
  writeFileSync(locked, '')
  chmodSync(locked, 0o400)
  const refusals = [
    [join(missing, 'totals.html'), `There is no directory ${missing}.`],
    [
      join(directory, 'deposits.csv', 'totals.html'),
      `There is no directory ${join(directory, 'deposits.csv')}.`,
    ],
    [directory, `${directory} is a directory; name a file in it.`],
    ...(process.getuid?.() === 0 ? [] : [[locked, `${locked} cannot be written (EACCES).`]]),
  ] as const
  for (const [page, sentence] of refusals) {
    const ended = await command(bank, [...args, '--page', page!])
    assert.deepEqual(ended, { code: 2, stdout: '', stderr: `${sentence}\n` })
  }
  assert.equal(await count(bank, '/v2/batches'), 0)
})
