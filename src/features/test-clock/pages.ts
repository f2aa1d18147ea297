import { isIsoDate } from '../../domain/dates.ts'
import { html } from '../../page/html.ts'
import { noticeLine } from '../../page/notice.ts'
import { type Asked, type Page, redirect, show } from '../../page/page.ts'
import { moveTestClock } from './changes.ts'
import { clockWords } from './words.ts'

export const clockPages: Page[] = [
  {
    method: 'GET',
    path: '/clock',
    scope: 'test_clock:write',
    testModeOnly: true,
    answer: (asked) => clockPage(asked, null),
  },
  {
    method: 'POST',
    path: '/clock',
    scope: 'test_clock:write',
    testModeOnly: true,
    answer: async (asked) => {
      const { service, form, book, originOf, words } = asked
      const to = form.get('to')
      const { at, today } = await service.momentIn(book)
      if (!isIsoDate(to) || to <= today) return clockPage(asked, words.of(clockWords).clock.refused)
      const days = Math.round((Date.parse(to) - Date.parse(today)) / DAY_MS)
      const now = new Date(at.getTime() + days * DAY_MS)
      const rolloversMax = service.testClockRolloversMax
      const moved = await moveTestClock(service, originOf(null), { now, rolloversMax })
      if (moved.outcome === 'refused') return clockPage(asked, words.of(clockWords).clock.refused)
      return redirect('/console/clock?done=moved')
    },
  },
]

const DAY_MS = 24 * 60 * 60_000

async function clockPage({ service, book, words, query }: Asked, refused: string | null) {
  const { at, today } = await service.momentIn(book)
  const { clock: say } = words.of(clockWords)
  const status = refused === null ? 200 : 422
  const main = html`<header class="head"><div><h1>${say.title}</h1><p class="sub">${say.text}</p></div></header>
${query.has('done') && noticeLine('good', say.moved(words.instant(at)))}
${refused !== null && noticeLine('bad', refused)}
<section class="card"><form class="narrow" method="post" action="/console/clock">
<div class="field"><label for="to">${say.to}</label>
<input id="to" name="to" type="date" required min="${today}" value="${today}"></div>
<button class="button primary">${say.submit}</button></form></section>`
  return show(null, say.title, main, status)
}
