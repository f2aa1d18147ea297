/** What became of something, on top of a page. */
import type { Words } from '../words/words.ts'
import { type Html, html } from './html.ts'

export type Notice = {
  kind: 'good' | 'tip' | 'wait' | 'bad'
  text: Html | string
  /** Shown only this once, to be copied. */
  secret?: string
}

/** A notice of a single paragraph. */
export function noticeLine(kind: Notice['kind'], text: Notice['text']): Html {
  return html`<p class="notice ${kind}" role="${roleOf(kind)}">${text}</p>`
}

export function showNotice(notice: Notice | null, words: Words): Html {
  if (notice === null) return html``
  const { kind, text, secret } = notice
  return html`<div class="notice ${kind}" role="${roleOf(kind)}">
${typeof text === 'string' ? html`<p>${text}</p>` : text}
${secret !== undefined && html`<p class="secret"><code>${secret}</code>${copyButton(secret, words)}</p>`}</div>`
}

/** What went wrong is read out at once. */
function roleOf(kind: Notice['kind']): string {
  return kind === 'bad' ? 'alert' : 'status'
}

export function copyButton(text: string, { say }: Words): Html {
  return html`<button type="button" class="quiet" data-js data-copy="${text}" data-copied="${say.copied}">
${say.copy}</button>`
}
