/** What runs beside the requests of a service. */
import { startAccrualJob } from '../features/accruals/job.ts'
import { startApprovalJob } from '../features/approvals/job.ts'
import { startBatchJob } from '../features/batches/job.ts'
import { startMaturityJob } from '../features/maturity/job.ts'
import { startRetentionJob } from '../features/retention/job.ts'
import { type createChangeCount, startSealJob } from '../features/seals/job.ts'
import { TRIED_FOR_DAYS } from '../features/webhooks/schedule.ts'
import { createSender } from '../features/webhooks/sender.ts'
import { createPost } from '../features/webhooks/transport.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { startBackupJob } from './backup-job.ts'
import type { Service } from './compose.ts'
import type { Config } from './config.ts'
import { openReadSocket } from './read-socket.ts'
import { answerReads } from './reads.ts'

type Job = { stop: () => Promise<void> }

/** The background jobs of a running service. */
export function startJobs(
  config: Config,
  service: Service,
  { log, changes, metrics }: { log: Log; changes: ReturnType<typeof createChangeCount>; metrics: Metrics },
): Job[] {
  const { db, clock, maturity, addressGuard } = service
  const isPaused = () => !service.clockWatch.isSure()
  const sender = createSender({
    db,
    clock,
    log,
    isPaused,
    post: createPost({ addressGuard, timeoutMs: config.webhookTimeoutMs }),
    limits: {
      inFlightMax: config.webhookInFlightMax,
      inFlightPerEndpointMax: config.webhookInFlightPerEndpointMax,
      pollMs: config.webhookPollMs,
      // Generous: another process that claims a message too early sends it twice.
      leaseMs: config.webhookTimeoutMs * 4,
      // The other half is for closing the database; a message that is cut off is sent again after its lease.
      stopMs: config.shutdownTimeoutMs / 2,
    },
  })
  sender.start()
  const everySeconds = config.maturityIntervalSeconds
  return [
    sender,
    startMaturityJob({ maturity, everySeconds, log, isPaused }),
    startApprovalJob({ engine: service, everySeconds, log, isPaused }),
    startAccrualJob({ engine: service, everySeconds, log, isPaused }),
    startBatchJob({ engine: service, everySeconds: BATCH_EVERY_SECONDS, log, isPaused }),
    startSealJob({ engine: service, log, changes, isPaused }),
    startRetentionJob({
      db,
      clock,
      log,
      isPaused,
      observe: metrics.observeRemoved,
      days: {
        idempotency_keys: config.retainAnswersDays,
        webhook_deliveries: config.retainDeliveriesDays,
        approvals: config.retainPreviewsDays,
        request_traces: TRIED_FOR_DAYS,
        person_sessions: config.retainSessionsDays,
        person_devices: config.retainDevicesDays,
        people: config.retainLinksDays,
      },
    }),
  ]
}

/** How soon a started batch begins; a running one goes on without a pause. */
const BATCH_EVERY_SECONDS = 1

/** Only this process can read the directory of the embedded engine: it answers other commands, and backs it up. */
export async function startEmbeddedJobs(
  { db, clock, momentIn, perform }: Service,
  { config, url, log }: { config: Config; url: string; log: Log },
): Promise<Job[]> {
  const answer = answerReads(READS, { db, clock, momentIn, perform, config, url, pageKeys: READ_PAGE_KEYS })
  const socket = await openReadSocket({ directory: config.dataDirectory, answer, log })
  return config.backupEveryHours > 0 ? [socket, startBackupJob({ db, clock, config, log })] : [socket]
}

/** What commands may read of a running service, loaded when a command asks. */
const READS = {
  'callers list': async () => (await import('./callers.ts')).callersRead,
  'clock confirm': async () => (await import('./clock.ts')).clockConfirmation,
  'keys list': async () => (await import('./keys.ts')).keysRead,
  'people list': async () => (await import('./people.ts')).peopleRead,
  status: async () => (await import('./status.ts')).statusRead,
  verify: async () => (await import('./verify.ts')).verifyRead,
  demo: async () => (await import('./demo.ts')).demoRead,
  backup: async () => (await import('./backup.ts')).backupRead,
}

/**
 * Requests wait for the page that is being read, because the embedded engine has one session. During a verify of 20,000
 * liquidations they waited at most 0.8 s with this and 3.5 s with pages of 2,000, and verify took no longer.
 */
const READ_PAGE_KEYS = 200
