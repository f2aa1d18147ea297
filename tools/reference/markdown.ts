/** The subset of Markdown that our own texts use: paragraphs, lists, tables, code, links, headings below the first level. */
import { GUIDES } from '../../src/http/reference.ts'
import { type Html, html } from '../../src/page/html.ts'

export type Chapter = { title: string | null; blocks: Html[] }

/** The text, split at its headings; what comes before the first has no title. */
export function readChapters(text: string): Chapter[] {
  const chapters: Chapter[] = [{ title: null, blocks: [] }]
  for (const block of blocksOf(text)) {
    const heading = /^## (.+)$/.exec(block)
    if (heading === null) chapters.at(-1)!.blocks.push(renderBlock(block))
    else chapters.push({ title: heading[1]!, blocks: [] })
  }
  return chapters
}

/** Links of a document in docs/ that lead to served pages; other files become their path from the root. */
export function withServedLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\((?!#|https?:)([^)\s]+)\)/g, (_, title: string, target: string) => {
    const { pathname, hash } = new URL(target, 'file:///docs/')
    const place = SERVED.get(pathname)
    return place === undefined ? `\`${pathname.slice(1)}\`` : `[${title}](${place}${hash})`
  })
}

const SERVED = new Map([
  ['/docs/api.md', '/docs'],
  ...GUIDES.map((name): [string, string] => [`/docs/${name}.md`, `/docs/${name}`]),
])

/** `code` is set as code, and [a text](a place) as a link; the rest is text. */
export function renderLine(text: string): Html[] {
  return text
    .split('`')
    .flatMap((part, index) => (index % 2 === 0 ? renderLinks(part) : [html`<code>${part}</code>`]))
}

function renderLinks(text: string): Html[] {
  return text.split(/(\[[^\]]+\]\((?:[#/]|https?:)[^)\s]*\))/).map((part) => {
    const [, title, target] = /^\[(.+)\]\(((?:[#/]|https?:).*)\)$/.exec(part) ?? []
    return target === undefined ? html`${part}` : html`<a href="${target}">${title}</a>`
  })
}

/** The anchor of a place in the page. */
export function slug(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** Blank lines separate blocks, but not within fenced code. */
function blocksOf(text: string): string[] {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .flatMap((piece) => (piece.startsWith('```') ? [piece] : piece.split(/\n\s*\n/)))
    .map((block) => block.trim())
    .filter((block) => block !== '')
}

function renderBlock(block: string): Html {
  if (block.startsWith('```')) {
    const code = block.replace(/^```\w*\n|\n?```$/g, '')
    return html`<figure class="sample"><pre class="program" tabindex="0"><code>${code}</code></pre></figure>`
  }
  if (block.startsWith('- ')) {
    const items = block.slice(2).split(/\n- /)
    return html`<ul>${items.map((item) => html`<li>${renderLine(item)}</li>`)}</ul>`
  }
  if (block.startsWith('| ')) return renderTable(block.split('\n'))
  const subheading = /^### (.+)$/.exec(block)
  if (subheading !== null) return html`<h3 id="${slug(subheading[1]!)}">${subheading[1]}</h3>`
  return html`<p>${renderLine(block)}</p>`
}

/** The second line only separates the head from the rest. A wide table scrolls by itself. */
function renderTable([head, , ...rows]: string[]): Html {
  const cells = (row: string) => row.slice(1, -1).split('|')
  return html`<div class="table" tabindex="0"><table>
<thead><tr>${cells(head!).map((cell) => html`<th scope="col">${renderLine(cell.trim())}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${renderLine(cell.trim())}</td>`)}</tr>\n`)}</tbody>
</table></div>`
}
