import type { Words } from '../words/words.ts'
import { type Html, html, trusted } from './html.ts'

/** Navigation between the pages of one place; each is shown to people who may open it. */
export function accessTabs(
  current: '/access' | '/access/keys',
  { words, may }: { words: Words; may: (scope: string) => boolean },
): Html {
  const { say } = words
  const tab = (path: string, text: string) =>
    html`<li><a href="/console${path}"${path === current && trusted(' aria-current="page"')}>${text}</a></li>`
  return html`<nav class="tabs" aria-label="${say.sections.access}"><ul>
${may('people:read') && tab('/access', say.tabs.people)}
${may('api_keys:read') && tab('/access/keys', say.tabs.keys)}</ul></nav>`
}
