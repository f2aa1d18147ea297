import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapRow, parseMapping } from '../../../src/cli/import/mapping.ts'
import { parseYaml } from '../../../src/cli/import/yaml.ts'

test('the part of YAML that a mapping needs is read, and every value is a text', () => {
  const source = `
# a comment
separator: ";"   # another
deposits:
  tenor:
    column: [Period, 'It''s', "a, #b"]
    when:
      Unit:
        - Days
        - "No"
  rate: 012
  name: O'Brien #1
"quoted: name": no
`
  assert.deepEqual(JSON.parse(JSON.stringify(parseYaml(source))), {
    separator: ';',
    deposits: {
      tenor: { column: ['Period', "It's", 'a, #b'], when: { Unit: ['Days', 'No'] } },
      rate: '012',
      name: "O'Brien",
    },
    'quoted: name': 'no',
  })
  assert.deepEqual(JSON.parse(JSON.stringify(parseYaml('\n# nothing\n'))), {})
})

const wrongYaml: [string, RegExp][] = [
  ['a: 1\na: 2', /^Line 2 has the name a a second time\.$/],
  ['a:\n\tb: 1', /^Line 2 is indented with tabs/],
  ['a:', /^Line 1 has no value\.$/],
  ['a: 1\n  b: 2', /^Line 2 is indented too far\.$/],
  ['a:\n    b: 1\n  c: 2', /^Line 3 is indented/],
  ['a: {b: 1}', /^Line 1 has a value that needs quotes\.$/],
  ['a: &x 1', /needs quotes/],
  ['a: |', /needs quotes/],
  ['a: "b', /quotes are wrong/],
  ["a: 'b", /quotes are wrong/],
  ['a: [b', /closing bracket/],
  ['a: b: c', /needs quotes/],
  ['just text', /^Line 1 is not a name, a colon and a value\.$/],
  ['- a', /^Line 1 is not a name/],
  ['a:\n  - b\n  c: 1', /^Line 3 is not part of the list/],
  ['a:\n  - b: c', /needs quotes/],
]
for (const [source, fault] of wrongYaml)
  test(`what YAML would read otherwise is an error: ${JSON.stringify(source)}`, () => {
    assert.throws(() => parseYaml(source), { message: fault })
  })

const others = 'customers:\n  external_id: Id\naccounts:\n  external_id: Id\n'
const mapped = (rules: string, row: Record<string, string>) => {
  const mapping = parseMapping(`${others}deposits:\n${rules.replaceAll(/^/gm, '  ')}`)
  return mapRow(mapping.deposits, new Map(Object.entries(row)))
}

test('cells become numbers, dates and texts as the mapping says', () => {
  const read = (rules: string, row: Record<string, string>) => JSON.stringify(mapped(rules, row)!.members)
  assert.equal(read('principal: P', { P: '1,234,567.50' }), '{"principal":1234567.50}')
  assert.equal(read('principal: P', { P: '000500' }), '{"principal":500}')
  assert.equal(
    read('principal:\n  column: P\n  decimal: ","', { P: '1.234.567,50' }),
    '{"principal":1234567.50}',
  )
  assert.equal(
    read('start_date:\n  column: S\n  date: d MMM yyyy', { S: '5 Sep 2025' }),
    '{"start_date":"2025-09-05"}',
  )
  assert.equal(
    read('start_date:\n  column: S\n  date: MM/dd/yyyy', { S: '12/31/2025' }),
    '{"start_date":"2025-12-31"}',
  )
  assert.equal(read('tenor:\n  days_between: [S, M]', { S: '2025-01-01', M: '2026-01-01' }), '{"tenor":365}')
  assert.equal(read('bonuses: B', { B: 'STAFF; SENIOR' }), '{"bonuses":["STAFF","SENIOR"]}')
  assert.equal(read('external_id: E\nrollovers: R', { E: ' 007 ', R: ' ' }), '{"external_id":"007"}')
  assert.equal(read('rollovers:\n  column: R\n  value: 3', { R: '' }), '{"rollovers":3}')
  assert.equal(read('metadata:\n  branch: B', { B: 'Lagos' }), '{"metadata":{"branch":"Lagos"}}')
  const when = 'tenor:\n  column: T\n  when:\n    U: Days'
  assert.equal(read(when, { T: '30', U: 'Days' }), '{"tenor":30}')
  assert.equal(read(when, { T: '30', U: 'Months' }), '{}')
  assert.equal(mapped('only:\n  U: Days\ntenor: T', { T: '30', U: 'Months' }), null)
})

test('a cell that cannot be read is a fault of its column, and is never guessed', () => {
  const faults = (rules: string, row: Record<string, string>) => mapped(rules, row)!.faults
  const wrong: [string, Record<string, string>, string][] = [
    ['principal: P', { P: '1,23' }, 'P is not a number.'],
    ['principal: P', { P: '12 months' }, 'P is not a number.'],
    ['principal: P', { P: '1e3' }, 'P is not a number.'],
    ['start_date: S', { S: '31/12/2025' }, 'S is not a date of the form yyyy-MM-dd.'],
    [
      'start_date:\n  column: S\n  date: d MMMM yyyy',
      { S: '1 Juni 2025' },
      'S is not a date of the form d MMMM yyyy.',
    ],
    ['tenor:\n  days_between: [S, S]', { S: '2025-02-30' }, 'S is a day that does not exist.'],
    [
      'product_code:\n  column: C\n  values:\n    A: B',
      { C: 'constructor' },
      'The mapping has no value for what C contains.',
    ],
  ]
  for (const [rules, row, reason] of wrong)
    assert.deepEqual(faults(rules, row), [{ field: rules.split(':')[0], reason }])
})

const wrongMappings: [string, RegExp][] = [
  ['deposits:\n  principle: P', /^deposits\.principle is not one of external_id, /],
  ['deposits:\n  principal:\n    colum: P', /^deposits\.principal\.colum is not one of column, /],
  ['deposits:\n  principal:\n    decimal: "."', /^deposits\.principal names no column and no value\.$/],
  ['deposits:\n  principal:\n    column: P\n    decimal: ";"', /decimal is "\." or ","\.$/],
  ['deposits:\n  tenor:\n    days_between: [A]', /days_between is a list of two columns\.$/],
  ['deposits:\n  start_date:\n    column: S\n    date: dd.MM', /date is a form such as/],
  ['loans:\n  a: b', /^loans is not one of customers, accounts, deposits, separator\.$/],
  ['separator: ", "\ndeposits:\n  principal: P', /^separator is one character\.$/],
  ['', /^The mapping of deposits is missing\.$/],
]
for (const [source, fault] of wrongMappings)
  test(`a mapping is refused as a whole: ${JSON.stringify(source)}`, () => {
    assert.throws(() => parseMapping(others + source), { message: fault })
  })
