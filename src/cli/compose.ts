/** Everything the doors need, put together once. */
import { createConsole } from '../console/door.ts'
import type { BatchLimits } from '../engine/change/batcher.ts'
import { createEngine } from '../engine/change/engine.ts'
import type { Database } from '../engine/database/database.ts'
import { keysIn } from '../features/api-keys/store.ts'
import { countMaturitiesDue } from '../features/maturity/backlog.ts'
import { createMaturity, type Maturities } from '../features/maturity/job.ts'
import { createSignIn, type SignIn } from '../features/people/sign-in.ts'
import type { AddressGuard } from '../features/webhooks/changes.ts'
import { countPending } from '../features/webhooks/store.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import type { FurtherDoor, ServedByHttp } from '../http/server.ts'

export type Service = ServedByHttp & { maturity: Maturities }

export function createService(options: {
  db: Database
  clock: () => Date
  limits: BatchLimits
  observeBatch?: (batchSize: number) => void
  /** Absent: no limit. */
  testClockRolloversMax?: number
  /** Without it, no webhook endpoint can be registered. */
  addressGuard?: AddressGuard
}): Service {
  const { addressGuard = forbidEveryAddress, testClockRolloversMax = Number.POSITIVE_INFINITY } = options
  const { db, clock } = options
  const engine = createEngine(options)
  const maturity = createMaturity({ engine })
  return {
    ...engine,
    maturity,
    settleBook: maturity.settleBook,
    testClockRolloversMax,
    addressGuard,
    keys: keysIn(db),
    backlog: {
      deliveriesPending: () => countPending(db),
      maturitiesDue: () => countMaturitiesDue(db, clock()),
    },
  }
}

/** Sign-in of people, for the console. */
export function createSignInOver(service: Service, limits: { triesPerAddressPerMinute: number }): SignIn {
  return createSignIn({ engine: service, take: createRateLimiter(), limits })
}

export function createConsoleDoor(options: Parameters<typeof createConsole>[0]): FurtherDoor {
  return { path: '/console', open: createConsole(options) }
}

const forbidEveryAddress: AddressGuard = async () => ({
  outcome: 'forbidden',
  code: 'forbidden_address',
  message: 'Webhooks are switched off here.',
})
