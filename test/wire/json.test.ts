import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  canonicalJson,
  isJsonObject,
  type Json,
  MalformedJsonError,
  Numeral,
  parseJson,
} from '../../src/wire/json.ts'

const unexpectedAt = (position: number) =>
  `The body is not valid JSON: unexpected character at position ${position}.`
const TOO_EARLY = 'The body is not valid JSON: it ends too early.'
const twiceAt = (position: number) =>
  `The body is not valid JSON: a member name appears twice in one object, at position ${position}.`
const escapeAt = (position: number) =>
  `The body is not valid JSON: an escape is not valid in the string at position ${position}.`
const surrogateAt = (position: number) =>
  `The body is not valid JSON: half a surrogate pair is escaped in the string at position ${position}.`
const TOO_DEEP = 'The body is nested deeper than 16 levels.'

test('a number keeps its source text', () => {
  for (const source of [
    '0',
    '-0',
    '100.10',
    '1e400',
    '1E-400',
    '12345678901234567890.123456789',
    '-1.5e+2',
  ]) {
    assert.deepEqual(parseJson(source), new Numeral(source))
    assert.equal(JSON.stringify(parseJson(`{"amount":${source}}`)), `{"amount":${source}}`)
  }
})

test('every kind of value is read, with white space between tokens', () => {
  const value = parseJson(' {\t"a" : [ null , true ,\r\nfalse, "x", 1 ] , "b" : { } , "c" : [ ] } \n')
  assert.equal(JSON.stringify(value), '{"a":[null,true,false,"x",1],"b":{},"c":[]}')
})

test('escapes are read, and a surrogate pair may be spelt with two', () => {
  const text = String.raw`"\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00 é😀"`
  assert.equal(parseJson(text), '"\\/\b\f\n\r\tAé😀 é😀')
})

test('the names of Object.prototype are names like any other', () => {
  const value = parseJson('{"__proto__":{"admin":true},"constructor":1,"toString":2,"":3}')
  assert(isJsonObject(value))
  assert.equal(Object.getPrototypeOf(value), null)
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'toString', ''])
})

test('what is not RFC 8259 is refused, with a position and without content', () => {
  const refusals: [text: string, message: string][] = [
    ['', TOO_EARLY],
    ['   ', TOO_EARLY],
    ['{', TOO_EARLY],
    ['{"a"', TOO_EARLY],
    ['{"a":', TOO_EARLY],
    ['{"a":1', TOO_EARLY],
    ['[1', TOO_EARLY],
    ['"abc', TOO_EARLY],
    ['"abc\\', TOO_EARLY],
    ['-', TOO_EARLY],
    ['1.', TOO_EARLY],
    ['1e', TOO_EARLY],
    ['1e+', TOO_EARLY],
    ['01', unexpectedAt(1)],
    ['-01', unexpectedAt(2)],
    ['.5', unexpectedAt(0)],
    ['[1.]', unexpectedAt(3)],
    ['[-.5]', unexpectedAt(2)],
    ['+1', unexpectedAt(0)],
    ['1_000', unexpectedAt(1)],
    ['0x10', unexpectedAt(1)],
    ['NaN', unexpectedAt(0)],
    ['Infinity', unexpectedAt(0)],
    ['-Infinity', unexpectedAt(1)],
    ['True', unexpectedAt(0)],
    ['tru', unexpectedAt(0)],
    ['nulls', unexpectedAt(4)],
    ['undefined', unexpectedAt(0)],
    ['[1,]', unexpectedAt(3)],
    ['[,1]', unexpectedAt(1)],
    ['[1 2]', unexpectedAt(3)],
    ['{"a":1,}', unexpectedAt(7)],
    ['{,}', unexpectedAt(1)],
    ['{a:1}', unexpectedAt(1)],
    ["{'a':1}", unexpectedAt(1)],
    ['{"a" 1}', unexpectedAt(5)],
    ['{"a":1 "b":2}', unexpectedAt(7)],
    ['{1:2}', unexpectedAt(1)],
    ['[1}', unexpectedAt(2)],
    ['{}{}', unexpectedAt(2)],
    ['{} x', unexpectedAt(3)],
    ['// no\n1', unexpectedAt(0)],
    ['1 /* no */', unexpectedAt(2)],
    ['"a\nb"', unexpectedAt(2)],
    ['"a\tb"', unexpectedAt(2)],
    ['"a\u0000b"', unexpectedAt(2)],
    ['\u00a01', unexpectedAt(0)],
    ['\ufeff1', unexpectedAt(0)],
    [String.raw`"\x41"`, escapeAt(0)],
    [String.raw`["\u12g4"]`, escapeAt(1)],
    [String.raw`"\u123"`, escapeAt(0)],
    ['"\\\n"', escapeAt(0)],
    [String.raw`"\ud83d"`, surrogateAt(0)],
    [String.raw`"\ude00"`, surrogateAt(0)],
    [String.raw`"\ude00\ud83d"`, surrogateAt(0)],
    [String.raw`{"\ud83d":1}`, surrogateAt(1)],
    ['{"a":1,"a":1}', twiceAt(7)],
    [String.raw`{"a":1,"\u0061":2}`, twiceAt(7)],
    [String.raw`{"b":{"\/":1, "/":2}}`, twiceAt(14)],
    ['{"__proto__":1,"__proto__":2}', twiceAt(15)],
  ]
  for (const [text, message] of refusals) {
    assert.throws(() => parseJson(text), new MalformedJsonError(message), JSON.stringify(text))
    assert.throws(() => parseJson(Buffer.from(text)), new MalformedJsonError(message), JSON.stringify(text))
  }
})

