/** Broken variants of seals and retention, of waivers and liens, and of what keeps books and votes apart. */
const ofSeals = 'test/features/seals/seals.test.ts'
const ofVerification = 'test/features/verification/verify.test.ts'
const ofRetention = 'test/features/retention/retention.test.ts'
const ofLiens = 'test/features/liens/liens.test.ts'
const ofApprovals = 'test/features/approvals/concurrency.test.ts'
const ofWaivers = 'test/domain/settlement.test.ts'
const sealStore = 'src/features/seals/store.ts'
const sealChanges = 'src/features/seals/changes.ts'
const sealClaims = 'src/features/seals/claims.ts'
const retention = 'src/features/retention/store.ts'
const liens = 'src/features/liens/changes.ts'
const approvals = 'src/features/approvals/changes.ts'

/** A mutant by its name, the file it edits, what it replaces by what, and the test that sees it. */
function mutant(
  name: string,
  file: string,
  [search, replace]: [string, string],
  [suite, pattern]: [file: string, pattern?: string],
) {
  const by = { kind: 'tests' as const, file: suite, ...(pattern !== undefined && { pattern }) }
  return { name, edits: [{ file, search, replace }], suites: [by] }
}

const sealMutants = [
  mutant(
    'seal: an idle book is sealed every minute',
    sealStore,
    [`      and type <> '\${SEALED}'\n`, ''],
    [ofSeals],
  ),
  mutant(
    'seal: an open transaction is passed over',
    sealStore,
    ['min(xact_start)', 'min(clock_timestamp())'],
    [ofSeals],
  ),
  mutant(
    'seal: one of the columns is left out',
    sealStore,
    ["'narration', 'reverses'", "'reverses'"],
    [ofSeals, 'column'],
  ),
  mutant(
    'seal: a text may move from one column to the next',
    sealStore,
    ['), -1), ', '), -1) + null, '],
    [ofSeals],
  ),
  mutant(
    'seal: times count to the millisecond alone',
    sealStore,
    ['* 1000000)::bigint', '* 1000)::bigint'],
    [ofSeals],
  ),
  mutant(
    'seal: the past is sealed twice',
    sealChanges,
    ['const from = last?.to ??', 'const from ='],
    [ofSeals],
  ),
  mutant(
    'seal: two instances make the same seal',
    sealChanges,
    ['if (draft.sealNo !== (previous?.sealNo ?? 0) + 1) return made(null)\n', ''],
    [ofSeals],
  ),
  mutant(
    'seal: a head does not contain the one before',
    sealChanges,
    ['chainedHead({ previous: previous?.head ?? null,', 'chainedHead({ previous: null,'],
    [ofSeals],
  ),
  mutant(
    'seal: a head does not contain an earlier one',
    'src/domain/seal.ts',
    ['return sealNo & (sealNo - 1)', 'return 0'],
    ['test/domain/seal.test.ts'],
  ),
  mutant(
    'seal: a personal value can be guessed by its hash',
    sealStore,
    ["convert_to($2 || changes, 'UTF8')", "convert_to(left($2, 0) || changes, 'UTF8')"],
    [ofSeals],
  ),
  mutant(
    'seal: a node and a leaf are hashed alike',
    'src/engine/database/merkle.ts',
    ["const NODE = '01'", "const NODE = '00'"],
    ['test/engine/database/merkle.test.ts'],
  ),
  mutant(
    'seal: a row that was added is not looked for',
    sealClaims,
    ['if (isSame && events.length + entries.length === 0) return null', 'if (isSame) return null'],
    [ofSeals],
  ),
  mutant(
    'seal: a gap in the numbers is not looked for',
    sealClaims,
    ['seal.sealNo === sealNo && seal.from === from && seal.head === head', 'seal.from === from'],
    [ofSeals],
  ),
  mutant(
    'seal: a removed seal is not missed',
    sealClaims,
    [
      'if (counts.seals !== counts.events || counts.head !== counts.event_head) {',
      'if (counts.seals < 0n) {',
    ],
    [ofVerification, 'seal'],
  ),
  mutant(
    'seal: rows without a seal are not missed',
    sealClaims,
    ['return oldest === undefined ? null :', 'return oldest === undefined || oldest ? null :'],
    [ofVerification, 'seal'],
  ),
  mutant(
    'seal: ordinals fall behind what is sealed',
    'src/engine/database/ids.ts',
    ['  lastMs = passedMs + 1\n', ''],
    ['test/engine/database/ids.test.ts'],
  ),
]

