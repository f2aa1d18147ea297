/** The other half of the worlds on the embedded engine, and those on PostgreSQL: a process of its own uses another core. */
import { engines } from '../support/engines.ts'
import { PGLITE_SEEDS, POSTGRES_SEEDS, testWorlds } from './support/worlds.ts'

const [pglite, postgres] = engines
testWorlds(postgres!, { first: 1, count: POSTGRES_SEEDS })
testWorlds(pglite!, { first: PGLITE_SEEDS / 2 + 1, count: PGLITE_SEEDS / 2 })
