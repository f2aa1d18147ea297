import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Static, type TSchema, Type } from 'typebox'
import { type IsoDate, isoDate } from '../../src/domain/dates.ts'
import { type Minor, minor } from '../../src/domain/money.ts'
import {
  Address,
  CalendarDate,
  Choice,
  CurrencyCode,
  Email,
  Flag,
  Identifier,
  Instant,
  ListOf,
  MetadataObject,
  Money,
  Multiplier,
  NamedValues,
  Nullable,
  OneOf,
  Percent,
  PersonName,
  PhoneNumber,
  PlainText,
  Text,
  WholeNumber,
} from '../../src/wire/fields.ts'
import { parseJson } from '../../src/wire/json.ts'
import { type FieldErrorCode, readBody } from '../../src/wire/reader.ts'

test('money is read exactly, however it is spelt', () => {
  accepts(Money(), [
    ['100', minor(10_000n)],
    ['100.10', minor(10_010n)],
    ['100.100', minor(10_010n)],
    ['1e2', minor(10_000n)],
    ['1.5E+2', minor(15_000n)],
    ['143.48', minor(14_348n)],
    ['0.01', minor(1n)],
    ['9999999999999.99', minor(999_999_999_999_999n)],
    ['99999999999999900e-4', minor(999_999_999_999_999n)],
  ])
  refuses(Money(), [
    ['"5000"', 'invalid_type'],
    ['true', 'invalid_type'],
    ['[]', 'invalid_type'],
    ['{}', 'invalid_type'],
    ['null', 'null_not_allowed'],
    ['0', 'not_positive'],
    ['0.00', 'not_positive'],
    ['0e999999999', 'not_positive'],
    ['-0', 'not_positive'],
    ['-1', 'not_positive'],
    ['-100.001', 'not_positive'],
    ['-1e400', 'not_positive'],
    ['-1e-400', 'not_positive'],
    ['100.001', 'too_precise'],
    ['0.001', 'too_precise'],
    ['1e-400', 'too_precise'],
    ['1e400', 'out_of_range'],
    ['10000000000000', 'out_of_range'],
    ['1e999999999999', 'out_of_range'],
  ])
})

test('money that may be zero still may not be below it', () => {
  accepts(Money({ zeroAllowed: true }), [
    ['0', minor(0n)],
    ['-0', minor(0n)],
    ['0.00', minor(0n)],
    ['0.01', minor(1n)],
  ])
  refuses(Money({ zeroAllowed: true }), [
    ['-0.01', 'out_of_range'],
    ['-0.001', 'out_of_range'],
    ['0.001', 'too_precise'],
    ['10000000000000', 'out_of_range'],
  ])
})

test('every amount reads back from its own text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), (units) => {
      accepts(Money(), [[`${units / 100n}.${(units % 100n).toString().padStart(2, '0')}`, minor(units)]])
      accepts(Money(), [[`${units}e-2`, minor(units)]])
    }),
  )
})

test('percents and factors are parts per million of at most four fractional digits', () => {
  accepts(Percent({ min: 0, max: 100 }), [
    ['0', 0],
    ['-0', 0],
    ['12.5', 125_000],
    ['0.0001', 1],
    ['99.9999', 999_999],
    ['1e2', 1_000_000],
  ])
  refuses(Percent({ min: 0, max: 100 }), [
    ['"12"', 'invalid_type'],
    ['0.00001', 'too_precise'],
    ['1e-400', 'too_precise'],
    ['100.0001', 'out_of_range'],
    ['1e400', 'out_of_range'],
    ['-0.0001', 'out_of_range'],
  ])
  accepts(Percent({ min: 0, max: 100, exclusiveMin: true }), [['0.0001', 1]])
  refuses(Percent({ min: 0, max: 100, exclusiveMin: true }), [['0', 'out_of_range']])
  accepts(Percent({ min: -100, max: 100 }), [
    ['-100', -1_000_000],
    ['-1', -10_000],
  ])
  refuses(Percent({ min: -100, max: 100 }), [['-100.0001', 'out_of_range']])
  accepts(Multiplier({ min: 0, max: 10 }), [
    ['1.5', 1_500_000],
    ['0.0001', 100],
    ['10', 10_000_000],
  ])
  refuses(Multiplier({ min: 0, max: 10 }), [
    ['10.0001', 'out_of_range'],
    ['0.00001', 'too_precise'],
  ])
})

