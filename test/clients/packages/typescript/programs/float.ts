import { Breakwater } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key' })
await bank.fixedDeposits.liquidate('fd_1', { liquidation_type: 'PARTIAL', amount: 5.0 })
