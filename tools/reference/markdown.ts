/** The subset of Markdown that our own texts use: paragraphs, lists, code, headings of the second level. */
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

/** `code` is set as code; the rest is text. */
export function renderLine(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
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
  return html`<p>${renderLine(block)}</p>`
}
