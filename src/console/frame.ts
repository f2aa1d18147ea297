/** The frame of every page: brand, search, person, the clock of a test book, and the navigation. */

import type { Mode } from '../domain/book.ts'
import { LANGUAGES, type LanguageCode } from '../domain/language.ts'
import type { Person } from '../domain/people.ts'
import { type Html, html, render, trusted } from '../page/html.ts'
import type { Section } from '../page/page.ts'
import type { Words } from '../words/words.ts'
import { consoleWords } from './words.ts'

export type Assets = { style: string; early: string; script: string; icon: string }

export type Frame = {
  title: string
  section: Section | null
  /** Below /console, as it is registered. */
  path: string
  person: Person
  bank: string
  mode: Mode
  /** The other books of the person. */
  otherModes: readonly Mode[]
  now: Date
  mayMoveClock: boolean
  maySearch: boolean
  places: readonly Section[]
  /** Requests that wait for the person's vote. */
  waiting: number
  /** What the person has not read yet. */
  notices: Html | null
  words: Words
  assets: Assets
}

/** The letter to press after g. */
const LETTERS: Record<Section, string> = {
  customers: 'c',
  deposits: 'd',
  approvals: 'a',
  report: 'r',
  products: 'p',
  rules: 'u',
  batches: 'b',
  audit: 'l',
  access: 'k',
  webhooks: 'w',
}

/**
 * Titles differ between records that people would name alike: behind what they read first stands the end of the
 * identifier, or a number or code as a whole.
 */
export function tabTitle(title: string, { act, ...params }: Record<string, string>): string {
  const ends = Object.values(params)
    .filter((value) => !title.includes(value))
    .map((value) => (value.includes('_') ? value.slice(-ID_END) : value))
  return [title, ...ends].join(' · ')
}

const ID_END = 5

export function framedPage(frame: Frame, main: Html): string {
  const { words, person } = frame
  const { say } = words
  const { frame: own } = words.of(consoleWords)
  return document(
    frame,
    html`<a class="skip" href="#content">${say.skip}</a>
<header class="top"><a class="brand" href="/console">${mark()}<span>${say.brand}</span></a>
${frame.maySearch && searchForm(words)}
<div class="who">
<span class="bank">${frame.bank}</span>
<details class="menu">
<summary>
<span class="avatar" aria-hidden="true">${initials(person.name)}</span>
<span class="name">${person.name}<small>${say.roles[person.role]}</small></span>
</summary>
${menuOf(frame)}
</details>
</div>
</header>
${frame.mode === 'test' && testMode(frame)}
<nav class="side" aria-label="${own.main}"><ul>${frame.places.map((place) => placeIn(frame, place))}</ul></nav>
<main id="content" tabindex="-1">
<p class="notice bad" role="status" data-offline hidden>${own.offline}</p>
${frame.notices}${main}</main>
${helpDialog(frame)}`,
  )
}

function searchForm(words: Words): Html {
  const { frame: own } = words.of(consoleWords)
  return html`<form class="find" role="search" action="/console/search">
<label class="hidden" for="find">${own.search}</label>
<input id="find" name="q" type="search" maxlength="200" placeholder="${own.searchHint}" autocomplete="off"
data-hotkey="/"
role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="found" data-suggest="found">
<kbd aria-hidden="true">/</kbd>
<div class="found" id="found" role="listbox" aria-label="${own.search}" hidden></div></form>`
}

/** What a person does for themselves. */
function menuOf({ words, otherModes }: Frame): Html {
  const { frame: own, help } = words.of(consoleWords)
  return html`<div class="sheet">
<a href="/console/me">${own.me}</a>
${otherModes.map(
  (mode) =>
    html`<form method="post" action="/console/book">
<button name="mode" value="${mode}">${own.switchTo[mode]}</button>
</form>`,
)}
${languageForm(words)}
<button type="button" data-js data-help>${help.open} <kbd aria-hidden="true">?</kbd></button>
<button type="button" data-theme-toggle>${own.theme}</button>
<form method="post" action="/console/sign-out"><button>${own.signOut}</button></form>
</div>`
}

/** The clock of a test book. */
function testMode({ words, now, mayMoveClock }: Frame): Html {
  const { frame: own } = words.of(consoleWords)
  return html`<aside class="mode" aria-label="${own.testMode}">
<b>${own.testMode}</b>
<span><span class="full">${own.clock}</span> <time>${words.instant(now)}</time><span class="full">.</span></span>
${mayMoveClock && html`<a href="/console/clock">${own.moveClock}</a>`}
</aside>`
}

function placeIn({ words, section, waiting }: Frame, place: Section): Html {
  const { frame: own } = words.of(consoleWords)
  const isCurrent = place === section && trusted(' aria-current="page"')
  const count = place === 'approvals' ? waiting : 0
  return html`<li><a href="/console/${place}"${isCurrent} data-go="${LETTERS[place]}">
${icon(place)}<span>${words.say.sections[place]}</span>
${count > 0 && html`<b class="count">${count}<span class="hidden"> ${own.waiting}</span></b>`}
</a></li>`
}

