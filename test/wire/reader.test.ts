import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { isoDate } from '../../src/domain/dates.ts'
import { minor } from '../../src/domain/money.ts'
import {
  CalendarDate,
  Choice,
  Flag,
  ListOf,
  Money,
  Nullable,
  OneOf,
  Text,
  WholeNumber,
} from '../../src/wire/fields.ts'
import { type Json, parseJson } from '../../src/wire/json.ts'
import { type FieldError, readBody, readQuery } from '../../src/wire/reader.ts'

const Part = Type.Object(
  {
    liquidation_type: Choice(['FULL', 'PARTIAL']),
    amount: Type.Optional(Nullable(Money())),
    note: Type.Optional(Text({ min: 1, max: 5 })),
  },
  {
    notUpdatable: ['deposit_id'],
    refine: ({
      liquidation_type,
      amount,
    }: {
      liquidation_type?: string
      amount?: bigint | null
    }): FieldError[] =>
      liquidation_type === 'PARTIAL' && (amount === undefined || amount === null)
        ? [{ field: 'amount', code: 'required', message: 'Send the amount.' }]
        : [],
  },
)

const Rules = Type.Object({
  rules: ListOf(
    Type.Object({
      terms: ListOf(
        OneOf('kind', {
          FIXED: Type.Object({ amount: Money() }),
          WAIT: Type.Object(
            {
              days: WholeNumber({ min: 1, max: 10 }),
              until: Type.Optional(WholeNumber({ min: 1, max: 10 })),
            },
            {
              refine: ({ days = 0, until = 10 }: { days?: number; until?: number }): FieldError[] =>
                days <= until
                  ? []
                  : [{ field: 'until', code: 'invalid_value', message: 'Send a later end.' }],
            },
          ),
        }),
        { min: 1, max: 3 },
      ),
      strict: Type.Optional(Flag()),
    }),
    { min: 0, max: 2 },
  ),
})

const Query = Type.Object({
  limit: Type.Optional(WholeNumber({ min: 1, max: 100 })),
  amount: Type.Optional(Money()),
  open: Type.Optional(Flag()),
  matures_before: Type.Optional(CalendarDate()),
  status: Type.Optional(Choice(['ACTIVE', 'MATURED'])),
  cursor: Type.Optional(Text({ min: 1, max: 20 })),
})

test('what reads well is answered with domain values, holding only what was sent', () => {
  assert.deepEqual(readBody(Part, parseJson('{"liquidation_type":"FULL"}')), {
    ok: true,
    value: { liquidation_type: 'FULL' },
  })
  assert.deepEqual(readBody(Part, parseJson('{"amount":null,"liquidation_type":"FULL"}')), {
    ok: true,
    value: { liquidation_type: 'FULL', amount: null },
  })
  assert.deepEqual(readBody(Part, parseJson('{"amount":1.5e2,"note":"ok","liquidation_type":"PARTIAL"}')), {
    ok: true,
    value: { liquidation_type: 'PARTIAL', amount: minor(15_000n), note: 'ok' },
  })
})

test('every field error is found, in the order of the schema and then of the unknown members sent', () => {
  const cases: [body: string, found: string[]][] = [
    ['{}', ['liquidation_type required']],
    ['{"liquidation_type":null}', ['liquidation_type null_not_allowed']],
    ['{"ammount":1,"note":7}', ['liquidation_type required', 'note invalid_type', 'ammount unknown_field']],
    [
      '{"z":1,"deposit_id":"fd_1","a":null,"note":"","amount":0,"liquidation_type":"full"}',
      [
        'liquidation_type invalid_value',
        'amount not_positive',
        'note blank',
        'z unknown_field',
        'deposit_id not_updatable',
        'a unknown_field',
      ],
    ],
    [
      '{"liquidation_type":"FULL","__proto__":{"amount":1},"constructor":1,"":2}',
      ['__proto__ unknown_field', 'constructor unknown_field', ' unknown_field'],
    ],
  ]
  for (const [body, found] of cases) assert.deepEqual(errorsOf(readBody(Part, parseJson(body))), found, body)
})

test('a body that is no object is one error without a path', () => {
  for (const body of ['[]', '"FULL"', '1', 'true']) {
    assert.deepEqual(readBody(Part, parseJson(body)), {
      ok: false,
      fields: [{ field: '', code: 'invalid_type', message: 'Send a JSON object.' }],
    })
  }
  assert.deepEqual(errorsOf(readBody(Part, null)), [' null_not_allowed'])
})

test('a check across members takes its place in the order and leaves alone what failed by itself', () => {
  const cases: [body: string, found: string[]][] = [
    ['{"liquidation_type":"PARTIAL"}', ['amount required']],
    ['{"liquidation_type":"PARTIAL","amount":null}', ['amount required']],
    ['{"liquidation_type":"PARTIAL","amount":"5"}', ['amount invalid_type']],
    ['{"liquidation_type":"PARTIAL","x":1,"note":""}', ['amount required', 'note blank', 'x unknown_field']],
    ['{"liquidation_type":"partial"}', ['liquidation_type invalid_value']],
  ]
  for (const [body, found] of cases) assert.deepEqual(errorsOf(readBody(Part, parseJson(body))), found, body)
})

