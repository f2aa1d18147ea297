import { PING_TYPE } from '../../domain/event.ts'
import { ALL_EVENTS, type WebhookEndpoint } from '../../domain/webhook.ts'
import type { Result } from '../../engine/change/change.ts'
import { card } from '../../page/card.ts'
import { crumbs } from '../../page/crumbs.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { listFilePage, listSection } from '../../page/list.ts'
import { noticeLine, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { isSure, type Sure, sureDialog, surePage } from '../../page/sure.ts'
import { parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { EVENT_TYPES, EventRecord } from '../events/record.ts'
import {
  changeEndpoint,
  createEndpoint,
  pingEndpoint,
  redeliverEvent,
  removeEndpoint,
  rotateSecret,
} from './changes.ts'
import { deliveryList, endpointList, eventsText, statusBadge } from './list.ts'
import { NewWebhookEndpoint } from './record.ts'
import { findEndpoint, findSentEvent } from './store.ts'
import { webhookWords } from './words.ts'

const OVERLAP_SECONDS = 24 * 60 * 60

const deliveries = deliveryList([...EVENT_TYPES, PING_TYPE])

export const webhookPages: Page[] = [
  listFilePage(endpointList),
  listFilePage(deliveries),
  { method: 'GET', path: '/webhooks', scope: 'webhooks:read', answer: (asked) => endpointsPage(asked, null) },
  // Adding an address and another secret both show the secret.
  {
    method: 'POST',
    path: '/webhooks',
    scope: 'webhooks:write',
    needsRecentSignIn: () => true,
    answer: add,
  },
  {
    method: 'GET',
    path: '/webhooks/:webhook_endpoint_id',
    scope: 'webhooks:read',
    answer: (asked) => endpointPage(asked, null),
  },
  {
    method: 'GET',
    path: '/webhooks/:webhook_endpoint_id/events/:event_id',
    scope: 'webhooks:read',
    answer: payloadPage,
  },
  {
    method: 'POST',
    path: '/webhooks/:webhook_endpoint_id/:act',
    scope: 'webhooks:write',
    needsRecentSignIn: (params) => params.act === 'rotate',
    answer: act,
  },
]

/** What the form says should be sent. */
function typesIn({ form }: Asked): string[] {
  return form.get('events') === 'chosen'
    ? EVENT_TYPES.filter((type) => form.has(`event ${type}`))
    : [ALL_EVENTS]
}

async function add(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, words, originOf } = asked
  const { webhooks: say } = words.of(webhookWords)
  const refused = (message: string) => endpointsPage(asked, { bad: say.wrong(message) })
  const description = form.get('description').trim()
  const types = typesIn(asked)
  if (types.length === 0) return refused(say.chooseEvents)
  const read = readBody(NewWebhookEndpoint, {
    url: form.get('url').trim(),
    event_types: types,
    ...(description !== '' && { description }),
  })
  if (!read.ok) return refused(say.needs[read.fields[0]!.field] ?? say.needs.url!)
  const { url, event_types: eventTypes = [ALL_EVENTS] } = read.value
  const examined = await service.addressGuard(url, book.mode)
  if (examined.outcome !== 'allowed') return refused(say.needs.url!)
  const request = { url, eventTypes, description: read.value.description ?? null }
  const made = await createEndpoint(service, originOf(null), request)
  return made.outcome === 'done' ? endpointsPage(asked, { secret: made.value.secret }) : refused('')
}

async function act(asked: Asked): Promise<PageAnswer> {
  const { service, params, form, originOf } = asked
  const webhookEndpointId = params.webhook_endpoint_id!
  const page = `/console/webhooks/${webhookEndpointId}`
  const origin = originOf(null)
  switch (params.act) {
    case 'ping':
      return shown(asked, await pingEndpoint(service, origin, { webhookEndpointId }), `${page}?done=pinged`)
    case 'on':
    case 'off': {
      if (params.act === 'off' && !isSure(form)) return secondLook(asked, 'off')
      const status = params.act === 'off' ? 'DISABLED' : 'ENABLED'
      const request = { webhookEndpointId, changes: { status } } as const
      return shown(asked, await changeEndpoint(service, origin, request), `${page}?done=saved`)
    }
    case 'events': {
      const eventTypes = typesIn(asked)
      if (eventTypes.length === 0) {
        return endpointPage(asked, { bad: asked.words.of(webhookWords).webhooks.chooseEvents })
      }
      const request = { webhookEndpointId, changes: { eventTypes } }
      return shown(asked, await changeEndpoint(service, origin, request), `${page}?done=saved`)
    }
    case 'remove': {
      if (!isSure(form)) return secondLook(asked, 'remove')
      const removed = await removeEndpoint(service, origin, { webhookEndpointId })
      return shown(asked, removed, '/console/webhooks?done=removed')
    }
    case 'again':
      return shown(asked, await redeliverEvent(service, origin, form.get('event')), `${page}?done=sent`)
    case 'rotate': {
      if (!isSure(form)) return secondLook(asked, 'rotate')
      const request = { webhookEndpointId, overlapSeconds: OVERLAP_SECONDS }
      const rotated = await rotateSecret(service, origin, request)
      return rotated.outcome === 'done'
        ? endpointPage(asked, { secret: rotated.value.secret })
        : shown(asked, rotated, page)
    }
    default:
      return NOT_FOUND
  }
}

/** What ends messages, or changes how they are signed, gets a second look that names the address. */
function endingOf(act: Ending, url: string, words: Words): Sure {
  const { webhooks: say } = words.of(webhookWords)
  const text = { rotate: say.rotateText, remove: say.removeText, off: say.turnOffText }[act]
  const look = act === 'rotate' ? 'primary' : 'danger'
  const submit = html`<button class="button ${look}" name="sure" value="yes">${endingName(act, words)}</button>`
  return { title: say.sure[act], rows: [[say.url, url]], text, submit }
}

type Ending = 'rotate' | 'remove' | 'off'

function endingName(act: Ending, words: Words): string {
  const { webhooks: say } = words.of(webhookWords)
  return act === 'off' ? say.turnOff : say[act]
}

async function secondLook({ service, book, params, words }: Asked, act: Ending): Promise<PageAnswer> {
  const endpoint = await findEndpoint(service.db, book.bookId, params.webhook_endpoint_id!)
  if (endpoint === undefined) return NOT_FOUND
  const back = `/console/webhooks/${endpoint.webhookEndpointId}`
  const ending = endingOf(act, endpoint.url, words)
  return show('webhooks', ending.title, surePage(ending, { action: `${back}/${act}`, back }, words))
}

/** What the change answered: on to the page that says it is done, or why it was not. */
function shown(asked: Asked, answered: Result<unknown>, done: string): PageAnswer | Promise<PageAnswer> {
  if (answered.outcome !== 'refused') return redirect(done)
  if (answered.code === 'webhook_endpoint_not_found' || answered.code === 'event_not_found') return NOT_FOUND
  return endpointPage(asked, { bad: refusalWord(answered, asked.words) })
}

function secretNotice(secret: string, words: Words): Html {
  const text = html`<p><b>${words.of(webhookWords).webhooks.secret}</b></p>`
  return showNotice({ kind: 'good', text, secret }, words)
}

function doneNotice({ query, words }: Asked): Html {
  const text = new Map(Object.entries(words.of(webhookWords).webhooks.done)).get(query.get('done'))
  return html`${text !== undefined && noticeLine('good', text)}`
}

type Outcome = { bad: string } | { secret: string } | null

function outcomeNotice(outcome: Outcome, words: Words): Html | null {
  if (outcome === null) return null
  if ('secret' in outcome) return secretNotice(outcome.secret, words)
  return noticeLine('bad', outcome.bad)
}

async function endpointsPage(asked: Asked, outcome: Outcome): Promise<PageAnswer> {
  const { words, may } = asked
  const { webhooks: say } = words.of(webhookWords)
  return show(
    'webhooks',
    say.title,
    html`<header class="head"><div><h1>${say.title}</h1><p class="sub">${say.text}</p></div></header>
${doneNotice(asked)}
${outcomeNotice(outcome, words)}
${await listSection(endpointList, asked, 'addresses')}
${may('webhooks:write') && newEndpointForm(asked)}`,
    outcome !== null && 'bad' in outcome ? 422 : 200,
  )
}

/** Every event, or those that are chosen. */
function eventFields(chosen: readonly string[], words: Words): Html {
  const { webhooks: say } = words.of(webhookWords)
  const isEvery = chosen.includes(ALL_EVENTS)
  const which = (value: string, text: string, isChecked: boolean) => html`<label class="check">
<input type="radio" name="events" value="${value}"${isChecked && trusted(' checked')}> ${text}</label>`
  const check = (type: string) => html`<label class="check">
<input type="checkbox" name="event ${type}" value="yes"${chosen.includes(type) && trusted(' checked')}> ${type}</label>`
  return html`<fieldset class="checks">
<legend>${say.events}</legend>
${which('all', say.every, isEvery)}
${which('chosen', say.chosen, !isEvery)}
</fieldset>
<fieldset class="checks chosen">
<legend>${say.chosen}</legend>
${EVENT_TYPES.map(check)}
</fieldset>`
}

function newEndpointForm(asked: Asked): Html {
  const { words, form } = asked
  const { webhooks: say } = words.of(webhookWords)
  return html`<section class="card" aria-labelledby="add">
<h2 id="add">${say.add}</h2>
<form class="fill" method="post" action="/console/webhooks">
<div class="fields">
<div class="field">
<label for="url">${say.url}</label>
<input id="url" name="url" type="url" required maxlength="2048" autocomplete="off" placeholder="https://"
value="${form.get('url')}">
</div>
<div class="field">
<label for="description">${say.description} <small>${words.say.optional}</small></label>
<input id="description" name="description" maxlength="500" autocomplete="off" value="${form.get('description')}">
</div>
</div>
${eventFields(typesIn(asked), words)}
<div><button class="button primary">${say.submit}</button></div></form></section>`
}

async function endpointPage(asked: Asked, outcome: Outcome): Promise<PageAnswer> {
  const { service, book, params, words, may } = asked
  const webhookEndpointId = params.webhook_endpoint_id!
  const endpoint = await findEndpoint(service.db, book.bookId, webhookEndpointId)
  if (endpoint === undefined) return NOT_FOUND
  return show(
    'webhooks',
    endpoint.url,
    html`${crumbs([[words.of(webhookWords).webhooks.title, '/webhooks']], endpoint.url, words)}
<header class="head">
<div>
<h1 class="long">${endpoint.url}</h1>
<p class="sub">
${statusBadge(endpoint.status, words)}
<span>${eventsText(endpoint.eventTypes, words)}</span>
<span>${endpoint.description}</span>
</p>
</div>
</header>
${doneNotice(asked)}
${outcomeNotice(outcome, words)}
${may('webhooks:write') && endpointForms(endpoint, words)}
${await listSection(deliveries, asked, 'deliveries')}`,
    outcome !== null && 'bad' in outcome ? 422 : 200,
  )
}

function endpointForms({ webhookEndpointId, url, status, eventTypes }: WebhookEndpoint, words: Words): Html {
  const { webhooks: say } = words.of(webhookWords)
  const path = `/console/webhooks/${webhookEndpointId}`
  const button = (text: string, className: string) =>
    html`<button class="button ${className}">${text}</button>`
  const ending = (act: Ending, look: string) => html`<form
method="post" action="${path}/${act}" data-confirm="sure-${act}">${button(endingName(act, words), look)}
${sureDialog({ id: `sure-${act}`, ...endingOf(act, url, words) }, words)}</form>`
  const on = html`<form method="post" action="${path}/on">${button(say.turnOn, '')}</form>`
  return html`<div class="row acts">
<form method="post" action="${path}/ping">${button(say.ping, '')}</form>
${status === 'ENABLED' ? ending('off', '') : on}
${ending('rotate', '')}
${ending('remove', 'danger')}
</div>
<details class="edit card">
<summary>${say.changeEvents}</summary>
<form class="fill" method="post" action="${path}/events">
${eventFields(eventTypes, words)}
<div>${button(say.saveEvents, 'primary')}</div>
</form></details>`
}

/** The message of an event, as it is sent. */
async function payloadPage({ service, book, params, words }: Asked): Promise<PageAnswer> {
  const { webhooks: say } = words.of(webhookWords)
  const [webhookEndpointId, eventId] = [params.webhook_endpoint_id!, params.event_id!]
  const endpoint = await findEndpoint(service.db, book.bookId, webhookEndpointId)
  if (endpoint === undefined) return NOT_FOUND
  const event = await findSentEvent(service.db, book.bookId, { webhookEndpointId, eventId })
  if (event === undefined) return NOT_FOUND
  const body = EventRecord.json({ event, mode: book.mode })
  const message = JSON.stringify(parseJson(body), null, 2)
  return show(
    'webhooks',
    `${event.type}, ${eventId}`,
    html`${crumbs(
      [
        [say.title, '/webhooks'],
        [endpoint.url, `/webhooks/${webhookEndpointId}`],
      ],
      eventId,
      words,
    )}
<header class="head">
<div><h1 class="long">${event.type}</h1><p class="sub"><code class="long">${eventId}</code></p></div>
</header>
${card(
  { id: 'message', title: say.payload },
  html`<div class="scroll" tabindex="0" role="group" aria-label="${say.payload}"><pre>${message}</pre></div>`,
)}`,
  )
}
