/**
 * An approval policy as the rows of a form. A row has one condition; a rule that says more is kept as it is, and is
 * changed as JSON.
 */
import { type ApprovalPolicy, DECIDERS } from '../../domain/approvals.ts'
import { choices, type Fields, hiddenFields, numeral, typedFigure } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { recordTable } from '../../page/table.ts'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  MalformedJsonError,
  Numeral,
  parseJson,
} from '../../wire/json.ts'
import type { FieldError } from '../../wire/reader.ts'
import type { FigureKind } from '../../words/figures.ts'
import type { Words } from '../../words/words.ts'
import { ApprovalPolicyBody, formatPolicy, policyFrom } from '../approval-policy/record.ts'
import { conditionsText } from '../approval-policy/words.ts'
import { APPROVABLE_OPERATIONS } from '../document-kinds/document.ts'
import { operationName } from '../document-kinds/words.ts'
import { policyDocument } from '../policies/changes.ts'
import { type ProposalForm, type Proposed, readProposed } from '../proposals/form.ts'
import { limitWords } from './words.ts'

type Condition = keyof ReturnType<typeof sayOf>['conditions']

/** A rule as it was typed. */
export type Row =
  | { kind: 'plain'; operation: string; condition: Condition; value: string; days: string; approvals: string }
  /** `rule`: JSON text. */
  | { kind: 'other'; rule: string; isKept: boolean }

export type Typed = { hours: string; deciders: string; rows: Row[] }

export const ROWS_MAX = 50
const NEW_ROW: Row = {
  kind: 'plain',
  operation: '',
  condition: 'amount',
  value: '',
  days: '1',
  approvals: '1',
}

function sayOf(words: Words) {
  return words.of(limitWords)
}

export function typedOf(policy: ApprovalPolicy, words: Words): Typed {
  const { rules } = parseJson(formatPolicy(policy)) as { rules: JsonObject[] }
  return {
    hours: String(policy.expiresAfterHours),
    deciders: policy.deciders,
    rows: rules.map((rule) => rowOf(rule, words)),
  }
}

function rowOf(rule: JsonObject, words: Words): Row {
  const conditions = Object.entries(rule.when as JsonObject)
  const [first, ...others] = conditions
  const plain = first === undefined ? ALWAYS : others.length === 0 ? plainCondition(...first) : null
  if (plain === null) return { kind: 'other', rule: JSON.stringify(rule), isKept: true }
  return {
    ...{ kind: 'plain', operation: String(rule.operation), value: '', days: '' },
    ...{
      approvals: sourceOf(rule.approvals),
      ...plain,
      value: typedFigure(plain.value ?? '', FIGURES[plain.condition], words),
    },
  }
}

type Plain = { condition: Condition; value?: string; days?: string }
const ALWAYS: Plain = { condition: 'always' }

/** null: the condition says more than a row can. */
function plainCondition(name: string, condition: Json): Plain | null {
  if (name === 'waiver') return { condition: name }
  if (!isJsonObject(condition)) return null
  if (name === 'contact_changed_hours') return bound(condition, 'lt', name)
  if (name !== 'sum') return bound(condition, 'gte', name as Condition)
  const sum = bound(condition.amount as JsonObject, 'gte', `sum_${condition.of}` as Condition)
  return sum && { ...sum, days: sourceOf(condition.days) }
}

function bound(range: JsonObject, only: 'gte' | 'lt', condition: Condition): Plain | null {
  return Object.keys(range).join() === only ? { condition, value: sourceOf(range[only]) } : null
}

/** What stands beside a condition. */
const FIGURES: Readonly<Record<Condition, FigureKind>> = {
  always: 'count',
  waiver: 'count',
  contact_changed_hours: 'count',
  amount: 'amount',
  net_credited: 'amount',
  waived_amount: 'amount',
  sum_DEPOSIT: 'amount',
  sum_CUSTOMER: 'amount',
  sum_ACTOR: 'amount',
  waived_percent: 'rate',
  negotiated_points: 'rate',
}

