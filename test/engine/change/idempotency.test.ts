/** Keys inside one batch and across batches: how often a change is made, and what each request is answered. */
import assert from 'node:assert/strict'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { refuse } from '../../../src/domain/refusal.ts'
import { type Change, made, nothing, type Origin } from '../../../src/engine/change/change.ts'
import { createEngine } from '../../../src/engine/change/engine.ts'
import { record } from '../../../src/engine/change/recording.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { forEachEngine } from '../../support/engines.ts'

const AT = new Date('2026-07-01T10:00:00.000Z')

/** Notes a word, and refuses the empty one. */
const note: Change<string, void, void, string> = {
  lock: nothing,
  read: nothing,
  decider: () => (word) => (word === '' ? refuse('deposit_not_found') : made(word)),
  write: (tx, bookId, _words, recording) => record(tx, bookId, recording),
  events: (word) => [{ type: 'noted', announced: false, subjectId: word, data: '{}', changes: null }],
}

forEachEngine(({ test }) => {
  test('a key answers once, replays its own request and refuses another, within a batch and after it', async (db) => {
    const terms = { name: 'Test Bank', timeZone: 'UTC', currency: 'NGN', at: AT }
    const { caller } = await createCaller(db, terms)
    const book = (await findBook(db, { callerId: caller.callerId, mode: 'test' }))!
    const batches: number[] = []
    const engine = createEngine({
      db,
      clock: () => AT,
      limits: { workers: 1, batchMax: 10, queueMax: 100 },
      observeBatch: (size) => batches.push(size),
    })
    const submit = async ([key, fingerprint, word]: readonly [string | null, string, string]) => {
      const idempotency = key === null ? null : { key, fingerprint }
      const origin: Origin = { book, actor: OPERATOR, requestId: null, idempotency }
      const result = await engine.submit(note, origin, word, (noted) => ({ status: 200, body: `"${noted}"` }))
      return result.outcome === 'refused' ? result.code : [result.outcome, result.answer!.body]
    }
    const first = await Promise.all(
      (
        [
          ['k', 'nothing', ''],
          ['k', 'a', 'one'],
          ['k', 'a', 'one'],
          ['k', 'b', 'two'],
          ['other', 'c', ''],
          [null, '', 'three'],
        ] as const
      ).map(submit),
    )
    assert.deepEqual(first, [
      'deposit_not_found',
      ['done', '"one"'],
      ['replayed', '"one"'],
      'idempotency_key_reused',
      'deposit_not_found',
      ['done', '"three"'],
    ])
    assert.deepEqual(batches, [6])
    const later = await Promise.all(
      (
        [
          ['k', 'a', 'one'],
          ['k', 'b', 'two'],
          ['other', 'c', 'four'],
        ] as const
      ).map(submit),
    )
    assert.deepEqual(later, [['replayed', '"one"'], 'idempotency_key_reused', ['done', '"four"']])
    const noted = await db.query<{ subject_id: string }>(
      `select subject_id from events where type = 'noted' order by ordinal`,
    )
    assert.deepEqual(
      noted.map((row) => row.subject_id),
      ['one', 'three', 'four'],
    )
  })
})
