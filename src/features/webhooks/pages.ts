import type { WebhookDelivery } from '../../domain/webhook.ts'
import { ALL_EVENTS } from '../../domain/webhook.ts'
import type { Result } from '../../engine/change/change.ts'
import type { Fields } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { depositWords } from '../deposits/words.ts'
import { EVENT_TYPES } from '../events/record.ts'
import {
  changeEndpoint,
  createEndpoint,
  pingEndpoint,
  redeliverEvent,
  removeEndpoint,
  rotateSecret,
} from './changes.ts'
import { NewWebhookEndpoint } from './record.ts'
import { findEndpoint, listDeliveries, listEndpoints } from './store.ts'
import { webhookWords } from './words.ts'

const SHOWN = { limit: 50, before: null }
const OVERLAP_SECONDS = 24 * 60 * 60

export const webhookPages: Page[] = [
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
    method: 'POST',
    path: '/webhooks/:webhook_endpoint_id/:act',
    scope: 'webhooks:write',
    needsRecentSignIn: (params) => params.act === 'rotate',
    answer: act,
  },
]

async function add(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, words, originOf } = asked
  const refused = (message: string) =>
    endpointsPage(asked, { bad: words.of(webhookWords).webhooks.wrong(message) })
  const chosen = EVENT_TYPES.filter((type) => form.has(`event ${type}`))
  const description = form.get('description').trim()
  const read = readBody(NewWebhookEndpoint, {
    url: form.get('url').trim(),
    event_types: form.get('events') === 'chosen' ? chosen : [ALL_EVENTS],
    ...(description !== '' && { description }),
  })
  if (!read.ok) return refused(read.fields[0]!.message)
  const { url, event_types: eventTypes = [ALL_EVENTS] } = read.value
  const examined = await service.addressGuard(url, book.mode)
  if (examined.outcome !== 'allowed') return refused(examined.message)
  const request = { url, eventTypes, description: read.value.description ?? null }
  const made = await createEndpoint(service, originOf(null), request)
  return made.outcome === 'done' ? endpointsPage(asked, { secret: made.value.secret }) : refused('')
}

const STATUSES = ['ENABLED', 'DISABLED'] as const