function sourceOf(value: Json | undefined): string {
  return value instanceof Numeral ? value.source : ''
}

/** What the form says; null where none was sent. */
export function typedIn(form: Fields): Typed | null {
  if (!form.has('hours')) return null
  const rows: Row[] = []
  for (let index = 0; index < ROWS_MAX; index += 1) {
    const field = (name: string) => form.get(`${name}${index}`).trim()
    if (form.has(`rule${index}`)) {
      rows.push({ kind: 'other', rule: field('rule'), isKept: field('keep') !== 'no' })
    } else if (form.has(`operation${index}`)) {
      const condition = field('condition') as Condition
      const figures = { value: field('value'), days: field('days'), approvals: field('approvals') }
      rows.push({ kind: 'plain', operation: field('operation'), condition, ...figures })
    }
  }
  const isLarger = form.has('add') && rows.length < ROWS_MAX
  return {
    hours: form.get('hours').trim(),
    deciders: form.get('deciders'),
    rows: isLarger ? [...rows, NEW_ROW] : rows,
  }
}

export const policyForm: ProposalForm<typeof ApprovalPolicyBody, ApprovalPolicy> = {
  path: '/policy',
  operation: 'replaceApprovalPolicy',
  texts: limitWords,
  schema: ApprovalPolicyBody,
  from: policyFrom,
  format: formatPolicy,
  document: policyDocument,
  jsonRows: 18,
}

export function readTyped(typed: Typed, words: Words): Proposed<ApprovalPolicy> {
  const say = sayOf(words)
  // Rows that are left out have no rule, so an error names another number than the row has.
  const kept = typed.rows.flatMap((row, index) => (isLeftOut(row) ? [] : [{ row, number: index + 1 }]))
  const rules = kept.map(({ row }) => ruleOf(row, words))
  const unread = kept.find((_, index) => rules[index] === null)
  if (unread !== undefined) return { ok: false, text: say.wrongRule(unread.number) }
  const body = {
    expires_after_hours: numeral(typed.hours, 'count', words),
    deciders: DECIDERS.find((one) => one === typed.deciders) ?? '',
    rules: rules as JsonObject[],
  }
  const numbers = kept.map(({ number }) => number)
  return readProposed(policyForm, body, (error) => textOf(error, { body, numbers }, words))
}

function textOf(
  { field, code }: FieldError,
  { body, numbers }: { body: { rules: JsonObject[] }; numbers: number[] },
  words: Words,
): string {
  const say = sayOf(words)
  const index = /^rules\[(\d+)\]/.exec(field)?.[1]
  if (index === undefined) return say.wrongField
  const number = numbers[Number(index)]!
  if (code !== 'invalid_value') return say.wrongRule(number)
  const operation = String(body.rules[Number(index)]!.operation)
  return say.noSuchFact(number, operationName(operation, words))
}

function isLeftOut(row: Row): boolean {
  return row.kind === 'plain' ? row.operation === '' : !row.isKept
}

/** null where the row cannot be read. What else is wrong with the rule the reader of the API finds. */
function ruleOf(row: Row, words: Words): JsonObject | null {
  if (row.kind === 'other') return parsed(row.rule)
  const when = whenOf(row, words)
  return when && { operation: row.operation, when, approvals: numeral(row.approvals, 'count', words) }
}

function parsed(rule: string): JsonObject | null {
  try {
    const json = parseJson(rule)
    return isJsonObject(json) ? json : null
  } catch (error) {
    if (error instanceof MalformedJsonError) return null
    throw error
  }
}

function whenOf({ condition, value, days }: Row & { kind: 'plain' }, words: Words): JsonObject | null {
  const figure = numeral(value, FIGURES[condition], words)
  switch (condition) {
    case 'always':
      return {}
    case 'waiver':
      return { waiver: true }
    case 'contact_changed_hours':
      return { contact_changed_hours: { lt: figure } }
    case 'amount':
    case 'net_credited':
    case 'waived_amount':
    case 'waived_percent':
    case 'negotiated_points':
      return { [condition]: { gte: figure } }
    case 'sum_DEPOSIT':
    case 'sum_CUSTOMER':
    case 'sum_ACTOR':
      return { sum: { of: condition.slice(4), days: numeral(days, 'count', words), amount: { gte: figure } } }
    default:
      condition satisfies never
      return null
  }
}

