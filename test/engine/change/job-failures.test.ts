import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClockUnsureError, OutcomeUnknownError } from '../../../src/engine/change/faults.ts'
import { levelOfFailure } from '../../../src/engine/change/job-failures.ts'
import { DatabaseError } from '../../../src/engine/database/database.ts'

const failed = (sqlState: string | null) => new DatabaseError('failed', { sqlState })

for (const [error, level, name] of [
  [failed(null), 'warn', 'a lost connection'],
  [failed('57P01'), 'warn', 'a server that shuts down'],
  [failed('55P03'), 'warn', 'a lock held for too long'],
  [failed('40001'), 'warn', 'a conflict'],
  [new ClockUnsureError(), 'warn', 'a clock in doubt'],
  [new OutcomeUnknownError(), 'warn', 'a commit in doubt'],
  [failed('58030'), 'error', 'a disk that fails'],
  [failed('XX001'), 'error', 'damaged data'],
  [failed('23514'), 'error', 'a broken constraint'],
  [new TypeError('bug'), 'error', 'a bug'],
] as const) {
  test(`a job that fails because of ${name} logs it as ${level}`, () => {
    assert.equal(levelOfFailure(error), level)
  })
}
