import { globSync } from 'node:fs'
import type { Texts } from '../../src/words/language.ts'

export type Table = { name: string; texts: Texts<unknown> }

/** The tables of all nouns, the shared one and that of the door. */
export async function everyTable(): Promise<Table[]> {
  const root = new URL('../../src/', import.meta.url)
  const paths = globSync('{features/*/words,console/words,words/texts}.ts', { cwd: root })
  const modules = await Promise.all(paths.map((path) => import(new URL(path, root).href)))
  return modules.flatMap((module, index) =>
    Object.values(module)
      .filter(isTexts)
      .map((texts) => ({ name: paths[index]!, texts })),
  )
}

function isTexts(value: unknown): value is Texts<unknown> {
  return typeof value === 'object' && value !== null && 'en' in value
}
