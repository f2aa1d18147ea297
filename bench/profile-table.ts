/** Where the time of one operation goes, as text. */
import { aligned, markdown, micros, type Table, whole } from './table.ts'

export type Profile = {
  label: string
  perSecond: number
  /** CPU seconds per 1,000 answers. */
  service: { cpu: number | null; parts: { part: string; share: number }[] }
  database: {
    cpu: number | null
    /** Calls per answer; µs, rows and bytes per call. Times are elapsed, with waits. */
    statements: { text: string; calls: number; micros: number; rows: number; walBytes: number }[]
    /** Per answer. */
    walBytes: number
    walRecords: number
    fullPages: number
    updates: { table: string; each: number; hotShare: number }[]
    /** What the sessions were doing, when looked at many times. */
    waits: { wait: string; share: number }[]
  }
}

const SMALLEST_SHARE = 0.01

export function profileText(profile: Profile): string {
  return written(profile, (title) => title, aligned)
}

export function profileMarkdown(profile: Profile): string {
  return written(profile, (title) => `### ${title}`, markdown)
}

function written(
  { label, perSecond, service, database }: Profile,
  heading: (title: string) => string,
  show: (table: Table) => string,
): string {
  const { statements, updates, waits } = database
  const shown = service.parts.filter(({ share }) => share >= SMALLEST_SHARE)
  const rest = 1 - shown.reduce((sum, { share }) => sum + share, 0)
  return `${heading(label)}

${whole(perSecond)} a second while profiled. Each costs ${costOf(service.cpu)} of CPU in the service and ${costOf(database.cpu)} in the database,
and writes ${whole(database.walBytes)} bytes of log in ${database.walRecords.toFixed(1)} records, of which ${database.fullPages.toFixed(2)} are full pages.

${show({
  head: ['Part of the service', 'CPU', 'Share'],
  rows: [...shown, { part: 'the rest', share: rest }].map(({ part, share }) => [
    part,
    service.cpu === null ? '' : micros(service.cpu * share),
    percent(share),
  ]),
})}

${show({
  head: ['Statement', 'Per answer', 'µs a call', 'µs an answer', 'Rows a call', 'Log bytes a call'],
  rows: statements.map((one) => [
    one.text,
    one.calls.toFixed(3),
    whole(one.micros),
    (one.micros * one.calls).toFixed(1),
    one.rows.toFixed(1),
    whole(one.walBytes),
  ]),
})}

${show({
  head: ['Table', 'Updates per answer', 'HOT'],
  rows: updates.map(({ table, each, hotShare }) => [table, each.toFixed(2), percent(hotShare)]),
})}

${show({
  head: ['Sessions of the service', 'Share'],
  rows: waits.map(({ wait, share }) => [wait, percent(share)]),
})}
`
}

function costOf(secondsPerThousand: number | null): string {
  return secondsPerThousand === null ? 'an unknown amount' : micros(secondsPerThousand)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
}
