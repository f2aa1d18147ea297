/** Everything the doors need, put together once. */

import { createConsole, type FrameFacts } from '../console/door.ts'
import { identityOf } from '../domain/actor.ts'
import type { FactorPolicy } from '../domain/factors.ts'
import type { BatchLimits } from '../engine/change/batcher.ts'
import { createEngine } from '../engine/change/engine.ts'
import type { Database } from '../engine/database/database.ts'
import { closeDays } from '../features/accruals/changes.ts'
import { keysIn } from '../features/api-keys/store.ts'
import { countWaiting } from '../features/approval-requests/store.ts'
import { findCallerName } from '../features/callers/store.ts'
import type { ClockWatch } from '../features/clock/watch.ts'
import { countMaturitiesDue } from '../features/maturity/backlog.ts'
import { createMaturity, type Maturities } from '../features/maturity/job.ts'
import { listNotices } from '../features/notices/store.ts'
import { createCipher } from '../features/service-keys/cipher.ts'
import { createSignIn } from '../features/sign-in/sign-in.ts'
import { createProvider, type ProviderSettings } from '../features/sign-on/provider.ts'
import { createSignOn, type SignOnSettings } from '../features/sign-on/sign-on.ts'
import type { AddressGuard } from '../features/webhooks/changes.ts'
import { countPending } from '../features/webhooks/store.ts'
import { createRateLimiter, type Take } from '../http/rate-limit.ts'
import type { FurtherDoor, ServedByHttp } from '../http/server.ts'
import type { SignIn } from '../page/sign-in.ts'
import type { SignOn } from '../page/sign-on.ts'
import type { LastBackup } from '../route/route.ts'

export type Service = ServedByHttp & { maturity: Maturities }

export function createService(options: {
  db: Database
  clock: () => Date
  limits: BatchLimits
  observeBatch?: (batchSize: number) => void
  /** Absent: the clock is not compared with that of the database. */
  clockWatch?: Pick<ClockWatch, 'isSure' | 'differenceMs' | 'booksUnsure'>
  /** Absent: no limit. */
  testClockRolloversMax?: number
  /** No webhook endpoint can be registered without it. */
  addressGuard?: AddressGuard
  /** Absent: the service makes no backups. */
  lastBackup?: () => Promise<LastBackup>
}): Service {
  const { addressGuard = forbidEveryAddress, testClockRolloversMax = Number.POSITIVE_INFINITY } = options
  const { db, clock } = options
  const { clockWatch = UNWATCHED } = options
  const engine = createEngine({ ...options, isClockSure: clockWatch.isSure })
  const maturity = createMaturity({ engine })
  return {
    ...engine,
    maturity,
    settleBook: async (origin) => {
      await maturity.settleBook(origin)
      await closeDays(engine, origin.book)
    },
    clockWatch,
    testClockRolloversMax,
    addressGuard,
    keys: keysIn(db),
    backlog: {
      deliveriesPending: () => countPending(db),
      maturitiesDue: () => countMaturitiesDue(db, clock()),
      lastBackup: options.lastBackup ?? (async () => null),
    },
  }
}

/** Sign-in of people, for the console. */
export function createSignInOver(
  service: Service,
  { triesPerAddressPerMinute, take = createRateLimiter(), ...settings }: SignInSettings,
): SignIn {
  const limits = { triesPerAddressPerMinute }
  const cipher = createCipher(service)
  return createSignIn({ engine: service, take, limits, cipher, ...settings })
}

/** null: people sign in with passwords alone, and nothing of single sign-on is loaded. */
export function createSignOnOver(
  service: Service,
  settings: (SignOnSettings & ProviderSettings) | null,
): SignOn | null {
  if (settings === null) return null
  const provider = createProvider(settings, service.clock)
  return createSignOn({ engine: service, cipher: createCipher(service), provider, settings })
}

type SignInSettings = Pick<Parameters<typeof createSignIn>[0], 'signOn' | 'noteBreakGlass'> & {
  triesPerAddressPerMinute: number
  /** Given where several processes count together. */
  take?: Take
  factorPolicy?: FactorPolicy
}

export function createConsoleDoor(options: Omit<Parameters<typeof createConsole>[0], 'facts'>): FurtherDoor {
  const { db } = options.service
  const facts: FrameFacts = {
    bankName: async (callerId) => (await findCallerName(db, callerId)) ?? '',
    countWaiting: (person, book, at) =>
      countWaiting(db, book.bookId, { at, voter: identityOf({ kind: 'PERSON', id: person.personId }) }),
    listNotices: (person) => listNotices(db, person),
  }
  return { path: '/console', open: createConsole({ ...options, facts }) }
}

const UNWATCHED = { isSure: () => true, differenceMs: () => Number.NaN, booksUnsure: () => Number.NaN }

const forbidEveryAddress: AddressGuard = async () => ({
  outcome: 'forbidden',
  code: 'forbidden_address',
  message: 'Webhooks are switched off here.',
})