test('a whole number may be spelt with zeros and exponents', () => {
  accepts(WholeNumber({ min: 0, max: 36_500 }), [
    ['0', 0],
    ['-0', 0],
    ['1.0', 1],
    ['1e2', 100],
    ['36500', 36_500],
  ])
  refuses(WholeNumber({ min: 0, max: 36_500 }), [
    ['1.5', 'too_precise'],
    ['1e-400', 'too_precise'],
    ['36501', 'out_of_range'],
    ['-1', 'out_of_range'],
    ['1e400', 'out_of_range'],
    ['"1"', 'invalid_type'],
    ['false', 'invalid_type'],
  ])
})

test('a choice is exact and its refusal names the values', () => {
  const schema = Choice(['FULL', 'PARTIAL'])
  accepts(schema, [
    ['"FULL"', 'FULL'],
    ['"PARTIAL"', 'PARTIAL'],
  ])
  refuses(schema, [
    ['"full"', 'invalid_value'],
    ['" FULL"', 'invalid_value'],
    ['"CLOSE"', 'invalid_value'],
    ['""', 'invalid_value'],
    ['1', 'invalid_type'],
    ['["FULL"]', 'invalid_type'],
    ['null', 'null_not_allowed'],
  ])
  assert.deepEqual(readBody(schema, 'CLOSE'), {
    ok: false,
    fields: [{ field: '', code: 'invalid_value', message: 'Send "FULL" or "PARTIAL".' }],
  })
  assert.deepEqual(readBody(Choice(['A', 'B', 'C']), ''), {
    ok: false,
    fields: [{ field: '', code: 'invalid_value', message: 'Send "A", "B", or "C".' }],
  })
})

test('values under names of the sender need the names that are needed, and each name its form', () => {
  const schema = NamedValues(WholeNumber({ min: 0, max: 9 }), {
    names: '^[A-Z_]+$',
    needed: { A: 'Always there.' },
    max: 2,
  })
  accepts(schema, [
    ['{"A": 1}', new Map([['A', 1]])],
    [
      '{"__": 0, "A": 9}',
      new Map([
        ['A', 9],
        ['__', 0],
      ]),
    ],
  ])
  refuses(schema, [
    ['[1]', 'invalid_type'],
    ['null', 'null_not_allowed'],
    ['{"A": 1, "B": 1, "C": 1}', 'too_many'],
  ])
  const fieldsOf = (json: string) => {
    const reading = readBody(Type.Object({ rates: schema }), parseJson(`{"rates": ${json}}`))
    return reading.ok ? [] : reading.fields.map(({ field, code }) => [field, code])
  }
  assert.deepEqual(fieldsOf('{"b": 10}'), [
    ['rates.A', 'required'],
    ['rates.b', 'invalid_format'],
  ])
  assert.deepEqual(fieldsOf('{"A": 10, "__proto__": 1}'), [
    ['rates.A', 'out_of_range'],
    ['rates.__proto__', 'invalid_format'],
  ])
})

test('a flag is a JSON boolean', () => {
  accepts(Flag(), [
    ['true', true],
    ['false', false],
  ])
  refuses(Flag(), [
    ['"true"', 'invalid_type'],
    ['1', 'invalid_type'],
    ['null', 'null_not_allowed'],
  ])
})

