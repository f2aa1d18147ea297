/**
 * What a PostgreSQL server does in the background and the embedded engine does not: checkpoints, vacuum, and checks of
 * free disk space. All of it runs as ordinary statements between those of the service, a little at a time.
 *
 * Guarantee: while less than the reserve is free, the engine rejects every change and answers every read. The reserve
 * exists because a disk that fills up in the middle of a commit ends the engine.
 */
import { statfs } from 'node:fs/promises'
import { type Database, isOutcomeUnknown, isUnavailable } from '../database/database.ts'

type UpkeepOptions = {
  directory: string
  freeSpaceMinBytes: number
  /** Bounds recovery time and the size of the log. */
  checkpointWalBytes: number
  checkpointIntervalMs: number
  /** How often it checks whether something is due. */
  intervalMs: number
  vacuumIntervalMs: number
  onFailure: (error: unknown) => void
}

export async function startUpkeep(db: Database, options: UpkeepOptions): Promise<{ stop(): Promise<void> }> {
  let readOnly = false
  let checkpointAt = performance.now()
  let vacuumAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  // Before the first statement of the service, because the disk may be full from the start.
  await guardSpace()
  schedule()
  return { stop }

  async function stop(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await running
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      running = run()
      await running
      if (timer !== undefined) schedule()
    }, options.intervalMs).unref()
  }

  async function run(): Promise<void> {
    try {
      await guardSpace()
      await checkpointWhenDue()
      await vacuumWhenDue()
    } catch (error) {
      // A busy engine gets its upkeep at the next turn, and warnings of a vacuum do not matter.
      if (!isUnavailable(error) && !isOutcomeUnknown(error)) options.onFailure(error)
    }
  }

  async function guardSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(options.directory)
    const short = bavail * bsize < options.freeSpaceMinBytes
    if (short === readOnly) return
    await db.query(`set default_transaction_read_only = ${short ? 'on' : 'off'}`)
    readOnly = short
  }

  async function checkpointWhenDue(): Promise<void> {
    const [log] = await db.query<{ bytes: bigint }>(WAL_SINCE_CHECKPOINT)
    const elapsedMs = performance.now() - checkpointAt
    const due = log!.bytes >= options.checkpointWalBytes || elapsedMs >= options.checkpointIntervalMs
    if (!due || log!.bytes < WAL_OF_A_CHECKPOINT_BYTES) return
    await db.query('checkpoint')
    checkpointAt = performance.now()
  }

  async function vacuumWhenDue(): Promise<void> {
    if (performance.now() - vacuumAt < options.vacuumIntervalMs) return
    vacuumAt = performance.now()
    await vacuumOne(db)
  }
}

/** One table at a time, because all requests wait meanwhile. */
async function vacuumOne(db: Database): Promise<void> {
  const [table] = await db.query<{ name: string }>(TABLE_TO_VACUUM)
  if (table !== undefined) await db.query(`vacuum (analyze) ${table.name}`)
}

/** Less than this was written by the last checkpoint itself. */
const WAL_OF_A_CHECKPOINT_BYTES = 8192n

const WAL_SINCE_CHECKPOINT = `
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 as bytes
  from pg_control_checkpoint()`

/** The thresholds of a server's autovacuum; the last one keeps transaction numbers from running out. */
const TABLE_TO_VACUUM = `
  select format('%I.%I', schemaname, s.relname) as name
  from pg_stat_user_tables s
  join pg_class c on c.oid = s.relid
  where greatest(n_dead_tup, n_mod_since_analyze / 2, n_ins_since_vacuum / 2) > 1000 + n_live_tup / 5
     or age(c.relfrozenxid) > 100000000
  order by n_dead_tup desc
  limit 1`
