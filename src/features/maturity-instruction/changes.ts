/** What becomes of a deposit at maturity may be changed until the day before. */
import {
  type Deposit,
  decideInstruction,
  type MaturityInstruction,
  type RulesOf,
} from '../../domain/deposit.ts'
import { type AnswerWriter, type Change, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { findPendingOfTargets } from '../approval-requests/store.ts'
import { DepositRecord, type ShownDeposit } from '../deposits/record.ts'
import { lockDeposits } from '../deposits/store.ts'
import { readRulesOf } from '../products/changes.ts'
import { updateInstructions } from './store.ts'

type Request = { depositId: string; instruction: MaturityInstruction }
type Known = {
  deposits: Map<string, Deposit>
  rulesOf: RulesOf
  pending: Awaited<ReturnType<typeof findPendingOfTargets>>
}
type Instructed = ShownDeposit & { changed: boolean }

const instructionChange: Change<Request, Map<string, Deposit>, Known, Instructed> = {
  lock: (tx, bookId, requests) =>
    lockDeposits(tx, bookId, [...new Set(requests.map(({ depositId }) => depositId))]),
  async read(tx, at, deposits) {
    const { bookId } = at.book
    return {
      deposits,
      rulesOf: await readRulesOf(tx, at.versions, bookId, deposits.values()),
      pending: await findPendingOfTargets(tx, bookId, [...deposits.keys()]),
    }
  },
  decider:
    ({ deposits, rulesOf, pending }, { moment }) =>
    ({ depositId, instruction }) => {
      const decided = decideInstruction(deposits.get(depositId), instruction, moment)
      if (decided.outcome === 'refused') return decided
      const { deposit, changed } = decided
      deposits.set(depositId, deposit)
      const shown = { deposit, rules: rulesOf(deposit), today: moment.today }
      return made({ ...shown, pending: pending(depositId, moment.at), changed })
    },
  write(tx, bookId, values, recording) {
    const changed = values.filter((value) => value.changed).map(({ deposit }) => deposit)
    // Of several changes of one deposit the last one has the final state.
    updateInstructions(tx, bookId, [...new Map(changed.map((one) => [one.depositId, one])).values()])
    record(tx, bookId, recording)
  },
  events: (instructed) =>
    instructed.changed
      ? [
          {
            type: 'fixed_deposit.maturity_instruction_changed',
            announced: true,
            subjectId: instructed.deposit.depositId,
            data: DepositRecord.json(instructed),
            changes: null,
          },
        ]
      : [],
}

export function putMaturityInstruction(
  engine: Engine,
  origin: Origin,
  request: Request,
  answer?: AnswerWriter<ShownDeposit>,
): Promise<Result<ShownDeposit>> {
  return engine.submit(instructionChange, origin, request, answer)
}
