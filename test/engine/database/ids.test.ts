import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { newId, nextOrdinal, ordinalAt, passOrdinal, timeOf } from '../../../src/engine/database/ids.ts'

function idAt(t: TestContext, ms: number): string {
  t.mock.timers.setTime(ms)
  return newId('evt')
}

describe('ids', () => {
  it('sort by the millisecond they were made in, until the year 5188', (t) => {
    t.mock.timers.enable({ apis: ['Date'] })
    const times = [
      1,
      35,
      36,
      Date.UTC(2026, 10, 16),
      Date.UTC(2026, 10, 16) + 1,
      Date.UTC(2060),
      Date.UTC(5000),
    ]
    const ids = times.map((ms) => idAt(t, ms))
    assert.deepEqual(ids.toSorted(), ids)
    for (const id of ids) assert.match(id, /^evt_[0-9a-z]{9}[0-9A-Za-z]{15}$/)
  })

  it('of one millisecond share nothing else', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 16) })
    const random = Array.from({ length: 10_000 }, () => newId('evt').slice('evt_'.length + 9))
    assert.equal(new Set(random).size, random.length)
    for (let place = 0; place < 15; place += 1) {
      const seen = new Set(random.map((text) => text[place]))
      assert.equal(seen.size, 62, `character ${place} of the random part takes every value`)
    }
  })
})

describe('ordinals', () => {
  it('grow, also beyond what fits into a millisecond, and while the clock goes back', (t) => {
    const startMs = Date.now()
    t.mock.timers.enable({ apis: ['Date'], now: startMs })
    const ordinals = Array.from({ length: 5_000 }, nextOrdinal)
    t.mock.timers.setTime(startMs - 1_000)
    ordinals.push(nextOrdinal())
    t.mock.timers.setTime(startMs + 10)
    ordinals.push(nextOrdinal())
    for (const [index, ordinal] of ordinals.entries()) {
      assert(index === 0 || ordinal > ordinals[index - 1]!, `ordinal ${index} is larger than the one before`)
    }
    assert(ordinals[0]! >= ordinalAt(new Date(startMs)))
    assert(ordinals.at(-1)! >= ordinalAt(new Date(startMs + 10)))
    assert(ordinals.at(-1)! < ordinalAt(new Date(startMs + 11)))
  })

  it('are above one that was passed, also where the clock is behind, unless it is of the future', () => {
    // Not further, because other tests of this process make ordinals too.
    const ahead = ordinalAt(new Date(Date.now() + 200))
    passOrdinal(ordinalAt(new Date(Date.now() + 48 * 3_600_000)))
    assert(nextOrdinal() < ahead)
    passOrdinal(ahead)
    const first = nextOrdinal()
    assert(first > ahead)
    passOrdinal(ordinalAt(new Date()))
    assert(nextOrdinal() > first)
    assert.equal(timeOf(ahead).getTime(), Number(ahead >> 21n))
  })
})
