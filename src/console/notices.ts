/** What was done to the person, or to others where the person is an administrator, on every page until it is read. */
import type { PersonNotice } from '../domain/people.ts'
import { type Html, html } from '../page/html.ts'
import type { Words } from '../words/words.ts'
import { consoleWords } from './words.ts'

/** null: there is nothing to read. */
export function noticesPart(
  notices: readonly PersonNotice[],
  reader: { personId: string },
  words: Words,
): Html | null {
  const lines = notices.flatMap((notice) => {
    const text = textOf(notice, reader, words)
    return text === undefined ? [] : [{ ...notice, text }]
  })
  const last = notices.at(-1)
  if (last === undefined || lines.length === 0) return null
  const { notices: say } = words.of(consoleWords)
  return html`<section class="notice tip" aria-label="${say.title}">
<ul class="plain">${lines.map(({ text, at }) => html`<li>${text} <small>${words.instant(at)}</small></li>`)}</ul>
<form method="post" action="/console/me/notices">
<button class="button" name="read" value="${last.ordinal}">${say.read}</button>
</form>
</section>`
}

function textOf(notice: PersonNotice, { personId }: { personId: string }, words: Words): string | undefined {
  const { act, subjectId, subjectName, actorKind, actorName } = notice
  const { operator, somebody, own, others } = words.of(consoleWords).notices
  const by = actorKind === 'OPERATOR' ? operator : (actorName ?? somebody)
  return subjectId === personId ? own[act]?.(by) : others[act]?.(subjectName ?? somebody, by)
}
