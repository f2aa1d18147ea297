/**
 * The dry run: every row of the three files is read and decided as the service would, against the other files and the
 * products of the service. Guarantees: nothing is written; all that is wrong with a row is reported, not only the first.
 */
import { addDays, businessDate, type IsoDate } from '../../domain/dates.ts'
import { type Account, newAccount } from '../../domain/deposit.ts'
import {
  type AccountImport,
  type DepositImport,
  decideAccountImport,
  decideDepositImport,
  type KnownOfDeposits,
} from '../../domain/import.ts'
import { minor } from '../../domain/money.ts'
import { FIRST_RULES } from '../../domain/rules.ts'
import { readLine } from '../../features/batches/line.ts'
import { lineOperations } from '../../features/batches/operations.ts'
import { type ErrorCode, errors } from '../../wire/errors.ts'
import { type FileLine, type Files, readRows } from './files.ts'
import { FILES, type FileName, type Mapping } from './mapping.ts'
import { addRow, newTotals, type Totals } from './totals.ts'

export const OPERATION_OF = {
  customers: 'createCustomer',
  accounts: 'importAccount',
  deposits: 'importFixedDeposit',
} as const satisfies Record<FileName, string>

export type BadLine = { file: FileName; line: number; field: string; reason: string }

/** What the service knows, as far as a row depends on it. */
export type Facts = {
  today: IsoDate
  product: (code: string) => Promise<Pick<KnownOfDeposits, 'version' | 'sheets'>>
}

export type Checked = { bad: BadLine[]; rows: Record<FileName, number>; totals: Totals }

/** A number that a deposit has until its account has its own. */
const NO_NUMBER = '0000000000'

export async function checkFiles(
  files: Files,
  mapping: Mapping,
  facts: Facts,
  show: (text: string) => void,
): Promise<Checked> {
  const check = createCheck(facts)
  const checked: Checked = { bad: [], rows: { customers: 0, accounts: 0, deposits: 0 }, totals: newTotals() }
  for (const file of FILES) {
    for await (const row of readRows(files, file, mapping)) {
      checked.rows[file] += 1
      show(`Checking ${file}: ${checked.rows[file]} lines, ${checked.bad.length} faults.`)
      const faults = [...row.faults, ...(await check[file](row))]
      checked.bad.push(...faults.map((fault) => ({ file, line: row.line, ...fault })))
      if (faults.length === 0) addRow(checked.totals, file, row.members, check.currencyOf(row))
    }
  }
  return checked
}

type Faults = { field: string; reason: string }[]

function createCheck({ today, product }: Facts) {
  const at = new Date()
  const names = new Set<string>()
  const ofAccounts = { taken: new Set<string | null>(), takenNumbers: new Set<string>() }
  const takenDeposits = new Set<string | null>()
  const currencies = { byName: new Map<string, string>(), byNumber: new Map<string, string>() }
  const customers = (customer: AccountImport['customer']) =>
    'customerId' in customer || names.has(customer.externalId)
      ? ({ customerId: '', taxClass: 'STANDARD', taxValidUntil: null } as const)
      : undefined
  const currencyOf = ({ members }: FileLine): string | undefined =>
    currencies.byName.get(String(members.account_external_id)) ??
    currencies.byNumber.get(String(members.account_number)) ??
    (members.currency as string | undefined)

  return {
    currencyOf,
    async customers(row: FileLine): Promise<Faults> {
      const reading = read('customers', row)
      if (!reading.ok) return reading.faults
      if (names.has(reading.externalId)) return [refusedWith('external_id_taken')]
      names.add(reading.externalId)
      return []
    },
    async accounts(row: FileLine): Promise<Faults> {
      const reading = read('accounts', row)
      if (!reading.ok) return reading.faults
      const request = reading.request as AccountImport
      const decided = decideAccountImport({ ...ofAccounts, customers }, request, { at, newNumber: () => '' })
      if (decided.outcome === 'refused') return [refusedWith(decided.code, decided.details)]
      ofAccounts.taken.add(reading.externalId)
      currencies.byName.set(reading.externalId, request.currency)
      if (request.accountNumber === null) return []
      ofAccounts.takenNumbers.add(request.accountNumber)
      currencies.byNumber.set(request.accountNumber, request.currency)
      return []
    },
    async deposits(row: FileLine): Promise<Faults> {
      const { account_external_id: name, ...members } = row.members
      const reading = read('deposits', { ...row, members: { account_number: NO_NUMBER, ...members } })
      if (!reading.ok) return reading.faults
      if (name === undefined && members.account_number === undefined)
        return [{ field: 'account_number', reason: 'Send account_number or account_external_id.' }]
      const request = reading.request as DepositImport
      const sold =
        request.productCode === null ? { version: undefined, sheets: [] } : await product(request.productCode)
      const inForce = { version: 0, rules: FIRST_RULES }
      const known = { account: accountIn(currencyOf(row), at), inForce, taken: takenDeposits, ...sold }
      const decided = decideDepositImport(known, request, { at, today })
      if (decided.outcome === 'refused') return [refusedWith(decided.code, decided.details)]
      takenDeposits.add(reading.externalId)
      return []
    },
  }
}

function read(file: FileName, { members, faults }: FileLine) {
  const reading = readLine(lineOperations[OPERATION_OF[file]], JSON.stringify(members))
  if (reading.ok) return reading
  const { code, fields = [] } = reading.failure
  // A member that could not be read is reported by its column already.
  const known = new Set(faults.map(({ field }) => field))
  const found = fields.map(({ field, message }) => ({ field, reason: message }))
  if (fields.length === 0) found.push(refusedWith(code as ErrorCode))
  return { ok: false as const, faults: known.has('') ? [] : found.filter(({ field }) => !known.has(field)) }
}

/** undefined: no row of the file before names the account. */
function accountIn(currency: string | undefined, createdAt: Date): Account | undefined {
  if (currency === undefined) return undefined
  return newAccount({ accountNumber: NO_NUMBER, customerId: '', currency, balance: minor(0n), createdAt })
}

/** The member that is at fault, where a refusal does not say. */
const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  external_id_taken: 'external_id',
  customer_not_found: 'customer_external_id',
  account_number_taken: 'account_number',
  account_not_found: 'account_external_id',
  product_not_found: 'product_code',
}

function refusedWith(code: ErrorCode, details: object = {}): { field: string; reason: string } {
  const given = Object.entries(details).map(([name, value]) => `${name} ${value}`)
  const { message } = errors[code]
  const reason = given.length === 0 ? message : `${message} (${given.join(', ')})`
  return { field: FIELD_OF[code] ?? '', reason }
}

/** The last day that it can be anywhere: what only the service can know is left to the service. */
export function latestToday(now: Date): IsoDate {
  return addDays(businessDate(now, 'UTC'), 1)
}
