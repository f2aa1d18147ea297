/** The search of the reference, over operations, fields, errors, messages and the guide. */
import { announcement, byId, make } from './elements.js'

/** @typedef {{ kind: string, name: string, hint: string, text: string, element: Element }} Findable */

export function startSearch() {
  const input = byId('search', HTMLInputElement)
  const results = byId('results', HTMLElement)
  const box = input.closest('.search')
  if (!(box instanceof HTMLElement)) return
  /** @type {Findable[] | null} */
  let index = null
  box.hidden = false

  const show = () => {
    index ??= readIndex()
    const groups = input.value.trim() === '' ? [] : find(index, input.value)
    results.hidden = input.value.trim() === ''
    results.replaceChildren(...groups.map((group) => renderGroup(group, close)))
    const count = groups.reduce((sum, { found }) => sum + found.length, 0)
    if (count === 0) results.append(make('p', { textContent: 'Nothing found.' }))
    announcement.textContent = results.hidden ? '' : `${count} found.`
  }
  const close = () => {
    results.hidden = true
    input.blur()
  }

  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) results.hidden = true
  })
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) results.hidden = true
  })
  box.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')]
    const at = links.findIndex((link) => link.matches(':focus'))
    if (event.key === 'Escape') {
      input.value = ''
      close()
    } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : input)?.focus()
    else if (event.key === 'Enter' && at === -1) links[0]?.click()
    else return
    event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** @returns {Findable[]} */
function readIndex() {
  /** @type {Findable[]} */
  const index = []
  for (const article of document.querySelectorAll('article')) {
    const request = article.querySelector('.request')?.textContent ?? ''
    const title = article.querySelector('h3')?.textContent ?? ''
    const kind = request === '' ? 'Messages' : 'Operations'
    const { name = '' } = article.dataset
    index.push({ kind, name, hint: request || 'Message', text: `${title} ${article.id}`, element: article })
    for (const field of article.querySelectorAll('.fields:not(.codes) > div')) {
      index.push({ kind: 'Fields', ...readTerm(field), hint: `${name}, ${placeOf(field)}`, element: field })
    }
  }
  for (const error of document.querySelectorAll('#errors .fields > div')) {
    const term = readTerm(error)
    index.push({ kind: 'Errors', ...term, hint: term.text, element: error })
  }
  for (const chapter of document.querySelectorAll('.guide[id]')) {
    const name = chapter.querySelector('h2')?.textContent ?? ''
    index.push({ kind: 'Guide', name, hint: '', text: chapter.textContent ?? '', element: chapter })
  }
  return index
}

/** @param {Element} field Whether it is part of the body, the answer and so on, and inside which other fields. */
function placeOf(field) {
  /** @type {string[]} */
  const outer = []
  let list = field.parentElement
  for (let parent = list?.closest('.fields > div'); parent; parent = list?.closest('.fields > div')) {
    outer.unshift(readTerm(parent).name)
    list = parent.parentElement
  }
  let before = list?.previousElementSibling
  while (before && before.tagName !== 'H4') before = before.previousElementSibling
  return [before?.textContent?.toLowerCase() ?? '', ...outer].join(', ')
}

/** @param {Element} pair A term and what is said about it. */
function readTerm(pair) {
  const status = pair.querySelector('dt .status')?.textContent ?? ''
  return {
    name: pair.querySelector('dt code')?.textContent ?? '',
    text: `${pair.querySelector('dd')?.textContent ?? ''} ${status}`,
  }
}

/** What other services call the things that this one has: the first word is ours. */
const SYNONYMS = [
  ['cursor', 'pagination', 'paging', 'paginate', 'offset'],
  ['test mode', 'sandbox', 'staging', 'playground'],
  ['liquidat', 'break', 'withdraw', 'redeem', 'terminat', 'encash', 'premature', 'close'],
  ['penal', 'penalty', 'fee', 'charge'],
  ['rate_limited', 'throttl', 'quota'],
  ['api key', 'token', 'bearer', 'credential', 'authentication', 'login'],
  ['idempot', 'retry', 'retries', 'duplicate'],
  ['webhook', 'callback', 'hook', 'notification'],
  ['signature', 'hmac', 'signing', 'verify'],
  ['lien', 'hold', 'block', 'freeze', 'pledge'],
  ['revers', 'undo', 'void', 'refund', 'cancel'],
  ['approv', 'maker', 'checker', 'dual'],
  ['roll', 'renew', 'reinvest'],
  ['calendar', 'holiday'],
  ['audit', 'history', 'trail'],
  ['export', 'download', 'csv'],
  ['customer', 'client', 'holder'],
]

/** @param {string} word */
function spellingsOf(word) {
  const group = SYNONYMS.find(([, ...others]) => others.some((other) => word.startsWith(other)))
  return group === undefined ? [word] : [word, group[0] ?? word]
}

const KINDS = ['Operations', 'Fields', 'Errors', 'Messages', 'Guide']

/**
 * @param {readonly Findable[]} index
 * @param {string} query Every word of it has to occur, in one of its spellings; those whose name it begins come first.
 */
function find(index, query) {
  const words = query.toLowerCase().trim().split(/\s+/)
  const phrase = words.join(' ')
  const spellings = words.map(spellingsOf)
  const everyWordIn = (/** @type {string} */ text) =>
    spellings.every((ones) => ones.some((one) => text.includes(one)))
  const rank = (/** @type {Findable} */ { name }) => {
    const known = name.toLowerCase()
    if (known === phrase) return 0
    if (known.startsWith(phrase)) return 1
    return everyWordIn(known) ? 2 : 3
  }
  const matches = index
    .filter(({ name, hint, text }) => everyWordIn(`${name} ${hint} ${text}`.toLowerCase()))
    .sort((one, other) => rank(one) - rank(other))
  return KINDS.map((kind) => ({ kind, found: matches.filter((match) => match.kind === kind) })).filter(
    ({ found }) => found.length > 0,
  )
}

const SHOWN_MAX = 5

/**
 * @param {{ kind: string, found: Findable[] }} group
 * @param {() => void} close
 */
function renderGroup({ kind, found }, close) {
  const items = found.slice(0, SHOWN_MAX).map(({ name, hint, element }) => {
    const place = element.id || element.closest('[id]')?.id
    const link = make('a', { href: `#${place}` }, make('b', {}, name), ' ', make('span', {}, hint))
    link.addEventListener('click', () => {
      close()
      // After the browser has gone to the place in the page.
      setTimeout(() => reveal(element))
    })
    return make('li', {}, link)
  })
  const more = found.length > SHOWN_MAX ? `, ${SHOWN_MAX} of ${found.length}` : ''
  return make('div', {}, make('p', { className: 'group' }, kind + more), make('ul', {}, ...items))
}

/** @param {Element} element */
function reveal(element) {
  for (
    let outer = element.closest('details');
    outer;
    outer = outer.parentElement?.closest('details') ?? null
  ) {
    outer.open = true
  }
  for (const earlier of document.querySelectorAll('.found')) earlier.classList.remove('found')
  element.classList.add('found')
  element.scrollIntoView({ block: element.matches('article, section') ? 'start' : 'center' })
}
