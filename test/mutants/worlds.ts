/**
 * Broken variants that the simulation has to see by itself: of people, keys, clocks, calendars, payments, tax, messages
 * and accruals.
 */
const inWorlds = { kind: 'simulation' as const, engine: 'PGlite' as const, seeds: 400 }

type Row = [name: string, file: string, search: string, replace: string]

const rows: Row[] = [
  [
    'a vote does not look at the rest',
    'src/features/approvals/changes.ts',
    '        inner: await change.read(tx, ofInner, locked),\n        policy: await policyFor(tx, at),\n        decidesFrom: await readDecidesFrom(tx, at.book, actor),\n',
    '        inner: await change.read(tx, ofInner, locked),\n        policy: await policyFor(tx, at),\n        decidesFrom: actor === null ? await readDecidesFrom(tx, at.book, actor) : null,\n',
  ],
  [
    'a rejection does not look at the rest',
    'src/features/approvals/changes.ts',
    '        approval: await findApproval(tx, at.book.bookId, approvalId),\n        policy: await policyFor(tx, at),\n        decidesFrom: await readDecidesFrom(tx, at.book, actor),\n',
    '        approval: await findApproval(tx, at.book.bookId, approvalId),\n        policy: await policyFor(tx, at),\n        decidesFrom: actor === null ? await readDecidesFrom(tx, at.book, actor) : null,\n',
  ],
  [
    'a link begins no rest',
    'src/features/sessions/changes.ts',
    'const rest = restAfter(before.rest, actorsOf(by, maker, at), at)',
    'const { rest } = before',
  ],
  [
    'a new role begins no rest',
    'src/domain/people.ts',
    'return decided({ ...changed, rest: restAfterAct(person, acting) })',
    'return decided(changed)',
  ],
  [
    'who acted may confirm',
    'src/domain/people.ts',
    'confirmer === undefined || rest.actors.includes(confirmer.personId)',
    'confirmer === undefined',
  ],
  [
    'a stricter policy does not count for what was requested before',
    'src/domain/approvals.ts',
    'const all = Math.max(needed, asked)',
    'const all = asked || needed',
  ],
  [
    'a liquidation pays what is due without an event',
    'src/features/liquidation/changes.ts',
    '[] : paymentEvents(payments)),',
    '[] : paymentEvents(payments.slice(1))),',
  ],
  [
    'a reversal leaves what fell due to the job',
    'src/domain/reversal.ts',
    '      deposit: missed.deposit,\n      payments: missed.payments,\n',
    '      deposit: reopened,\n      payments: missed.payments.slice(missed.payments.length),\n',
  ],
  [
    'an unanswered message counts as delivered',
    'src/features/webhooks/schedule.ts',
    'if (isAnswered && isSuccess(outcome.statusCode)) {',
    'if (!isAnswered || isSuccess(outcome.statusCode)) {',
  ],
  [
    'what a sender held when it died is not sent again',
    'src/features/webhooks/store.ts',
    'last_attempt_at = $3, next_attempt_at = $4\n',
    "last_attempt_at = $3, next_attempt_at = $4::timestamptz + interval '1 year'\n",
  ],
  [
    'a day is closed without its own interest',
    'src/domain/accrual.ts',
    'earnedBy(addDays(closed, 1), termsOf',
    'earnedBy(closed, termsOf',
  ],
  [
    'a key that rests changes things',
    'src/engine/change/engine.ts',
    'return worksFrom != null && clock() < worksFrom',
    'return false',
  ],
  [
    'a key that an administrator made does not rest',
    'src/features/api-keys/changes.ts',
    'return rests ? restAfter(rest, actorsOf(byOf(actor), maker, now), now) : rest',
    'return rest',
  ],
  [
    'a clock that is days off is believed',
    'src/engine/change/engine.ts',
    "    if (!isDateSure(book, now, latestDate)) throw new ClockUnsureError('The business date would jump.')\n",
    '',
  ],
  [
    'every customer is taxed alike',
    'src/domain/tax.ts',
    'const given = expired ? null : status.taxClass',
    'const given: string | null = null',
  ],
  [
    'parts of a day are taxed one by one',
    'src/domain/tax.ts',
    'if (parts.length === 0) return null',
    'if (parts.length >= 0) return null',
  ],
  [
    'a deposit matures on a closed day',
    'src/domain/product.ts',
    "product.maturity.onHoliday === 'SAME_DAY'",
    "product.maturity.onHoliday !== 'ANOTHER_DAY'",
  ],
  [
    'a revoked key works on',
    'src/http/authentication.ts',
    "    if (isPast(known.key.revokedAt)) throw unauthorized('api_key_revoked')\n",
    '',
  ],
  [
    'a key that was rolled works on',
    'src/features/api-keys/changes.ts',
    'ended: endsLater ? { apiKeyId: key.apiKeyId, revokedAt: at } : null,',
    'ended: null,',
  ],
  [
    'the successor of a key does not rest',
    'src/features/api-keys/changes.ts',
    'rootKeyId: key.rootKeyId ?? key.apiKeyId, rest }',
    'rootKeyId: key.rootKeyId ?? key.apiKeyId, rest: null }',
  ],
  [
    'who rests may confirm',
    'src/domain/people.ts',
    "return isResting(confirmer.rest, at) ? refusePerson('confirmer_rests') : null",
    'return null',
  ],
  [
    'a confirmation does not end a rest',
    'src/domain/people.ts',
    'return decided({ ...person, rest: null })',
    'return decided({ ...person })',
  ],
  [
    'a waiver waives nothing',
    'src/domain/settlement.ts',
    'const charged = assessed - waived',
    'const charged: bigint = assessed',
  ],
]

export const worldMutants = rows.map(([name, file, search, replace]) => ({
  name: `worlds: ${name}`,
  edits: [{ file, search, replace }],
  suites: [inWorlds],
}))
