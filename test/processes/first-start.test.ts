import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { run, runAlone, serve, serveOnTerminal, temporaryDirectory } from '../cli/program.ts'

const inShell = promisify(execFile)

/** Runs a printed line as a shell would. */
async function paste(
  line: string,
): Promise<{ status: boolean; data: Record<string, unknown>; error: Failure }> {
  const { stdout } = await inShell('sh', ['-c', line])
  return JSON.parse(stdout)
}
type Failure = { code: string } | undefined

function greetingOf(stdout: string): string[] {
  const lines = stdout.replaceAll('\r', '').split('\n')
  return lines.slice(lines.findIndex((line) => line.startsWith('Breakwater is ready')))
}

function printedRequests(stdout: string): string[] {
  return stdout.split('\n').filter((line) => line.startsWith('curl '))
}

test('a first start greets a terminal with a request that works and a sign-in, and demo prints the other requests', async (t) => {
  const directory = join(await temporaryDirectory(t), 'data')
  const env = { DATA_DIR: directory, LOG_LEVEL: 'info' }
  const made = await run(['demo'], { ...env, PORT: '1' })
  assert.equal(made.code, 0, made.stderr)
  const terminal = await serveOnTerminal(t, env, /supervisor +\S+@\S+ {2}\S{12,}/)
  const url = /listening url=(\S+)/.exec(terminal)![1]!
  const [ready, shown, more, browse, clerk, supervisor] = greetingOf(terminal)
  assert.equal(ready, `Breakwater is ready. Read ${url}/docs or paste a request:`)
  assert.equal(more, 'More requests, which break deposits and update a customer: npx breakwater demo')
  const consoleAt = url.replace('127.0.0.1', 'localhost')
  assert.equal(browse, `Or break a deposit in the browser at ${consoleAt}/console. Sign in as`)
  assert.match(clerk!, /^ {2}clerk +\S+@\S+ {2}\S{12,}$/)
  assert.match(supervisor!, /^ {2}supervisor +\S+@\S+ {2}\S{12,}$/)

  const first = await serve(t, env)
  assert.match(first.stdout(), /"event":"durability",.*"answered_changes_survive":"a crash"/)
  for (const line of first.stdout().trimEnd().split('\n')) JSON.parse(line)
  assert.doesNotMatch(first.stdout(), /bw_test_|example\.com|welcome#/, 'a log has no key, password or link')
  assert.equal((await paste(shown!.replace(url, first.url))).data.status, 'ACTIVE')

  const requests = printedRequests(made.stdout.replaceAll('http://127.0.0.1:1/', `${first.url}/`))
  assert.equal(requests.length, 4)
  const [quote, partial, full, update] = requests as [string, string, string, string]

  // 100 of 365 days at 12 percent, 80 percent of the interest charged.
  const figures = {
    principal_returned: 100_000,
    interest_paid: 3287.67,
    penal_charge: 2630.14,
    total_credited: 100_657.53,
  }
  const quoted = await paste(quote)
  assert.deepEqual(pick(quoted.data, figures), figures)
  const broken = await paste(partial)
  assert.deepEqual(pick(broken.data, figures), figures)
  assert.equal(broken.data.status, 'ACTIVE')
  assert.equal(broken.data.remaining_principal, 400_000)
  assert.deepEqual(await paste(partial), broken)

  // The published figures of Defence Bank: 50,000 at 5 percent, 122 of 365 days.
  const closed = await paste(full)
  assert.deepEqual(pick(closed.data, { ...figures, status: '' }), {
    principal_returned: 50_000,
    interest_paid: 835.62,
    penal_charge: 668.49,
    total_credited: 50_167.13,
    status: 'LIQUIDATED',
  })
  assert.equal((await paste(full)).error?.code, 'deposit_not_active')

  const updated = await paste(update)
  assert.equal(updated.data.first_name, 'Adaeze')
  assert.equal(updated.data.phone_number, '+234 800 555 0199')
  assert.equal((await paste(update)).data.phone_number, '+234 800 555 0199')

  await t.test(
    'the error of a second process on the same directory names the process that holds it',
    async () => {
      const second = await runAlone(['serve'], env)
      const events = [...second.stdout.matchAll(/"event":"(\w+)"/g)].map(([, event]) => event)
      assert.deepEqual({ code: second.code, events }, { code: 2, events: ['starting'] })
      assert.match(second.stderr, new RegExp(`^The data directory .* is in use by process ${first.pid}\\.`))
    },
  )

  assert.equal((await first.stop()).code, 0)
  const again = printedRequests((await run(['demo'], env)).stdout)
  const second = await serve(t, env)
  assert.equal((await paste(shown!.replace(url, second.url))).status, true)
  // The part that was broken is answered again; the deposit that is gone is replaced by another.
  const [, partialAgain, fullAgain] = again.map((line) => line.replace('http://127.0.0.1:8080', second.url))
  assert.deepEqual(await paste(partialAgain!), broken)
  assert.equal((await paste(fullAgain!)).data.status, 'LIQUIDATED')
  second.kill('SIGINT')
  assert.equal((await second.end()).code, 0)

  await t.test('only the owner can read the key', async () => {
    assert.equal((await stat(join(directory, 'demo.json'))).mode & 0o777, 0o600)
    assert.equal((await stat(directory)).mode & 0o777, 0o700)
  })
})

function pick(record: Record<string, unknown>, members: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(members).map((name) => [name, record[name]]))
}
