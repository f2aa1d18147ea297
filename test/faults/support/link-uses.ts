/** Which request used a link: the event of a use has no request id, because nobody is signed in. */
import type { LinkUse } from './book-rows.ts'
import { DAY_MS, type Happened, readData, type ToldEvent } from './state.ts'

/** By the ids of operations; null where a use belongs to none. */
export function assignUses(
  happened: readonly Happened[],
  uses: ReadonlyMap<string, LinkUse>,
  stepOf: (at: string) => number,
): Map<string, ToldEvent> | null {
  const left = new Map(uses)
  const assigned = new Map<string, ToldEvent>()
  const assign = (one: Happened, isOf: (use: LinkUse) => boolean) => {
    const { request, id } = one.operation
    if (request.kind !== 'use link') return
    const found = [...left].find(
      ([, use]) => use.personId === request.personId && isWithin(one, stepOf(use.event.at)) && isOf(use),
    )
    if (found === undefined) return
    left.delete(found[0])
    assigned.set(id, found[1].event)
  }
  // An answer says when the rest ends that the use began, where it began one.
  for (const one of happened) {
    if (one.outcome.kind !== 'answered') continue
    const until = Date.parse(String(readData(one.outcome.body)?.rests_until))
    assign(one, ({ event }) => Date.parse(event.at) + DAY_MS === until)
    if (!assigned.has(one.operation.id)) assign(one, () => true)
  }
  for (const one of happened) if (one.outcome.kind === 'unknown') assign(one, () => true)
  return left.size === 0 ? assigned : null
}

function isWithin({ began, ended, outcome }: Happened, step: number): boolean {
  return began <= step && (outcome.kind === 'unknown' || step <= ended)
}
