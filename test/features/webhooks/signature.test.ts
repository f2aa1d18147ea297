import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { webhookHeaders } from '../../../src/features/webhooks/signature.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const body = '{"id":"evt_1","data":{"total_credited":500000.00,"message":"Ọlá €"}}'
const sentAt = new Date('2021-02-25T19:02:10.999Z')

test('the signature is that of the published example', () => {
  const message = {
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    sentAt: new Date(1_614_265_330_000),
  }
  assert.deepEqual(webhookHeaders(message, [secret]), {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('the published library signs and verifies the same', () => {
  const message = { eventId: 'evt_1', body, sentAt }
  const headers = webhookHeaders(message, [secret])
  assert.equal(headers['webhook-signature'], new Webhook(secret).sign('evt_1', sentAt, body))

  const fresh = webhookHeaders({ ...message, sentAt: new Date() }, [secret])
  assert.deepEqual(new Webhook(secret).verify(body, fresh), JSON.parse(body))
  assert.throws(() => new Webhook(other).verify(body, fresh), /No matching signature/)
  assert.throws(() => new Webhook(secret).verify(body.replace('5', '6'), fresh), /No matching signature/)
})

test('with two secrets either of them verifies', () => {
  const headers = webhookHeaders({ eventId: 'evt_1', body, sentAt: new Date() }, [secret, other])
  assert.match(headers['webhook-signature']!, /^v1,\S{44} v1,\S{44}$/)
  for (const key of [secret, other]) new Webhook(key).verify(body, headers)
})
