import { depositData, type NewDeposit, openingRequest } from '../contract/deposits.ts'
import { successBody } from '../contract/envelope.ts'
import { decideOpening } from '../domain/deposit.ts'
import { openingPostings } from '../domain/ledger.ts'
import type { Refusal } from '../domain/refusal.ts'
import { changeBalance, lockAccounts } from '../store/accounts.ts'
import { insertDeposit } from '../store/deposits.ts'
import { newEntryId, newId } from '../store/ids.ts'
import { writeEntries } from '../store/ledger.ts'
import type { Answered, Origin, Perform } from './change.ts'
import { type RulesReader, rulesInForce } from './rules.ts'

export function openDeposit(
  perform: Perform,
  rulesReader: RulesReader,
  origin: Origin,
  body: NewDeposit,
): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  const request = openingRequest(body, newId('fd'))
  return perform(origin, {
    lock: async (tx) => (await lockAccounts(tx, bookId, [request.accountNumber])).get(request.accountNumber),
    decide: async (tx, account, moment) => {
      const inForce = await rulesInForce(tx, rulesReader, bookId)
      const decided = decideOpening(account, inForce, request, moment)
      if (decided.outcome === 'refused') return decided

      const { deposit } = decided
      insertDeposit(tx, bookId, deposit)
      changeBalance(tx, bookId, { accountNumber: deposit.accountNumber, amount: -deposit.principal })
      writeEntries(tx, bookId, [
        {
          entryId: newEntryId(),
          kind: 'DEPOSIT_OPENING',
          accountNumber: deposit.accountNumber,
          depositId: deposit.depositId,
          liquidationId: null,
          narration: null,
          createdAt: moment.at,
          postings: openingPostings({ ...deposit, fundedFrom: deposit.accountNumber }),
        },
      ])
      const data = depositData(deposit, inForce.rules, moment.today)
      return {
        outcome: 'made',
        status: 201,
        body: successBody('The fixed deposit was opened.', data),
        event: {
          type: 'fixed_deposit.created',
          announced: true,
          subjectId: deposit.depositId,
          data: JSON.stringify(data),
          changes: null,
        },
      }
    },
  })
}
