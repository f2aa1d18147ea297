import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** FAULTS=ci enables the counts of CI, FAULTS=all those of a night; without it a suite runs a short version. */
export const all = process.env.FAULTS === 'all'
export const full = all || process.env.FAULTS === 'ci'

/** Starting takes most of the time of a kill, and compiling most of a start. */
export const compileCache = join(tmpdir(), 'breakwater-compile-cache')

/** For the auditor, whose statements take longer than any of the service. */
export const PATIENCE = { DATABASE_QUERY_TIMEOUT_MS: '120000', DATABASE_STATEMENT_TIMEOUT_MS: '120000' }