/** The keys, and what the page is for; the script opens it. */
function helpDialog({ words, places, section, path, maySearch }: Frame): Html {
  const { help: say } = words.of(consoleWords)
  const key = (keys: string, text: string) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${text}</dd></div>`
  return html`<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">${say.open}</h2>
<p>${purposeOf(path, section, say.purposes)}</p>
<dl class="pairs">
${maySearch && key('/', say.search)}
${maySearch && key('↓ ↑ ↵', say.choose)}
${places.map((place) => key(`g ${LETTERS[place]}`, say.go(words.say.sections[place])))}
${section === 'deposits' && key('b', say.break)}
${key('?', say.help)}
${key('Esc', say.escape)}
</dl>
<div class="row"><button type="button" class="button" data-close autofocus>${say.close}</button></div>
</dialog>`
}

/** What a page is for; one that a form led to has the purpose of the page above it, or of its place. */
export function purposeOf(
  path: string,
  section: Section | null,
  purposes: Readonly<Record<string, string>>,
): string {
  for (let above = path; above.length > 1; above = above.slice(0, above.lastIndexOf('/'))) {
    const found = purposes[above]
    if (found !== undefined) return found
  }
  return purposes[`/${section ?? ''}`]!
}

/** For people who are not signed in, and for failures. */
export function barePage(page: { title: string; words: Words; assets: Assets }, main: Html): string {
  return document(
    page,
    html`<main class="card door"><p class="brand">${mark()}<span>${page.words.say.brand}</span></p>${main}
<footer class="languages">${languageForm(page.words)}</footer></main>`,
    'gate',
  )
}

function document(page: { title: string; words: Words; assets: Assets }, body: Html, className = ''): string {
  const { title, words, assets } = page
  return render(html`<!doctype html>
<html lang="${words.locale}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${words.say.brand}</title>
<script src="${assets.early}"></script>
<link rel="icon" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body class="${className}">
${body}
</body>
</html>`)
}

/** The languages that the page is not in, each named in itself. */
function languageForm({ locale }: Words): Html {
  return html`<form method="post" action="/console/language">${LANGUAGES.filter(
    (code) => !locale.startsWith(code),
  ).map(
    (code) => html`<button name="language" value="${code}" lang="${code}">${LANGUAGE_NAMES[code]}</button>`,
  )}</form>`
}

const LANGUAGE_NAMES: Record<LanguageCode, string> = { en: 'English', fr: 'Français' }

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

const MARK =
  '<rect width="32" height="32" rx="7"/><path d="M5 19c3.7 0 3.7-3 7.3-3s3.7 3 7.3 3 3.7-3 7.4-3M5 25c3.7 0 3.7-3 7.3-3s3.7 3 7.3 3 3.7-3 7.4-3M9 11h14"/>'

function mark(): Html {
  return trusted(`<svg viewBox="0 0 32 32" aria-hidden="true">${MARK}</svg>`)
}

export const ICON_FILE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<g fill="#0a566f" stroke="none">${MARK.split('/>')[0]}/></g>
<g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round">${MARK.slice(MARK.indexOf('<path'))}</g>
</svg>`

const ICONS: Record<Section, string> = {
  customers: '<circle cx="12" cy="8" r="3.5"/><path d="M5 20c0-3.9 3.1-6.5 7-6.5s7 2.6 7 6.5"/>',
  deposits:
    '<rect x="3.5" y="5" width="17" height="14" rx="2"/><circle cx="12" cy="12" r="3"/><path d="M6.5 12h.01M17.5 12h.01"/>',
  approvals: '<circle cx="12" cy="12" r="8.5"/><path d="m8.5 12 2.5 2.5 4.5-5"/>',
  report: '<path d="M4 20.5h16M7 16v-4M12 16V6M17 16V9"/>',
  products: '<path d="M4 8.5 12 4l8 4.5v7L12 20l-8-4.5z"/><path d="m4 8.5 8 4.5 8-4.5M12 13v7"/>',
  rules:
    '<path d="M4 8h9M17 8h3M4 16h3M11 16h9"/><circle cx="15" cy="8" r="2"/><circle cx="9" cy="16" r="2"/>',
  webhooks:
    '<circle cx="12" cy="6.5" r="2.5"/><circle cx="6" cy="17.5" r="2.5"/><circle cx="18" cy="17.5" r="2.5"/><path d="M12 9v3l-4.5 3.5M12 12l4.5 3.5"/>',
  batches: '<path d="M4 7.5h16M4 12h16M4 16.5h9"/><path d="m16 17 1.5 1.5L20.5 15"/>',
  audit: '<path d="M6 3.5h9l4 4V20.5H6z"/><path d="M9 11h6M9 15h6"/>',
  access: '<circle cx="8" cy="12" r="3.5"/><path d="M11.5 12H20M17 12v3.5"/>',
}

function icon(name: Section): Html {
  return trusted(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`)
}
