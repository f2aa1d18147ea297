/** The operator confirms that the clock is right after a live book was left for more than a day, or its clock went back. */
import { OPERATOR } from '../../domain/actor.ts'
import type { IsoDate } from '../../domain/dates.ts'
import { type Change, made } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { lockBook } from '../versions/store.ts'
import { confirmDate, type LiveBook } from './store.ts'

type Confirmation = { from: IsoDate | null; to: IsoDate }

const confirm: Change<Pick<LiveBook, 'latest'>, void, void, Confirmation> = {
  batchMax: 1,
  needsNoDate: true,
  lock: lockBook,
  read: async () => undefined,
  decider:
    (_, { moment }) =>
    ({ latest }) =>
      made({ from: latest, to: moment.today }),
  write(tx, bookId, confirmations, recording) {
    for (const { to } of confirmations) confirmDate(tx, bookId, to)
    record(tx, bookId, recording)
  },
  events: ({ from, to }) => [
    {
      type: 'clock.confirmed',
      announced: false,
      subjectId: 'clock',
      data: JSON.stringify({ business_date: to }),
      changes: JSON.stringify({ before: { business_date: from }, after: { business_date: to } }),
    },
  ],
}

/** The book continues from its present business date. */
export async function confirmClock(
  { perform }: Pick<Engine, 'perform'>,
  { latest, ...book }: LiveBook,
): Promise<void> {
  await perform(confirm, { book, actor: OPERATOR, requestId: null, idempotency: null }, { latest })
}