test('an e-mail address has one @, a local part and a dotted domain', () => {
  keeps(Email(), [
    'a@b.co',
    'ada.lovelace+bank@mail.example.com',
    "o'neil@example.ng",
    'josé@exämple.com',
    '用户@例え.jp',
    'a@1.2',
    'A@xn--bcher-kva.example',
    `${'a'.repeat(64)}@b.co`,
    `a@${'b'.repeat(63)}.co`,
    `a@${'b.'.repeat(124)}cdef`,
  ])
  refusesText(Email(), 'invalid_format', [
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a@@b.co',
    'a@b@c.co',
    'a b@c.co',
    ' a@b.co',
    'a@b.co ',
    'a@b .co',
    'a@b.co\n',
    'a\u0000@b.co',
    'a\u00a0b@c.co',
    'a\u200bb@c.co',
    'a@.co',
    'a@b.',
    'a@b..co',
    'a@-b.co',
    'a@b-.co',
    'a@b_c.co',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    'a,b@c.co',
    '<a@b.co>',
    '"a"@b.co',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b'.repeat(64)}.co`,
  ])
  refusesText(Email(), 'too_long', [`a@${'b.'.repeat(124)}cdefg`, 'a'.repeat(60_000)])
  refusesText(Email(), 'blank', ['', ' ', '\t\n', '\u00a0\u3000'])
  refuses(Email(), [
    ['1', 'invalid_type'],
    ['null', 'null_not_allowed'],
    ['{}', 'invalid_type'],
  ])
})

test('a phone number is 7 to 15 digits with single separators between them', () => {
  keeps(PhoneNumber(), [
    '+1 (415) 555-0100',
    '08012345678',
    '+234 801 234 5678',
    '(02) 1234-5678',
    '+49(30)1234567',
    '030.1234.567',
    '(415)-555-0100',
    '1234567',
    '123456789012345',
    '+1-2-3-4-5-6-7-8-9-0-1-2-3-4-5',
  ])
  refusesText(PhoneNumber(), 'invalid_format', [
    '123456',
    '1234567890123456',
    '++2348012345678',
    '+',
    '+ 234 801 234 5678',
    '234+8012345678',
    '0801--2345678',
    '0801  2345678',
    '0801 - 2345678',
    '-08012345678',
    '08012345678-',
    ' 08012345678',
    '08012345678 ',
    '08012345678\n',
    '()08012345678',
    '(0801 2345678',
    '0801)2345678',
    '((02))12345678',
    '0801x2345678',
    '0801/2345678',
    '٠٨٠١٢٣٤٥٦٧٨',
  ])
  refusesText(PhoneNumber(), 'too_long', ['1'.repeat(33), '1 '.repeat(30_000)])
  refusesText(PhoneNumber(), 'invalid_format', ['1'.repeat(32)])
  refusesText(PhoneNumber(), 'blank', ['', '  '])
  refuses(PhoneNumber(), [['8012345678', 'invalid_type']])
})

test('an address is trimmed, may have lines and has a letter or digit in it', () => {
  accepts(Address(), [
    [JSON.stringify('  12 Marina Road,\r\nLagos\n'), '12 Marina Road,\r\nLagos'],
    ['"7"', '7'],
    ['"東京都"', '東京都'],
    [JSON.stringify(`${'😀'.repeat(499)}a`), `${'😀'.repeat(499)}a`],
    [JSON.stringify(`  ${'a'.repeat(500)}  `), 'a'.repeat(500)],
  ])
  refusesText(Address(), 'too_long', ['a'.repeat(501), `${'😀'.repeat(500)}a`])
  refusesText(Address(), 'invalid_format', [
    '---',
    '1 Main\tStreet',
    '1 Main\u0000Street',
    '1 Main\u0085Street',
    '😀',
  ])
  refusesText(Address(), 'blank', ['', ' \n '])
})

test('a name is trimmed, one line and has a letter in it', () => {
  accepts(PersonName(), [
    ['"  Ada "', 'Ada'],
    ['"Nguyễn Thị"', 'Nguyễn Thị'],
    ['"O\'Neil-Smith Jr. 3"', "O'Neil-Smith Jr. 3"],
    ['"李"', '李'],
    [JSON.stringify('a'.repeat(100)), 'a'.repeat(100)],
  ])
  refusesText(PersonName(), 'invalid_format', ['123', '-', 'A\nB', 'A\u0000B', 'A\u2028B'])
  refusesText(PersonName(), 'too_long', ['a'.repeat(101)])
  refusesText(PersonName(), 'blank', ['', ' '])
})

