/** What a whole run has measured. */
import type { Arrival } from './arrival-table.ts'
import type { Machine, Run } from './machine.ts'
import type { Measurement } from './measure.ts'
import type { Comparison, MeasuredOperation } from './operations-table.ts'
import type { Peers } from './peers-table.ts'
import type { Profile } from './profile-table.ts'
import type { CommandRun } from './service.ts'

/** CPU seconds per 1,000 requests. */
export type Floor = { perSecond: number; serverCpu: number | null; generatorCpu: number }
export type Growth = {
  deposits: number
  perSecond: number
  turns: readonly number[]
  serverCpu: number | null
  databaseCpu: number | null
  databaseMegabytes: number
}
export type Maturity = { deposits: number; matureSeconds: number; verifySeconds: number }
export type Verification = { liquidations: number; databaseCpuSeconds?: number | null } & CommandRun

export type Results = {
  date: string
  machine: Machine & { fsyncMicroseconds: number }
  postgresSettings: readonly string[]
  floor: Floor | null
  measurements: Measurement[]
  growth: Growth[]
  /** Of each the smallest first. */
  growingBooks: MeasuredOperation[] | null
  growingParts: MeasuredOperation[] | null
  maturity: Maturity | null
  verification: Verification | null
  operations: MeasuredOperation[] | null
  besidePgbench: MeasuredOperation[] | null
  /** With the first release. */
  comparison: Comparison | null
  /** With the last one, by `compare --save`. */
  besideLast: Comparison | null
  /** The mixed load first, then its parts. */
  mixed: MeasuredOperation[] | null
  processes: MeasuredOperation[] | null
  fresh: MeasuredOperation[] | null
  profiles: Profile[] | null
  /** `arrive --save` */
  arrival: Arrival | null
  /** `peers --save` */
  peers: Peers | null
  /** The run of each part. Absent where an earlier version saved it. */
  runs: Partial<Record<Part, Run>>
}

/** What is saved together: each may come from a run of its own. */
export type Part = Exclude<keyof Results, 'runs'>
