import { isCoordinator } from './engines.ts'

const ON_ONE_SERVER = `
  select count(distinct pid)::int4 as waiting
  from pg_locks
  where not granted
    and pid in (select pid from pg_stat_activity where datname = current_database())`

/** Counts the sessions of this database that wait for a lock. On a sharded one they wait on the workers. */
export const countLockWaits = isCoordinator
  ? `select sum(result::int4)::int4 as waiting from run_command_on_all_nodes($$${ON_ONE_SERVER}$$)`
  : ON_ONE_SERVER
