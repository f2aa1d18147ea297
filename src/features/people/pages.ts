import { MODES, type Mode } from '../../domain/book.ts'
import {
  isResting,
  isWithin,
  type Person,
  type PersonRefusal,
  type Rest,
  ROLES,
  type Role,
  reachOf,
  refuseConfirmation,
} from '../../domain/people.ts'
import { choices, hiddenFields } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { type Asked, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { sureDialog } from '../../page/sure.ts'
import { recordTable } from '../../page/table.ts'
import { accessTabs } from '../../page/tabs.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { type Device, endDevice, listDevices } from '../devices/store.ts'
import { removeNotices } from '../notices/store.ts'
import { endSession, listOpenSessions } from '../sessions/store.ts'
import {
  type Asker,
  changePersonRole,
  confirmPerson,
  disablePerson,
  invitePerson,
  issueResetLink,
  type Linked,
  linkPath,
  removeFactorsOf,
} from './changes.ts'
import { NewPerson } from './record.ts'
import { findPerson, listPeople } from './store.ts'
import { peopleWords } from './words.ts'

const ORDINAL_MAX = 2n ** 63n - 1n
const PEOPLE_SHOWN = { limit: 200, before: null }

export const accessPages: Page[] = [
  {
    method: 'GET',
    path: '/access',
    scope: 'people:read',
    answer: (asked) => peoplePage(asked, doneNotice(asked)),
  },
  {
    method: 'POST',
    path: '/access/people',
    scope: 'people:write',
    needsRecentSignIn: () => true,
    answer: invite,
  },
  {
    method: 'POST',
    path: '/access/people/:person_id/:act',
    scope: 'people:write',
    // Disabling takes access away, and must not wait.
    needsRecentSignIn: ({ act }) => act !== 'disable',
    answer: change,
  },
]

export const mePages: Page[] = [
  { method: 'GET', path: '/me', scope: null, answer: (asked) => mePage(asked, noticeOf(asked)) },
  {
    method: 'POST',
    path: '/me/sessions',
    scope: null,
    answer: async ({ service, identity, form }) => {
      const { callerId, personId } = identity.person
      await endSession(service.db, { callerId, personId, sessionId: form.get('session') }, service.clock())
      return redirect('/console/me?done=ended')
    },
  },
  {
    method: 'POST',
    path: '/me/devices',
    scope: null,
    answer: async ({ service, identity, form }) => {
      const { callerId, personId } = identity.person
      await endDevice(service.db, { callerId, personId, deviceId: form.get('device') }, service.clock())
      return redirect('/console/me?done=forgotten')
    },
  },
  {
    method: 'POST',
    path: '/me/notices',
    scope: null,
    answer: async ({ service, identity, form }) => {
      const read = form.get('read')
      if (/^\d{1,19}$/.test(read) && BigInt(read) <= ORDINAL_MAX)
        await removeNotices(service.db, identity.person, BigInt(read))
      return redirect('/console')
    },
  },
  {
    method: 'POST',
    path: '/me/password',
    scope: null,
    answer: async (asked) => {
      const { signIn, secret, form, words } = asked
      const changed = await signIn.changePassword({
        secret,
        password: form.get('password'),
        newPassword: form.get('new_password'),
      })
      if (changed.outcome === 'signed_in') {
        return { kind: 'redirect', to: '/console/me?done=changed', secret: changed.secret }
      }
      return mePage(asked, { bad: words.say.signInRefusals[changed.code] })
    },
  },
]

type Notice = { good: string } | { bad: string } | null

function noticeOf({ query, words }: Asked): Notice {
  const { me } = words.of(peopleWords)
  switch (query.get('done')) {
    case 'ended':
      return { good: me.ended }
    case 'forgotten':
      return { good: me.forgotten }
    case 'changed':
      return { good: me.changed }
    default:
      return null
  }
}

async function mePage({ service, identity, words }: Asked, notice: Notice) {
  const { person, session } = identity
  const { me: say } = words.of(peopleWords)
  const [sessions, devices] = await Promise.all([
    listOpenSessions(service.db, person, service.clock()),
    listDevices(service.db, person, service.clock()),
  ])
  return show(
    null,
    say.title,
    html`<header class="head"><div><h1>${say.title}</h1><p class="sub">${person.name}, ${person.email}</p></div></header>
${notice !== null && ('bad' in notice ? html`<p class="notice bad" role="alert">${notice.bad}</p>` : html`<p class="notice good" role="status">${notice.good}</p>`)}
<section class="card flush" aria-labelledby="sessions"><h2 class="inset" id="sessions">${say.sessions}</h2>${recordTable(
      sessions,
      [
        {
          name: say.browser,
          cell: ({ userAgent, address }) => html`${browserName(userAgent, words)}<small>${address}</small>`,
        },
        { name: say.started, cell: ({ startedAt }) => words.instant(startedAt) },
        { name: say.seen, cell: ({ lastSeenAt }) => words.instant(lastSeenAt) },
        {
          name: null,
          cell: ({ sessionId }) =>
            sessionId === session.sessionId
              ? html`<small>${say.here}</small>`
              : html`<form method="post" action="/console/me/sessions"><button class="button" name="session" value="${sessionId}">${say.end}</button></form>`,
        },
      ],
      { label: say.sessions, isFlush: true },
    )}</section>
${deviceCard(devices, words)}
${factorCard(person, words)}
<section class="card" aria-labelledby="change"><h2 id="change">${say.password}</h2><form class="narrow" method="post" action="/console/me/password">
<div class="field"><label for="current">${say.current}</label><input id="current" name="password" type="password" autocomplete="current-password" required maxlength="1024"></div>
<div class="field"><label for="new">${say.new}</label><input id="new" name="new_password" type="password" autocomplete="new-password" required minlength="12" maxlength="1024"></div>
<button class="button primary">${say.change}</button></form></section>`,
    notice !== null && 'bad' in notice ? 422 : 200,
  )
}

function factorCard({ factors }: Person, words: Words): Html {
  const { me: say } = words.of(peopleWords)
  return html`<section class="card" aria-labelledby="factors">
<h2 id="factors">${say.factors}</h2>
<p>${factors.length === 0 ? say.factorsNone : say.factorsSome}</p>
<p><a class="button" href="/console/me/factors">${say.factorsLink}</a></p>
</section>`
}

function deviceCard(devices: readonly Device[], words: Words): Html {
  const { me: say } = words.of(peopleWords)
  const forget = ({ deviceId }: Device) => html`<form method="post" action="/console/me/devices">
<button class="button" name="device" value="${deviceId}">${say.forget}</button>
</form>`
  const columns = [
    { name: say.browser, cell: ({ userAgent }: Device) => browserName(userAgent, words) },
    { name: say.started, cell: ({ createdAt }: Device) => words.instant(createdAt) },
    { name: say.seen, cell: ({ lastSeenAt }: Device) => words.instant(lastSeenAt) },
    { name: null, cell: forget },
  ]
  return html`<section class="card flush" aria-labelledby="devices">
<h2 class="inset" id="devices">${say.devices}</h2>
<p class="inset hint">${say.devicesText}</p>
${recordTable(devices, columns, { label: say.devices, isFlush: true })}
</section>`
}

/** In this order, because what Edge sends contains Chrome, and what Chrome sends contains Safari. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' }
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'Linux']

function browserName(userAgent: string | null, words: Words): string {
  const sent = userAgent ?? ''
  const known = Object.entries(BROWSERS).find(([token]) => sent.includes(`${token}/`))
  const system = SYSTEMS.find((name) => sent.includes(name))
  return known === undefined || system === undefined
    ? sent
    : words.of(peopleWords).me.browserOn(known[1], system)
}

export function askerOf({ identity, originOf }: Asked): Asker {
  return { actor: identity.actor, requestId: originOf(null).requestId, modes: identity.person.modes }
}

/** Nobody lets others into a book that they do not work in themselves. */
function modesOf({ form, identity }: Asked): Mode[] {
  return offeredModes(identity.person).filter((mode) => form.has(`mode ${mode}`))
}

function offeredModes({ modes }: Person): Mode[] {
  return MODES.filter((mode) => modes.includes(mode))
}

async function invite(asked: Asked): Promise<PageAnswer> {
  const { service, form, identity, words } = asked
  const read = readBody(NewPerson, {
    name: form.get('name').trim(),
    email: form.get('email').trim(),
    role: form.get('role'),
    modes: modesOf(asked),
  })
  if (!read.ok) return peoplePage(asked, { bad: words.of(peopleWords).people.needs })
  if (asked.home === null) return peoplePage(asked, { bad: words.of(peopleWords).people.noAddress })
  const { callerId } = identity.person
  return linkAnswer(asked, await invitePerson(service, askerOf(asked), { callerId, ...read.value }))
}

function linkAnswer(asked: Asked, result: Linked | PersonRefusal): Promise<PageAnswer> {
  const { people: say } = asked.words.of(peopleWords)
  const { signInRefusals } = asked.words.say
  if (result.outcome === 'refused') return peoplePage(asked, { bad: signInRefusals[result.code] })
  const { person, link } = result
  return peoplePage(asked, { good: say.link(person.name), link: `${asked.home}${linkPath(link.token)}` })
}

async function change(asked: Asked): Promise<PageAnswer> {
  const { service, params, form, identity, words } = asked
  const { signInRefusals } = words.say
  const key = { callerId: identity.person.callerId, personId: params.person_id! }
  const person = await findPerson(service.db, key)
  if (person === undefined) return { kind: 'not_found' }
  const asker = askerOf(asked)
  switch (params.act) {
    case 'link':
      if (asked.home === null) return peoplePage(asked, { bad: words.of(peopleWords).people.noAddress })
      return linkAnswer(
        asked,
        person.status === 'ACTIVE'
          ? await issueResetLink(service, asker, key)
          : await invitePerson(service, asker, person),
      )
    case 'role': {
      const [role, modes] = [form.get('role') as Role, modesOf(asked)]
      if (!ROLES.includes(role) || modes.length === 0)
        return peoplePage(asked, { bad: words.of(peopleWords).people.needs })
      const changed = await changePersonRole(service, asker, { ...key, role, modes })
      if (changed.outcome === 'refused') return peoplePage(asked, { bad: signInRefusals[changed.code] })
      return redirect(`/console/access?done=saved&person=${key.personId}`)
    }
    case 'disable': {
      const disabled = await disablePerson(service, asker, key)
      if (disabled.outcome === 'refused') return peoplePage(asked, { bad: signInRefusals[disabled.code] })
      return redirect(`/console/access?done=disabled&person=${key.personId}`)
    }
    case 'confirm': {
      const shown = new Date(Number(form.get('rests')))
      const confirmed = await confirmPerson(service, asker, { ...key, shown })
      if (confirmed.outcome === 'refused') return peoplePage(asked, { bad: signInRefusals[confirmed.code] })
      return redirect(`/console/access?done=confirmed&person=${key.personId}`)
    }
    case 'factors': {
      const removed = await removeFactorsOf(service, asker, key)
      if (removed.outcome === 'refused') return peoplePage(asked, { bad: signInRefusals[removed.code] })
      return redirect(`/console/access?done=factors&person=${key.personId}`)
    }
    default:
      return { kind: 'not_found' }
  }
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

type Outcome =
  | { good: string; link?: string }
  | { bad: string }
  | ((people: readonly Person[]) => Notice)
  | null

/** The person that the URL is about, if there is one. */
function doneNotice({ query, words }: Asked): Outcome {
  const { people: say } = words.of(peopleWords)
  return (people) => {
    const name = people.find(({ personId }) => personId === query.get('person'))?.name
    if (name === undefined) return null
    if (query.get('done') === 'saved') return { good: say.saved(name) }
    if (query.get('done') === 'factors') return { good: say.factorsRemoved(name) }
    if (query.get('done') === 'confirmed') return { good: say.confirmed(name) }
    return query.get('done') === 'disabled' ? { good: say.disabled(name) } : null
  }
}

async function peoplePage(asked: Asked, outcome: Outcome): Promise<PageAnswer> {
  const { service, words, identity, may } = asked
  const { people: say } = words.of(peopleWords)
  const { callerId } = identity.person
  const { items } = await listPeople(service.db, callerId, PEOPLE_SHOWN)
  const notice = typeof outcome === 'function' ? outcome(items) : outcome
  const link = notice !== null && 'link' in notice ? notice.link : undefined
  return show(
    'access',
    say.title,
    html`<header class="head"><h1>${say.title}</h1></header>
${accessTabs('/access', asked)}
${notice !== null && ('bad' in notice ? html`<p class="notice bad" role="alert">${notice.bad}</p>` : html`<div class="notice good" role="status"><p>${notice.good}</p>${link !== undefined && html`<p class="secret"><code>${link}</code><button type="button" class="quiet" data-js data-copy="${link}" data-copied="${words.say.copied}">${words.say.copy}</button></p>`}</div>`)}
<section class="card flush" aria-labelledby="people"><h2 class="inset" id="people">${say.people}</h2>${personTable(items, asked)}</section>
${may('people:write') && inviteForm(asked)}`,
    notice !== null && 'bad' in notice ? 422 : 200,
  )
}

function personTable(people: readonly Person[], asked: Asked): Html {
  const { words, may, identity } = asked
  const { people: say } = words.of(peopleWords)
  const { roles } = words.say
  return recordTable(
    people,
    [
      { name: say.name, cell: ({ name, email }) => html`<b>${name}</b><small>${email}</small>` },
      { name: say.role, cell: ({ role }) => roles[role] },
      { name: say.books, cell: ({ modes }) => modes.map((mode) => words.say.modes[mode]).join(', ') },
      {
        name: say.status,
        cell: (person) => statusCell(person, asked),
      },
      {
        name: say.lastSeen,
        cell: ({ lastSeenAt }) => (lastSeenAt === null ? words.say.never : words.instant(lastSeenAt)),
      },
      may('people:write') && {
        name: null,
        cell: (person) => {
          if (person.personId === identity.person.personId) return html`<small>${say.you}</small>`
          if (!isWithin(reachOf(person), identity.person.modes)) return html`<small>${say.otherBooks}</small>`
          return personForms(person, asked)
        },
      },
    ],
    { label: say.people, isFlush: true },
  )
}

function statusCell({ personId, name, status, rest }: Person, asked: Asked): Html {
  const { words, service, may } = asked
  const { people: say } = words.of(peopleWords)
  const rests = status === 'ACTIVE' && isResting(rest, service.clock()) ? rest : null
  return html`<span class="badge ${status.toLowerCase()}">${say.statuses[status]}</span>
${rests !== null && html`<small>${say.decidesFrom(words.instant(rests.until))}</small>`}
${rests !== null && may('people:write') && mayConfirm(rests, asked) && confirmButton(`/access/people/${personId}`, { name, rest: rests }, asked)}`
}

function personForms(person: Person, asked: Asked): Html {
  const { people: say } = asked.words.of(peopleWords)
  const path = `/console/access/people/${person.personId}`
  const sureId = `disable-${person.personId}`
  const sure = sureDialog(
    {
      id: sureId,
      title: say.sureDisable(person.name),
      rows: [
        [say.email, person.email],
        [say.role, asked.words.say.roles[person.role]],
      ],
      text: say.sureDisableText,
      submit: html`<button class="button danger">${say.disable}</button>`,
    },
    asked.words,
  )
  return html`<details class="person"><summary aria-label="${say.changeOf(person.name)}">${say.change}</summary>
${
  person.status !== 'DISABLED' &&
  person.subject === null &&
  html`<form class="fill" method="post" action="${path}/role">${roleFields(person.personId, person, asked)}<button class="button">${say.save}</button></form>`
}<div class="row"><form method="post" action="${path}/link"><button class="button">${person.status === 'ACTIVE' ? say.reset : say.inviteAgain}</button></form>${person.status !== 'DISABLED' && html`<form method="post" action="${path}/disable" data-confirm="${sureId}"><button class="button danger">${say.disable}</button>${sure}</form>`}${removeFactorsForm(person, asked)}</div></details>`
}

function removeFactorsForm({ personId, factors }: Person, { words }: Asked): Html | false {
  const { people: say } = words.of(peopleWords)
  return (
    factors.length > 0 &&
    html`<form method="post" action="/console/access/people/${personId}/factors">
<button class="button danger">${say.removeFactors}</button>
</form>`
  )
}

function roleFields(
  id: string,
  chosen: { role: string; modes: readonly Mode[] },
  { words, identity }: Asked,
): Html {
  const { people: say } = words.of(peopleWords)
  const { roles } = words.say
  return html`<div class="field"><label for="role-${id}">${say.role}</label><select id="role-${id}" name="role">${choices(roles, chosen.role)}</select></div><fieldset class="checks"><legend>${say.books}</legend>${offeredModes(identity.person).map((mode) => html`<label class="check"><input type="checkbox" name="mode ${mode}" value="yes"${chosen.modes.includes(mode) && trusted(' checked')}> ${words.say.modes[mode]}</label>`)}</fieldset>`
}

function inviteForm(asked: Asked): Html {
  const { words, form } = asked
  const { people: say } = words.of(peopleWords)
  const modes = form.has('name') ? modesOf(asked) : offeredModes(asked.identity.person)
  return html`<section class="card" aria-labelledby="invite"><h2 id="invite">${say.invite}</h2><form class="fill" method="post" action="/console/access/people"><div class="fields"><div class="field"><label for="name">${say.name}</label><input id="name" name="name" required maxlength="100" autocomplete="off" value="${form.get('name')}"></div><div class="field"><label for="email">${say.email}</label><input id="email" name="email" type="email" required maxlength="254" autocomplete="off" value="${form.get('email')}"></div>${roleFields('new', { role: form.get('role') || 'CLERK', modes }, asked)}</div><div><button class="button primary">${say.submit}</button></div></form></section>`
}
