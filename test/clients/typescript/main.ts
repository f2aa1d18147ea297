/**
 * Opens, quotes, breaks and reads deposits with openapi-fetch and the types that openapi-typescript generated. The
 * arguments are amount, start date and tenor of each deposit; what the client saw is printed as one line of JSON each.
 */
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'

const client = createClient<paths>({
  baseUrl: process.env.URL!,
  headers: { Authorization: `Bearer ${process.env.API_KEY}` },
})

const customer = taken(
  await client.POST('/v2/customer', {
    body: {
      first_name: 'Ada',
      last_name: 'Obi',
      email: 'ada@example.com',
      phone_number: '+234 801 234 5678',
      address: '12 Marina Road, Lagos',
    },
  }),
)

const terms = process.argv.slice(2)
while (terms.length > 0) {
  const [amountText, start_date, tenor] = terms.splice(0, 3)
  const amount = Number(amountText)
  const { account_number } = taken(
    await client.POST('/v2/accounts', { body: { customer_id: customer.customer_id } }),
  )
  const account = { params: { path: { account_number } } }
  await client.POST('/v2/accounts/{account_number}/credits', { ...account, body: { amount } })
  const credited = taken(await client.GET('/v2/accounts/{account_number}', account))
  const opened = taken(
    await client.POST('/v2/fixed-deposits', {
      body: { account_number, amount, tenor: Number(tenor), interest_rate: 12.3456, start_date: start_date! },
    }),
  )
  const path = { params: { path: { deposit_id: opened.deposit_id } } }
  const request = { ...path, body: { liquidation_type: 'FULL', amount } } as const
  const quote = taken(await client.POST('/v2/fixed-deposits/{deposit_id}/liquidation-quote', request))
  const broken = taken(await client.POST('/v2/fixed-deposits/{deposit_id}/liquidate', request))
  const again = await client.POST('/v2/fixed-deposits/{deposit_id}/liquidate', request)
  const deposit = taken(await client.GET('/v2/fixed-deposits/{deposit_id}', path))
  const liquidation = taken(
    await client.GET('/v2/liquidations/{liquidation_id}', {
      params: { path: { liquidation_id: broken.liquidation_id } },
    }),
  )
  const after = taken(await client.GET('/v2/accounts/{account_number}', account))
  const seen = {
    deposit_id: opened.deposit_id,
    liquidation_id: broken.liquidation_id,
    credited: credited.balance.toFixed(2),
    opened: opened.principal.toFixed(2),
    rate: String(opened.interest_rate),
    quoted: quote.total_credited.toFixed(2),
    broken: broken.total_credited.toFixed(2),
    principal: deposit.principal.toFixed(2),
    returned: liquidation.principal_returned.toFixed(2),
    interest: liquidation.interest_paid.toFixed(2),
    balance: after.balance.toFixed(2),
    status: deposit.status,
    refused: again.error?.error.code,
  }
  console.log(JSON.stringify(seen))
}

function taken<Data>({ data, error }: { data?: { data: Data }; error?: Refused }): Data {
  if (data === undefined) throw new Error(error?.error.code)
  return data.data
}

type Refused = { error: components['schemas']['Failure']['error'] }
