/**
 * The events that subscribers receive, in one format for the API and for webhooks. The only personal data in them is
 * the name of the person who made the change.
 */
import { type TSchema, Type } from 'typebox'
import type { Mode } from '../../domain/book.ts'
import { type BookEvent, EVENT_TYPES, type EventType, PING_TYPE } from '../../domain/event.ts'
import { parseJson } from '../../wire/json.ts'
import {
  actor,
  count,
  eventId,
  instant,
  kind,
  type Members,
  mode,
  oneOf,
  orNull,
  record,
  requestId,
  webhookEndpointId,
} from '../../wire/record.ts'
import { ApprovalPolicyRecord } from '../approval-policy/record.ts'
import { ApprovalEventRecord } from '../approvals/record.ts'
import { CreatedCustomerRecord, UpdatedCustomerRecord } from '../customers/record.ts'
import { DepositRecord } from '../deposits/record.ts'
import { AccountCreditRecord } from '../ledger/record.ts'
import { LienRecord } from '../liens/record.ts'
import { LiquidationRecord } from '../liquidation/record.ts'
import { MaturedDepositRecord, RolledOverDepositRecord } from '../maturity/record.ts'
import { ReversalRecord } from '../reversal/record.ts'
import { RulesRecord } from '../rules/record.ts'
import { ChangedTaxStatusRecord, TaxRulesRecord } from '../tax/record.ts'

const EVENT_DATA: Record<EventType, { schema: TSchema }> = {
  'customer.created': CreatedCustomerRecord,
  'customer.updated': UpdatedCustomerRecord,
  'customer.tax_status_changed': ChangedTaxStatusRecord,
  'account.credited': AccountCreditRecord,
  'fixed_deposit.created': DepositRecord,
  'fixed_deposit.liquidated': LiquidationRecord,
  'fixed_deposit.partially_liquidated': LiquidationRecord,
  'fixed_deposit.liquidation_reversed': ReversalRecord,
  'fixed_deposit.matured': MaturedDepositRecord,
  'fixed_deposit.rolled_over': RolledOverDepositRecord,
  'fixed_deposit.lien_placed': LienRecord,
  'fixed_deposit.lien_released': LienRecord,
  'liquidation_rules.updated': RulesRecord,
  'tax_rules.updated': TaxRulesRecord,
  'approval_policy.updated': ApprovalPolicyRecord,
  'approval.requested': ApprovalEventRecord,
  'approval.voted': ApprovalEventRecord,
  'approval.approved': ApprovalEventRecord,
  'approval.rejected': ApprovalEventRecord,
  'approval.cancelled': ApprovalEventRecord,
  'approval.expired': ApprovalEventRecord,
}

type ShownEvent = { event: BookEvent; mode: Mode }

/** data is JSON text; its numbers keep their spelling, so an amount shows both decimals here too. */
function eventMembers(type: TSchema, data: TSchema): Members<ShownEvent> {
  return {
    id: eventId.as(
      'Identifier of the event; the same in every attempt to deliver it.',
      ({ event }) => event.eventId,
    ),
    type: kind<string>(type, (value) => value).as('What happened.', ({ event }) => event.type),
    timestamp: instant.as('When it happened.', ({ event }) => event.at),
    mode: mode.of((shown) => shown.mode),
    request_id: orNull(requestId).of(({ event }) => event.requestId),
    data: kind<string>(data, (text) => parseJson(text)).as('What it is about.', ({ event }) => event.data),
    actor: actor.of(({ event }) => event.actor),
  }
}

/** The type of an event determines its data. */
export const announcedEvents = EVENT_TYPES.map((type) => ({
  type,
  record: record(`${inPascalCase(type)}Event`, eventMembers(Type.Literal(type), EVENT_DATA[type].schema)),
}))

/** All events are written the same way. */
export const EventRecord = kind(
  anyOf(
    'Event',
    announcedEvents.map(({ record }) => record.schema),
  ),
  announcedEvents[0]!.record.write,
)

const dataOfEvents = [...new Set(Object.values(EVENT_DATA).map(({ schema }) => schema))]

const { actor: actorMember, ...earlierMembers } = eventMembers(
  oneOf('EventType', EVENT_TYPES).schema,
  anyOf('EventData', dataOfEvents),
)

export const RedeliveredEventRecord = record<ShownEvent & { deliveries: number }>('RedeliveredEvent', {
  ...earlierMembers,
  deliveries: count.as('How many endpoints it is sent to.', (shown) => shown.deliveries),
  actor: actorMember!,
})

export const PingDataRecord = record<{ webhookEndpointId: string }>('Ping', {
  webhook_endpoint_id: webhookEndpointId.of((ping) => ping.webhookEndpointId),
})

export const PingRecord = record('PingEvent', eventMembers(Type.Literal(PING_TYPE), PingDataRecord.schema))

function anyOf(title: string, schemas: readonly TSchema[]): TSchema {
  return Type.Unsafe<unknown>({ title, anyOf: schemas })
}

/** fixed_deposit.rolled_over: FixedDepositRolledOver */
function inPascalCase(type: string): string {
  return type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
}
