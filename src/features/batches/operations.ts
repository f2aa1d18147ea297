/** The operations that a line may be, as data: how its body is read, what it changes, and what it makes. */
import type { Static, TSchema } from 'typebox'
import { OPERATOR } from '../../domain/actor.ts'
import type { BatchOperation } from '../../domain/batch.ts'
import type { Change } from '../../engine/change/change.ts'
import { newId } from '../../engine/database/ids.ts'
import { ownReferenceFrom } from '../../wire/own-reference.ts'
import { accountOpening } from '../accounts/changes.ts'
import { AccountRecord, NewAccount } from '../accounts/record.ts'
import { namedOperations, type Operation } from '../approvals/operations.ts'
import { customerCreation } from '../customers/changes.ts'
import { CustomerRecord, NewCustomer, newProfile } from '../customers/record.ts'
import { DepositRecord } from '../deposits/record.ts'
import { accountImport, depositImport } from '../imports/changes.ts'
import {
  AccountImportBody,
  accountImportFrom,
  DepositImportBody,
  depositImportFrom,
} from '../imports/record.ts'

export type LineOperation = Pick<Operation, 'change' | 'body' | 'data'> & {
  request: (targetId: string, body: unknown) => unknown
  /** What the path of the direct call names, and a line as a member; null where it names nothing. */
  target: 'deposit_id' | 'account_number' | 'lien_id' | null
  /** Whether its external_id is kept on the record it makes. */
  keepsName: boolean
  /** The member of its data that names what it made. */
  madeId: string
}

function made<Body extends TSchema, Request, Locked, Known, Value>(definition: {
  change: Change<Request, Locked, Known, Value>
  body: Body
  request: (targetId: string, body: Static<Body>) => Request
  data: (value: Value) => unknown
  madeId: string
}): LineOperation {
  return { ...(definition as unknown as LineOperation), target: null, keepsName: true }
}

/** One that approvals know too. */
function known(
  name: keyof typeof namedOperations & BatchOperation,
  line: Pick<LineOperation, 'target' | 'keepsName' | 'madeId'>,
): LineOperation {
  const { change, body, request, data } = namedOperations[name]
  // None of these asks for what an approver expects, or for who requests it.
  return { change, body, data, ...line, request: (targetId, sent) => request(targetId, sent, null, OPERATOR) }
}

export const lineOperations: Record<BatchOperation, LineOperation> = {
  createCustomer: made({
    change: customerCreation,
    body: NewCustomer,
    request: (_, body) => ({ customerId: newId('cus'), ...newProfile(body) }),
    data: CustomerRecord.write,
    madeId: 'customer_id',
  }),
  openAccount: made({
    change: accountOpening,
    body: NewAccount,
    request: (_, body) => ({
      customerId: body.customer_id,
      currency: body.currency ?? null,
      ...ownReferenceFrom(body),
    }),
    data: AccountRecord.write,
    madeId: 'account_number',
  }),
  importAccount: made({
    change: accountImport,
    body: AccountImportBody,
    request: (_, body) => accountImportFrom(body),
    data: AccountRecord.write,
    madeId: 'account_number',
  }),
  importFixedDeposit: made({
    change: depositImport,
    body: DepositImportBody,
    request: (_, body) => ({ depositId: newId('fd'), ...depositImportFrom(body) }),
    data: DepositRecord.write,
    madeId: 'deposit_id',
  }),
  creditAccount: known('creditAccount', {
    target: 'account_number',
    keepsName: false,
    madeId: 'entry_id',
  }),
  openFixedDeposit: known('openFixedDeposit', {
    target: null,
    keepsName: true,
    madeId: 'deposit_id',
  }),
  liquidateFixedDeposit: known('liquidateFixedDeposit', {
    target: 'deposit_id',
    keepsName: false,
    madeId: 'liquidation_id',
  }),
  placeLien: known('placeLien', {
    target: 'deposit_id',
    keepsName: false,
    madeId: 'lien_id',
  }),
  releaseLien: known('releaseLien', {
    target: 'lien_id',
    keepsName: false,
    madeId: 'lien_id',
  }),
}
