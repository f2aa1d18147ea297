/** People send files of operations, try them, start and cancel them, as far as they may do each line. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBatchJob } from '../../src/features/batches/job.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { create, finish } from '../support/batches.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { ada, fundedAccount, openDeposit } from '../support/service.ts'
import { lend, type Office, openConsole, type Visitor } from './office.ts'

let sent = 0
const key = () => {
  sent += 1
  return `key-of-a-form-of-the-test-${sent}`
}
const fileOf = (lines: readonly (object | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')

describe('sending files from the console', () => {
  let db: TestDatabase
  let office: Office
  let clerk: Visitor
  let supervisor: Visitor
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    clerk = await office.visit(await office.employ('CLERK'))
    supervisor = await office.visit(await office.employ('SUPERVISOR'))
  })
  beforeEach(() => setPolicy(office, { expires_after_hours: 72, deciders: 'ANY', rules: [] }))
  after(async () => {
    await office?.close()
    await db?.close()
  })

  /** Answers the path of the batch. */
  async function sendAs(visitor: Visitor, operation: string, lines: readonly (object | string)[], more = {}) {
    const answer = await visitor.upload('/batches/new', { key: key(), operation, ...more }, fileOf(lines))
    assert.equal(answer.status, 303, answer.text)
    assert.match(answer.location, /^\/console\/batches\/bat_\w+$/)
    return answer.location.slice('/console'.length)
  }
  const partsOf = async (count: number) => {
    const { depositId } = await openDeposit(office.ask, { amount: 10_000 })
    return Array.from({ length: count }, (_, index) => ({
      ...{ deposit_id: depositId, external_id: `${depositId}-${index}` },
      ...{ liquidation_type: 'PARTIAL', amount: 4000 },
    }))
  }
  const remaining = async ({ deposit_id }: { deposit_id: string }) =>
    (await office.ask('GET', `/v2/fixed-deposits/${deposit_id}`)).json.data.remaining_principal

  test('a clerk sends a file, tries it, starts it, and reads what became of its lines', async () => {
    const lines = await partsOf(3)
    const totals = { name: 'Tonight', lines: '4', total_amount: '12,000.00' }
    const path = await sendAs(clerk, 'liquidateFixedDeposit', [...lines, 'no line'], totals)
    const shown = (await clerk.get(path)).text
    assert.match(shown, /<h1>Tonight<\/h1>/)
    assert.match(shown, /4 lines, 12,000\.00/)
    assert.match((await clerk.get('/batches')).text, new RegExp(`href="/console${path}"`))

    const tried = (await clerk.get(`${path}/check`)).text
    assert.match(tried, /Lines 1 to 4 of 4/)
    assert.match(tried, /2 lines would fail\./)
    // Each line is decided after those before it, as it would be.
    assert.match(
      tried,
      /<b>Line 3<\/b><\/td><td[^>]*>[\w-]+<\/td><td[^>]*>That is more than the remaining principal of 2,000\.00\.</,
    )
    assert.match(tried, /<b>Line 4<\/b><\/td><td[^>]*>–<\/td><td[^>]*>The line is not one JSON object\.</)
    assert.match(tried, /<dt>Would be carried out<\/dt><dd>2<\/dd>/)
    assert.equal(await remaining(lines[0]!), 10_000)
    assert.match((await clerk.get(path)).text, /<b>0 of 4 lines<\/b>/)

    const started = await clerk.post(`${path}/start`, { key: key(), sure: 'yes' })
    assert.deepEqual([started.status, started.location], [303, `/console${path}`])
    assert.match((await clerk.get(path)).text, /data-refresh="\/console\/batches\/bat_/)
    await finish(office)
    const part = (await clerk.get(path, { 'x-part': 'progress-part' })).text
    assert.match(part, /^<div id="progress-part" >/)
    assert.match(part, /<b>4 of 4 lines<\/b>/)
    assert.doesNotMatch((await clerk.get(path)).text, /data-refresh|\/cancel"/)
    assert.equal(await remaining(lines[0]!), 2000)
    const rows = (await clerk.get(`${path}/results.csv`)).text.split('\r\n')
    assert.match(rows[1]!, /SUCCEEDED,liq_\w+,,$/)
    assert.match(rows[3]!, /FAILED,,"That is more than .* 2,000\.00\.",amount_exceeds_principal$/)
    assert.match((await clerk.get(`${path}/check`)).text, /Only a batch that was not started can be tried/)
  })

  test('the same form twice is one batch, and the lines are its maker’s', async () => {
    const lines = fileOf([{ ...ada, external_id: 'TWICE' }])
    const form = { key: key(), operation: 'createCustomer' }
    const first = await clerk.upload('/batches/new', form, lines)
    const second = await clerk.upload('/batches/new', form, `\ufeff${lines}`)
    assert.equal(second.location, first.location)
    const path = first.location.slice('/console'.length)
    await clerk.post(`${path}/start`, { key: key(), sure: 'yes' })
    await finish(office)
    const [event] = (await office.ask('GET', '/v2/audit-log?action=customer.created&limit=1')).json.data
    assert.equal(event.actor.kind, 'PERSON')
  })

  test('totals that differ prevent the start, and a cancelled batch skips its lines', async () => {
    const path = await sendAs(clerk, 'createCustomer', [{ ...ada, external_id: 'NOT' }], {
      ...{ lines: '2', total_amount: '0' },
    })
    const refused = await clerk.post(`${path}/start`, { key: key(), sure: 'yes' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /another number of lines, or another sum, than was expected/)
    assert.equal((await clerk.post(`${path}/cancel`, { key: key(), sure: 'yes' })).status, 303)
    assert.match((await clerk.get(path)).text, /<dt>Skipped<\/dt><dd>1<\/dd>/)
    assert.match((await clerk.get(`${path}/results.csv`)).text, /\r\n1,NOT,SKIPPED,,,\r\n$/)
    const again = await clerk.post(`${path}/cancel`, { key: key(), sure: 'yes' })
    assert.deepEqual([again.status, /has ended already/.test(again.text)], [409, true])
  })

  test('people run what they may do line by line, and nobody imports', async () => {
    const { accountNumber } = await fundedAccount(office.ask, 1)
    const credit = { account_number: accountNumber, amount: 5, external_id: 'MAY' }
    const refused = await clerk.upload(
      ...(['/batches/new', { key: key(), operation: 'creditAccount' }, fileOf([credit])] as const),
    )
    assert.equal(refused.status, 422)
    assert.match(refused.text, /You may not carry out lines of this kind/)
    const path = await sendAs(supervisor, 'creditAccount', [credit])
    for (const asked of [path, `${path}/check`, `${path}/results.csv`])
      assert.equal((await clerk.get(asked)).status, 404, asked)
    for (const act of ['start', 'cancel'])
      assert.equal((await clerk.post(`${path}/${act}`, { key: key() })).status, 404)
    assert.doesNotMatch((await clerk.get('/batches')).text, new RegExp(path))
    assert.match((await supervisor.get('/batches')).text, new RegExp(path))
    const waived = { ...(await partsOf(1))[0]!, waiver: { percent: 10, reason: 'COURT_ORDER' } }
    const waiving = await clerk.upload(
      ...(['/batches/new', { key: key(), operation: 'liquidateFixedDeposit' }, fileOf([waived])] as const),
    )
    assert.deepEqual([waiving.status, /A line waives a charge/.test(waiving.text)], [422, true])
    await sendAs(supervisor, 'liquidateFixedDeposit', [waived])
    const offered = (await supervisor.get('/batches/new')).text
    assert.match(offered, /value="placeLien"/)
    assert.doesNotMatch(offered, /value="import/)
    const imports = await supervisor.upload(
      ...(['/batches/new', { key: key(), operation: 'importAccount' }, fileOf([{}])] as const),
    )
    assert.equal(imports.status, 422)
    const imported = await create(office.ask, 'importAccount')
    const acted = await supervisor.post(`/batches/${imported}/cancel`, { key: key(), sure: 'yes' })
    assert.deepEqual([acted.status, /You may not/.test(acted.text)], [409, true])
    await office.ask('POST', `/v2/batches/${imported}/cancel`)
  })

  test('a start that the policy holds becomes a request, which somebody else approves', async () => {
    const rule = (operation: string) => ({ operation, when: {}, approvals: 1 })
    await setPolicy(office, {
      ...{ expires_after_hours: 72, deciders: 'PERSON' },
      rules: [rule('startBatch'), rule('liquidateFixedDeposit')],
    })
    const [line] = await partsOf(1)
    const path = await sendAs(clerk, 'liquidateFixedDeposit', [line!])
    // An approved start covers its lines.
    assert.match((await clerk.get(`${path}/check`)).text, /None of these lines would fail/)
    const asked = await clerk.post(`${path}/start`, { key: key(), sure: 'yes' })
    assert.deepEqual([asked.status, asked.location], [303, '/console/requests'])
    const waiting = (await supervisor.get(path)).text
    const approval = /\/console(\/approvals\/apr_\w+)/.exec(waiting)![1]!
    assert.doesNotMatch(waiting, /action="[^"]*\/start"/)
    await finish(office)
    assert.equal(await remaining(line!), 10_000)
    const expected = /name="expected" value="(\d+)"/.exec((await supervisor.get(approval)).text)?.[1] ?? ''
    const approved = await supervisor.post(`${approval}/decide`, { decision: 'approve', expected })
    assert.equal(approved.status, 303, approved.text)
    await finish(office)
    assert.equal(await remaining(line!), 6000)
  })

  test('a file that is empty, too large or ends early is refused, and its batch is cancelled', async () => {
    const refusal = async (file: string | Buffer, form: object = {}) => {
      const fields = { key: key(), operation: 'createCustomer', ...form }
      const { status, text } = await clerk.upload('/batches/new', fields, file)
      return [status, /<p>([^<]+)<\/p><\/div>/.exec(text.replaceAll('\n', ''))?.[1]]
    }
    assert.deepEqual(await refusal(''), [422, 'Choose a file with at least one line.'])
    const large = Buffer.alloc(33 * 1024 * 1024, '{}\n')
    assert.deepEqual(await refusal(large), [
      422,
      'The file is larger than 32 MB. Split it, or let a program send it in parts.',
    ])
    assert.deepEqual(await refusal(Buffer.alloc(9 * 1024 * 1024, ' ')), [
      422,
      'A line of the file is longer than 8 MB. Check that every object stands on a line of its own.',
    ])
    assert.deepEqual(await refusal('{}\n', { lines: 'ten' }), [
      422,
      'Give the number of lines in digits, together with the control total.',
    ])
    assert.deepEqual(await refusal('{}\n', { operation: 'dance' }), [422, 'Choose what each line does.'])
    assert.equal((await clerk.post('/batches/new', { operation: 'createCustomer' })).status, 422)
    const open = (await office.ask('GET', '/v2/batches?status=UPLOADING&operation=createCustomer')).json.data
    assert.deepEqual(open, [])
  })

  const CSV_HEAD = 'external_id,deposit_id,liquidation_type,amount,waiver.percent,waiver.reason'

  test('a spreadsheet is taken as CSV, and its errors name the lines of the file', async () => {
    const [line] = await partsOf(1)
    const { deposit_id } = line!
    const rows = [
      CSV_HEAD.replace('external_id', 'External ID'),
      `ROW-1,${deposit_id},PARTIAL,"1,000.50",,`,
      '',
      `"ROW\n2",${deposit_id},PARTIAL,1,,`,
      ',,,,,',
      `ROW-3,${deposit_id},PARTIAL,much,,`,
      `ROW-4,${deposit_id},PARTIAL,2000`,
    ]
    const totals = { lines: '4', total_amount: '3,001.50' }
    const form = { key: key(), operation: 'liquidateFixedDeposit', ...totals }
    const sentAnswer = await clerk.upload('/batches/new', form, `\ufeff${rows.join('\r\n')}`)
    assert.equal(sentAnswer.status, 303, sentAnswer.text)
    const path = sentAnswer.location.slice('/console'.length)
    const tried = (await clerk.get(`${path}/check`)).text
    assert.match(tried, /2 lines would fail\./)
    const named = tried.matchAll(/<b>Line (\d+)<\/b>.*?<small><code>(\w+)<\/code> ([^<]+)/gs)
    assert.deepEqual(
      [...named].map(([, at, field, why]) => [at, field, why]),
      [
        ['4', 'external_id', 'does not have the right form.'],
        ['7', 'amount', 'is of another kind: check whether it is a number or a text.'],
      ],
    )
    await clerk.post(`${path}/start`, { key: key(), sure: 'yes' })
    await finish(office)
    const done = (await clerk.get(path)).text
    assert.match(done, /<b>Line 7<\/b>/)
    assert.equal(await remaining(line!), 6999.5)
    const results = (await clerk.get(`${path}/results.csv`)).text.split('\r\n').slice(1, -1)
    assert.deepEqual(
      results.map((row) => row.replace(/^(\d+),[\s\S]*?,(SUCCEEDED|FAILED),.*$/, '$1 $2')),
      ['2 SUCCEEDED', '4 FAILED', '7 FAILED', '8 SUCCEEDED'],
    )
  })

  test('a spreadsheet of another country has its separator and its numbers', async () => {
    const [line] = await partsOf(1)
    const { deposit_id } = line!
    const speaker = await office.visit(await office.employ('CLERK'))
    await speaker.post('/language', { language: 'fr' })
    const file = `external_id;deposit_id;liquidation_type;amount\nFR-1;${deposit_id};PARTIAL;1 234,50\n`
    const form = { key: key(), operation: 'liquidateFixedDeposit' }
    const sentAnswer = await speaker.upload('/batches/new', form, file)
    assert.equal(sentAnswer.status, 303, sentAnswer.text)
    await speaker.post(`${sentAnswer.location.slice('/console'.length)}/start`, { key: key(), sure: 'yes' })
    await finish(office)
    assert.equal(await remaining(line!), 8765.5)
  })

  test('cells are read as the field of their column is, and columns below one are put together', async () => {
    const { accountNumber: account_number } = await fundedAccount(office.ask, 1000)
    const head = 'external_id\taccount_number\tamount\ttenor\tinterest_rate\tauto_rollover\tmetadata.Branch'
    const file = `${head}\nCELLS\t${account_number}\t500\t90\t10.5\tTRUE\tMarina\n`
    const sentAnswer = await clerk.upload('/batches/new', { key: key(), operation: 'openFixedDeposit' }, file)
    assert.equal(sentAnswer.status, 303, sentAnswer.text)
    await clerk.post(`${sentAnswer.location.slice('/console'.length)}/start`, { key: key(), sure: 'yes' })
    await finish(office)
    const [opened] = (await office.ask('GET', '/v2/fixed-deposits?external_id=CELLS')).json.data
    const { principal, tenor, interest_rate, auto_rollover, metadata } = opened
    assert.deepEqual(
      { principal, tenor, interest_rate, auto_rollover, metadata },
      { principal: 500, tenor: 90, interest_rate: 10.5, auto_rollover: true, metadata: { Branch: 'Marina' } },
    )
  })

  test('a spreadsheet that cannot be understood is refused with the reason', async () => {
    const head = 'external_id,deposit_id,liquidation_type'
    const files: [string | Buffer, string][] = [
      [
        'external_id,deposit_id\nA,fd_1\n',
        'The first row does not name liquidation_type, which every line needs.',
      ],
      [
        'deposit_id,liquidation_type\nfd_1,FULL\n',
        'The first row does not name external_id, which every line needs.',
      ],
      [`${head},colour\nA,fd_1,FULL,red\n`, 'The first row names colour, which is no field of these lines.'],
      [`${head},deposit_id\nA,fd_1,FULL,fd_2\n`, 'The first row names deposit_id twice.'],
      [
        `${head}\nA,fd_1,FULL\nB,fd_2,FULL,more\n`,
        'Line 3 of the file has cells without a column, or a quotation mark without its other.',
      ],
      [
        `${head}\nA,"fd_1,FULL\n`,
        'Line 2 of the file has cells without a column, or a quotation mark without its other.',
      ],
      [`${head}\n`, 'Choose a file with at least one line.'],
      [
        Buffer.from(`${head}\nJos\xe9,fd_1,FULL\n`, 'latin1'),
        'The file is not text in UTF-8. Save the spreadsheet as “CSV UTF-8”.',
      ],
      [
        `${head},waiver.percent,waiver.reason\nA,fd_1,FULL,10,COURT_ORDER\n`,
        'A line waives a charge, which you may not do.',
      ],
    ]
    for (const [file, reason] of files) {
      const { status, text } = await clerk.upload(
        ...(['/batches/new', { key: key(), operation: 'liquidateFixedDeposit' }, file] as const),
      )
      assert.equal(status, 422, String(file))
      assert(text.replaceAll('\n', '').includes(reason), `${String(file)}: ${reason}`)
    }
    const open = '/v2/batches?status=UPLOADING&operation=liquidateFixedDeposit'
    assert((await office.ask('GET', open)).json.data.every(({ lines }: { lines: number }) => lines > 0))
  })

  test('the page names the columns of each operation, and has an empty file of them', async () => {
    const page = (await clerk.get('/batches/new')).text
    assert.match(page, /<code>liquidation_type<\/code>/)
    assert.match(page, /columns\.csv\?operation=openFixedDeposit/)
    assert.doesNotMatch(page, /operation=creditAccount/)
    const file = await clerk.get('/batches/new/columns.csv?operation=liquidateFixedDeposit')
    assert.equal(
      file.text,
      'external_id,deposit_id,liquidation_type,amount,waiver.percent,waiver.amount,waiver.holding_period,waiver.reason,' +
        'waiver.note,expected_net_credited,reference,reason\r\n',
    )
    const first = (await clerk.get('/batches/new/columns.csv')).text
    assert.equal(first, 'external_id,first_name,last_name,email,phone_number,address\r\n')
    for (const operation of ['creditAccount', 'importAccount', 'dance'])
      assert.equal((await clerk.get(`/batches/new/columns.csv?operation=${operation}`)).status, 404)
  })

  test('a file of several parts is stored as a program would send it, and tried part by part', async () => {
    const lines = Array.from({ length: 10_002 }, (_, index) => ({ external_id: `MANY-${index}` }))
    const path = await sendAs(clerk, 'createCustomer', lines)
    assert.match((await clerk.get(path)).text, /<dt>Parts<\/dt><dd>2<\/dd>/)
    assert.match(
      (await clerk.get(`${path}/check`)).text,
      /Lines 1 to 10,000 of 10,002[\s\S]*check\?from=10001/,
    )
    const second = (await clerk.get(`${path}/check?from=10001`)).text
    assert.match(second, /Lines 10,001 to 10,002 of 10,002/)
    assert.doesNotMatch(second, /check\?from/)
    await clerk.post(`${path}/cancel`, { key: key(), sure: 'yes' })
  })

  test('in a browser a file is sent without script, and the page follows its progress with it', {
    skip: browserAbsence,
  }, async (t) => {
    const origin = await office.listen()
    const browser = await openBrowser()
    t.after(() => browser.close())
    const plain = await browser.newContext({ javaScriptEnabled: false })
    await lend(plain, origin, clerk)
    const tab = await plain.newPage()
    await tab.goto(`${origin}/console/batches/new`)
    await tab.getByLabel('What each line does').selectOption('createCustomer')
    await tab.getByLabel('Name').fill('From a browser')
    const buffer = Buffer.from(fileOf([{ ...ada, external_id: 'BROWSER' }]))
    await tab.getByLabel('File').setInputFiles({ name: 'a.ndjson', mimeType: 'text/plain', buffer })
    await tab.getByRole('button', { name: 'Send the file' }).click()
    await tab.getByRole('heading', { name: 'From a browser' }).waitFor()
    await tab.getByRole('link', { name: 'Dry run' }).click()
    await tab.getByText('None of these lines would fail.').waitFor()
    await tab.getByRole('link', { name: 'Back to the batch' }).click()
    const { pathname } = new URL(tab.url())
    await tab.getByRole('button', { name: 'Start' }).click()
    await tab.getByText('From a browser').waitFor()
    assert.equal(await tab.locator(':focus').textContent(), 'Back')
    await tab.getByRole('button', { name: 'Start' }).click()
    await tab.getByRole('link', { name: 'Show how far it is now' }).waitFor()

    const scripted = await browser.newContext({ viewport: { width: 390, height: 800 } })
    await lend(scripted, origin, clerk)
    const phone = await scripted.newPage()
    await phone.goto(origin + pathname)
    await phone.getByText('0 of 1 lines').waitFor()
    assert.deepEqual(await accessibilityFindings(phone), [])
    const wide = await phone.evaluate('document.documentElement.scrollWidth')
    assert(Number(wide) <= 390, `${wide} px`)
    const job = startBatchJob({ engine: office.service, everySeconds: 0.05, log: () => {} })
    await phone.getByText('1 of 1 lines').waitFor()
    await phone.getByText('Done', { exact: true }).waitFor()
    await job.stop()
    await sleep(0)
  })
})
