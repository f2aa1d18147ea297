/** The counts of a run, as JSON and as a table. */
import type { Difference } from '../support/audited-interest.ts'
import { type Heard, isAcknowledged } from '../support/load/callers.ts'
import type { Comparison } from './books.ts'

export type Episode = {
  fault: string
  fromMs: number
  toMs: number
  /** null where there was no fault. */
  primaries: { before: string; after: string } | null
}

export type CheckedBooks = Comparison & { differences: Difference[]; nodesAlike: boolean }

type Report = {
  run: object
  holds: boolean
  answered: number
  refused: number
  /** Requests that were rejected with 503 at least once, and sent again. */
  denied: number
  /** Requests with an unknown outcome, and the result of the retry. */
  unknown: { asked: number; hadBeenDone: number; hadNotBeenDone: number }
  lost: number
  doubled: number
  wrong: number
  /** Requests that were answered as not done although they were. */
  contradicted: number
  /** Answers of 500 or without a known code. */
  broken: number
  auditor: number
  nodesAlike: boolean
  services: { started: number; alive: number }
  longestGapSeconds: number
  episodes: EpisodeReport[]
  findings: string[]
}

type EpisodeReport = {
  fault: string
  primaries: Episode['primaries']
  seconds: number
  answered: number
  denied: number
  unknown: number
  unknownDone: number
  gapSeconds: number
}

const FINDINGS_MAX = 20

export function reportOf(outcome: {
  run: object
  heard: readonly Heard[]
  episodes: readonly Episode[]
  books: CheckedBooks
  services: { started: number; alive: number }
}): Report {
  const { heard, books, services } = outcome
  const answered = heard.filter(isAcknowledged)
  const doubtful = heard.filter(wasDoubtful)
  const hadBeenDone = doubtful.filter(wasReplayed).length
  const contradicted = heard.filter((one) => wasReplayed(one) && !wasDoubtful(one))
  const broken = heard.filter((one) => one.attempts.some((attempt) => attempt.result === 'broken'))
  const episodes = outcome.episodes.map((episode) => episodeReport(episode, heard))
  const { lost, doubled, wrong, differences, nodesAlike } = books
  const trailOf = (one: Heard) => `${one.key}: ${one.attempts.map((attempt) => attempt.result).join(', ')}`
  const findings = [
    ...lost.map((name) => `lost: ${name}`),
    ...doubled.map((name) => `doubled: ${name}`),
    ...wrong.map((name) => `wrong: ${name}`),
    ...contradicted.map((one) => `contradicted: ${trailOf(one)}`),
    ...broken.map((one) => `broken: ${trailOf(one)}`),
    ...differences.map(({ claim }) => `not so: ${claim}`),
    ...(nodesAlike ? [] : ['the nodes hold different books']),
    ...(services.alive === services.started ? [] : ['a service ended']),
  ]
  return {
    run: outcome.run,
    holds: findings.length === 0,
    answered: answered.length,
    refused: heard.length - answered.length,
    denied: heard.filter(wasDenied).length,
    unknown: { asked: doubtful.length, hadBeenDone, hadNotBeenDone: doubtful.length - hadBeenDone },
    lost: lost.length,
    doubled: doubled.length,
    wrong: wrong.length,
    contradicted: contradicted.length,
    broken: broken.length,
    auditor: differences.length,
    nodesAlike,
    services,
    longestGapSeconds: Math.max(...episodes.map((episode) => episode.gapSeconds)),
    episodes,
    findings: findings.slice(0, FINDINGS_MAX),
  }
}

export function reportText(report: Report): string {
  const faults = [...new Set(report.episodes.map((episode) => episode.fault))]
  const rows = faults.map((fault) => {
    const same = report.episodes.filter((episode) => episode.fault === fault)
    const sum = (count: (episode: EpisodeReport) => number) =>
      String(same.reduce((total, episode) => total + count(episode), 0))
    return [
      fault,
      String(same.length),
      sum((episode) => episode.answered),
      sum((episode) => episode.denied),
      sum((episode) => episode.unknown),
      sum((episode) => episode.unknownDone),
      Math.max(...same.map((episode) => episode.gapSeconds)).toFixed(1),
    ]
  })
  const head = ['Fault', 'Times', 'Answered', '503, nothing done', 'Unknown', 'of them done', 'Longest gap s']
  const { answered, refused, unknown, lost, doubled, wrong, contradicted, broken, auditor } = report
  const summary = [
    `answered ${answered}, refused ${refused}, lost ${lost}, doubled ${doubled}, wrong ${wrong}`,
    `unknown ${unknown.asked}, all resolved: ${unknown.hadBeenDone} had been done, ${unknown.hadNotBeenDone} had not`,
    `contradicted ${contradicted}, broken ${broken}, differences of the auditor ${auditor}`,
    `the three nodes hold ${report.nodesAlike ? 'the same books' : 'different books'}`,
    `services alive ${report.services.alive} of ${report.services.started}`,
  ]
  return [aligned([head, ...rows]), '', ...summary, ...report.findings].join('\n')
}

function episodeReport(episode: Episode, heard: readonly Heard[]): EpisodeReport {
  const within = ({ atMs }: { atMs: number }) => atMs >= episode.fromMs && atMs < episode.toMs
  const answeredAt = (one: Heard) => one.attempts.at(-1)!
  const asked = heard.filter((one) => one.attempts.some(within))
  const doubtful = asked.filter(wasDoubtful)
  const acknowledgedMs = heard
    .filter(isAcknowledged)
    .map((one) => answeredAt(one).atMs)
    .toSorted((left, right) => left - right)
  const gaps = acknowledgedMs
    .map((atMs, index) => ({ atMs, gapMs: (acknowledgedMs[index + 1] ?? atMs) - atMs }))
    .filter(within)
  return {
    fault: episode.fault,
    primaries: episode.primaries,
    seconds: tenths(episode.toMs - episode.fromMs),
    answered: heard.filter((one) => isAcknowledged(one) && within(answeredAt(one))).length,
    denied: asked.filter(wasDenied).length,
    unknown: doubtful.length,
    unknownDone: doubtful.filter(wasReplayed).length,
    gapSeconds: tenths(Math.max(0, ...gaps.map((gap) => gap.gapMs))),
  }
}

const wasDenied = (one: Heard) => one.attempts.some((attempt) => attempt.result === 'denied')
const wasDoubtful = (one: Heard) =>
  one.attempts.some((attempt) => attempt.result === 'unknown' || attempt.result === 'unanswered')
const wasReplayed = (one: Heard) => one.attempts.at(-1)!.result === 'replayed'

const tenths = (milliseconds: number) => Math.round(milliseconds / 100) / 10

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')).join('\n')
}
