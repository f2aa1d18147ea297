import { Breakwater } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key' })
const page = await bank.customers.list({ limit: 10 }).page()
export const cursor: string | null = page.next_cursor
