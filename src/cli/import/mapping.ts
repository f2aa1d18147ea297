/**
 * Which columns of a file become which members of a line. Guarantees: every name in a mapping is one that exists, and
 * a cell that cannot be read as its rule says is reported with its column, never guessed.
 */
import { daysBetween, isIsoDate } from '../../domain/dates.ts'
import { Numeral } from '../../wire/json.ts'
import { parseYaml, type Yaml } from './yaml.ts'

export const FILES = ['customers', 'accounts', 'deposits'] as const
export type FileName = (typeof FILES)[number]

/** Members of a line. The other file's external_id stands for the number that the service gives its record. */
const MEMBERS: Readonly<Record<FileName, readonly string[]>> = {
  customers: ['external_id', 'first_name', 'last_name', 'email', 'phone_number', 'address'],
  accounts: ['external_id', 'customer_external_id', 'account_number', 'currency', 'balance'],
  deposits: [
    ...['external_id', 'account_external_id', 'account_number', 'product_code', 'principal'],
    ...['remaining_principal', 'interest_rate', 'tenor', 'tenor_months', 'start_date', 'maturity_date'],
    ...['interest_paid', 'interest_paid_to', 'tax_withheld', 'rollovers', 'bonuses', 'maturity_instruction'],
  ],
}
const NUMBERS = new Set([
  ...['balance', 'principal', 'remaining_principal', 'interest_rate', 'tenor', 'tenor_months'],
  ...['interest_paid', 'tax_withheld', 'rollovers'],
])
const DATES = new Set(['start_date', 'maturity_date', 'interest_paid_to'])

/** Values by column: a row that has others is left out. */
type Conditions = readonly (readonly [column: string, values: readonly string[]])[]

type Rule = {
  member: string
  /** Joined by a comma and a space where there are several. */
  columns: readonly string[]
  /** A fixed value, or that of a blank cell. */
  value: string | null
  values: Readonly<Record<string, string>> | null
  days: { from: string; to: string } | null
  dateFormat: string
  decimal: '.' | ','
  when: Conditions
}

export type FileMapping = { only: Conditions; rules: readonly Rule[]; metadata: readonly Rule[] }
export type Mapping = Readonly<Record<FileName, FileMapping>> & { separator: string }

export function parseMapping(source: string): Mapping {
  const { separator = ',', ...files } = parseYaml(source)
  if (typeof separator !== 'string' || [...separator].length !== 1 || separator === '"')
    throw new Error('separator is one character.')
  const unknown = Object.keys(files).find((name) => !FILES.includes(name as FileName))
  if (unknown !== undefined) throw new Error(`${unknown} is not one of ${FILES.join(', ')}, separator.`)
  const mappings = FILES.map((name) => [name, fileMappingOf(name, files[name])] as const)
  return { ...(Object.fromEntries(mappings) as Record<FileName, FileMapping>), separator }
}

function fileMappingOf(file: FileName, written: Yaml | undefined): FileMapping {
  if (written === undefined) throw new Error(`The mapping of ${file} is missing.`)
  const { only = {}, metadata = {}, ...members } = mapOf(written, file)
  const unknown = Object.keys(members).find((name) => !MEMBERS[file].includes(name))
  if (unknown !== undefined)
    throw new Error(`${file}.${unknown} is not one of ${MEMBERS[file].join(', ')}, metadata, only.`)
  const rulesOf = (map: Record<string, Yaml>, path: string) =>
    Object.entries(map).map(([member, rule]) => ruleOf(member, rule, `${path}.${member}`))
  return {
    only: conditionsOf(only, `${file}.only`),
    rules: rulesOf(members, file),
    metadata: rulesOf(mapOf(metadata, `${file}.metadata`), `${file}.metadata`),
  }
}

const WAYS = ['column', 'value', 'values', 'date', 'decimal', 'days_between', 'when']

function ruleOf(member: string, written: Yaml, path: string): Rule {
  const map = typeof written === 'string' ? { column: written } : mapOf(written, path)
  const unknown = Object.keys(map).find((name) => !WAYS.includes(name))
  if (unknown !== undefined) throw new Error(`${path}.${unknown} is not one of ${WAYS.join(', ')}.`)
  const { column = [], value = null, values = null, date = 'yyyy-MM-dd', decimal = '.' } = map
  const [from, to, ...more] = listOf(map.days_between ?? [], `${path}.days_between`)
  if (map.days_between !== undefined && (to === undefined || more.length > 0))
    throw new Error(`${path}.days_between is a list of two columns.`)
  if (decimal !== '.' && decimal !== ',') throw new Error(`${path}.decimal is "." or ",".`)
  if (value !== null && typeof value !== 'string') throw new Error(`${path}.value is a text.`)
  if (typeof date !== 'string' || !/yyyy/.test(date) || !/M/.test(date) || !/d/.test(date))
    throw new Error(`${path}.date is a form such as dd/MM/yyyy or d MMMM yyyy.`)
  const columns = listOf(column, `${path}.column`)
  if (columns.length === 0 && value === null && to === undefined)
    throw new Error(`${path} names no column and no value.`)
  return {
    ...{ member, columns, value, dateFormat: date, decimal },
    values: values === null ? null : textsOf(values, `${path}.values`),
    days: to === undefined ? null : { from: from!, to },
    when: conditionsOf(map.when ?? {}, `${path}.when`),
  }
}

