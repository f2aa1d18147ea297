/**
 * Benchmarks. They start all that they need: a private PostgreSQL, services and a load generator.
 *
 *   npm run bench                          the whole benchmark; writes bench/results.json and docs/benchmarks.md
 *     --only pgbench,postgres,…              some parts, written with --save; postgres and embedded are saved together
 *     --quick                                small numbers, to see that it works; writes nothing
 *   npm run bench -- operations            each operation of this checkout, in turns, with CPU per answer
 *   npm run bench -- compare <checkout>    the same, side by side with another checkout, which has its dependencies installed
 *   npm run bench -- profile [checkout]    where the CPU time of service and database goes, for each operation
 *   npm run bench -- pgbench               liquidations and transactions of PostgreSQL's own benchmark, in turns
 *   npm run bench -- mixed                 all operations mixed, beside each of them in a service of its own
 *   npm run bench -- processes             1, 2, 4 and 8 processes of one service
 *   npm run bench -- fresh                 the first minute of a new database, beside a warm one
 *   npm run bench -- growth                books of more deposits, more books, more parts of a deposit
 *     --only deposits,books,parts            some of them
 *     --deposits 10000,1000000,5000000       other sizes: the first one is what the others are compared with
 *     --books 1,10,100,1000
 *     --parts 1,4,16,64
 *   npm run bench -- peers                 a liquidation beside a movement of other ledgers, in turns on one PostgreSQL
 *     --programs <folder>                    where their programs are kept or built; a temporary folder otherwise
 *   npm run bench -- arrive                a large batch, an import through kills, accruals, payments of interest, a move
 *     --share 0.01                           of the full size, to see that it works; of fresh too
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
import { MIXED_AND_PARTS, measureApart, PROCESSES } from './apart.ts'
import { type Arrival, arrivalTable, arrivalText } from './arrival-table.ts'
import { ARRIVAL_PARTS, measureArrival } from './arrive.ts'
import { say, startServer } from './databases.ts'
import { measureFresh } from './fresh.ts'
import { measureBooks, measureGrowth, measureParts } from './growth.ts'
import { growthText } from './growth-table.ts'
import { runText, watchRun } from './machine.ts'
import { BESIDE_PGBENCH, measureOperations, OPERATIONS, SCENARIOS } from './operations.ts'
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

/** Compared with it by goals of their own; any other is the last release. */
const FIRST_RELEASE = 'version 0.1.'
if (command === undefined || command.startsWith('--')) await import('./suite.ts')
else if (command === 'arrive') await arrive()
else if (command === 'growth') await growth()
else await run(command)

async function run(asked: string): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '7' },
      programs: { type: 'string' },
      share: { type: 'string', default: '1' },
      save: { type: 'boolean', default: false },
    },
  })
  const isCompared = asked === 'compare'
  const names =
    values.only === undefined && !isCompared ? OPERATIONS : namesIn(values.only, Object.keys(SCENARIOS))
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
      finish(
        values.save,
        comparison.other.startsWith(FIRST_RELEASE) ? { comparison } : { besideLast: comparison },
      )
      return
    }
    case 'profile': {
      const path = resolve(positionals[0] ?? THIS_TREE)
      const profiles = await profileOperations({ names, folder, path })
      print(profiles.map(profileText).join('\n\n'))
      finish(values.save, { profiles })
      return
    }
    case 'mixed': {
      const server = await startServer()
      const mixed = await measureApart(server, MIXED_AND_PARTS, { ...turns, folder, database: 'mixed' })
      await server.stop()
      print(aligned(operationsTable(mixed)))
      return finish(values.save, { mixed })
    }
    case 'processes': {
      const server = await startServer()
      const processes = await measureApart(server, PROCESSES, { ...turns, folder, database: 'processes' })
      await server.stop()
      print(aligned(operationsTable(processes)))
      return finish(values.save, { processes })
    }
    case 'fresh': {
      const server = await startServer()
      const fresh = await measureFresh(server, { folder, share: Number(values.share) })
      await server.stop()
      print(aligned(operationsTable(fresh)))
      return finish(values.save && values.share === '1', { fresh })
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
        `There is no benchmark ${asked}; there are operations, pgbench, compare, profile, mixed, processes, fresh, growth, peers and arrive.`,
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

async function growth(): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      deposits: { type: 'string', default: '10000,1000000,5000000' },
      books: { type: 'string', default: '1,10,100,1000' },
      parts: { type: 'string', default: '1,4,16,64' },
      rounds: { type: 'string', default: '7' },
      save: { type: 'boolean', default: false },
    },
  })
  const wanted = namesIn(values.only, ['deposits', 'books', 'parts'])
  const folder = createFolder()
  const rounds = Number(values.rounds)
  const asked = (counts: string) => ({ counts: counts.split(',').map(Number), rounds, folder })
  const { counts: sizes } = asked(values.deposits)
  const server = await startServer()
  const turns = { turns: 3 * rounds + 4, warmupTurns: 4, logPath: join(folder, 'service.log') }
  const measured = {
    growth: wanted.includes('deposits') ? await measureGrowth(server, { sizes, ...turns }) : [],
    growingBooks: wanted.includes('books') ? await measureBooks(server, asked(values.books)) : null,
    growingParts: wanted.includes('parts') ? await measureParts(server, asked(values.parts)) : null,
  }
  await server.stop()
  print(growthText(measured, aligned))
  finish(values.save, measured)
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