/** Every character that changes the direction of writing: marks, embeddings, overrides and isolates. */
const DIRECTIONS = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']

test('no text changes the direction of writing, and letters that are written to the left stay', () => {
  const fields = [
    PersonName(),
    Address(),
    PlainText({ max: 20 }),
    Text({ min: 1, max: 20 }),
    Identifier({ description: '' }),
  ]
  for (const schema of fields) {
    refusesText(
      schema,
      'invalid_format',
      DIRECTIONS.flatMap((mark) => [`a${mark}b`, `a${mark}`, `${mark}a`]),
    )
    keeps(schema, ['\u05d3\u05d5\u05d3', '\u0645\u0631\u064a\u0645', 'a\u200db', 'a\u200cb', 'a\u2065b'])
  }
  const metadata = (name: string, text: string) => JSON.stringify({ [name]: text })
  for (const mark of DIRECTIONS) {
    refuses(MetadataObject(), [
      [metadata(`a${mark}b`, 'x'), 'invalid_format'],
      [metadata('a', `x${mark}`), 'invalid_format'],
    ])
    refusesText(Email(), 'invalid_format', [`a${mark}@example.com`, `a@exa${mark}mple.com`])
  }
})

test('a date is a day of the calendar', () => {
  accepts(CalendarDate(), [
    ['"2024-02-29"', isoDate('2024-02-29')],
    ['"2026-12-31"', isoDate('2026-12-31')],
  ])
  refusesText(CalendarDate(), 'invalid_format', [
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '20260101',
    ' 2026-01-01',
    '2026-01-01T00:00:00Z',
  ])
  refusesText(CalendarDate(), 'blank', [''])
  refuses(CalendarDate(), [['20260101', 'invalid_type']])
})

test('an instant has a real date and says its offset', () => {
  accepts(Instant(), [
    ['"2026-02-28T23:59:59Z"', new Date('2026-02-28T23:59:59.000Z')],
    ['"2026-02-28T23:59:59.5Z"', new Date('2026-02-28T23:59:59.500Z')],
    ['"2026-02-28T23:59:59.999999999Z"', new Date('2026-02-28T23:59:59.999Z')],
    ['"2026-01-01T00:30:00+01:00"', new Date('2025-12-31T23:30:00.000Z')],
    ['"2026-01-01T00:30:00-09:30"', new Date('2026-01-01T10:00:00.000Z')],
    ['"1970-01-01T00:00:00Z"', new Date(0)],
    ['"1969-12-31T23:00:00-01:00"', new Date(0)],
    ['"9999-12-31T23:59:59.999Z"', new Date('9999-12-31T23:59:59.999Z')],
  ])
  refusesText(Instant(), 'invalid_format', [
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01',
    '+002026-01-01T00:00:00Z',
  ])
  refusesText(Instant(), 'out_of_range', [
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00+00:01',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-00:01',
  ])
  refusesText(Instant(), 'blank', [' '])
})

test('text is one line within its length and pattern, stored as sent', () => {
  keeps(PlainText({ max: 5 }), ['a', ' a b ', '😀😀😀😀😀'])
  refusesText(PlainText({ max: 5 }), 'too_long', ['abcdef', '😀😀😀😀😀a'])
  refusesText(PlainText({ max: 5 }), 'invalid_format', ['a\nb', 'a\u007fb', 'a\u0000b'])
  refusesText(PlainText({ max: 5 }), 'blank', ['', '     ', '          '])
  const schema = Text({ min: 2, max: 4, pattern: '^[a-z]+$' })
  keeps(schema, ['ab', 'abcd'])
  refusesText(schema, 'too_short', ['a', '😀'])
  refusesText(schema, 'too_long', ['abcde'])
  refusesText(schema, 'invalid_format', ['AB', 'ab\n'])
})

const WHOLE_UNITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')

