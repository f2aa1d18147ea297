/** Every identifier leads to its page. */
import { type Html, html } from './html.ts'

/** Records without a page of their own are shown by the filter of their list. */
const PATHS: Record<string, string> = {
  apr: '/console/approvals/',
  bat: '/console/batches/',
  cus: '/console/customers/',
  fd: '/console/deposits/',
  key: '/console/access/keys?find=',
  le: '/console/ledger?entry=',
  lien: '/console/liens?lien=',
  liq: '/console/liquidations/',
  per: '/console/access?find=',
  we: '/console/webhooks/',
}

/** The page of a record, by the beginning of its identifier. */
export function pathOf(id: string): string | null {
  if (/^\d{10}$/.test(id)) return `/console/accounts/${id}`
  const folder = PATHS[id.slice(0, Math.max(0, id.indexOf('_')))]
  return folder === undefined ? null : `${folder}${id}`
}

export function accountLink(accountNumber: string, text = accountNumber): Html {
  return html`<a href="/console/accounts/${accountNumber}">${text}</a>`
}

export function idLink(id: string): Html {
  const path = pathOf(id)
  return path === null ? html`<code>${id}</code>` : html`<a href="${path}"><code>${id}</code></a>`
}
