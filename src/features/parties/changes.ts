import type { Deposit } from '../../domain/deposit.ts'
import {
  decideParties,
  type NamedParties,
  noParties,
  type Parties,
  sameParties,
} from '../../domain/parties.ts'
import { type AnswerWriter, type Change, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { lockDeposits } from '../deposits/store.ts'
import { ChangedPartiesRecord } from './record.ts'
import { findNames, findParties, idsOf, writeParties } from './store.ts'

type Known = {
  deposits: Map<string, Deposit>
  names: Map<string, string>
  written: Map<string, Parties>
}
type Written = NamedParties & { before: Parties; updatedAt: Date }

/** The deposit's row is the lock: a rollover copies what was written before it. */
const partiesChange: Change<Parties, Map<string, Deposit>, Known, Written> = {
  lock: (tx, bookId, requests) =>
    lockDeposits(tx, bookId, [...new Set(requests.map(({ depositId }) => depositId))]),
  read: async (tx, { book: { bookId }, requests }, deposits) => ({
    deposits,
    names: await findNames(tx, bookId, idsOf(requests)),
    written: await findParties(tx, bookId, [...deposits.keys()]),
  }),
  decider:
    ({ deposits, names, written }, { moment }) =>
    (request) => {
      const { depositId } = request
      const decided = decideParties({ deposit: deposits.get(depositId), names }, request)
      if (decided.outcome === 'refused') return decided
      const before = written.get(depositId) ?? noParties(depositId)
      written.set(depositId, request)
      return made({ ...decided.parties, before, updatedAt: moment.at })
    },
  write(tx, bookId, values, recording) {
    // Of several changes of one deposit the last one counts.
    writeParties(tx, bookId, [...new Map(values.map((value) => [value.depositId, value])).values()])
    record(tx, bookId, recording)
  },
  events: ({ before, ...after }) =>
    sameParties(before, after)
      ? []
      : [
          {
            type: 'fixed_deposit.parties_changed',
            announced: true,
            subjectId: after.depositId,
            data: ChangedPartiesRecord.json(after),
            changes: JSON.stringify({
              before: ChangedPartiesRecord.write(before),
              after: ChangedPartiesRecord.write(after),
            }),
          },
        ],
}

export function putParties(
  engine: Engine,
  origin: Origin,
  request: Parties,
  answer?: AnswerWriter<NamedParties>,
): Promise<Result<NamedParties>> {
  return engine.submit(partiesChange, origin, request, answer)
}
