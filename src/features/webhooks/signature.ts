/** Standard Webhooks 1.0: the symmetric signature, one for each secret that is in force. */
import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

export function webhookHeaders(
  message: { eventId: string; body: string; sentAt: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestampSeconds = Math.floor(message.sentAt.getTime() / 1000)
  const signed = `${message.eventId}.${timestampSeconds}.${message.body}`
  return {
    'webhook-id': message.eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(signed, secret)}`).join(' '),
  }
}

function sign(text: string, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}