function mapOf(value: Yaml, path: string): Record<string, Yaml> {
  if (typeof value === 'string' || Array.isArray(value)) throw new Error(`${path} is a map.`)
  return value
}

function listOf(value: Yaml, path: string): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) throw new Error(`${path} is a text or a list.`)
  return value
}

function textsOf(value: Yaml, path: string): Record<string, string> {
  const map = mapOf(value, path)
  if (Object.values(map).some((one) => typeof one !== 'string')) throw new Error(`${path} holds texts.`)
  return map as Record<string, string>
}

function conditionsOf(value: Yaml, path: string): Conditions {
  return Object.entries(mapOf(value, path)).map(([column, values]) => [column, listOf(values, path)])
}

/** The columns that a file must have. */
export function columnsIn({ only, rules, metadata }: FileMapping): Set<string> {
  const conditions = (all: Conditions) => all.map(([column]) => column)
  const ofRules = [...rules, ...metadata].flatMap(({ columns, days, when }) => [
    ...columns,
    ...(days === null ? [] : [days.from, days.to]),
    ...conditions(when),
  ])
  return new Set([...conditions(only), ...ofRules])
}

export type Fault = { field: string; reason: string }
export type MappedLine = { members: Record<string, unknown>; faults: Fault[] }

/** null: the mapping leaves the row out. */
export function mapRow({ only, rules, metadata }: FileMapping, row: Map<string, string>): MappedLine | null {
  if (!meets(only, row)) return null
  const faults: Fault[] = []
  const read = (all: readonly Rule[]) =>
    all.flatMap((rule) => {
      const { member } = rule
      try {
        const value = meets(rule.when, row) ? memberOf(rule, row) : null
        return value === null ? [] : [[member, value] as const]
      } catch (error) {
        faults.push({ field: member, reason: (error as Error).message })
        return []
      }
    })
  const members: Record<string, unknown> = Object.fromEntries(read(rules))
  if (metadata.length > 0) members.metadata = Object.fromEntries(read(metadata))
  return { members, faults }
}

function meets(conditions: Conditions, row: Map<string, string>): boolean {
  return conditions.every(([column, values]) => values.includes(row.get(column)!.trim()))
}

/** null: the cell is blank, so the member is left out. */
function memberOf(rule: Rule, row: Map<string, string>): unknown {
  const { member, columns, days, values, dateFormat } = rule
  if (days !== null) {
    const [from, to] = [days.from, days.to].map((column) => {
      const date = readDate(row.get(column)!.trim(), dateFormat, column)
      if (!isIsoDate(date)) throw new Error(`${column} is a day that does not exist.`)
      return date
    })
    return new Numeral(String(daysBetween(from!, to!)))
  }
  const found = columns.flatMap((column) => row.get(column)!.trim() || []).join(', ')
  const named = columns.join(', ')
  if (found !== '' && values !== null && !Object.hasOwn(values, found))
    throw new Error(`The mapping has no value for what ${named} contains.`)
  const text = found === '' ? rule.value : (values?.[found] ?? found)
  if (text === null) return null
  if (NUMBERS.has(member)) return readNumber(text, rule.decimal, named)
  if (DATES.has(member)) return readDate(text, dateFormat, named)
  return member === 'bonuses' ? text.split(/[\s,;]+/) : text
}

/** Thousands may be marked, in groups of three. */
function readNumber(text: string, decimal: '.' | ',', column: string): Numeral {
  const plain = decimal === ',' ? text.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')) : text
  const isNumber = /^-?(?:\d+|\d{1,3}(?:[, \u00a0\u202f]\d{3})+)(?:\.\d+)?$/.test(plain)
  if (!isNumber) throw new Error(`${column} is not a number.`)
  return new Numeral(plain.replaceAll(/[, \u00a0\u202f]/g, '').replace(/^(-?)0+(?=\d)/, '$1'))
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

const PARTS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  MMMM: '(?<name>[A-Za-z]{3,})',
  MMM: '(?<name>[A-Za-z]{3,})',
  MM: '(?<month>\\d\\d)',
  M: '(?<month>\\d\\d?)',
  dd: '(?<day>\\d\\d)',
  d: '(?<day>\\d\\d?)',
}

/** As an ISO date; whether the day exists is for the reader of the line to say. */
export function readDate(text: string, format: string, column: string): string {
  const pattern = format.replaceAll(
    /yyyy|M{1,4}|dd?|[^\w\s]|\s/g,
    (part) => PARTS[part] ?? `\\u{${part.codePointAt(0)!.toString(16)}}`,
  )
  const { year, month, name, day } = new RegExp(`^${pattern}$`, 'u').exec(text)?.groups ?? {}
  const named = MONTHS.findIndex((whole) => name !== undefined && isMonth(whole, name)) + 1
  const number = month === undefined ? named : Number(month)
  if (year === undefined || number === 0) throw new Error(`${column} is not a date of the form ${format}.`)
  return `${year}-${String(number).padStart(2, '0')}-${day!.padStart(2, '0')}`
}

function isMonth(whole: string, written: string): boolean {
  const [month, given] = [whole.toLowerCase(), written.toLowerCase()]
  return given === month || given === month.slice(0, 3)
}
