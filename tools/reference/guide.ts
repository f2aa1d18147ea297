/** A guide of docs/ as a page beside the reference: in its style, complete, and without script. */
import { type Html, html, render } from '../../src/page/html.ts'
import { renderFrame } from './frame.ts'
import { readChapters, slug, withServedLinks } from './markdown.ts'

export type Guide = { path: string; title: string; text: string }

/** The title is the first line of the document. */
export function readGuide(path: string, document: string): Guide {
  const [, title, text] = /^# (.+)\n([\s\S]*)$/.exec(document)!
  return { path, title: title!, text: withServedLinks(text!) }
}

export function renderGuide(guide: Guide, guides: readonly Guide[]): string {
  const chapters = readChapters(guide.text)
  const titles = chapters.flatMap(({ title }) => (title === null ? [] : [title]))
  const contents = html`<p class="group"><a href="/docs">API reference</a></p>
${guides.map(
  ({ path, title }) =>
    html`<p class="group"><a href="${path}">${title}</a></p>${path === guide.path && chapterLinks(titles)}`,
)}`
  const head = html`<a class="document" href="/docs">API reference</a>`
  const main = html`<div class="title"><h1>${guide.title}</h1></div>
<details class="contents"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
${chapters.map(({ title, blocks }) =>
  title === null
    ? html`<section class="guide">${blocks}</section>`
    : html`<section class="guide" id="${slug(title)}"><h2><a href="#${slug(title)}">${title}</a></h2>${blocks}</section>`,
)}`
  return render(renderFrame({ title: `Breakwater: ${guide.title}`, head, contents, main }))
}

function chapterLinks(titles: readonly string[]): Html {
  return html`<ul>${titles.map((title) => html`<li><a href="#${slug(title)}">${title}</a></li>`)}</ul>`
}
