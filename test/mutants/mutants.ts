/**
 * Broken variants of the service, one promise each. Every search text must be found exactly once, so that a mutant cannot
 * quietly stop being one when the code moves on.
 */
import { accessMutants } from './access.ts'
import { approvalMutants } from './approvals.ts'
import { depositMutants } from './deposits.ts'
import { deskMutants } from './desk.ts'
import { paymentMutants } from './payments.ts'
import { proofMutants } from './proof.ts'
import { signOnMutants } from './sign-on.ts'
import { worldMutants } from './worlds.ts'

type Edit = { file: string; search: string; replace: string }

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

const gatheredReads: Suite = { kind: 'tests', file: 'test/engine/database/gathering.test.ts' }
const severalBooks: Suite = { kind: 'tests', file: 'test/engine/change/several-books.test.ts' }

/** A limit that lies elsewhere, or that nothing checks. */
function moved(name: string, edit: Edit, [file, pattern]: [file: string, pattern?: string]): Mutant {
  const suite: Suite = { kind: 'tests', file, ...(pattern !== undefined && { pattern }) }
  return { name: `limit: ${name}`, edits: [edit], suites: [suite] }
}

/** How a liquidation locks its deposits. */
const BREAKABLE = `const breakable = \`\${breakableMap.columns}, \${addressAs('deposit_row')}\``
const LOCK_BREAKABLE = `lockedByKey('deposits', 'deposit_id', breakable)`

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
        search: 'inDoubt ? unconfirmed : NONE',
        replace: 'NONE',
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
        search: '  if (failure !== undefined) throw translate(asDatabaseError(failure))\n  if (warned',
        replace: '  if (warned',
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
        replace: LOCK_BREAKABLE.replace('lockedByKey(', "rowsByKey('$$2::text[]', "),
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'locks no customer',
    edits: [
      {
        file: 'src/features/customers/store.ts',
        search: 'lock: lockCustomers }',
        replace: 'find: lockCustomers }',
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'locks no account',
    edits: [
      {
        file: 'src/features/accounts/store.ts',
        search: 'lock: lockAccounts }',
        replace: 'find: lockAccounts }',
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'locks deposits and accounts in the order in which they were asked for',
    edits: [
      {
        file: 'src/engine/database/keyed-rows.ts',
        search: `select distinct key from \${keys} as asked(key) order by key`,
        replace: `select key from \${keys} as asked(key)`,
      },
    ],
    suites: [{ kind: 'tests', file: 'test/faults/lock-order.test.ts' }],
  },
  {
    name: 'reads the remaining principal beside the lock instead of under it',
    edits: [
      {
        file: 'src/features/deposits/store.ts',
        search: BREAKABLE,
        replace: BREAKABLE.replace(
          '.columns}',
          '.columns}, (select twin.remaining_minor from deposits twin ' +
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
          '    const [locked, snapshot] = await Promise.all([\n' +
          '      change.lock(tx, book.bookId, requests),\n' +
          '      readBookSnapshot(tx, book.bookId, keys),\n',
        replace:
          '    const [snapshot, locked] = await Promise.all([\n' +
          '      readBookSnapshot(tx, book.bookId, keys),\n' +
          '      change.lock(tx, book.bookId, requests),\n',
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'finds a deposit of any book',
    edits: [
      {
        file: 'src/engine/database/keyed-rows.ts',
        search: `where book_id = $1\n        and \${key} = asked.key\n      for`,
        replace: `where $1::text is not null\n        and \${key} = asked.key\n      for`,
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'does not notice that a locked row has moved',
    edits: [
      {
        file: 'src/engine/database/row-address.ts',
        search: `= (\${expected})`,
        replace: `<= (\${expected})`,
      },
    ],
    suites: [{ kind: 'tests', file: 'test/features/liquidation/concurrency.test.ts' }],
  },
  {
    name: 'pays to the account of every book that knows its number',
    edits: [
      {
        file: 'src/features/ledger/store.ts',
        search: `      where accounts.book_id = \${book.credit}\n        and accounts.account_number = credit.account_number`,
        replace: '      where accounts.account_number = credit.account_number',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'lets a request join a read that has already started',
    edits: [
      {
        file: 'src/engine/database/gathering.ts',
        search: '        if (books.get(bookId) === gathering) books.delete(bookId)\n',
        replace: '',
      },
    ],
    suites: [gatheredReads],
  },
  {
    name: 'lets an id that the database rejects fail the reads beside it',
    edits: [
      {
        file: 'src/engine/database/gathering.ts',
        search: 'if (ids.size === 1 || isUnavailable(error)) throw error',
        replace: 'if (ids.size > 0 || isUnavailable(error)) throw error',
      },
    ],
    suites: [gatheredReads],
  },
  {
    name: 'delivers an event to the endpoints of every book of its batch',
    edits: [
      {
        file: 'src/engine/change/recording.ts',
        search: `      where endpoint.book_id = \${book.event}\n        and endpoint.status`,
        replace: '      where endpoint.status',
      },
    ],
    suites: [severalBooks],
  },
  {
    name: 'locks the books of a batch in the order in which they were asked for',
    edits: [
      {
        file: 'src/engine/change/engine.ts',
        search: '      .sort(([left], [right]) => (left < right ? -1 : 1))\n',
        replace: '',
      },
    ],
    suites: [severalBooks],
  },
  {
    name: 'lets all books of a batch wait for the locks of one',
    edits: [
      {
        file: 'src/engine/change/engine.ts',
        search: 'isLimited && limitLockWait(tx, SHARED_LOCK_WAIT_MS)',
        replace: 'isLimited && limitLockWait(tx, 60_000)',
      },
    ],
    suites: [severalBooks],
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
        search: 'if (decided.values.length === 0) continue',
        replace: 'if (decided.values.length + decided.recording.answers.length === 0) continue',
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
    name: 'reversal: takes back what is not the last movement',
    edits: [
      {
        file: 'src/domain/reversal.ts',
        search:
          '  if (deposit.remaining !== liquidation.remaining || deposit.status !== liquidation.statusAfter) return false\n',
        replace: "  if (deposit.status === 'MATURED') return false\n",
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'reversal: leaves the sums of the day',
    edits: [
      {
        file: 'src/domain/reversal.ts',
        search: 'const lastBroken = lastBrokenBefore(known)',
        replace: 'const { lastBroken } = deposit',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'reversal: takes money that is not there',
    edits: [
      {
        file: 'src/domain/reversal.ts',
        search: '  if (balance < liquidation.net) {',
        replace: '  if (balance < 0n) {',
      },
    ],
    suites: [{ kind: 'tests', file: 'test/domain/reversal.test.ts' }],
  },
  {
    name: 'reversal: can be made twice',
    edits: [
      {
        file: 'src/features/reversal/store.ts',
        search: '  statements.markReversed(tx, bookId, reversal)\n',
        replace: '',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'reversal: decides on a deposit that it has not locked',
    edits: [
      {
        file: 'src/features/reversal/store.ts',
        search: "lockedByKey('deposits', 'deposit_id', depositMap.columns, {",
        replace:
          `(({ keys }: { keys: string }) => \`select \${depositMap.columns} from deposits ` +
          `where book_id = $1 and deposit_id = \${keys}\`)({`,
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'approval: a request waits for an expired one while it holds the deposit',
    edits: [
      {
        file: 'src/features/approvals/changes.ts',
        search: '        lockPending(tx, bookId, operation, request!.targetId),\n',
        replace: '        undefined,\n',
      },
    ],
    suites: [onPostgres],
  },
  {
    name: 'approval: is decided twice',
    edits: [
      {
        file: 'src/domain/approvals.ts',
        search: "return status === 'PENDING' ? null",
        replace: "return status !== 'REJECTED' ? null",
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'approval: never expires',
    edits: [
      {
        file: 'src/domain/approvals.ts',
        search: "approval.status === 'PENDING' && approval.expiresAt <= at ?",
        replace: "approval.status === 'PENDING' && approval.expiresAt < approval.requestedAt ?",
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'approval: its maker may decide',
    edits: [
      {
        file: 'src/domain/approvals.ts',
        search: "if (voter.voter === approval.maker) return refuse('maker_cannot_approve')",
        replace: "if (voter.voter === '') return refuse('maker_cannot_approve')",
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'approval: is carried out and stays pending',
    edits: [
      {
        file: 'src/features/approvals/changes.ts',
        search: '        decideApproval(tx, bookId, approval)\n',
        replace: '',
      },
    ],
    suites: [onPglite],
  },
  ...approvalMutants,
  ...signOnMutants,
  ...worldMutants,
  {
    name: 'decides a batch without its own earlier requests',
    edits: [
      {
        file: 'src/domain/liquidation.ts',
        search: '    deposits.set(deposit.depositId, after)',
        replace: '    new Map(deposits).set(deposit.depositId, after)',
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
        search: 'const capped = due > cap',
        replace: 'const capped = due < 0n',
      },
      {
        file: 'src/domain/penal.ts',
        search: "  assert(charge.assessed <= cap, 'a penal charge takes interest, never principal')\n",
        replace: '',
      },
      {
        file: 'src/domain/settlement.ts',
        search: 'const penal = minor(smaller(charged, interest))',
        replace: 'const penal = minor(charged)',
      },
    ],
    suites: [onPglite],
  },
  {
    name: 'assesses each part of a day alone',
    edits: [
      {
        file: 'src/domain/assessment.ts',
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
        search: "const charge = matured ? noCharge('MATURED') : chargeOf(position, cap)",
        replace: 'const charge = chargeOf(position, cap)',
      },
      {
        file: 'src/domain/liquidation.ts',
        search: "  assert(!matured || figures.penal === 0n, 'nothing is charged from maturity on')\n",
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
    suites: [{ kind: 'tests', file: 'test/faults/power-loss.test.ts' }],
  },
  moved(
    'the days in which a liquidation can be taken back',
    { file: 'src/domain/reversal.ts', search: 'REVERSAL_DAYS = 30', replace: 'REVERSAL_DAYS = 31' },
    ['test/domain/reversal.test.ts'],
  ),
  moved(
    'an audit page skips the change after its scan',
    { file: 'src/features/audit/store.ts', search: 'next: scanEnd + 1n', replace: 'next: scanEnd' },
    ['test/features/audit/audit.test.ts'],
  ),
  moved(
    'an audit page scans more',
    { file: 'src/features/audit/store.ts', search: 'SCANNED_MAX = 50_000', replace: 'SCANNED_MAX = 50_001' },
    ['test/features/audit/audit.test.ts'],
  ),
  moved(
    'an opening cannot reach the largest amount',
    {
      file: 'src/domain/deposit.ts',
      search: 'request.amount + expected > MINOR_MAX',
      replace: 'request.amount + expected >= MINOR_MAX',
    },
    ['test/domain/deposit.test.ts'],
  ),
  moved(
    'a payment at maturity cannot reach the largest amount',
    {
      file: 'src/domain/maturity.ts',
      search: "'MATURED')\n  if (known.balance + value.paidOut > MINOR_MAX)",
      replace: "'MATURED')\n  if (known.balance + value.paidOut >= MINOR_MAX)",
    },
    ['test/domain/maturity.test.ts'],
  ),
  moved(
    'a successor cannot reach the largest amount',
    {
      file: 'src/domain/rollover.ts',
      search: 'principal + expected > MINOR_MAX',
      replace: 'principal + expected >= MINOR_MAX',
    },
    ['test/domain/maturity.test.ts'],
  ),
  moved(
    'a credit cannot reach the largest amount',
    {
      file: 'src/features/accounts/changes.ts',
      search: 'balance > MINOR_MAX',
      replace: 'balance >= MINOR_MAX',
    },
    ['test/features/accounts/accounts.test.ts'],
  ),
  moved(
    'a liquidation cannot reach the largest amount',
    {
      file: 'src/domain/liquidation.ts',
      search: 'known.balance + figures.total > MINOR_MAX',
      replace: 'known.balance + figures.total >= MINOR_MAX',
    },
    ['test/domain/liquidation.test.ts'],
  ),
  moved(
    'a key is not read ahead',
    { file: 'src/http/authentication.ts', search: 'READ_AGAIN_MS = 450', replace: 'READ_AGAIN_MS = 900' },
    ['test/http/key-cache.test.ts'],
  ),
  moved(
    'a key is read ahead too early',
    { file: 'src/http/authentication.ts', search: 'READ_AGAIN_MS = 450', replace: 'READ_AGAIN_MS = 449' },
    ['test/http/key-cache.test.ts'],
  ),
  moved(
    'a key is trusted for longer',
    { file: 'src/http/authentication.ts', search: 'TRUSTED_MS = 900', replace: 'TRUSTED_MS = 901' },
    ['test/http/key-cache.test.ts'],
  ),
  moved(
    'the key cache has no bound',
    {
      file: 'src/http/authentication.ts',
      search: 'remembered.size > REMEMBERED_MAX',
      replace: 'remembered.size > Number.POSITIVE_INFINITY',
    },
    ['test/http/key-cache.test.ts'],
  ),
  moved(
    'the key cache is smaller',
    {
      file: 'src/http/authentication.ts',
      search: 'remembered.size > REMEMBERED_MAX',
      replace: 'remembered.size >= REMEMBERED_MAX',
    },
    ['test/http/key-cache.test.ts'],
  ),
  moved(
    'a use of a key is written later',
    {
      file: 'src/http/authentication.ts',
      search: 'TOUCHED_EVERY_MS = 60_000',
      replace: 'TOUCHED_EVERY_MS = 60_001',
    },
    ['test/http/key-cache.test.ts'],
  ),
  moved(
    'rate buckets have no bound',
    {
      file: 'src/http/rate-limit.ts',
      search: 'buckets.size > BUCKETS_MAX',
      replace: 'buckets.size > Number.POSITIVE_INFINITY',
    },
    ['test/http/rate-limit.test.ts'],
  ),
  moved(
    'rate buckets are fewer',
    {
      file: 'src/http/rate-limit.ts',
      search: 'buckets.size > BUCKETS_MAX',
      replace: 'buckets.size >= BUCKETS_MAX',
    },
    ['test/http/rate-limit.test.ts'],
  ),
  moved(
    'the average of batches follows the last one',
    {
      file: 'src/engine/change/batcher.ts',
      search: 'LATEST_BATCH_WEIGHT = 0.2',
      replace: 'LATEST_BATCH_WEIGHT = 0.25',
    },
    ['test/overload/queue.test.ts'],
  ),
  moved(
    'the next batch is not let in whole',
    {
      file: 'src/engine/change/batcher.ts',
      search: 'waiting >= batchMax &&',
      replace: 'waiting > batchMax &&',
    },
    ['test/overload/queue.test.ts'],
  ),
  moved(
    'exponents of twenty digits are read as numbers',
    {
      file: 'src/domain/decimal.ts',
      search: 'EXPONENT_DIGITS_MAX = 15',
      replace: 'EXPONENT_DIGITS_MAX = 20',
    },
    ['test/domain/decimal.test.ts'],
  ),
  moved(
    'exponents of fifteen digits are not read',
    {
      file: 'src/domain/decimal.ts',
      search: 'EXPONENT_DIGITS_MAX = 15',
      replace: 'EXPONENT_DIGITS_MAX = 14',
    },
    ['test/domain/decimal.test.ts'],
  ),
  moved(
    'the last cursor is refused',
    { file: 'src/wire/cursor.ts', search: '2n ** 63n - 1n', replace: '2n ** 63n - 2n' },
    ['test/wire/cursor.test.ts'],
  ),
  moved(
    'a commit is in doubt for longer',
    {
      file: 'src/engine/change/persistence.ts',
      search: 'startedMs > DOUBT_MAX_MS',
      replace: 'startedMs > DOUBT_MAX_MS + 1',
    },
    ['test/engine/change/persistence.test.ts'],
  ),
  moved(
    'versions are kept without bound',
    {
      file: 'src/engine/change/version-cache.ts',
      search: 'kept.size > VERSIONS_MAX',
      replace: 'kept.size > Number.POSITIVE_INFINITY',
    },
    ['test/engine/change/version-cache.test.ts'],
  ),
  moved(
    'a longer host is shown',
    {
      file: 'src/http/reference.ts',
      search: 'HOST_MAX_CHARACTERS = 260',
      replace: 'HOST_MAX_CHARACTERS = 261',
    },
    ['test/http/reference.test.ts'],
  ),
  moved(
    'fewer pages of hosts are kept',
    { file: 'src/http/reference.ts', search: 'ORIGINS_MAX = 4', replace: 'ORIGINS_MAX = 3' },
    ['test/http/reference.test.ts'],
  ),
  moved(
    'a batch of maturities is larger',
    { file: 'src/features/maturity/changes.ts', search: 'BATCH_MAX = 2_000', replace: 'BATCH_MAX = 2_001' },
    ['test/features/maturity/maturity.test.ts', 'take turns|chain of rollovers does not|at most 250'],
  ),
  moved(
    'a book has more turns in a pass',
    { file: 'src/features/maturity/job.ts', search: 'TURNS_MAX = 8', replace: 'TURNS_MAX = 9' },
    ['test/features/maturity/maturity.test.ts', 'take turns|chain of rollovers does not|at most 250'],
  ),
  moved(
    'a book is settled whole before the next',
    {
      file: 'src/features/maturity/job.ts',
      search: '        if (await takeTurn(run, book)) unfinished.push(book)\n',
      replace: '        while (await takeTurn(run, book)) observe?.(run)\n',
    },
    ['test/features/maturity/maturity.test.ts', 'take turns|chain of rollovers does not|at most 250'],
  ),
  moved(
    'a sweep follows successors',
    {
      file: 'src/features/maturity/store.ts',
      search: '      and ordinal < $5\n',
      replace: '      and $5::bigint is not null\n',
    },
    ['test/features/maturity/maturity.test.ts', 'take turns|chain of rollovers does not|at most 250'],
  ),
  moved(
    'a start date lies further back',
    {
      file: 'src/domain/deposit.ts',
      search: 'START_DAYS_BACK_MAX = 73_050',
      replace: 'START_DAYS_BACK_MAX = 73_051',
    },
    ['test/domain/deposit.test.ts'],
  ),
  moved(
    'an import rolls over more often',
    {
      file: 'src/domain/deposit.ts',
      search: 'TERMS_ROLLED_AT_OPENING_MAX = 1_000',
      replace: 'TERMS_ROLLED_AT_OPENING_MAX = 1_001',
    },
    ['test/domain/deposit.test.ts'],
  ),
  moved(
    'a clock moves further',
    {
      file: 'src/features/test-clock/changes.ts',
      search: 'now > latest',
      replace: 'now > new Date(latest.getTime() + 1)',
    },
    ['test/features/test-clock/test-clock.test.ts'],
  ),
  moved(
    'a clock move causes fewer rollovers',
    {
      file: 'src/features/test-clock/changes.ts',
      search: 'rollovers + payments > rolloversMax',
      replace: 'rollovers + payments >= rolloversMax',
    },
    ['test/features/test-clock/test-clock.test.ts'],
  ),
  moved(
    'a key outlives its maker by a moment',
    {
      file: 'src/domain/authority.ts',
      search: 'other.endsAt > held.endsAt',
      replace: 'other.endsAt > new Date(held.endsAt.getTime() + 1)',
    },
    ['test/domain/authority.test.ts'],
  ),
  moved(
    'a key gives its own limit plus one',
    {
      file: 'src/domain/authority.ts',
      search: 'limitOf(other) > limitOf(held)',
      replace: 'limitOf(other) > limitOf(held) + 1',
    },
    ['test/domain/authority.test.ts'],
  ),
  moved(
    'a book takes all places of the sender',
    {
      file: 'src/features/webhooks/sender.ts',
      search: 'Math.ceil((places - ofOthers) / 2) - ofBook',
      replace: 'places - ofOthers - ofBook',
    },
    ['test/features/webhooks/sender.test.ts', 'half of the places|books take turns'],
  ),
  moved(
    'an endpoint of a book that waited longer comes first',
    {
      file: 'src/features/webhooks/store.ts',
      search: 'Number(one.turn - other.turn) || one.dueAt',
      replace: 'one.dueAt',
    },
    ['test/features/webhooks/sender.test.ts', 'half of the places|books take turns'],
  ),
  moved(
    'a redirect begins later',
    {
      file: 'src/features/webhooks/schedule.ts',
      search: 'statusCode >= 300 && statusCode < 400',
      replace: 'statusCode > 300 && statusCode < 400',
    },
    ['test/features/webhooks/schedule.test.ts'],
  ),
  moved(
    'a redirect ends later',
    {
      file: 'src/features/webhooks/schedule.ts',
      search: 'statusCode >= 300 && statusCode < 400',
      replace: 'statusCode >= 300 && statusCode <= 400',
    },
    ['test/features/webhooks/schedule.test.ts'],
  ),
  moved(
    'a poll looks at more endpoints',
    {
      file: 'src/features/webhooks/sender.ts',
      search: 'LOOKED_AT_MAX = 1_000',
      replace: 'LOOKED_AT_MAX = 1_001',
    },
    ['test/features/webhooks/sender.test.ts', 'a thousand endpoints'],
  ),
  moved(
    'more passwords are computed at once',
    { file: 'src/features/people/passwords.ts', search: 'atOnceMax: 2', replace: 'atOnceMax: 3' },
    ['test/features/people/passwords.test.ts'],
  ),
  moved(
    'fewer passwords wait',
    { file: 'src/features/people/passwords.ts', search: 'waitingMax: 64', replace: 'waitingMax: 63' },
    ['test/features/people/passwords.test.ts'],
  ),
  ...csvMutants(),
  ...doorMutants(),
  ...taxMutants(),
  ...accessMutants,
  ...proofMutants,
  ...paymentMutants,
  ...deskMutants,
  ...depositMutants,
]

/** What the doors let in, and what they tell a browser. */
function doorMutants(): Mutant[] {
  const inFields: [file: string, pattern: string] = ['test/wire/fields.test.ts', 'direction of writing']
  const fields = 'src/wire/formats.ts'
  return [
    moved(
      'a line changes the direction of writing',
      { file: fields, search: '/[\\p{Cc}\\p{Bidi_Control}\\u2028', replace: '/[\\p{Cc}\\u2028' },
      inFields,
    ),
    moved(
      'an address changes the direction of writing',
      { file: fields, search: '[\\p{Cc}\\p{Bidi_Control}]/u', replace: '[\\p{Cc}]/u' },
      inFields,
    ),
    moved(
      'overrides alone are refused',
      {
        file: fields,
        search: '/[\\p{Cc}\\p{Bidi_Control}\\u2028',
        replace: '/[\\p{Cc}\\u202d\\u202e\\u2028',
      },
      inFields,
    ),
    moved(
      'any client says that it uses TLS',
      {
        file: 'src/http/client-address.ts',
        search: 'if (trusted === null || !isWithin(trusted, peerOf(request))) return false',
        replace: 'if (trusted === null) return false',
      },
      ['test/http/client-address.test.ts', 'uses TLS'],
    ),
    moved(
      'HTTP/0.9 is answered',
      {
        file: 'src/http/request-head.ts',
        search: "const VERSIONS = ['1.1', '1.0']",
        replace: "const VERSIONS = ['1.1', '1.0', '0.9']",
      },
      ['test/http/transport.test.ts', 'on a real connection'],
    ),
    moved(
      'browsers that use plain HTTP are sent to https',
      {
        file: 'src/http/answers.ts',
        search: "publicUrl === null || !publicUrl.startsWith('https:')",
        replace: 'publicUrl === null',
      },
      ['test/http/transport.test.ts', 'where browsers use https'],
    ),
    moved(
      'an e-mail address is compared as it was composed',
      {
        file: 'src/domain/email.ts',
        search: "email.normalize('NFC').toLowerCase().normalize('NFC')",
        replace: 'email.toLowerCase()',
      },
      ['test/domain/email.test.ts'],
    ),
  ]
}

/** What is a number in a file for spreadsheets, and what would run as a formula. */
function csvMutants(): Mutant[] {
  const file = 'src/wire/csv.ts'
  const seenBy: [file: string] = ['test/wire/export.test.ts']
  return [
    moved('CSV: a debit is a text', { file, search: ' && !PLAIN_NUMBER.test(text)', replace: '' }, seenBy),
    moved('CSV: a formula after a number', { file, search: '(\\.\\d+)?$/', replace: '/' }, seenBy),
    moved('CSV: a sum begins with a plus', { file, search: '/^-?\\d', replace: '/^[-+]?\\d' }, seenBy),
  ]
}

/** What random lives of a book, or the tests of tax alone, have to see. */
function taxMutants(): Mutant[] {
  const inLives: Suite = { kind: 'tests', file: 'test/faults/lives.test.ts', pattern: 'PGlite' }
  const inTests: Suite = { kind: 'tests', file: 'test/features/tax/tax.test.ts', pattern: 'PGlite' }
  const inDomain: Suite = { kind: 'tests', file: 'test/domain/liquidation.test.ts' }
  const mutant = (name: string, suite: Suite, edit: Edit): Mutant => ({
    name: `tax: ${name}`,
    edits: [edit],
    suites: [suite],
  })
  return [
    mutant('each part of a day is rounded alone', inLives, {
      file: 'src/domain/tax.ts',
      search: 'roundedTax(taxation, taxable, paid.unit) - (earlier?.tax ?? 0n)',
      replace: 'roundedTax(taxation, taxableInterest(taxation, paid, null), paid.unit)',
    }),
    mutant('parts of another version count', inDomain, {
      file: 'src/domain/tax.ts',
      search: 'part.version === version && part.taxClass',
      replace: 'part.taxClass',
    }),
    mutant('parts of another class count', inDomain, {
      file: 'src/domain/tax.ts',
      search: 'part.version === version && part.taxClass === taxClass',
      replace: 'part.version === version',
    }),
    mutant('parts of another day count', inLives, {
      file: 'src/domain/liquidation.ts',
      search: 'const taxedEarlier = earlierToday && taxedAlike(',
      replace: 'const taxedEarlier = taxedAlike(',
    }),
    mutant('a part bears more than its own base', inDomain, {
      file: 'src/domain/tax.ts',
      search: "taxation.limit === 'TOTAL' ? paid.total : taxableInterest(taxation, paid, null)",
      replace: 'paid.total',
    }),
    mutant('a part bears more than it pays', inDomain, {
      file: 'src/domain/tax.ts',
      search: 'const limit = base < paid.total ? base : paid.total',
      replace: 'const limit = base',
    }),
    mutant('a part that was reversed counts', inTests, {
      file: 'src/features/liquidation/store.ts',
      search: '        and tax_version is not null\n        and reversed_at is null\n',
      replace: '        and tax_version is not null\n',
    }),
    mutant(
      'a class ends a day early',
      { kind: 'tests', file: 'test/domain/tax.test.ts' },
      {
        file: 'src/domain/tax.ts',
        search: 'on > status.taxValidUntil',
        replace: 'on >= status.taxValidUntil',
      },
    ),
    mutant('a day that a test clock passed has the rules of the last one', inLives, {
      file: 'src/domain/tax.ts',
      search: 'movedFrom === null ? today : passed',
      replace: 'today',
    }),
    mutant('a successor holds the tax of its predecessor', inLives, {
      file: 'src/domain/maturity.ts',
      search: 'principal: value.rolled, inForce',
      replace: 'principal: minor(value.rolled + value.tax), inForce',
    }),
    mutant('an account is opened without the class of its customer', inTests, {
      file: 'src/features/accounts/changes.ts',
      search: 'taxClass: owner.taxClass',
      replace: 'taxClass: null',
    }),
    mutant('a change of class does not reach the accounts', inTests, {
      file: 'src/features/tax/store.ts',
      search: '  statements.copyTaxStatus(tx, bookId, written)\n',
      replace: '',
    }),
  ]
}

/** Writes a part of what a batch records with the batch, and the rest in a transaction of its own, a moment later. */
function recordedApart(withTheBatch: string, later: string): Mutant['edits'] {
  return [
    {
      file: 'src/engine/change/engine.ts',
      search: '          change.write(ofBook, read.at.book.bookId, decided.values, decided.recording)\n',
      replace:
        `          change.write(ofBook, read.at.book.bookId, decided.values, ${withTheBatch})\n` +
        '          setImmediate(() => {\n' +
        '            db.transaction(async (second) => {\n' +
        '              await second.query("select 1")\n' +
        `              record(second, read.at.book.bookId, ${later})\n` +
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
