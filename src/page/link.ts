/** Every identifier leads to its page. */
import { type Html, html } from './html.ts'

const PATHS: Record<string, string> = {
  apr: '/console/approvals',
  bat: '/console/batches',
  cus: '/console/customers',
  fd: '/console/deposits',
  liq: '/console/liquidations',
  we: '/console/webhooks',
}

/** The page of a record, by the beginning of its identifier. */
export function pathOf(id: string): string | null {
  const folder = PATHS[id.slice(0, Math.max(0, id.indexOf('_')))]
  return folder === undefined ? null : `${folder}/${id}`
}

export function accountLink(accountNumber: string): Html {
  return html`<a href="/console/accounts/${accountNumber}">${accountNumber}</a>`
}

export function idLink(id: string): Html {
  const path = pathOf(id)
  return path === null ? html`<code>${id}</code>` : html`<a href="${path}"><code>${id}</code></a>`
}
