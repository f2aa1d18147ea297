/** Liquidations that are explained, not made: what one would pay, and how a past one was computed. */

import { approvalsNeeded } from '../../domain/approvals.ts'
import type { Book } from '../../domain/book.ts'
import type { IsoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { type Breaking, type Settlement, settle } from '../../domain/liquidation.ts'
import { assess } from '../../domain/penal.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import { explainTax, taxationAgain, taxationOf } from '../../domain/tax.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { findAccount } from '../accounts/store.ts'
import { readPolicyInForce } from '../approval-policy/changes.ts'
import { findTaxVersion } from '../callers/store.ts'
import { findContactChanges } from '../customers/store.ts'
import { findDeposit } from '../deposits/store.ts'
import { readRules } from '../rules/changes.ts'
import { readTaxRules, readTaxVersions } from '../tax/changes.ts'
import { asksForContact, liquidationFacts } from './changes.ts'
import type { KeptLiquidation } from './store.ts'

/** The same decision as liquidating, on today's or another date, without carrying it out. */
export async function quote(
  engine: Engine,
  book: Book,
  asked: Breaking & { depositId: string; asOf: IsoDate | null },
): Promise<ReturnType<typeof settle> | Refusal> {
  const deposit = await findDeposit(engine.db, book.bookId, asked.depositId)
  if (deposit === undefined) return refuse('deposit_not_found')
  const on = asked.asOf ?? (await engine.momentIn(book)).today
  if (on < deposit.startDate) return refuse('as_of_before_start', { start_date: deposit.startDate })
  const rules = await readRules(engine.db, engine.versions, book.bookId, [deposit.rulesVersion])
  const account = (await findAccount(engine.db, book.bookId, deposit.accountNumber))!
  const snapshot = { taxVersion: await findTaxVersion(engine.db, book.bookId) }
  const taxVersions = await readTaxVersions(engine.db, { book, snapshot, versions: engine.versions })
  return settle({
    ...asked,
    deposit,
    rules: rules.get(deposit.rulesVersion)!,
    balance: account.balance,
    taxation: taxationOf(taxVersions, account, on),
    on,
  })
}

/** How many others would have to approve it now; 0: nobody. */
export async function approvalsNeededFor(
  engine: Engine,
  book: Book,
  settlement: Settlement,
): Promise<number> {
  const { bookId } = book
  const policy = await readPolicyInForce(engine.db, engine.versions, bookId)
  const contactChanges = asksForContact(policy)
    ? await findContactChanges(engine.db, bookId, [settlement.accountNumber])
    : new Map<string, Date>()
  const { at } = await engine.momentIn(book)
  return approvalsNeeded(
    policy,
    'liquidateFixedDeposit',
    liquidationFacts(settlement, { contactChanges }, at),
  )
}

/** A deposit's terms and pinned rules never change, nor do tax rules: past liquidations can be explained again. */
export async function explain(
  engine: Engine,
  book: Book,
  deposit: Deposit,
  liquidations: readonly KeptLiquidation[],
) {
  const rules = await readRules(engine.db, engine.versions, book.bookId, [deposit.rulesVersion])
  const taxVersions = liquidations.flatMap(({ taxed }) => taxed?.version ?? [])
  const taxRules = await readTaxRules(engine.db, engine.versions, book.bookId, taxVersions)
  return liquidations.map((liquidation) => {
    const { principal, earlierToday, businessDate, taxed } = liquidation
    const pinned = rules.get(deposit.rulesVersion)!
    const assessment = assess({ ...deposit, principal, earlierToday, rules: pinned, businessDate })
    const tax = explainTax(taxationAgain(taxed, taxRules), liquidation, earlierToday ?? undefined)
    return { ...liquidation, explanation: { ...assessment.explanation, tax } }
  })
}
