import { type Calendar, nextBusinessDay, WEEKDAYS } from '../../domain/calendar.ts'
import { addDays, type IsoDate } from '../../domain/dates.ts'
import { crumbs } from '../../page/crumbs.ts'
import { checkField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, type Page, type PageAnswer, show } from '../../page/page.ts'
import { CalendarBody, calendar } from '../calendar/document.ts'
import { carryOut, keyField, made, noteFields, type Refused } from '../counter/form.ts'
import { documentOf } from '../documents/changes.ts'
import { calendarWords } from './words.ts'

export const calendarPages: Page[] = [
  {
    method: 'GET',
    path: '/calendar',
    scope: 'rules:read',
    answer: (asked) => calendarPage(asked, {}),
  },
  { method: 'POST', path: '/calendar', scope: 'rules:write', answer: replace },
]

function replace(asked: Asked): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  return carryOut(asked, {
    schema: CalendarBody,
    body: {
      weekend: WEEKDAYS.filter((day) => form.get(day) === 'yes'),
      holidays: form.get('holidays').split(/\s+/).filter(Boolean).sort(),
    },
    needs: words.of(calendarWords).needs,
    held: { operation: calendar.operation, targetId: null },
    run: (days: CalendarBody) =>
      documentOf(calendar).replace(service, originOf(form.get('key')), days, ({ version }) =>
        made(String(version)),
      ),
    done: () => '/console/calendar?done=yes',
    again: (refused) => calendarPage(asked, refused),
  })
}

const LOOKED_AHEAD_DAYS = 60
const SHOWN_MAX = 12

async function calendarPage(asked: Asked, { errors, notice, status }: Refused): Promise<PageAnswer> {
  const { service, book, words, may, form, query } = asked
  const say = words.of(calendarWords)
  const { today } = await service.momentIn(book)
  const newest = await documentOf(calendar).reader.readNewest(service.db, service.versions, book.bookId)
  const { version, document } = newest ?? calendar.first
  const done = query.get('done') === 'yes' ? ({ kind: 'good', text: say.done } as const) : null
  const typed = form.has('holidays') ? form.get('holidays') : document.holidays.join('\n')
  const wrong = errors && [...errors.values()][0]
  const note = await noteFields(asked)
  return show(
    'products',
    say.title,
    html`${crumbs([[words.say.sections.products, '/products']], say.title, words)}
<header class="head"><div>
<h1>${say.title} <span class="thin">${say.version(version)}</span></h1>
<p class="sub">${say.text}</p></div></header>
${showNotice(notice ?? done, words)}
<div class="split even">
<section class="card">
${
  may('rules:write')
    ? html`<form class="fill" method="post" action="/console/calendar">${keyField(asked)}
<fieldset class="checks"><legend>${say.weekend}</legend>
${WEEKDAYS.map((day) =>
  checkField({
    name: day,
    label: say.days[day],
    checked: form.has('holidays') ? form.get(day) === 'yes' : document.weekend.includes(day),
  }),
)}</fieldset>
<div class="field">
<label for="holidays">${say.holidays}</label>
<p class="hint" id="holidays-hint">${say.holidaysHint}</p>
<textarea id="holidays" name="holidays" rows="14" spellcheck="false"
aria-describedby="holidays-hint">${typed}</textarea>
${wrong !== undefined && html`<p class="hint bad">${wrong}</p>`}</div>
${note('replaceCalendar')}
<div><button class="button primary">${say.submit(version + 1)}</button></div></form>`
    : html`<p>${say.mayNot}</p>`
}
</section>
<section class="card" aria-labelledby="upcoming">
<h2 id="upcoming">${say.upcoming}</h2>
${upcoming(document, today, asked)}
</section>
</div>`,
    status,
  )
}

function upcoming(calendar: Calendar, today: IsoDate, { words }: Asked): Html {
  const say = words.of(calendarWords)
  const days = Array.from({ length: LOOKED_AHEAD_DAYS }, (_, index) => addDays(today, index))
    .filter((day) => nextBusinessDay(calendar, day) !== day)
    .slice(0, SHOWN_MAX)
  if (days.length === 0) return html`<p>${say.none}</p>`
  return html`<ul>${days.map((day) => html`<li>${words.day(day)}</li>`)}</ul>`
}
