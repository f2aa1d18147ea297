import type { Mode } from '../../domain/book.ts'
import { type Person, type PersonRefusal, ROLES, type Role } from '../../domain/people.ts'
import { type Html, html } from '../../page/html.ts'
import { listFilePage, listSection } from '../../page/list.ts'
import { type Notice, showNotice } from '../../page/notice.ts'
import { type Asked, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { isSure, surePage } from '../../page/sure.ts'
import { accessTabs } from '../../page/tabs.ts'
import { readBody } from '../../wire/reader.ts'
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
import { offeredModes, PEOPLE_MAX, type PersonEnding, peopleList, personEnding, roleFields } from './list.ts'
import { NewPerson } from './record.ts'
import { findPerson, listPeople } from './store.ts'
import { peopleWords } from './words.ts'

export const accessPages: Page[] = [
  listFilePage(peopleList),
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

export function askerOf({ identity, originOf }: Asked): Asker {
  return { actor: identity.actor, requestId: originOf(null).requestId, modes: identity.person.modes }
}

/** Nobody lets others into a book that they do not work in themselves. */
function modesOf({ form, identity }: Asked): Mode[] {
  return offeredModes(identity.person).filter((mode) => form.has(`mode ${mode}`))
}

async function invite(asked: Asked): Promise<PageAnswer> {
  const { service, form, identity, words } = asked
  const read = readBody(NewPerson, {
    name: form.get('name').trim(),
    email: form.get('email').trim(),
    role: form.get('role'),
    modes: modesOf(asked),
  })
  if (!read.ok) return peoplePage(asked, { kind: 'bad', text: words.of(peopleWords).people.needs })
  if (asked.home === null)
    return peoplePage(asked, { kind: 'bad', text: words.of(peopleWords).people.noAddress })
  const { callerId } = identity.person
  return linkAnswer(asked, await invitePerson(service, askerOf(asked), { callerId, ...read.value }))
}

function linkAnswer(asked: Asked, result: Linked | PersonRefusal): Promise<PageAnswer> {
  const { people: say } = asked.words.of(peopleWords)
  const { signInRefusals } = asked.words.say
  if (result.outcome === 'refused')
    return peoplePage(asked, { kind: 'bad', text: signInRefusals[result.code] })
  const { person, link } = result
  return peoplePage(asked, {
    kind: 'good',
    text: say.link(person.name),
    secret: `${asked.home}${linkPath(link.token)}`,
  })
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
      if (asked.home === null)
        return peoplePage(asked, { kind: 'bad', text: words.of(peopleWords).people.noAddress })
      return linkAnswer(
        asked,
        person.status === 'ACTIVE'
          ? await issueResetLink(service, asker, key)
          : await invitePerson(service, asker, person),
      )
    case 'role': {
      const [role, modes] = [form.get('role') as Role, modesOf(asked)]
      if (!ROLES.includes(role) || modes.length === 0)
        return peoplePage(asked, { kind: 'bad', text: words.of(peopleWords).people.needs })
      const changed = await changePersonRole(service, asker, { ...key, role, modes })
      if (changed.outcome === 'refused')
        return peoplePage(asked, { kind: 'bad', text: signInRefusals[changed.code] })
      return redirect(`/console/access?done=saved&person=${key.personId}`)
    }
    case 'disable': {
      if (!isSure(form)) return secondLook(asked, person, 'disable')
      const disabled = await disablePerson(service, asker, key)
      if (disabled.outcome === 'refused')
        return peoplePage(asked, { kind: 'bad', text: signInRefusals[disabled.code] })
      return redirect(`/console/access?done=disabled&person=${key.personId}`)
    }
    case 'confirm': {
      const shown = new Date(Number(form.get('rests')))
      const confirmed = await confirmPerson(service, asker, { ...key, shown })
      if (confirmed.outcome === 'refused')
        return peoplePage(asked, { kind: 'bad', text: signInRefusals[confirmed.code] })
      return redirect(`/console/access?done=confirmed&person=${key.personId}`)
    }
    case 'factors': {
      if (!isSure(form)) return secondLook(asked, person, 'factors')
      const removed = await removeFactorsOf(service, asker, key)
      if (removed.outcome === 'refused')
        return peoplePage(asked, { kind: 'bad', text: signInRefusals[removed.code] })
      return redirect(`/console/access?done=factors&person=${key.personId}`)
    }
    default:
      return { kind: 'not_found' }
  }
}

function secondLook({ words }: Asked, person: Person, act: PersonEnding): PageAnswer {
  const back = '/console/access'
  const ending = personEnding(person, act, words)
  const action = `${back}/people/${person.personId}/${act}`
  return show('access', ending.title, surePage(ending, { action, back }, words))
}

type Outcome = Notice | ((people: readonly Person[]) => Notice | null) | null

/** The person that the URL is about, if there is one. */
function doneNotice({ query, words }: Asked): Outcome {
  const { people: say } = words.of(peopleWords)
  return (people) => {
    const name = people.find(({ personId }) => personId === query.get('person'))?.name
    if (name === undefined) return null
    if (query.get('done') === 'saved') return { kind: 'good', text: say.saved(name) }
    if (query.get('done') === 'factors') return { kind: 'good', text: say.factorsRemoved(name) }
    if (query.get('done') === 'confirmed') return { kind: 'good', text: say.confirmed(name) }
    return query.get('done') === 'disabled' ? { kind: 'good', text: say.disabled(name) } : null
  }
}

async function peoplePage(asked: Asked, outcome: Outcome): Promise<PageAnswer> {
  const { service, words, identity, may } = asked
  const { people: say } = words.of(peopleWords)
  const { callerId } = identity.person
  const { items } = await listPeople(service.db, callerId, PEOPLE_MAX)
  const notice = typeof outcome === 'function' ? outcome(items) : outcome
  return show(
    'access',
    say.title,
    html`<header class="head"><h1>${say.title}</h1></header>
${accessTabs('/access', asked)}
${showNotice(notice, words)}
${await listSection(peopleList, asked, 'people')}
${may('people:write') && inviteForm(asked)}`,
    notice?.kind === 'bad' ? 422 : 200,
  )
}

function inviteForm(asked: Asked): Html {
  const { words, form } = asked
  const { people: say } = words.of(peopleWords)
  const modes = form.has('name') ? modesOf(asked) : offeredModes(asked.identity.person)
  return html`<section class="card" aria-labelledby="invite">
<h2 id="invite">${say.invite}</h2>
<form class="fill" method="post" action="/console/access/people">
<div class="fields">
<div class="field">
<label for="name">${say.name}</label>
<input id="name" name="name" required maxlength="100" autocomplete="off" value="${form.get('name')}">
</div>
<div class="field">
<label for="email">${say.email}</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="off" value="${form.get('email')}">
</div>
${roleFields('new', { role: form.get('role') || 'CLERK', modes }, asked)}
</div>
<div><button class="button primary">${say.submit}</button></div>
</form>
</section>`
}
