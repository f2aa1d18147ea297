/**
 * The events that subscribers receive, in one format for the API and for webhooks. The only personal data in them is
 * the name of the person who made the change.
 */
import { type TSchema, Type } from 'typebox'
import type { Mode } from '../../domain/book.ts'
import { type BookEvent, PING_TYPE } from '../../domain/event.ts'
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
import { accountEvents } from '../accounts/record.ts'
import { accrualEvents } from '../accruals/record.ts'
import { policyEvents } from '../approval-policy/record.ts'
import { approvalEvents } from '../approvals/record.ts'
import { batchEvents } from '../batches/record.ts'
import { customerEvents } from '../customers/record.ts'
import { depositEvents } from '../deposits/record.ts'
import { documentEvents } from '../document-kinds/document.ts'
import { interestEvents } from '../interest-payments/record.ts'
import { lienEvents } from '../liens/record.ts'
import { liquidationEvents } from '../liquidation/record.ts'
import { maturityEvents } from '../maturity/record.ts'
import { instructionEvents } from '../maturity-instruction/record.ts'
import { partyEvents } from '../parties/record.ts'
import { personEvents } from '../people/record.ts'
import { productEvents } from '../products/record.ts'
import { reversalEvents } from '../reversal/record.ts'
import { rulesEvents } from '../rules/record.ts'
import { sealEvents } from '../seals/record.ts'
import { taxEvents } from '../tax/record.ts'

/** The type of an event determines its data. */
const EVENT_DATA: Record<string, { schema: TSchema }> = {
  ...customerEvents,
  ...accountEvents,
  ...depositEvents,
  ...interestEvents,
  ...liquidationEvents,
  ...reversalEvents,
  ...maturityEvents,
  ...instructionEvents,
  ...partyEvents,
  ...batchEvents,
  ...lienEvents,
  ...productEvents,
  ...documentEvents,
  ...accrualEvents,
  ...rulesEvents,
  ...taxEvents,
  ...policyEvents,
  ...approvalEvents,
  ...personEvents,
  ...sealEvents,
}

/** Events that subscribers can receive. */
export const EVENT_TYPES: readonly string[] = Object.keys(EVENT_DATA)

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

export const announcedEvents = Object.entries(EVENT_DATA).map(([type, { schema }]) => ({
  type,
  record: record(`${inPascalCase(type)}Event`, eventMembers(Type.Literal(type), schema)),
}))

/** All events are written the same way. */
export const EventRecord = kind(
  anyOf(
    'Event',
    announcedEvents.map(({ record }) => record.schema),
  ),
  announcedEvents[0]!.record.write,
  announcedEvents[0]!.record.json,
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
