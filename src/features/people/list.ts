/** The people of a bank, and the forms that change what they may do. */
import { MODES, type Mode } from '../../domain/book.ts'
import {
  isResting,
  isWithin,
  type Person,
  type Rest,
  reachOf,
  refuseConfirmation,
  restInLive,
} from '../../domain/people.ts'
import { choices, hiddenFields, inputField, selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { fileColumn, type List, type ListColumn } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { type Sure, sureDialog } from '../../page/sure.ts'
import type { Words } from '../../words/words.ts'
import { listPeople } from './store.ts'
import { peopleWords } from './words.ts'

export const PEOPLE_MAX = { limit: 1000, before: null }

export const peopleList: List<Person> = {
  path: '/access',
  file: '/access/people.csv',
  section: 'access',
  scope: 'people:read',
  title: ({ words }) => words.of(peopleWords).people.people,
  none: (words) => words.of(peopleWords).people.none,
  filters: ['status', 'role', 'find'],
  fields: ({ query, words }) => {
    const { people: say } = words.of(peopleWords)
    const field = (name: string, label: string, texts: Record<string, string>) =>
      selectField({ name, label, texts: { '': say.all, ...texts }, value: query.get(name) })
    return html`${field('status', say.status, say.statuses)}${field('role', say.role, words.say.roles)}
${inputField({ name: 'find', label: say.find, max: 64, value: query.get('find') })}`
  },
  columns: personColumns,
  idOf: ({ personId }) => personId,
  rows: async ({ service, identity, query }) => {
    const { items } = await listPeople(service.db, identity.person.callerId, PEOPLE_MAX)
    const [status, role, wanted] = [query.get('status'), query.get('role'), query.get('find').trim()]
    return items
      .filter((person) => status === '' || person.status === status)
      .filter((person) => role === '' || person.role === role)
      .filter(({ name, email, personId }) =>
        `${name} ${email} ${personId}`.toLowerCase().includes(wanted.toLowerCase()),
      )
  },
}

function personColumns(asked: Asked): (ListColumn<Person> | false)[] {
  const { words, may, identity } = asked
  const { people: say } = words.of(peopleWords)
  const { roles } = words.say
  const forms = (person: Person) => {
    if (person.personId === identity.person.personId) return html`<small>${say.you}</small>`
    if (!isWithin(reachOf(person), identity.person.modes)) return html`<small>${say.otherBooks}</small>`
    return personForms(person, asked)
  }
  return [
    {
      key: 'name',
      name: say.name,
      cell: ({ name, email }) => html`<b>${name}</b><small>${email}</small>`,
      text: ({ name }) => name,
      order: ({ name }) => name.toLowerCase(),
    },
    fileColumn('email', ({ email }) => email),
    {
      key: 'role',
      name: say.role,
      cell: ({ role }) => roles[role],
      text: ({ role }) => role,
      order: ({ role }) => roles[role],
    },
    {
      key: 'books',
      name: say.books,
      cell: ({ modes }) => modes.map((mode) => words.say.modes[mode]).join(', '),
      text: ({ modes }) => modes.join(' '),
    },
    {
      key: 'status',
      name: say.status,
      cell: (person) => statusCell(person, asked),
      text: ({ status }) => status,
      order: ({ status }) => say.statuses[status],
    },
    {
      key: 'last_seen',
      name: say.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? words.say.never : words.instant(lastSeenAt)),
      text: ({ lastSeenAt }) => lastSeenAt?.toISOString() ?? '',
      order: ({ lastSeenAt }) => lastSeenAt?.getTime() ?? 0,
    },
    fileColumn('person_id', ({ personId }) => personId),
    may('people:write') && { key: 'acts', name: null, cell: forms },
  ]
}

