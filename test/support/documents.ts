/**
 * The blocks of the documents. Each that is a command or a program is run by a test, which reads it by `commandsOf`, or
 * the text before it says what it needs that a test does not have, such as (needs Docker).
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export type Block = {
  language: string
  text: string
  line: number
  /** What it needs that a test does not have; null: a test runs it. */
  needs: string | null
}

/** What may be missing. */
const NEED = /\(needs (Docker|systemd|Kubernetes|Citus|a cluster)\)/

export function documents(): string[] {
  return globSync(['*.md', '.github/**/*.md', '{bench,clients,deploy,docs,examples}/**/*.md'], { cwd: ROOT })
    .filter((path) => !path.includes('node_modules'))
    .sort()
}

export function blocksOf(document: string): Block[] {
  const lines = readFileSync(join(ROOT, document), 'utf8').split('\n')
  const blocks: Block[] = []
  let before = ''
  let open: Block | null = null
  for (const [index, line] of lines.entries()) {
    const [, fence, language = ''] = /^ *(```)(.*)$/.exec(line) ?? []
    if (fence === undefined) {
      if (open !== null) open.text += `${line}\n`
      else if (line.trim() !== '') before = line
    } else if (open === null) {
      open = { language, text: '', line: index + 1, needs: NEED.exec(before)?.[1] ?? null }
    } else {
      blocks.push(open)
      open = null
      before = ''
    }
  }
  return blocks
}

/** What a test runs of a document. */
export function commandsOf(document: string, language: 'sh' | 'sql' | 'ts' | 'python' | 'go'): string[] {
  return blocksOf(document)
    .filter((block) => block.language === language && block.needs === null)
    .map(({ text }) => text)
}
