export { BreakwaterError } from './errors.ts'
export type * from './generated.ts'
export { VERSION } from './generated.ts'
export { Amount, type Decimal, minor } from './money.ts'
export {
  Breakwater,
  type Call,
  type CallOptions,
  type List,
  type Options,
  type Page,
  type WithResponse,
} from './transport.ts'
export { verifyWebhook } from './webhooks.ts'