const retentionMutants = [
  mutant(
    'retention: an answer goes a day early',
    'src/features/retention/job.ts',
    ['days[table] * DAY_MS', '(days[table] - 30) * DAY_MS'],
    [ofRetention],
  ),
  mutant(
    'retention: nothing is kept without end',
    'src/features/retention/job.ts',
    ['WALKED.filter((table) => days[table] > 0)', 'WALKED.filter(() => true)'],
    [ofRetention],
  ),
  mutant(
    'retention: a failed message goes',
    retention,
    [`      and status = 'DELIVERED'\n`, ''],
    [ofRetention],
  ),
  mutant(
    'retention: the figures of a recent decision go',
    retention,
    ['      and decided_at < $4\n', "      and decided_at < $4::timestamptz + interval '2 days'\n"],
    [ofRetention],
  ),
  mutant(
    'retention: a link goes before its time',
    retention,
    [
      '      where link_expires_at < $1\n',
      "      where link_expires_at < $1::timestamptz + interval '2 days'\n",
    ],
    [ofRetention],
  ),
  mutant(
    'retention: a walk begins again at each step',
    'src/features/retention/job.ts',
    ['else places.set(place, step.after)', 'else places.delete(place)'],
    [ofRetention],
  ),
]

const deskMutants = [
  mutant(
    'waiver: is rounded half up, whatever the rules say',
    'src/domain/settlement.ts',
    ['minor(roundFraction(share, rounding, unit))', "minor(roundFraction(share, 'HALF_UP', unit))"],
    [ofWaivers],
  ),
  mutant(
    'waiver: is rounded to cents in a currency without them',
    'src/domain/settlement.ts',
    ['minor(roundFraction(share, rounding, unit))', 'minor(roundFraction(share, rounding, 1n))'],
    [ofWaivers],
  ),
  mutant(
    'waiver: more than the interest bears is recovered',
    'src/domain/settlement.ts',
    ['smaller(charged - penal, left - tax)', 'charged - penal'],
    [ofWaivers],
  ),
  mutant(
    'lien: those of one batch are not counted',
    liens,
    ['      active.set(depositId, activeLiens + 1)\n', ''],
    [ofLiens],
  ),
  mutant(
    'lien: those of one batch hold the same principal',
    liens,
    ['      deposits.set(depositId, decided.deposit)\n', ''],
    [ofLiens],
  ),
  mutant(
    'lien: is released twice by one batch',
    liens,
    ['      liens.set(lienId, decided.lien)\n', ''],
    [ofLiens],
  ),
  mutant(
    'lien: the first sum of a batch is written',
    liens,
    ['new Map(changes.map(', 'new Map(changes.toReversed().map('],
    [ofLiens],
  ),
  mutant(
    'approval: a vote does not lock it',
    approvals,
    [
      '        lockApproval(tx, bookId, request!.approvalId),\n        change.lock',
      '        null,\n        change.lock',
    ],
    [ofApprovals],
  ),
  mutant(
    'approval: a rejection does not lock it',
    approvals,
    [
      'lock: (tx, bookId, [request]) => lockApproval(tx, bookId, request!.approvalId)',
      'lock: async () => {}',
    ],
    [ofApprovals],
  ),
  mutant(
    'approval: who has voted cannot reject any more',
    approvals,
    ['      { ...approval, votes: [] },\n', '      approval,\n'],
    [ofApprovals],
  ),
  mutant(
    'batch: a book whose date is in doubt fails the others',
    'src/engine/change/engine.ts',
    ["(part === 'book' || !(error instanceof ClockUnsureError))", '!(error instanceof ClockUnsureError)'],
    ['test/engine/change/several-books.test.ts', 'doubt'],
  ),
  mutant(
    'batch: the lock of one book fails the others',
    'src/engine/change/engine.ts',
    ["(!isUnavailable(error) || (part === 'book' && isLockTimeout(error)))", '!isUnavailable(error)'],
    ['test/engine/change/several-books.test.ts'],
  ),
]

export const proofMutants = [...sealMutants, ...retentionMutants, ...deskMutants]
