import { Breakwater } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key' })
export const ids: string[] = []
for await (const deposit of bank.fixedDeposits.list({ status: 'ACTIVE' })) ids.push(deposit.deposit_id)
