import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** FAULTS=ci enables the full counts; without it a suite runs a short version. */
export const full = process.env.FAULTS === 'ci'

/** Starting takes most of the time of a kill, and compiling most of a start. */
export const compileCache = join(tmpdir(), 'breakwater-compile-cache')
