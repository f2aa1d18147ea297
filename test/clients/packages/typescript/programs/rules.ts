import { Breakwater } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key' })
await bank.liquidationRules.replace({
  day_count: 'ACT/365F',
  rounding: 'HALF_UP',
  allow_partial: true,
  min_partial_amount: '1000.00',
  min_remaining_principal: '10000.00',
  min_holding_days: 0,
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: '25' }] }],
})
