/**
 * The pages, loaded when the first one is asked for: many services are used by programs alone, and a start does not wait
 * for what it may never show. The door has one route for all of them and finds the page here.
 */
import type { Cards, Page } from '../page/page.ts'

export type FoundPage = { page: Page; params: Record<string, string> }

export type PageTable = {
  pages: readonly Page[]
  cards: Cards
  /** `path` is below /console, without a query. */
  find: (method: string, path: string) => FoundPage | null
}

let loaded: Promise<PageTable> | null = null

export function loadPages(): Promise<PageTable> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<PageTable> {
  const [{ pages }, { cards }] = await Promise.all([import('./pages.ts'), import('./cards.ts')])
  return { pages, cards, find: createFind(pages) }
}

/** As the router does it: a word goes before a parameter, and HEAD is a GET. */
export function createFind(pages: readonly Page[]): PageTable['find'] {
  const rows = pages
    .map((page) => ({ page, words: page.path.split('/') }))
    .sort((one, other) => (rankOf(one.words) < rankOf(other.words) ? -1 : 1))
  return (method, path) => {
    const asked = path.split('/')
    const wanted = method === 'HEAD' ? 'GET' : method
    const row = rows.find(
      ({ page, words }) =>
        page.method === wanted &&
        words.length === asked.length &&
        words.every((word, at) => isParameter(word) || word === asked[at]),
    )
    if (row === undefined) return null
    const params = row.words.flatMap((word, at) =>
      isParameter(word) ? [[word.slice(1), readable(asked[at]!)]] : [],
    )
    return { page: row.page, params: Object.fromEntries(params) }
  }
}

/** No text in the database holds a NUL; an identifier with one must not be found, instead of failing. */
function readable(word: string): string {
  return decoded(word).replaceAll('\0', '\ufffd')
}

/** The router refuses what cannot be decoded; a path that a form names has not been there. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

function isParameter(word: string): boolean {
  return word.startsWith(':')
}

function rankOf(words: readonly string[]): string {
  return words.map((word) => (isParameter(word) ? '1' : '0')).join('')
}
