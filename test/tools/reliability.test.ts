import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  clusterSection,
  mutantsSection,
  overloadSection,
  readRecord,
  recordSection,
  suiteSection,
  withSections,
} from '../../tools/reliability.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const PROGRAM = '0.3.0 (0123456789ab)'
const machine = {
  program: PROGRAM,
  processor: 'A processor',
  cores: 2,
  memoryGigabytes: 24,
  system: 'Linux',
  node: '24.0.0',
  postgres: '15.18',
  pglite: '0.5.16',
}
const date = '2026-11-18'

test('the page has the record as it is; if not, run npm run scoreboard -- --only record', () => {
  const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8')
  assert(page.includes(`\n${recordSection(readRecord())}`))
})

test('rounds are added up by engine and program, and for each engine in all', () => {
  const round = { version: '0.3.0', commit: COMMIT, lost: 0, doubled: 0, wrong: 0 }
  const section = recordSection([
    {
      ...round,
      engine: 'PostgreSQL',
      acknowledged: 1_000,
      faults: { 'service killed': 2, 'table locked': 1 },
    },
    { ...round, engine: 'PGlite', acknowledged: 7, lost: 1, doubled: 2, wrong: 3, faults: {} },
    { ...round, engine: 'PostgreSQL', acknowledged: 500, faults: { 'table locked': 2 } },
    { ...round, commit: null, engine: 'PostgreSQL', acknowledged: 1, faults: { 'table locked': 1 } },
  ])
  assert.deepEqual(section.split('\n').slice(7), [
    `| PGlite | ${PROGRAM} | 1 | 7 | 0 | 1 | 2 | 3 |`,
    '| PGlite | **all** | 1 | 7 | 0 | 1 | 2 | 3 |',
    `| PostgreSQL | ${PROGRAM} | 2 | 1,500 | 5 | 0 | 0 | 0 |`,
    '| PostgreSQL | 0.3.0 | 1 | 1 | 1 | 0 | 0 | 0 |',
    '| PostgreSQL | **all** | 3 | 1,501 | 6 | 0 | 0 | 0 |',
    '',
    'Faults by kind: table locked 4, service killed 2.',
    '',
  ])
})

test('every section says with which version and commit it was counted', () => {
  const unknown = { asked: 0, hadBeenDone: 0, hadNotBeenDone: 0 }
  const about = { date, rounds: 1, seed: 1, versions: { breakwater: PROGRAM }, machine: { cores: 2 } }
  const counts = { answered: 0, lost: 0, doubled: 0, wrong: 0, unknown, longestGapSeconds: 0, episodes: [] }
  for (const section of [
    suiteSection({ suite: 'power', date, machine, files: [] }),
    overloadSection({ date, machine, seconds: 1, turns: 1, reports: [] }),
    mutantsSection({ date, machine, lines: [] }),
    clusterSection({ run: about, ...counts }),
  ]) {
    assert(section.includes(PROGRAM), section)
  }
})

test('a section is replaced alone, and one that the page does not have is not lost silently', () => {
  const page = '# Page\n\nFirst words.\n\n## One\n\nOld.\n\n### Part\n\n## Two\n\nStays.\n'
  assert.equal(
    withSections(page, ['## One\n\nNew.\n\n']),
    '# Page\n\nFirst words.\n\n## One\n\nNew.\n\n## Two\n\nStays.\n',
  )
  assert.equal(withSections(page, ['## Two\n\nNew.\n']), page.replace('Stays.', 'New.'))
  assert.throws(() => withSections(page, ['## Three\n\nNew.\n']), /no section "## Three"/)
})
