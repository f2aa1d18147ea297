import { verifyWebhook } from '@breakwater/client'
export async function receive(request: Request, secrets: string[]): Promise<string> {
  const event = await verifyWebhook(await request.text(), request.headers, secrets, { toleranceSeconds: 60 })
  switch (event.type) {
    case 'fixed_deposit.liquidated':
      return event.data.total_credited
    case 'customer.updated':
      return event.data.customer_id
    default:
      return event.id
  }
}
