/** Browsers in which a person signed in. Each has 256 random bits, of which only the SHA-256 is stored. */
import { DEVICE_MS, type PersonKey } from '../../domain/people.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { instant, rowMap, text } from '../../engine/database/row-map.ts'
import { hashSecret } from '../../engine/database/secrets.ts'

export type Device = PersonKey & {
  deviceId: string
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
}

const LISTED_MAX = 100

const device = rowMap<Device>({
  callerId: text('caller_id'),
  personId: text('person_id'),
  deviceId: text('device_id'),
  userAgent: text('user_agent'),
  createdAt: instant('created_at'),
  lastSeenAt: instant('last_seen_at'),
})

export const statements = {
  // Of whatever people: a browser names its devices by their secrets alone.
  findDevices: `
    select ${device.columns}
    from person_devices
    where device_hash = any($1::text[])
      and last_seen_at > $2
      and ended_at is null`,

  listDevices: `
    select ${device.columns}
    from person_devices
    where caller_id = $1
      and person_id = $2
      and last_seen_at > $3
      and ended_at is null
    order by last_seen_at desc, device_id
    limit $4`,

  insertDevice: `
    insert into person_devices (caller_id, person_id, device_id, device_hash, user_agent, created_at, last_seen_at)
    values ($1, $2, $3, $4, $5, $6, $6)`,

  touchDevice: `
    update person_devices
    set last_seen_at = greatest(last_seen_at, $4)
    where caller_id = $1
      and person_id = $2
      and device_id = $3`,

  endDevice: `
    update person_devices
    set ended_at = $4
    where caller_id = $1
      and person_id = $2
      and device_id = $3
      and ended_at is null`,

  endDevices: `
    update person_devices
    set ended_at = $3
    where caller_id = $1
      and person_id = $2
      and ended_at is null`,

  forgetDevices: `
    delete from person_devices
    where caller_id = $1
      and person_id = $2
      and (last_seen_at <= $3 or ended_at <= $3)`,
}

/** Those that are still known, of the secrets that a browser has. */
export async function findDevices(db: Queries, secrets: readonly string[], now: Date): Promise<Device[]> {
  if (secrets.length === 0) return []
  const values = [secrets.map(hashSecret), oldestKnown(now)]
  return (await db.query<object>(statements.findDevices, values)).map(device.read)
}

/** The one used last first. */
export async function listDevices(
  db: Queries,
  { callerId, personId }: PersonKey,
  now: Date,
): Promise<Device[]> {
  const values = [callerId, personId, oldestKnown(now), LISTED_MAX]
  return (await db.query<object>(statements.listDevices, values)).map(device.read)
}

export function insertDevice(tx: Transaction, known: Device & { secret: string }): void {
  const { callerId, personId, deviceId, secret, userAgent, createdAt } = known
  tx.write(statements.forgetDevices, [callerId, personId, oldestKnown(createdAt)])
  tx.write(statements.insertDevice, [callerId, personId, deviceId, hashSecret(secret), userAgent, createdAt])
}

export function touchDevice(tx: Transaction, { callerId, personId, deviceId }: Device, at: Date): void {
  tx.write(statements.touchDevice, [callerId, personId, deviceId, at])
}

export async function endDevice(
  db: Queries,
  { callerId, personId, deviceId }: PersonKey & { deviceId: string },
  at: Date,
): Promise<void> {
  await db.query(statements.endDevice, [callerId, personId, deviceId, at])
}

/** All of a person. */
export function endDevices(tx: Transaction, { callerId, personId }: PersonKey, at: Date): void {
  tx.write(statements.endDevices, [callerId, personId, at])
}

function oldestKnown(now: Date): Date {
  return new Date(now.getTime() - DEVICE_MS)
}