test('an error deep inside has the path of its member', () => {
  const body = parseJson(`{"rules":[
    {"terms":[{"kind":"FIXED","amount":5},{"days":1.5,"kind":"WAIT"},{"kind":"WAIT","days":5,"until":4}],"strict":"no"},
    {"terms":[{"kind":"OTHER","amount":5},{"amount":5},null],"more":1}]}`)
  assert.deepEqual(errorsOf(readBody(Rules, body)), [
    'rules[0].terms[1].days too_precise',
    'rules[0].terms[2].until invalid_value',
    'rules[0].strict invalid_type',
    'rules[1].terms[0].kind invalid_value',
    'rules[1].terms[1].kind required',
    'rules[1].terms[2] null_not_allowed',
    'rules[1].more unknown_field',
  ])
})

test('a list that is too long or too short is one error', () => {
  assert.deepEqual(errorsOf(readBody(Rules, parseJson('{"rules":[1,2,3]}'))), ['rules too_many'])
  assert.deepEqual(errorsOf(readBody(Rules, parseJson('{"rules":[{"terms":[]}]}'))), [
    'rules[0].terms too_few',
  ])
  assert.deepEqual(errorsOf(readBody(Rules, parseJson('{"rules":{}}'))), ['rules invalid_type'])
  assert.deepEqual(readBody(Rules, parseJson('{"rules":[]}')), { ok: true, value: { rules: [] } })
})

test('a check across members does not see a list with a bad item in it', () => {
  let seen: unknown
  const schema = Type.Object(
    { marks: ListOf(Flag(), { min: 0, max: 3 }), other: Flag() },
    {
      refine: (value: object): FieldError[] => {
        seen = value
        return []
      },
    },
  )
  assert.deepEqual(errorsOf(readBody(schema, parseJson('{"marks":[true,1],"other":true}'))), [
    'marks[1] invalid_type',
  ])
  assert.deepEqual(seen, { other: true })
})

test('at most a thousand errors are reported, so that no answer is much larger than its request', () => {
  const flooded = (count: number): Json => ({
    liquidation_type: 'FULL',
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, true])),
  })
  assert.equal(errorsOf(readBody(Part, flooded(1000))).length, 1000)
  assert.equal(errorsOf(readBody(Part, flooded(1001))).length, 1000)
})

test('query values are read from their text', () => {
  const query = {
    limit: '50',
    amount: '1500.50',
    open: 'false',
    matures_before: '2026-12-31',
    status: 'ACTIVE',
    cursor: '7',
  }
  assert.deepEqual(readQuery(Query, query), {
    ok: true,
    value: {
      limit: 50,
      amount: minor(150_050n),
      open: false,
      matures_before: isoDate('2026-12-31'),
      status: 'ACTIVE',
      cursor: '7',
    },
  })
  assert.deepEqual(readQuery(Query, { limit: undefined, other: undefined }), { ok: true, value: {} })
})

test('a query name that is unknown, repeated or badly spelt is an error', () => {
  const cases: [query: Record<string, string | string[]>, found: string[]][] = [
    [{ limit: '' }, ['limit invalid_type']],
    [{ limit: '+5' }, ['limit invalid_type']],
    [{ limit: '05' }, ['limit invalid_type']],
    [{ limit: ' 5' }, ['limit invalid_type']],
    [{ limit: '5\n' }, ['limit invalid_type']],
    [{ limit: 'Infinity' }, ['limit invalid_type']],
    [{ limit: '0' }, ['limit out_of_range']],
    [{ limit: '101' }, ['limit out_of_range']],
    [{ limit: ['5', '6'] }, ['limit invalid_value']],
    [{ open: 'TRUE' }, ['open invalid_type']],
    [{ matures_before: '2026-02-30' }, ['matures_before invalid_format']],
    [{ status: '' }, ['status invalid_value']],
    [{ cursor: '' }, ['cursor blank']],
    [{ toString: 'x', Limit: '5' }, ['toString unknown_field', 'Limit unknown_field']],
    [{ other: ['1', '2'] }, ['other unknown_field']],
  ]
  for (const [query, found] of cases) {
    assert.deepEqual(errorsOf(readQuery(Query, query)), found, JSON.stringify(query))
  }
})

test('a name of Object.prototype that was not sent is absent', () => {
  const schema = Type.Object({ constructor: Flag(), toString: Type.Optional(Flag()) })
  assert.deepEqual(errorsOf(readQuery(schema, {})), ['constructor required'])
})

test('no JSON at all makes the reader throw, and no message repeats what was sent', () => {
  const marker = 'Qz7xW'
  const anything = fc.oneof(
    fc.json({ maxDepth: 5, stringUnit: 'binary' }).map((text) => parseJson(text)),
    fc.constant<Json>(marker),
    fc.double().map((value) => parseJson(JSON.stringify(value))),
  )
  const term = fc.record({
    kind: fc.oneof(fc.constant('FIXED'), fc.constant('WAIT'), anything),
    amount: anything,
    days: anything,
  })
  const rule = fc.record({
    terms: fc.oneof(anything, fc.array(fc.oneof(term, anything), { maxLength: 4 })),
    strict: anything,
  })
  const bodies = fc.oneof(
    anything,
    fc.record({ liquidation_type: anything, amount: anything, note: anything }, { requiredKeys: [] }),
    fc.record({ rules: fc.array(fc.oneof(rule, anything), { maxLength: 3 }) }),
  )
  fc.assert(
    fc.property(bodies, (body) => {
      for (const schema of [Part, Rules, Query]) {
        const reading = readBody(schema, body as Json)
        if (reading.ok) continue
        assert(reading.fields.length > 0)
        for (const { message } of reading.fields) assert(!message.includes(marker))
      }
    }),
    { numRuns: 500 },
  )
})

function errorsOf(reading: { ok: true } | { ok: false; fields: FieldError[] }): string[] {
  return reading.ok ? [] : reading.fields.map(({ field, code }) => `${field} ${code}`)
}