function statusCell(person: Person, asked: Asked): Html {
  const { personId, name, status } = person
  const { words, service, may } = asked
  const { people: say } = words.of(peopleWords)
  const rest = restInLive(person)
  const rests = status === 'ACTIVE' && isResting(rest, service.clock()) ? rest : null
  return html`<span class="badge ${status.toLowerCase()}">${say.statuses[status]}</span>
${rests !== null && html`<small>${say.decidesFrom(words.instant(rests.until))}</small>`}
${rests !== null && may('people:write') && mayConfirm(rests, asked) && confirmButton(`/access/people/${personId}`, { name, rest: rests }, asked)}`
}

function personForms(person: Person, asked: Asked): Html {
  const { people: say } = asked.words.of(peopleWords)
  const path = `/console/access/people/${person.personId}`
  return html`<details class="person"><summary aria-label="${say.changeOf(person.name)}">${say.change}</summary>
${
  person.status !== 'DISABLED' &&
  person.subject === null &&
  html`<form class="fill" method="post" action="${path}/role">
${roleFields(person.personId, person, asked)}
<button class="button">${say.save}</button></form>`
}<div class="row">
<form method="post" action="${path}/link">
<button class="button">${person.status === 'ACTIVE' ? say.reset : say.inviteAgain}</button>
</form>
${person.status !== 'DISABLED' && endingForm(person, 'disable', asked)}
${person.factors.length > 0 && endingForm(person, 'factors', asked)}
</div>
</details>`
}

/** What takes something away from a person. */
export type PersonEnding = 'disable' | 'factors'

export function personEnding({ name, email, role }: Person, act: PersonEnding, words: Words): Sure {
  const { people: say } = words.of(peopleWords)
  const isEnd = act === 'disable'
  return {
    title: isEnd ? say.sureDisable(name) : say.sureFactors(name),
    rows: [
      [say.email, email],
      [say.role, words.say.roles[role]],
    ],
    text: isEnd ? say.sureDisableText : say.factorsRemoved(name),
    submit: html`<button class="button danger" name="sure" value="yes">${endingName(act, words)}</button>`,
  }
}

function endingName(act: PersonEnding, words: Words): string {
  const { people: say } = words.of(peopleWords)
  return act === 'disable' ? say.disable : say.removeFactors
}

function endingForm(person: Person, act: PersonEnding, { words }: Asked): Html {
  const id = `${act}-${person.personId}`
  return html`<form method="post" action="/console/access/people/${person.personId}/${act}" data-confirm="${id}">
<button class="button danger">${endingName(act, words)}</button>
${sureDialog({ id, ...personEnding(person, act, words) }, words)}</form>`
}

export function roleFields(
  id: string,
  chosen: { role: string; modes: readonly Mode[] },
  { words, identity }: Asked,
): Html {
  const { people: say } = words.of(peopleWords)
  const { roles } = words.say
  return html`<div class="field">
<label for="role-${id}">${say.role}</label>
<select id="role-${id}" name="role">${choices(roles, chosen.role)}</select>
</div>
<fieldset class="checks">
<legend>${say.books}</legend>
${offeredModes(identity.person).map((mode) => {
  const isChecked = chosen.modes.includes(mode) && trusted(' checked')
  return html`<label class="check">
<input type="checkbox" name="mode ${mode}" value="yes"${isChecked}> ${words.say.modes[mode]}
</label>`
})}
</fieldset>`
}

/** Whether a second administrator's word is still missing, and the person may give it. */
export function mayConfirm(rest: Rest | null, { identity, service }: Asked): boolean {
  return refuseConfirmation(rest, identity.person, service.clock()) === null
}

/** `path` is that of the person or the key. The form says which rest was shown. */
export function confirmButton(
  path: string,
  { name, rest }: { name: string; rest: Rest },
  { words }: Asked,
): Html {
  const { people: say } = words.of(peopleWords)
  return html`<form method="post" action="/console${path}/confirm">
${hiddenFields([['rests', String(rest.until.getTime())]])}
<button class="button" aria-label="${say.confirmOf(name)}">${say.confirm}</button>
</form>`
}

export function offeredModes({ modes }: Person): Mode[] {
  return MODES.filter((mode) => modes.includes(mode))
}
