/**
 * Broken variants of the service, one promise each. Every search text must be found exactly once, so that a mutant cannot
 * quietly stop being one when the code moves on.
 */
export type Edit = { file: string; search: string; replace: string }

export type Suite =
  | { kind: 'simulation'; engine: 'PGlite' | 'PostgreSQL'; seeds: number }
  | { kind: 'tests'; file: string; pattern?: string }

export type Mutant = { name: string; edits: readonly Edit[]; suites: readonly Suite[] }

const onPglite: Suite = { kind: 'simulation', engine: 'PGlite', seeds: 400 }
const onPostgres: Suite = { kind: 'simulation', engine: 'PostgreSQL', seeds: 600 }
const atEveryMessage: Suite = {
  kind: 'tests',
  file: 'test/faults/unknown-commits.test.ts',
  pattern: 'FULL liquidation with a key',
}

/** The end of the statement by which a liquidation locks its deposits. */
const LOCK_BREAKABLE = `maturity_date, rules_version
      from deposits
      where book_id = $1
        and deposit_id = any($2::text[])
      order by deposit_id
      for update`

export const mutants: readonly Mutant[] = [
  {
    name: 'answers before the commit',
    edits: [
      {
        file: 'src/engine/database/pooled-database.ts',
        search: '        await transaction.commit()\n        client.release()\n        return result',
        replace:
          '        void transaction.commit().then(() => client.release(), () => client.release(true))\n        return result',
      },
    ],
    suites: [atEveryMessage],
  },
  {
    name: 'takes a lost answer to COMMIT for a failure',
    edits: [
      {
        file: 'src/engine/database/pooled-database.ts',
        search: "return asDatabaseError(error, !refused || state === '40003' || /^(08|XX)/.test(state))",
        replace: 'return asDatabaseError(error, !refused && false)',
      },
    ],
    suites: [atEveryMessage],
  },
  {
    name: 'commits what is left of a transaction in which a statement failed',
    edits: [
      {
        file: 'src/engine/database/pooled-database.ts',
        search: "if (committed.value.command !== 'COMMIT') {",
        replace: "if (committed.value.command === '') {",
      },
    ],
    suites: [{ kind: 'tests', file: 'test/engine/database/database.test.ts' }],
  },
  {
    name: 'denies a change whose commit is unknown',
    edits: [
      {
        file: 'src/engine/change/persistence.ts',
        search: 'inDoubt ||= isOutcomeUnknown(error)',
        replace: 'inDoubt ||= false',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'changes again after an unknown commit without looking',
    edits: [
      {
        file: 'src/engine/change/engine.ts',
        search: 'inDoubt ? await findCommitted(tx, unconfirmed) : new Set<Submitted>()',
        replace: 'inDoubt ? await findCommitted(tx, new Map()) : new Set<Submitted>()',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'answers for the attempt that was refused instead of the one that came late',
    edits: [{ file: 'src/engine/change/engine.ts', search: 'if (inDoubt) await tx.written()', replace: '' }],
    suites: [{ kind: 'tests', file: 'test/faults/unknown-commits.test.ts', pattern: 'arrives late' }],
  },
  {
    name: 'takes no notice of a write that failed',
    edits: [
      {
        file: 'src/engine/database/pooled-database.ts',
        search:
          '      if (failure !== undefined) throw translate(asDatabaseError(failure))\n      if (warned',
        replace: '      if (warned',
      },
    ],
    suites: [{ kind: 'tests', file: 'test/engine/database/database.test.ts' }],
  },
  {
    name: 'locks no deposit',
    edits: [
      {
        file: 'src/features/deposits/store.ts',
        search: LOCK_BREAKABLE,
        replace: LOCK_BREAKABLE.replace('\n      for update', ''),
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'locks no customer',
    edits: [
      {
        file: 'src/features/customers/store.ts',
        search: '    order by customer_id\n    for update`',
        replace: '    order by customer_id`',
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'locks no account',
    edits: [
      {
        file: 'src/features/accounts/store.ts',
        search: '      and account_number = any($2::text[])\n    order by account_number\n    for update`',
        replace: '      and account_number = any($2::text[])\n    order by account_number`',
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'locks deposits in the order in which they were asked for',
    edits: [
      {
        file: 'src/features/deposits/store.ts',
        search: LOCK_BREAKABLE,
        replace: LOCK_BREAKABLE.replace(
          'order by deposit_id',
          'order by array_position($$2::text[], deposit_id)',
        ),
      },
    ],
    suites: [{ kind: 'tests', file: 'test/faults/lock-order.test.ts' }],
  },
  {
    name: 'locks accounts in the order of the deposits that pay to them',
    edits: [
      {
        file: 'src/features/deposits/store.ts',
        search: '      order by account_number\n      for update',
        replace:
          '      order by array_position(array(select account_number from deposit), account_number)\n      for update',
      },
    ],
    suites: [{ kind: 'tests', file: 'test/faults/lock-order.test.ts' }],
  },
  {
    name: 'reads the remaining principal beside the lock instead of under it',
    edits: [
      {
        file: 'src/features/deposits/store.ts',
        search: LOCK_BREAKABLE,
        replace: LOCK_BREAKABLE.replace(
          'rules_version',
          'rules_version, (select twin.remaining_minor from deposits twin ' +
            'where twin.book_id = deposits.book_id and twin.deposit_id = deposits.deposit_id) as remaining_minor',
        ),
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'reads the earlier answers before it has the lock',
    edits: [
      {
        file: 'src/engine/change/engine.ts',
        search:
          '        const [locked, snapshot] = await Promise.all([\n' +
          '          change.lock(tx, book.bookId, requests),\n' +
          '          readBookSnapshot(tx, book.bookId, keys),\n',
        replace:
          '        const [snapshot, locked] = await Promise.all([\n' +
          '          readBookSnapshot(tx, book.bookId, keys),\n' +
          '          change.lock(tx, book.bookId, requests),\n',
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'finds a deposit of any book',
    edits: [
      {
        file: 'src/features/deposits/store.ts',
        search: LOCK_BREAKABLE,
        replace: LOCK_BREAKABLE.replace('book_id = $1', '$$1::text is not null'),
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'breaks the deposit in every book that knows its id',
    edits: [
      {
        file: 'src/features/liquidation/store.ts',
        search: '      where deposits.book_id = $1\n        and deposits.deposit_id = changed.deposit_id',
        replace: '      where deposits.deposit_id = changed.deposit_id',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'pays to the account of every book that knows its number',
    edits: [
      {
        file: 'src/features/ledger/store.ts',
        search:
          '      where accounts.book_id = $1\n        and accounts.account_number = credit.account_number',
        replace: '      where accounts.account_number = credit.account_number',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'remembers keys across books',
    edits: [
      {
        file: 'src/engine/change/recording.ts',
        search: '        where book_id = $1\n          and idempotency_key = asked.key',
        replace: '        where idempotency_key = asked.key',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'keeps the answer to a key in a second transaction',
    edits: recordedApart(
      '{ ...decided.recording, answers: [] }',
      '{ events: [], answers: decided.recording.answers }',
    ),
    suites: [onPglite],
  },
  {
    name: 'writes the event outside the transaction',
    edits: recordedApart(
      '{ ...decided.recording, events: [] }',
      '{ events: decided.recording.events, answers: [] }',
    ),
    suites: [onPglite],
  },
  {
    name: 'lets a refusal stick to its key',
    edits: [
      {
        file: 'src/engine/change/engine.ts',
        search: "      if (decision.outcome === 'refused') {\n",
        replace:
          "      if (decision.outcome === 'refused') {\n" +
          '        if (origin.idempotency !== null) {\n' +
          "          recording.answers.push({ ...origin.idempotency, status: 422, body: '{}', at: at.moment.at })\n" +
          '        }\n',
      },
      {
        file: 'src/engine/change/engine.ts',
        search: 'if (decided.values.length > 0) {',
        replace: 'if (decided.values.length + decided.recording.answers.length > 0) {',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'replays a key without comparing the request',
    edits: [
      {
        file: 'src/engine/change/engine.ts',
        search: 'if (body === null || earlier.fingerprint !== origin.idempotency?.fingerprint) {',
        replace: 'if (body === null) {',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'decides a batch without its own earlier requests',
    edits: [
      {
        file: 'src/domain/liquidation.ts',
        search: '    deposits.set(deposit.depositId, {',
        replace: '    new Map(deposits).set(deposit.depositId, {',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'computes money in doubles',
    edits: [
      {
        file: 'src/domain/money.ts',
        search: '  const quotient = dividend / divisor\n',
        replace:
          "  if (rounding !== 'DOWN') return BigInt(Math.round(Number(dividend) / Number(divisor)))\n  const quotient = dividend / divisor\n",
      },
    ],
    suites: [{ kind: 'tests', file: 'test/domain/money.test.ts' }],
  },
  {
    name: 'charges more than the interest',
    edits: [
      {
        file: 'src/domain/penal.ts',
        search: 'const capped = due > interest',
        replace: 'const capped = due < 0n',
      },
      {
        file: 'src/domain/penal.ts',
        search: "  assert(charge.assessed <= interest, 'a penal charge takes interest, never principal')\n",
        replace: '',
      },
      {
        file: 'src/domain/liquidation.ts',
        search: "  assert(penal <= interest, 'a penal charge may take interest, never principal')\n",
        replace: '',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'assesses each part of a day alone',
    edits: [
      {
        file: 'src/domain/liquidation.ts',
        search: 'const earlierToday = deposit.lastBroken?.on === on ? deposit.lastBroken : null',
        replace: 'const earlierToday = null',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'charges after maturity',
    edits: [
      {
        file: 'src/domain/penal.ts',
        search: "const charge = matured ? noCharge('MATURED') : chargeOf(position, interest)",
        replace: 'const charge = chargeOf(position, interest)',
      },
      {
        file: 'src/domain/liquidation.ts',
        search:
          "  assert(on < deposit.maturityDate || penal === 0n, 'nothing is charged from maturity on')\n",
        replace: '',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'tells the disk nothing of a commit',
    edits: [
      {
        file: 'src/engine/embedded/durable-files.ts',
        search: '      else fdatasyncSync(stream.nfd)\n',
        replace: '',
      },
    ],
    suites: [{ kind: 'tests', file: 'test/engine/embedded/power-loss.test.ts' }],
  },
]

/** Writes a part of what a batch records with the batch, and the rest in a transaction of its own, a moment later. */
function recordedApart(withTheBatch: string, later: string): Mutant['edits'] {
  return [
    {
      file: 'src/engine/change/engine.ts',
      search: '          change.write(tx, book.bookId, decided.values, decided.recording)\n',
      replace:
        `          change.write(tx, book.bookId, decided.values, ${withTheBatch})\n` +
        '          setImmediate(() => {\n' +
        '            db.transaction(async (second) => {\n' +
        '              await second.query("select 1")\n' +
        `              record(second, book.bookId, ${later})\n` +
        '            }).catch(() => undefined)\n' +
        '          })\n',
    },
    {
      file: 'src/engine/change/engine.ts',
      search: '  type Recording,\n',
      replace: '  type Recording,\n  record,\n',
    },
  ]
}
