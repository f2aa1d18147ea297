import { Breakwater } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key' })
const quote = await bank.fixedDeposits.quoteLiquidation('fd_1', { liquidation_type: 'FULL' })
const body = { liquidation_type: 'FULL', expected_net_credited: quote.net_credited } as const
const paid = await bank.fixedDeposits.liquidate('fd_1', body, { idempotencyKey: 'order-1' })
export const total: string = paid.total_credited
