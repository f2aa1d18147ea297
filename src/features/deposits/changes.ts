import { decideOpening } from '../../domain/deposit.ts'
import { openingPostings } from '../../domain/ledger.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Answered, Origin, Perform } from '../../engine/change/change.ts'
import { newEntryId, newId } from '../../engine/database/ids.ts'
import { successBody } from '../../wire/envelope.ts'
import { changeBalance, lockAccounts } from '../accounts/store.ts'
import { writeEntries } from '../ledger/store.ts'
import { type RulesReader, rulesInForce } from '../rules/changes.ts'
import { depositData, type NewDeposit, openingRequest } from './record.ts'
import { insertDeposit } from './store.ts'

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