test('a currency has two minor digits or none', () => {
  keeps(CurrencyCode(), ['NGN', 'USD', 'EUR', 'GBP', 'KES', 'ZAR', ...WHOLE_UNITS])
  refusesText(CurrencyCode(), 'invalid_value', ['ngn', ' NGN', 'XYZ', 'NAIRA', 'XAU', 'UYI', 'KWD', 'CLF'])
  assert.deepEqual(readBody(CurrencyCode(), 'KWD'), {
    ok: false,
    fields: [
      {
        field: '',
        code: 'invalid_value',
        message: 'Send a currency with two minor digits or none; this one has more.',
      },
    ],
  })
})

test('a schema is printed as JSON Schema and nothing else', () => {
  const schema = Type.Object(
    {
      type: Choice(['FULL', 'PARTIAL'], { description: 'How much.' }),
      amount: Type.Optional(Nullable(Money())),
      terms: ListOf(OneOf('kind', { FIXED: Type.Object({ percent: Percent({ min: 0, max: 100 }) }) }), {
        min: 1,
        max: 8,
      }),
    },
    { refine: () => [] },
  )
  assert.deepEqual(JSON.parse(JSON.stringify(schema)), {
    type: 'object',
    required: ['type', 'terms'],
    properties: {
      type: { type: 'string', enum: ['FULL', 'PARTIAL'], description: 'How much.' },
      amount: {
        anyOf: [
          { type: 'number', format: 'double', exclusiveMinimum: 0, maximum: 9999999999999.99 },
          { type: 'null' },
        ],
      },
      terms: {
        type: 'array',
        minItems: 1,
        maxItems: 8,
        items: {
          type: 'object',
          oneOf: [
            {
              type: 'object',
              additionalProperties: false,
              required: ['kind', 'percent'],
              properties: {
                kind: { type: 'string', enum: ['FIXED'] },
                percent: { type: 'number', format: 'double', minimum: 0, maximum: 100 },
              },
            },
          ],
        },
      },
    },
  })
})

test('the static type of a schema is the domain value that reading yields', () => {
  const schema = Type.Object({
    amount: Money(),
    rate: Percent({ min: 0, max: 100 }),
    type: Choice(['FULL', 'PARTIAL']),
    on: CalendarDate(),
    at: Type.Optional(Instant()),
    cap: Type.Optional(Nullable(Money())),
    terms: ListOf(
      OneOf('kind', {
        FIXED: Type.Object({ amount: Money() }),
        WAIT: Type.Object({ days: Type.Optional(WholeNumber({ min: 1, max: 9 })) }),
      }),
      { min: 0, max: 1 },
    ),
  })
  const isDomainValue: Same<
    Static<typeof schema>,
    {
      amount: Minor
      rate: number
      type: 'FULL' | 'PARTIAL'
      on: IsoDate
      at?: Date
      cap?: Minor | null
      terms: ({ kind: 'FIXED'; amount: Minor } | { kind: 'WAIT'; days?: number })[]
    }
  > = true
  assert(isDomainValue)
})

type Same<Left, Right> =
  (<Value>() => Value extends Left ? 1 : 2) extends <Value>() => Value extends Right ? 1 : 2 ? true : false

function accepts(schema: TSchema, cases: [json: string, value: unknown][]): void {
  for (const [json, value] of cases)
    assert.deepEqual(readBody(schema, parseJson(json)), { ok: true, value }, json)
}

function keeps(schema: TSchema, texts: string[]): void {
  accepts(
    schema,
    texts.map((text) => [JSON.stringify(text), text]),
  )
}

function refuses(schema: TSchema, cases: [json: string, code: FieldErrorCode][]): void {
  for (const [json, code] of cases) {
    const reading = readBody(schema, parseJson(json))
    assert(!reading.ok, json)
    assert.deepEqual(
      reading.fields.map((error) => error.code),
      [code],
      json,
    )
  }
}

function refusesText(schema: TSchema, code: FieldErrorCode, texts: string[]): void {
  refuses(
    schema,
    texts.map((text) => [JSON.stringify(text), code]),
  )
}