async function act(asked: Asked): Promise<PageAnswer> {
  const { service, params, form, originOf } = asked
  const webhookEndpointId = params.webhook_endpoint_id!
  const page = `/console/webhooks/${webhookEndpointId}`
  const origin = originOf(null)
  switch (params.act) {
    case 'ping':
      return shown(asked, await pingEndpoint(service, origin, { webhookEndpointId }), `${page}?done=pinged`)
    case 'status': {
      const status = STATUSES.find((one) => one === form.get('status'))
      if (status === undefined) return NOT_FOUND
      const request = { webhookEndpointId, changes: { status } }
      return shown(asked, await changeEndpoint(service, origin, request), `${page}?done=saved`)
    }
    case 'remove': {
      const removed = await removeEndpoint(service, origin, { webhookEndpointId })
      return shown(asked, removed, '/console/webhooks?done=removed')
    }
    case 'again':
      return shown(asked, await redeliverEvent(service, origin, form.get('event')), `${page}?done=sent`)
    case 'rotate': {
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
  return html`${text !== undefined && html`<p class="notice good" role="status">${text}</p>`}`
}

type Outcome = { bad: string } | { secret: string } | null

function outcomeNotice(outcome: Outcome, words: Words): Html | null {
  if (outcome === null) return null
  if ('secret' in outcome) return secretNotice(outcome.secret, words)
  return html`<p class="notice bad" role="alert">${outcome.bad}</p>`
}

async function endpointsPage(asked: Asked, outcome: Outcome): Promise<PageAnswer> {
  const { service, book, words, may } = asked
  const { webhooks: say } = words.of(webhookWords)
  const { items } = await listEndpoints(service.db, book.bookId, SHOWN)
  return show(
    'webhooks',
    say.title,
    html`<header class="head"><div><h1>${say.title}</h1><p class="sub">${say.text}</p></div></header>
${doneNotice(asked)}
${outcomeNotice(outcome, words)}
<section class="card flush">${
      items.length === 0
        ? html`<p class="inset">${say.none}</p>`
        : recordTable(
            items,
            [
              {
                name: say.url,
                cell: ({ webhookEndpointId, url, description }) =>
                  html`<a class="long" href="/console/webhooks/${webhookEndpointId}"><b>${url}</b></a><small>${description}</small>`,
              },
              { name: say.events, cell: ({ eventTypes }) => eventsText(eventTypes, words) },
              { name: say.status, cell: ({ status }) => statusBadge(status, words) },
            ],
            { label: say.title, isFlush: true },
          )
    }</section>
${may('webhooks:write') && newEndpointForm(asked)}`,
    outcome !== null && 'bad' in outcome ? 422 : 200,
  )
}

function eventsText(types: readonly string[], words: Words): string {
  return types.includes(ALL_EVENTS) ? words.of(webhookWords).webhooks.every : types.join(', ')
}

function statusBadge(status: 'ENABLED' | 'DISABLED', words: Words): Html {
  return html`<span class="badge ${status === 'ENABLED' && trusted('active')}">${words.of(webhookWords).webhooks.statuses[status]}</span>`
}

function newEndpointForm({ words, form }: Asked): Html {
  const { webhooks: say } = words.of(webhookWords)
  const isChosen = form.get('events') === 'chosen'
  return html`<section class="card" aria-labelledby="add">
<h2 id="add">${say.add}</h2>
<form class="fill" method="post" action="/console/webhooks">
<div class="fields">
<div class="field">
<label for="url">${say.url}</label>
<input id="url" name="url" type="url" required maxlength="2048" autocomplete="off" placeholder="https://" value="${form.get('url')}">
</div>
<div class="field">
<label for="description">${say.description} <small>${words.say.optional}</small></label>
<input id="description" name="description" maxlength="500" autocomplete="off" value="${form.get('description')}">
</div>
</div>
<fieldset class="checks">
<legend>${say.events}</legend>
<label class="check">
<input type="radio" name="events" value="all"${!isChosen && trusted(' checked')}> ${say.every}
</label>
<label class="check">
<input type="radio" name="events" value="chosen"${isChosen && trusted(' checked')}> ${say.chosen}
</label>
</fieldset>
<fieldset class="checks chosen">
<legend>${say.chosen}</legend>
${EVENT_TYPES.map((type) => eventCheck(type, form))}
</fieldset>
<div><button class="button primary">${say.submit}</button></div></form></section>`
}

function eventCheck(type: string, form: Fields): Html {
  const isChecked = form.has(`event ${type}`) && trusted(' checked')
  return html`<label class="check"><input type="checkbox" name="event ${type}" value="yes"${isChecked}> ${type}</label>`
}

async function endpointPage(asked: Asked, outcome: Outcome): Promise<PageAnswer> {
  const { service, book, params, query, words, may } = asked
  const { webhooks: say } = words.of(webhookWords)
  const { deposit } = words.of(depositWords)
  const webhookEndpointId = params.webhook_endpoint_id!
  const endpoint = await findEndpoint(service.db, book.bookId, webhookEndpointId)
  if (endpoint === undefined) return NOT_FOUND
  const before = /^\d{1,19}$/.test(query.get('before')) ? BigInt(query.get('before')) : null
  const page = { limit: SHOWN.limit, before }
  const { items, next } = await listDeliveries(service.db, book.bookId, webhookEndpointId, page)
  const path = `/console/webhooks/${webhookEndpointId}`
  const other = endpoint.status === 'ENABLED' ? 'DISABLED' : 'ENABLED'
  return show(
    'webhooks',
    endpoint.url,
    html`<nav class="crumbs" aria-label="${deposit.breadcrumb}">
<ol><li><a href="/console/webhooks">${say.title}</a></li><li aria-current="page">${endpoint.url}</li></ol>
</nav>
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
${
  may('webhooks:write') &&
  html`<div class="row acts">
<form method="post" action="${path}/ping"><button class="button">${say.ping}</button></form>
<form method="post" action="${path}/status">
<button class="button" name="status" value="${other}">${other === 'ENABLED' ? say.turnOn : say.turnOff}</button>
</form>
<details>
<summary class="button">${say.rotate}</summary>
<form class="narrow" method="post" action="${path}/rotate">
<p class="hint">${say.rotateText}</p>
<button class="button">${say.rotate}</button>
</form>
</details>
<details>
<summary class="button danger">${say.remove}</summary>
<form class="narrow" method="post" action="${path}/remove">
<p class="hint">${say.removeText}</p>
<button class="button danger">${say.remove}</button>
</form>
</details>
</div>`
}
<section class="card flush" aria-labelledby="deliveries">
<h2 class="inset" id="deliveries">${say.deliveries}</h2>
${items.length === 0 ? html`<p class="inset">${say.noDeliveries}</p>` : deliveryTable(items, { path, mayWrite: may('webhooks:write') }, words)}
</section>
${next !== null && html`<p><a class="button" href="${path}?before=${next}">${say.older}</a></p>`}`,
    outcome !== null && 'bad' in outcome ? 422 : 200,
  )
}

const BADGES = { PENDING: 'waiting', DELIVERED: 'done', FAILED: 'refused' } as const

function deliveryTable(
  deliveries: readonly WebhookDelivery[],
  { path, mayWrite }: { path: string; mayWrite: boolean },
  words: Words,
): Html {
  const { webhooks: say } = words.of(webhookWords)
  return recordTable(
    deliveries,
    [
      {
        name: say.event,
        cell: ({ eventType, eventId }) => html`${eventType}<small><code>${eventId}</code></small>`,
      },
      { name: say.when, cell: ({ createdAt }) => words.instant(createdAt) },
      {
        name: say.status,
        cell: ({ status }) =>
          html`<span class="badge ${BADGES[status]}">${say.deliveryStatuses[status]}</span>`,
      },
      { name: say.attempts, isNumber: true, cell: ({ attempts }) => attempts },
      {
        name: say.last,
        cell: ({ lastAttemptAt }) => lastAttemptAt !== null && words.instant(lastAttemptAt),
      },
      { name: say.answer, cell: ({ lastStatusCode, lastError }) => lastStatusCode ?? lastError },
      mayWrite && {
        name: null,
        cell: ({ eventId, eventType }) =>
          html`<form method="post" action="${path}/again">
<button class="button" name="event" value="${eventId}" aria-label="${say.againOf(eventType)}">${say.again}</button>
</form>`,
      },
    ],
    { label: say.deliveries, isFlush: true },
  )
}
