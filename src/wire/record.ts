/**
 * Records as answers and events show them, declared once: a member is a kind of value, what it means, and where it comes
 * from. The reference is printed from `schema`, and answers are written by `write`, or by `json` as the text of the same.
 *
 *   export const AccountRecord = record<Account>('Account', {
 *     account_number: accountNumber.of((account) => account.accountNumber),
 *     balance: amount.as('What the account holds.', (account) => account.balance),
 *   })
 *
 * Every member is always present, in the order of its declaration, and there is no other.
 */
import { type TSchema, Type } from 'typebox'
import { ACTOR_KINDS, type Actor } from '../domain/actor.ts'
import { MODES } from '../domain/book.ts'
import type { IsoDate } from '../domain/dates.ts'
import { formatPpm } from '../domain/decimal.ts'
import { formatAmount } from '../domain/money.ts'
import { PRODUCT_CODE } from '../domain/product.ts'
import { numeral, timestamp } from './envelope.ts'

/** The schema of a value, and how it is written. A schema with a title is printed once, under that name. */
export type Kind<Value> = {
  schema: TSchema
  write: (value: Value) => unknown
  /** The same as JSON.stringify of what is written, in half the time. */
  json: (value: Value) => string
  /** A member of this kind. */
  as: <Source>(description: string, pick: (source: Source) => Value) => Member<Source>
}

/** A kind that has the same meaning everywhere. */
type KnownKind<Value> = Kind<Value> & {
  description: string
  of: <Source>(pick: (source: Source) => Value) => Member<Source>
}

export type Member<Source> = {
  schema: TSchema
  write: (source: Source) => unknown
  json: (source: Source) => string
}
export type Members<Source> = Record<string, Member<Source>>

export type RecordKind<Source> = Omit<Kind<Source>, 'write'> & {
  title: string
  write: (source: Source) => Written
}
export type Written = Record<string, unknown>

export function record<Source>(title: string, members: Members<Source>): RecordKind<Source> {
  const entries = Object.entries(members)
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))
  const write = (source: Source) => {
    const written: Written = {}
    for (const [name, member] of entries) written[name] = member.write(source)
    return written
  }
  const texts = entries.map(
    ([name, { json }], index) => [`${index === 0 ? '' : ','}${JSON.stringify(name)}:`, json] as const,
  )
  const json = (source: Source) => {
    let text = '{'
    for (const [name, write] of texts) text += name + write(source)
    return `${text}}`
  }
  const schema = Type.Object(properties, { title, additionalProperties: false })
  return { ...kind(schema, write, json), title, write }
}

export function kind<Value>(
  schema: TSchema,
  write: (value: Value) => unknown,
  json: (value: Value) => string = (value) => JSON.stringify(write(value)),
): Kind<Value> {
  return {
    schema,
    write,
    json,
    as: (description, pick) => ({
      schema: { ...schema, description } as TSchema,
      write: (source) => write(pick(source)),
      json: (source) => json(pick(source)),
    }),
  }
}

export function knownKind<Value>(description: string, given: Kind<Value>): KnownKind<Value> {
  return { ...given, description, of: (pick) => given.as(description, pick) }
}

/** The members of something inside the source. */
export function within<Source, Inner>(
  pick: (source: Source) => Inner,
  members: Members<Inner>,
): Members<Source> {
  return Object.fromEntries(
    Object.entries(members).map(([name, { schema, write, json }]) => [
      name,
      {
        schema,
        write: (source: Source) => write(pick(source)),
        json: (source: Source) => json(pick(source)),
      },
    ]),
  )
}

/** A value that is written unchanged. */
function plain<Value>(schema: TSchema): Kind<Value> {
  return kind<Value>(schema, (value) => value, JSON.stringify)
}

/** A number that is written as its text. */
function numeric<Value>(schema: TSchema, text: (value: Value) => string): Kind<Value> {
  return kind(schema, (value) => numeral(text(value)), text)
}

export function orNull<Value>(given: KnownKind<Value>): KnownKind<Value | null>
export function orNull<Value>(given: Kind<Value>): Kind<Value | null>
export function orNull<Value>(given: Kind<Value> | KnownKind<Value>): Kind<Value | null> {
  const schema = Type.Unsafe<unknown>({ anyOf: [given.schema, { type: 'null' }] })
  const either = kind<Value | null>(
    schema,
    (value) => (value === null ? null : given.write(value)),
    (value) => (value === null ? 'null' : given.json(value)),
  )
  return 'of' in given ? knownKind(given.description, either) : either
}

export function listOf<Value>({ schema, write, json }: Kind<Value>): Kind<readonly Value[]> {
  return kind<readonly Value[]>(
    Type.Array(schema),
    (values) => values.map(write),
    (values) => `[${values.map((value) => json(value)).join(',')}]`,
  )
}

/** One of a closed list. */
export function oneOf<const Value extends string>(title: string, values: readonly Value[]): Kind<Value> {
  return plain(Type.Unsafe<Value>({ title, type: 'string', enum: values }))
}

const MAJOR_MAX = 9_999_999_999_999.99

export const amount = numeric<bigint>(
  Type.Number({
    title: 'Amount',
    about: 'Money: a number written with exactly two fractional digits.',
    format: 'double',
    minimum: 0,
    maximum: MAJOR_MAX,
  }),
  formatAmount,
)

