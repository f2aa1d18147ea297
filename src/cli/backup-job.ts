/**
 * Backs the embedded database up by itself. When the next backup is due is read from the files, so restarts neither skip
 * nor repeat one; a failure is logged and tried again at the next look.
 */
import { mkdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database } from '../engine/database/database.ts'
import { backupName, listBackups } from '../engine/embedded/backup.ts'
import type { Log } from '../observe/log.ts'
import type { LastBackup } from '../route/route.ts'
import { sentenceOf } from './command.ts'
import type { Config } from './config.ts'

const LOOK_MS = 60_000
const HOUR_SECONDS = 3600

export function startBackupJob(options: {
  db: Database
  clock: () => Date
  config: Config
  log: Log
  lookMs?: number
}): { stop: () => Promise<void> } {
  const { db, clock, config, log, lookMs = LOOK_MS } = options
  const { backupEveryHours, backupKeep } = config
  const directory = resolve(config.backupDirectory)
  let running: Promise<void> = look()
  const timer = setInterval(() => {
    running = running.then(look)
  }, lookMs)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }

  async function look(): Promise<void> {
    try {
      const age = await backupAgeSeconds(directory, clock())
      if (age < backupEveryHours * HOUR_SECONDS) return
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = join(directory, backupName(clock()))
      const { backUp } = await import('./backup.ts')
      const { bytes } = await backUp({ db, clock, directory: config.dataDirectory, file })
      log('info', 'backed_up', { file, bytes })
      await removeOld()
    } catch (error) {
      log('error', 'backup_failed', { reason: sentenceOf(error) })
    }
  }

  async function removeOld(): Promise<void> {
    for (const name of (await listBackups(directory)).slice(backupKeep)) await rm(join(directory, name))
  }
}

/**
 * While there is none the age is that of the data directory: an alert then also notices when no backup ever succeeds,
 * however often the service is started again.
 */
export async function readLastBackup(
  { backupDirectory, dataDirectory }: Pick<Config, 'backupDirectory' | 'dataDirectory'>,
  now: Date,
): Promise<LastBackup> {
  // Of a directory that cannot be read no backup is known; the job logs why it cannot write there.
  const ageSeconds = await backupAgeSeconds(backupDirectory, now).catch(() => Number.NaN)
  if (!Number.isNaN(ageSeconds)) return { exists: true, ageSeconds }
  const { birthtime } = await stat(dataDirectory)
  return { exists: false, ageSeconds: secondsBetween(birthtime, now) }
}

/** NaN: there is none. */
export async function backupAgeSeconds(directory: string, now: Date): Promise<number> {
  const [newest] = await listBackups(directory)
  if (newest === undefined) return Number.NaN
  const { mtime } = await stat(join(directory, newest))
  return secondsBetween(mtime, now)
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000
}