/** The rules of one policy that another one lacks. */
export function rulesOnlyIn(one: ApprovalPolicy, other: ApprovalPolicy): ApprovalPolicy['rules'] {
  const textOfRule = (rule: ApprovalPolicy['rules'][number]) => formatPolicy({ ...one, rules: [rule] })
  const known = new Set(other.rules.map(textOfRule))
  return one.rules.filter((rule) => !known.has(textOfRule(rule)))
}

export function ruleTable(rows: readonly Row[], words: Words): Html {
  const say = words.of(limitWords)
  return recordTable(
    rows.map((row, index) => ({ row, index })),
    [
      { name: say.rule, cell: ({ index }) => index + 1 },
      { name: say.operation, cell: ({ row, index }) => operationCell(row, index, words) },
      { name: say.condition, cell: ({ row, index }) => conditionCell(row, index, words) },
      { name: say.value, cell: ({ row, index }) => figureCell(row, { index, name: 'value' }, words) },
      { name: say.days, cell: ({ row, index }) => figureCell(row, { index, name: 'days' }, words) },
      { name: say.approvals, cell: ({ row, index }) => approvalsCell(row, index, words) },
    ],
    { label: say.edit },
  )
}

const APPROVALS = { 1: '1', 2: '2', 3: '3' }

function choice(name: string, label: string, options: Html): Html {
  return html`<select name="${name}" aria-label="${label}">${options}</select>`
}

function operationCell(row: Row, index: number, words: Words): Html {
  const say = words.of(limitWords)
  if (row.kind === 'other') {
    const rule = ruleIn(row, words)
    return html`${rule === undefined ? '' : operationName(rule.operation, words)}`
  }
  const known = Object.fromEntries(APPROVABLE_OPERATIONS.map((one) => [one, operationName(one, words)]))
  const options = html`<option value="">${say.leaveOut}</option>${choices(known, row.operation)}`
  return choice(`operation${index}`, say.operationOf(index + 1), options)
}

/** The rule of a row that a table cannot express. */
function ruleIn(row: Row & { kind: 'other' }, words: Words): ApprovalPolicy['rules'][number] | undefined {
  const { hours, deciders } = { hours: '1', deciders: DECIDERS[0] }
  const read = readTyped({ hours, deciders, rows: [{ ...row, isKept: true }] }, words)
  return read.ok ? read.document.rules[0] : undefined
}

function conditionCell(row: Row, index: number, words: Words): Html {
  const say = words.of(limitWords)
  if (row.kind === 'plain') {
    return choice(`condition${index}`, say.conditionOf(index + 1), choices(say.conditions, row.condition))
  }
  const rule = ruleIn(row, words)
  return html`${rule !== undefined && conditionsText(rule.when, words)}${hiddenFields([[`rule${index}`, row.rule]])}`
}

function figureCell(
  row: Row,
  { index, name }: { index: number; name: 'value' | 'days' },
  words: Words,
): Html | false {
  const say = words.of(limitWords)
  if (row.kind === 'other') return false
  const label = name === 'value' ? say.valueOf(index + 1) : say.daysOf(index + 1)
  return html`<input name="${name}${index}" aria-label="${label}" inputmode="decimal" autocomplete="off"
maxlength="${name === 'value' ? 24 : 2}" value="${row[name]}">`
}

function approvalsCell(row: Row, index: number, words: Words): Html {
  const say = words.of(limitWords)
  if (row.kind === 'plain') {
    return choice(`approvals${index}`, say.approvalsOf(index + 1), choices(APPROVALS, row.approvals))
  }
  const options = choices({ yes: say.keep, no: say.leaveOut }, row.isKept ? 'yes' : 'no')
  return html`${ruleIn(row, words)?.approvals} ${choice(`keep${index}`, say.keepOf(index + 1), options)}`
}
