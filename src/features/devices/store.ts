/** Browsers in which a person signed in. Each has 256 random bits, of which only the SHA-256 is stored. */
import { DEVICE_MS, type PersonKey } from '../../domain/people.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { type ItemOf, instant, rowMap, text } from '../../engine/database/row-map.ts'
import { hashSecret } from '../../engine/database/secrets.ts'
import { membersOf, sql } from '../../engine/database/sql.ts'

const LISTED_MAX = 100

const device = rowMap({
  callerId: text('caller_id'),
  personId: text('person_id'),
  deviceId: text('device_id'),
  userAgent: text<string | null>('user_agent'),
  createdAt: instant('created_at'),
  lastSeenAt: instant('last_seen_at'),
})
export type Device = ItemOf<typeof device>

const personOf = membersOf<PersonKey>('callerId', 'personId')
type DeviceKey = PersonKey & { deviceId: string }
const keyOf = membersOf<DeviceKey>('callerId', 'personId', 'deviceId')
type NewDevice = Device & { secret: string }

export const statements = {
  // The devices may be of several people: a browser names them by their secrets alone.
  findDevices: sql`
    select ${device.columns}
    from person_devices
    where device_hash = any($1::text[])
      and last_seen_at > $2
      and ended_at is null`.all(device, (secrets: readonly string[], now: Date) => [
    ...[secrets.map(hashSecret), oldestKnown(now)],
  ]),

  insertDevice: sql`
    insert into person_devices (caller_id, person_id, device_id, device_hash, user_agent, created_at, last_seen_at)
    values ($1, $2, $3, $4, $5, $6, $6)`.write(({ secret, userAgent, createdAt, ...key }: NewDevice) => [
    ...[...keyOf(key), hashSecret(secret), userAgent, createdAt],
  ]),

  forgetDevices: sql`
    delete from person_devices
    where caller_id = $1
      and person_id = $2
      and (last_seen_at <= $3 or ended_at <= $3)`.write((person: PersonKey, now: Date) => [
    ...[...personOf(person), oldestKnown(now)],
  ]),
}

/** Those that are still known, of the secrets that a browser has. */
export async function findDevices(db: Queries, secrets: readonly string[], now: Date): Promise<Device[]> {
  return secrets.length === 0 ? [] : statements.findDevices(db, secrets, now)
}

/** The one used last first. */
export const listDevices = sql`
    select ${device.columns}
    from person_devices
    where caller_id = $1
      and person_id = $2
      and last_seen_at > $3
      and ended_at is null
    order by last_seen_at desc, device_id
    limit $4`.all(device, (person: PersonKey, now: Date) => [
  ...[...personOf(person), oldestKnown(now), LISTED_MAX],
])

export function insertDevice(tx: Transaction, known: NewDevice): void {
  statements.forgetDevices(tx, known, known.createdAt)
  statements.insertDevice(tx, known)
}

export const touchDevice = sql`
    update person_devices
    set last_seen_at = greatest(last_seen_at, $4)
    where caller_id = $1
      and person_id = $2
      and device_id = $3`.write((key: DeviceKey, at: Date) => [...keyOf(key), at])

export const endDevice = sql`
    update person_devices
    set ended_at = $4
    where caller_id = $1
      and person_id = $2
      and device_id = $3
      and ended_at is null`.run((key: DeviceKey, at: Date) => [...keyOf(key), at])

/** All of a person. */
export const endDevices = sql`
    update person_devices
    set ended_at = $3
    where caller_id = $1
      and person_id = $2
      and ended_at is null`.write((person: PersonKey, at: Date) => [...personOf(person), at])

function oldestKnown(now: Date): Date {
  return new Date(now.getTime() - DEVICE_MS)
}
