import { Breakwater } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key' })
const stop = new AbortController()
export const report = bank.reports.reportLiquidations(
  { from: '2026-01-01', to: '2026-01-31' },
  { signal: stop.signal },
)
stop.abort()
