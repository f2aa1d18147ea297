import type { AuditedChange } from '../../domain/event.ts'
import { card } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import type { Asked, Card, CustomerSubject, DepositSubject, LiquidationSubject } from '../../page/page.ts'
import { type JsonObject, parseJson } from '../../wire/json.ts'
import { textOf } from '../../wire/stored.ts'
import type { Words } from '../../words/words.ts'
import { actionName } from '../document-kinds/words.ts'
import { listChanges } from './store.ts'
import { auditWords } from './words.ts'

const SHOWN = { limit: 50, before: null }

/**
 * What was done, when and by whom, for everybody who may read the record: colleagues ask that person about it. Old and
 * new values are only in the audit log.
 */
export const depositHistoryCard: Card<DepositSubject> = {
  place: 'side',
  show: async (asked, { deposit }) => timeline(await changeLines(asked, deposit.depositId), asked.words),
}

export const customerHistoryCard: Card<CustomerSubject> = {
  place: 'side',
  show: async (asked, { customer }) => timeline(await changeLines(asked, customer.customerId), asked.words),
}

export const liquidationWhoCard: Card<LiquidationSubject> = {
  place: 'side',
  show: async (asked, { liquidation }) => {
    const { service, book, words } = asked
    const subjectId = liquidation.depositId
    const { items } = await listChanges(service.db, book.bookId, { subjectId }, SHOWN)
    const own = items.filter(({ data }) => data.includes(`"${liquidation.liquidationId}"`))
    return timeline(
      own.map((change) => lineOf(change, words)),
      words,
    )
  },
}

type Line = { at: Date; text: Html }

async function changeLines({ service, book, words }: Asked, subjectId: string): Promise<Line[]> {
  const { items } = await listChanges(service.db, book.bookId, { subjectId }, SHOWN)
  return items.map((change) => lineOf(change, words))
}

function lineOf({ at, action, actor, changes }: AuditedChange, words: Words): Line {
  const who = words.say.by(actor.name ?? words.say.actors[actor.kind])
  // Other changes have their reasons on the pages of their records; this one has no record of its own.
  const reason = action === 'fixed_deposit.liquidation_reversed' ? reasonIn(changes) : ''
  const why = reason !== '' && html`<br><small>${reason}</small>`
  return { at, text: html`${actionName(action, words)} <small>${who}</small>${why}` }
}

function reasonIn(changes: string | null): string {
  const { after } = parseJson(changes ?? '{}') as JsonObject
  return textOf(after, 'reason')
}

function timeline(lines: readonly Line[], words: Words): Html | null {
  if (lines.length === 0) return null
  return card(
    { id: 'history', title: words.of(auditWords).history },
    html`<ol class="timeline">${lines.map(
      ({ at, text }) => html`<li><time>${words.instant(at)}</time><span>${text}</span></li>`,
    )}</ol>`,
  )
}
