import { Breakwater } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key' })
const { data, requestId, replayed } = await bank.accounts.get('0123456789').withResponse()
export const shown: [string, string, boolean] = [data.balance, requestId, replayed]
