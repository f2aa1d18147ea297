/** What every client does, in TypeScript: prints one JSON object, which is the same in all languages. */
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { Breakwater, BreakwaterError, minor, verifyWebhook } from '@breakwater/client'

const { URL: url = '', FAULTS = '', API_KEY: key = '', CASES = '', ACCOUNT = '' } = process.env
const bank = new Breakwater({ url, key })
const through = (fault: string) => new Breakwater({ url: `${FAULTS}/${fault}-typescript`, key })
const cases = JSON.parse(readFileSync(CASES, 'utf8'))
const said: Record<string, unknown> = {}

const customer = await bank.customers.create({
  first_name: 'Ada',
  last_name: 'Obi',
  email: 'ada@example.com',
  phone_number: '+234 800 555 0100',
  address: '1 Marina Road',
  metadata: { amount: '5', branch: '12' },
})
said.metadata = customer.metadata
const full = (await bank.accounts.open({ customer_id: customer.customer_id })).account_number
await bank.accounts.credit(full, { amount: minor(1n) })
said.smallest = (await bank.accounts.get(full)).balance
await bank.accounts.credit(full, { amount: '9999999999999.98' })
said.largest = (await bank.accounts.get(full)).balance

const { account_number } = await bank.accounts.open({ customer_id: customer.customer_id })
await bank.accounts.credit(account_number, { amount: '20000000.00' })
const open = (amount: string) =>
  bank.fixedDeposits.open({
    account_number,
    amount,
    tenor: 365,
    interest_rate: '12.3456',
    start_date: cases.start_date,
  })
const deposit = await open('12345678.91')
said.opened = [deposit.principal, deposit.interest_rate]
const quote = await bank.fixedDeposits.quoteLiquidation(deposit.deposit_id, { liquidation_type: 'FULL' })
said.quoted = [
  quote.interest_paid,
  quote.penal_charge,
  quote.net_credited,
  typeof quote.explanation.elapsed_days,
]
const order = { idempotencyKey: `order-typescript-${deposit.deposit_id}` }
const body = { liquidation_type: 'FULL', expected_net_credited: quote.net_credited } as const
const paid = await bank.fixedDeposits.liquidate(deposit.deposit_id, body, order).withResponse()
const again = await bank.fixedDeposits.liquidate(deposit.deposit_id, body, order).withResponse()
said.paid = [
  paid.data.principal_returned,
  paid.data.interest_paid,
  paid.data.penal_charge,
  paid.data.total_credited,
]
said.replayed = [paid.replayed, again.replayed, again.data.liquidation_id === paid.data.liquidation_id]
said.requestId = /^req_\w{24}$/.test(paid.requestId)

const sheet = await bank.products.getRateSheet('TERM', 2)
said.sheet = [sheet.number, sheet.rates[0]![0]]
const { batch_id } = await bank.batches.createBatch({ operation: 'creditAccount' })
const lines = ['0.10', '0.20'].map(
  (amount) => `{"account_number":"${full}","amount":${amount},"external_id":"typescript-${amount}"}\n`,
)
const sent = await bank.batches.sendBatchPart(batch_id, 1, lines.join(''))
said.part = [sent.parts, sent.lines, sent.total_amount]

const refusal = async (call: PromiseLike<unknown>) => {
  try {
    await call
  } catch (error) {
    if (!(error instanceof BreakwaterError)) throw error
    const isHidden = !`${inspect(error)}${inspect(bank)}${JSON.stringify(bank)}${error.stack}`.includes(key)
    return { error, shown: [error.code, error.status, error.retryable, isHidden] }
  }
  throw new Error('It was not refused.')
}
said.refused = (
  await refusal(bank.fixedDeposits.liquidate(deposit.deposit_id, { liquidation_type: 'FULL' }))
).shown
const invalid = await refusal(
  bank.fixedDeposits.liquidate(deposit.deposit_id, { liquidation_type: 'PARTIAL' }),
)
said.fields = invalid.error.fields.map(({ field, code }) => [field, code])

const found: string[] = []
for await (const { deposit_id } of bank.fixedDeposits.list({ account_number: ACCOUNT, limit: 100 }))
  found.push(deposit_id)
const page = await bank.fixedDeposits.list({ account_number: ACCOUNT, limit: 7 }).page()
said.pages = [found.length, new Set(found).size, page.data.length, page.has_more]

const part = { liquidation_type: 'PARTIAL', amount: '100.10' } as const
for (const fault of ['cut', 'torn', 'unknown', 'busy']) {
  const { deposit_id } = await open('5000.00')
  const liquidated = await through(fault).fixedDeposits.liquidate(deposit_id, part)
  let count = 0
  for await (const made of bank.fixedDeposits.listLiquidations(deposit_id))
    count += Number(made.principal_returned === '100.10')
  said[fault] = [liquidated.principal_returned, liquidated.remaining_principal, count]
}
for (const fault of ['never', 'long', 'moved'])
  said[fault] = (await refusal(through(fault).customers.update(customer.customer_id, {}))).shown
said.unreachable = (
  await refusal(new Breakwater({ url: 'http://127.0.0.1:1', key, retries: 0 }).testClock.get())
).shown

const held = await open('2000000.00')
const waits = await refusal(bank.fixedDeposits.liquidate(held.deposit_id, { liquidation_type: 'FULL' }))
const approval = await waits.error.requestApproval('Please')
const same = await waits.error.requestApproval('Please')
said.approval = [
  waits.shown[0],
  approval.operation,
  approval.status,
  approval.note,
  same.approval_id === approval.approval_id,
]
said.approvalTarget = approval.target_id === held.deposit_id

said.webhooks = []
for (const { name, body, headers, secrets } of cases.webhooks) {
  const event = await verifyWebhook(new TextEncoder().encode(body), headers, secrets).catch(() => null)
  const outcome =
    event === null ? 'rejected' : event.type === 'fixed_deposit.liquidated' ? event.data.total_credited : 'no'
  ;(said.webhooks as unknown[]).push([name, outcome])
}
const plain = () => new Breakwater({ url: 'http://bank.example.com', key })
said.plain = await (async () => plain())().catch((error) => error.name !== 'BreakwaterError')
try {
  new Breakwater({ url, key: `${key}\n` })
} catch (error) {
  if (!inspect(error).includes(key)) said.lineEnd = 'refused, and not shown'
}
console.log(JSON.stringify(said))