/** Penal terms are shown before the cap, so only their own rule bounds them. */
export const uncappedAmount = numeric<bigint>(
  Type.Number({
    title: 'UncappedAmount',
    about: 'Money before the cap: a number written with exactly two fractional digits.',
    format: 'double',
    minimum: 0,
  }),
  formatAmount,
)

export const signedAmount = numeric<bigint>(
  Type.Number({
    title: 'SignedAmount',
    about: 'Money: a number written with exactly two fractional digits; a debit is negative.',
    format: 'double',
    minimum: -MAJOR_MAX,
    maximum: MAJOR_MAX,
  }),
  formatAmount,
)

export const sumOfAmounts = numeric<bigint>(
  Type.Number({
    title: 'AmountSum',
    about:
      'Money summed up: a number written with exactly two fractional digits. It has no maximum; above 90071992547409.91 ' +
      'a double loses cents, so read it from its text.',
    format: 'double',
  }),
  formatAmount,
)

/** Percent a year, from parts per million. */
export const rate = numeric<number>(Type.Number({ format: 'double', minimum: 0, maximum: 100 }), formatPpm)

/** A decimal that is already text. */
export const decimal = numeric<string>(Type.Number({ format: 'double', minimum: 0 }), (text) => text)

export const count = plain<number>(Type.Integer({ minimum: 0 }))
export const text = plain<string>(Type.String())
export const flag = plain<boolean>(Type.Boolean())
export const date = plain<IsoDate>(Type.String({ format: 'date' }))
export const instant = kind<Date>(
  Type.String({ format: 'date-time' }),
  timestamp,
  (moment) => `"${timestamp(moment)}"`,
)

export const interestRate = knownKind('Percent a year, with at most four decimals.', rate)
export const startDate = knownKind('The day the deposit began; interest counts from it.', date)
export const maturityDate = knownKind('The day the deposit is due; interest stops there.', date)
export const remainingPrincipal = knownKind('Principal that is still invested.', amount)
export const currency = knownKind(
  'ISO 4217 code of a currency with two minor digits, or none.',
  plain<string>(Type.String({ pattern: '^[A-Z]{3}$' })),
)
export const mode = knownKind('The book it belongs to; the key decides it.', oneOf('Mode', MODES))
export const createdAt = knownKind('When it was made.', instant)
export const updatedAt = knownKind('When it was changed last.', instant)

export const accountNumber = knownKind(
  'The ten digits of the account.',
  plain<string>(Type.String({ pattern: '^[0-9]{10}$' })),
)
export const rulesVersion = knownKind('Version of the rule set.', plain<number>(Type.Integer({ minimum: 1 })))
export const pinnedRules = knownKind(
  'Version of the liquidation rules the deposit is pinned to.',
  rulesVersion,
)
export const productCode = knownKind(
  'Code of the product.',
  plain<string>(Type.String({ pattern: PRODUCT_CODE })),
)
export const customerId = identifier('cus', 'Identifier of the customer.')
export const depositId = identifier('fd', 'Identifier of the fixed deposit.')
export const lienId = identifier('lien', 'Identifier of the lien.')
export const liquidationId = identifier('liq', 'Identifier of the liquidation.')
export const entryId = identifier('le', 'Identifier of the ledger entry.')
export const eventId = identifier('evt', 'Identifier of the event.')
export const webhookEndpointId = identifier('we', 'Identifier of the webhook endpoint.')
export const apiKeyId = identifier('key', 'Identifier of the API key; not the key itself.')
export const batchId = identifier('bat', 'Identifier of the batch.')
export const approvalId = identifier('apr', 'Identifier of the approval.')
export const personId = identifier('per', 'Identifier of the person.')
export const requestId = identifier(
  'req',
  'Identifier of the request, as in its Request-Id header. Name it when you ask for help.',
)

export const actor = knownKind(
  'Who did it.',
  record<Actor>('Actor', {
    kind: oneOf('ActorKind', ACTOR_KINDS).as(
      'An API key, a person at the console, the operator at the command line, or a job of the service.',
      ({ kind }) => kind,
    ),
    id: text.as('Identifier of the key or the person, or the name of the job.', ({ id }) => id),
    name: orNull(text).as('What the key or the person is called now, or null.', ({ name }) => name),
  }),
)

function identifier(prefix: string, description: string): KnownKind<string> {
  return knownKind(description, plain<string>(Type.String({ pattern: `^${prefix}_[0-9A-Za-z]{24}$` })))
}

/** Identifiers that may appear in a path. */
export const PATH_PARAMETERS: Record<string, KnownKind<never>> = {
  account_number: accountNumber,
  api_key_id: apiKeyId,
  approval_id: approvalId,
  batch_id: batchId,
  customer_id: customerId,
  deposit_id: depositId,
  event_id: eventId,
  lien_id: lienId,
  liquidation_id: liquidationId,
  number: knownKind('Number of the rate sheet.', plain<number>(Type.Integer({ minimum: 1 }))),
  product_code: productCode,
  part: knownKind('Number of the part, from 1 on.', count),
  version: rulesVersion,
  webhook_endpoint_id: webhookEndpointId,
}