test('one name may stand in two objects', () => {
  assert.equal(
    JSON.stringify(parseJson('{"a":{"a":1},"b":[{"a":2},{"a":3}]}')),
    '{"a":{"a":1},"b":[{"a":2},{"a":3}]}',
  )
})

test('bytes that are not UTF-8 are refused, and a byte order mark is no white space', () => {
  const invalid = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]
  for (const bytes of invalid) {
    const body = Uint8Array.from([0x22, ...bytes, 0x22])
    assert.throws(() => parseJson(body), new MalformedJsonError('The body is not valid UTF-8.'))
  }
  assert.throws(
    () => parseJson(Uint8Array.from([0xef, 0xbb, 0xbf, 0x31])),
    new MalformedJsonError(unexpectedAt(0)),
  )
  assert.throws(() => parseJson('"\ud83d"'), new MalformedJsonError('The body is not well-formed Unicode.'))
  assert.equal(parseJson(Buffer.from('"é😀"')), 'é😀')
})

test('sixteen levels are read and seventeen refused, in objects and in arrays', () => {
  const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
  for (const nested of [arrays, objects]) {
    assert.equal(JSON.stringify(parseJson(nested(16))), nested(16))
    assert.throws(() => parseJson(nested(17)), new MalformedJsonError(TOO_DEEP))
    assert.throws(() => parseJson(nested(100_000)), new MalformedJsonError(TOO_DEEP))
  }
  const wide = `[${Array.from({ length: 100 }, () => arrays(15)).join(',')}]`
  assert.equal(JSON.stringify(parseJson(wide)), wide)
  assert.equal(JSON.stringify(parseJson('[[]]', { depthMax: 2 })), '[[]]')
  assert.throws(() => parseJson('[[]]', { depthMax: 1 }), MalformedJsonError)
})

const jsonText = fc.json({ maxDepth: 8, stringUnit: 'binary' })

test('what JSON.stringify writes is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(jsonText, fc.nat(3), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent)
      assert.equal(JSON.stringify(parseJson(spaced)), text)
      assert.equal(JSON.stringify(parseJson(Buffer.from(spaced))), text)
    }),
  )
})

test('nothing is accepted that JSON.parse refuses, and only ambiguity is refused that it accepts', () => {
  const stricter = new Set(['appears twice', 'half a surrogate', 'nested deeper'])
  const edit = fc.record({
    at: fc.nat(),
    remove: fc.nat(2),
    insert: fc.constantFrom('', ...'{}[]",:\\0.eE+-u1 \n'),
  })
  fc.assert(
    fc.property(jsonText, edit, (text, { at, remove, insert }) => {
      const start = at % (text.length + 1)
      const edited = `${text.slice(0, start)}${insert}${text.slice(start + remove)}`.toWellFormed()
      const native = attempt(() => JSON.stringify(JSON.parse(edited)))
      const ours = attempt(() => JSON.stringify(nativeNumbers(parseJson(edited))))
      if (native instanceof Error) assert(ours instanceof MalformedJsonError)
      else if (ours instanceof Error)
        assert(
          [...stricter].some((reason) => ours.message.includes(reason)),
          ours,
        )
      else assert.equal(ours, native)
    }),
    { numRuns: 2000 },
  )
})

test('canonical text does not depend on member order or number spelling', () => {
  assert.equal(
    canonicalJson(parseJson('{"b":100.00,"a":[1e2,-0,null,true,"é"]}')),
    '{"a":[1e2,0,null,true,"é"],"b":1e2}',
  )
  assert.equal(
    canonicalJson(parseJson('{"é":1,"z":2,"Z":3,"10":4,"9":5}')),
    '{"10":4,"9":5,"Z":3,"z":2,"é":1}',
  )
  fc.assert(
    fc.property(jsonText, (text) => {
      const respelt = respell(parseJson(text))
      assert.equal(canonicalJson(parseJson(respelt)), canonicalJson(parseJson(text)))
    }),
  )
})

test('canonical text loses nothing, so two requests that differ never share it', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      assert.deepEqual(JSON.parse(canonicalJson(parseJson(text))), JSON.parse(text))
    }),
  )
})

function attempt<Value>(work: () => Value): Value | Error {
  try {
    return work()
  } catch (error) {
    return error as Error
  }
}

/** Doubles in place of source texts, so that JSON.parse is comparable. */
function nativeNumbers(value: Json): unknown {
  if (value instanceof Numeral) return Number(value.source)
  if (Array.isArray(value)) return value.map(nativeNumbers)
  if (!isJsonObject(value)) return value
  const members = Object.create(null)
  for (const name of Object.keys(value)) members[name] = nativeNumbers(value[name]!)
  return members
}

/** The same value with its members reversed and every number written another way. */
function respell(value: Json): string {
  if (value instanceof Numeral) {
    const [mantissa = '', exponent = '0'] = value.source.split('e')
    return `${mantissa}${mantissa.includes('.') ? '0' : '.00'}E${exponent}`
  }
  if (Array.isArray(value)) return `[${value.map(respell).join(' , ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).map((name) => `${JSON.stringify(name)}: ${respell(value[name]!)}`)
  return `{${members.reverse().join(', ')}}`
}
