/**
 * Benchmarks. They start all that they need: a private PostgreSQL, services and a load generator.
 *
 *   npm run bench                          the whole benchmark; writes bench/results.json and docs/benchmarks.md
 *     --only pgbench,postgres,…              some parts; writes nothing, unless all but verify were run: its last result is
 *                                            kept then
 *     --quick                                small numbers, to see that it works; writes nothing
 *   npm run bench -- operations            each operation of this checkout, in turns, with CPU per answer
 *   npm run bench -- compare <checkout>    the same, side by side with another checkout, which has its dependencies installed
 *   npm run bench -- profile [checkout]    where the CPU time of service and database goes, for each operation
 *   npm run bench -- pgbench               liquidations and transactions of PostgreSQL's own benchmark, in turns
 *   npm run bench -- peers                 a liquidation beside a movement of other ledgers, in turns on one PostgreSQL
 *     --programs <folder>                    where their programs are kept or built; a temporary folder otherwise
 *   npm run bench -- arrive                a large batch, an import through kills, accruals, payments of interest, a move
 *     --share 0.01                           of the full size, to see that it works
 *     --only full,customer,…                 some operations: the names in operations.ts; of arrive some parts: batches,
 *                                            import, accruals, payments, move
 *     --rounds 7                             warm turns of each operation, after a cold one
 *     --save                                 keep the result in bench/results.json and docs/benchmarks.md
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Arrival, arrivalTable, arrivalText } from './arrival-table.ts'
import { ARRIVAL_PARTS, measureArrival } from './arrive.ts'
import { say, startServer } from './databases.ts'
import { runText, watchRun } from './machine.ts'
import { BESIDE_PGBENCH, measureOperations, SCENARIOS } from './operations.ts'
import { comparisonTable, operationsTable } from './operations-table.ts'
import { measurePeers } from './peers.ts'
import { peersTable, peersText } from './peers-table.ts'
import { profileOperations } from './profile.ts'
import { profileText } from './profile-table.ts'
import { saveResults } from './results.ts'
import { THIS_TREE } from './service.ts'
import { aligned } from './table.ts'

const [command, ...args] = process.argv.slice(2)
const runOf = watchRun()
if (command === undefined || command.startsWith('--')) await import('./suite.ts')
else if (command === 'arrive') await arrive()
else await run(command)

async function run(asked: string): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '7' },
      programs: { type: 'string' },
      save: { type: 'boolean', default: false },
    },
  })
  const names = namesIn(values.only, Object.keys(SCENARIOS))
  const folder = createFolder()
  const turns = {
    names,
    rounds: Number(values.rounds),
    logPath: join(folder, 'service.log'),
    database: 'operations',
  }
  switch (asked) {
    case 'operations': {
      const server = await startServer()
      const [own] = await measureOperations(server, { ...turns, otherTree: null })
      await server.stop()
      print(aligned(operationsTable(own!)))
      finish(values.save, { operations: own! })
      return
    }
    case 'pgbench': {
      const server = await startServer()
      const [own] = await measureOperations(server, { ...turns, names: BESIDE_PGBENCH, otherTree: null })
      await server.stop()
      print(aligned(operationsTable(own!)))
      finish(values.save, { besidePgbench: own! })
      return
    }
    case 'compare': {
      if (positionals[0] === undefined) throw new Error('Which checkout? npm run bench -- compare <path>')
      const otherTree = resolve(positionals[0])
      const server = await startServer()
      const [own, others] = await measureOperations(server, { ...turns, otherTree })
      await server.stop()
      const comparison = { other: versionOf(otherTree), own: own!, others: others! }
      print(`${aligned(operationsTable(own!))}\n\n${aligned(comparisonTable(comparison))}`)
      finish(values.save, { comparison })
      return
    }
    case 'profile': {
      const path = resolve(positionals[0] ?? THIS_TREE)
      const profiles = await profileOperations({ names, folder, path })
      print(profiles.map(profileText).join('\n\n'))
      finish(values.save, { profiles })
      return
    }
    case 'peers': {
      const server = await startServer()
      const programs = resolve(values.programs ?? join(folder, 'programs'))
      const peers = await measurePeers(server, { rounds: turns.rounds, folder, programs })
      await server.stop()
      print(`${aligned(peersTable(peers))}\n\n${peersText(peers)}`)
      // Without any other there is nothing to show.
      return finish(values.save && peers.peers.length > 1, { peers })
    }
    default:
      throw new Error(
        `There is no benchmark ${asked}; there are operations, pgbench, compare, profile, peers and arrive.`,
      )
  }
}

async function arrive(): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      share: { type: 'string', default: '1' },
      save: { type: 'boolean', default: false },
    },
  })
  const share = Number(values.share)
  const parts = namesIn(values.only, ARRIVAL_PARTS)
  const isWhole = parts.length === ARRIVAL_PARTS.length
  if (values.save && (!isWhole || share !== 1)) throw new Error('Only a whole run of the full size is saved.')
  const measured = await measureArrival({ folder: createFolder(), share, parts })
  if (!isWhole) return print(JSON.stringify(measured, null, 2))
  const arrival = measured as Arrival
  print(`${aligned(arrivalTable(arrival))}\n\n${arrivalText(arrival)}`)
  // Its database is killed, and what killed processes used cannot be told from what others use.
  finish(values.save, { arrival }, { ...runOf(), share: arrival.share })
}

/** Says beside what it was measured, and keeps it. */
function finish(isSaved: boolean, measured: Parameters<typeof saveResults>[0], run = runOf()): void {
  say(runText(run))
  if (isSaved) saveResults(measured, run)
}

/** Removed at the end. */
function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

function namesIn<Name extends string>(only: string | undefined, known: readonly Name[]): Name[] {
  if (only === undefined) return [...known]
  return only.split(',').map((asked) => {
    const name = known.find((one) => one === asked)
    if (name === undefined) throw new Error(`There is no ${asked}; there are ${known.join(', ')}.`)
    return name
  })
}

function versionOf(tree: string): string {
  const { version } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'))
  const commit = execFileSync('git', ['-C', tree, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' })
  return `version ${version} (${commit.trim()})`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
