import { Breakwater, minor } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key' })
await bank.accounts.credit('0123456789', { amount: minor(50_000_000n), narration: 'Cash' })
