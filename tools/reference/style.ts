/**
 * The style of the reference: the colours and sizes of the console; readable on a phone and on paper, light or dark.
 */
import { readFileSync } from 'node:fs'

/** Colours, sizes and fonts of the console. */
const tokens = readFileSync(new URL('../../src/page/style/tokens.css', import.meta.url), 'utf8')

export const STYLE = `
${tokens}:root {
  --paper: var(--bg); --mark: var(--accent-soft); --text: var(--warn); --value: var(--good);
  --get: var(--good); --post: var(--accent); --put: var(--warn); --delete: var(--bad);
  --shade: light-dark(rgb(24 33 42 / 14%), rgb(0 0 0 / 50%)); --top: 3.75rem;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: calc(var(--top) + 1.5rem); -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 0.9375rem/1.6 var(--sans); }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: fixed; left: -99rem; top: 0.5rem; z-index: 9; padding: 0.5rem 1rem; background: var(--surface); }
.skip:focus { left: 0.5rem; }

.top {
  position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 1rem; height: var(--top); padding: 0 1.25rem;
  background: var(--surface); border-bottom: 1px solid var(--line);
}
.brand { display: flex; align-items: center; gap: 0.6rem; font-size: 1.0625rem; font-weight: 650; color: var(--ink); text-decoration: none; }
.document { margin-left: auto; font-size: 0.875rem; white-space: nowrap; }
.search { position: relative; flex: 0 1 34rem; }
.search kbd {
  position: absolute; right: 0.6rem; top: 0.55rem; padding: 0.1rem 0.45rem; font: 0.8125rem/1.2 var(--mono); color: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; background: var(--surface); pointer-events: none;
}
.search input:focus + kbd { display: none; }
#results {
  position: absolute; inset: calc(100% + 0.5rem) 0 auto; max-height: min(34rem, calc(100vh - 6rem)); overflow-y: auto; padding: 0.75rem;
  background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 12px 32px var(--shade);
}
#results p { margin: 0.25rem 0.5rem; font-size: 0.8125rem; color: var(--soft); }
#results ul { margin: 0 0 0.5rem; padding: 0; list-style: none; }
#results a { display: block; padding: 0.35rem 0.5rem; line-height: 1.4; border-radius: 8px; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
#results a:hover, #results a:focus { background: var(--mark); }
#results a b { font-weight: 600; }
#results a span { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.8125rem; color: var(--soft); }

.button {
  min-height: 2.25rem; padding: 0 0.9rem; font: 600 0.875rem/1 var(--sans); color: var(--ink); background: var(--surface);
  border: 1px solid var(--edge); border-radius: 8px; cursor: pointer; white-space: nowrap;
}
.button:hover { background: var(--sunken); }
.button.primary { min-height: 2.75rem; padding: 0 1.25rem; font-size: 0.9375rem; background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button:disabled { opacity: 0.6; cursor: default; }
input:not([type='radio']), select, textarea {
  width: 100%; min-height: 2.5rem; padding: 0 0.75rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--edge); border-radius: 8px;
}
::placeholder { color: var(--soft); opacity: 1; overflow: visible; }

code, pre { font-family: var(--mono); font-size: 0.86em; font-variant-ligatures: none; }
p code, li code, dd code { padding: 0.1em 0.3em; background: var(--sunken); border-radius: 4px; overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.9rem 1rem; overflow: auto; max-height: 32rem; line-height: 1.6; tab-size: 4; }
pre:focus-visible { outline-offset: -3px; border-radius: 10px; }
pre code { font-size: 0.8125rem; }
.program { white-space: pre-wrap; overflow-wrap: anywhere; }
.name { color: var(--ink); } .text { color: var(--text); } .value { color: var(--value); }

main { padding: 2rem 1.25rem 6rem; max-width: 94rem; }
h1, h2 { line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; text-wrap: balance; }
h1 { margin: 0 0 0.5rem; font-size: clamp(1.75rem, 5vw, 2.375rem); }
h2 { margin: 0 0 0.75rem; font-size: clamp(1.375rem, 3vw, 1.625rem); }
h3 { margin: 0 0 0.9rem; font-size: 1.1875rem; font-weight: 650; line-height: 1.35; text-wrap: balance; }
h4 { margin: 1.75rem 0 0.4rem; font-size: 0.8125rem; font-weight: 650; color: var(--soft); }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
h3 code { font-size: 1.0625rem; font-weight: 600; overflow-wrap: anywhere; }
.summary { margin: 0; font-size: 1.125rem; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; margin: 1.25rem 0 0; }
.facts dt { font-size: 0.8125rem; color: var(--soft); }
.facts dd { margin: 0; color: var(--ink); }
.lead { margin: 0; color: var(--soft); max-width: 42rem; }
section { padding-top: 3.5rem; }
.guide { max-width: 44rem; padding-top: 2.25rem; }
.guide p, .guide ul { margin: 0 0 1rem; }
.guide ul { padding-left: 1.1rem; } .guide li { margin-bottom: 0.4rem; }
.guide h3 { margin-top: 1.75rem; }
.table { margin: 0 0 1rem; overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; line-height: 1.5; }
th, td { padding: 0.45rem 1rem 0.45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 650; color: var(--soft); }
td code { overflow-wrap: break-word; }

article { padding: 2.5rem 0; border-bottom: 1px solid var(--line); }
article:last-child { border-bottom: 0; }
.words, .samples { min-width: 0; }
.words > p { margin: 0 0 0.5rem; color: var(--soft); }
.request, .words > .request { display: flex; gap: 0.6rem; align-items: baseline; margin: 0 0 0.75rem; }
.request code { padding: 0; background: none; font-size: 0.875rem; color: var(--ink); }
.method { font: 650 0.72rem/1 var(--mono); letter-spacing: 0.03em; }
.request .method { padding: 0.3rem 0.45rem; border-radius: 4px; background: var(--sunken); }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
.status { font: 600 0.78rem/1 var(--mono); color: var(--soft); }

.fields { margin: 0; }
.fields > div { padding: 0.6rem 0; border-top: 1px solid var(--line); }
.fields > div:first-child { border-top: 0; padding-top: 0.2rem; }
.fields.index { margin-top: 1.25rem; }
.fields.index > div:first-child { border-top: 1px solid var(--line); padding-top: 0.6rem; }
.fields > div:target, .fields > div.found, article:target h3, article.found h3 {
  background: var(--mark); box-shadow: 0 0 0 0.4rem var(--mark); border-radius: 2px;
}
dt { display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; align-items: baseline; }
.fields dt code { padding: 0; background: none; font-weight: 600; overflow-wrap: anywhere; }
dd { margin: 0.1rem 0 0; color: var(--soft); }
.type, .tag { font-size: 0.8125rem; color: var(--soft); }
.tag { font-style: italic; }
.bounds::before { content: '('; } .bounds::after { content: ')'; }
.values a { text-decoration: none; }
.members { margin-top: 0.35rem; }
.members > .fields { margin: 0.25rem 0 0 0.15rem; padding-left: 0.95rem; border-left: 2px solid var(--line); }
summary { cursor: pointer; font-size: 0.875rem; color: var(--accent); width: fit-content; }

.sample { position: relative; margin: 0 0 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.samples { margin-top: 1.75rem; }
figcaption { padding: 0.65rem 10rem 0.65rem 1rem; font-size: 0.8125rem; font-weight: 650; color: var(--soft); border-bottom: 1px solid var(--line); }
.copy, .try { position: absolute; top: 0.35rem; right: 0.35rem; min-width: 4.5rem; min-height: 1.9rem; padding: 0 0.6rem; font-size: 0.8125rem; color: var(--accent); }
.copy { border-color: transparent; background: var(--surface); } .try { right: 5.1rem; }
.tabs { display: flex; margin: 0; padding: 0 0.5rem; border: 0; border-bottom: 1px solid var(--line); background: var(--paper); overflow-x: auto; }
.tabs legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.tabs label { position: relative; padding: 0.45rem 0.6rem; font-size: 0.8125rem; color: var(--soft); cursor: pointer; }
.tabs label:hover { color: var(--ink); }
.tabs label:has(:checked) { color: var(--accent); font-weight: 650; box-shadow: inset 0 -2px var(--accent); }
.tabs label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: -3px; border-radius: 4px; }
.tabs input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
@supports selector(:has(a)) {
  .tabs ~ .program { display: none; }
  .tabbed:has([value='curl']:checked) .curl, .tabbed:has([value='typescript']:checked) .typescript,
  .tabbed:has([value='python']:checked) .python, .tabbed:has([value='go']:checked) .go { display: block; }
}

nav ul { margin: 0 0 1.1rem; padding: 0; list-style: none; }
nav a { display: block; padding: 0.2rem 0.5rem; margin-left: -0.5rem; border-radius: 6px; color: var(--soft); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav a[aria-current] { background: var(--mark); color: var(--accent); font-weight: 600; }
nav .method { display: inline-block; width: 3.4em; font-size: 0.625rem; }
.group, .group a { margin-bottom: 0.2rem; font-weight: 650; color: var(--ink); }
nav .group { margin-top: 0; }
nav, .contents { font-size: 0.875rem; line-height: 1.45; }
.side { display: none; }
.contents { margin-top: 1.5rem; padding: 0.7rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
.contents nav { margin: 0.9rem 0 0 0.5rem; }

dialog { width: min(44rem, 100vw - 2rem); max-height: calc(100dvh - 2rem); padding: 1.5rem; color: var(--ink); background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 12px 48px var(--shade); }
dialog::backdrop { background: rgb(12 18 24 / 55%); }
.heading { display: flex; gap: 1rem; justify-content: space-between; align-items: start; margin-bottom: 0.5rem; }
.heading h2 { margin: 0.2rem 0 0; font-size: 1.1875rem; }
.field { margin: 1rem 0; }
.field label { display: block; margin-bottom: 0.25rem; font-size: 0.875rem; font-weight: 600; }
.field input, .field textarea { font-family: var(--mono); font-size: 0.875rem; }
.field textarea { padding: 0.6rem 0.75rem; line-height: 1.5; resize: vertical; display: block; }
.hint, .error { margin: 0.25rem 0 0; font-size: 0.8125rem; color: var(--soft); }
.error { color: var(--delete); font-weight: 600; }
[aria-invalid='true'] { border-color: var(--delete) !important; }
#try-answer { padding-top: 0; }
#try-answer:not(:empty) { padding-top: 1.25rem; }
#try-answer .good { color: var(--value); } #try-answer .bad { color: var(--delete); }

@media (max-width: 40rem) {
  .top { padding: 0 0.75rem; gap: 0.75rem; }
  .document, .search kbd { display: none; }
  .brand span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .search { flex: 1; }
  #results { position: fixed; inset: calc(var(--top) + 0.25rem) 0.5rem auto; max-height: calc(100dvh - var(--top) - 1rem); }
  dialog { width: 100vw; max-width: none; height: 100dvh; max-height: none; margin: 0; border: 0; border-radius: 0; padding: 1rem; }
}
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); }
  .top { grid-column: 1 / -1; padding-left: 1.5rem; }
  .brand { width: 16rem; }
  .side {
    display: block; position: sticky; top: var(--top); height: calc(100vh - var(--top)); overflow-y: auto;
    padding: 1.75rem 1rem 3rem 1.5rem; border-right: 1px solid var(--line);
  }
  .contents { display: none; }
  .values code { white-space: nowrap; }
  main { padding: 2.5rem clamp(2rem, 4vw, 4.5rem) 8rem; }
}
@media (min-width: 82rem) {
  article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 3rem; }
  .samples { position: sticky; top: calc(var(--top) + 1.25rem); align-self: start; margin-top: 0; max-height: calc(100vh - var(--top) - 2.5rem); overflow-y: auto; }
  .samples pre { max-height: none; }
  .fields.index { columns: 2; column-gap: 3rem; }
  .fields.index > div { break-inside: avoid; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #333; }
  body { display: block; font-size: 10pt; }
  .top, .side, .contents, .skip, .tabs, .copy, .try { display: none !important; }
  main { padding: 0; max-width: none; }
  details::details-content { content-visibility: visible; display: block; }
  article { display: block; break-inside: auto; }
  pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
  h2, h3, h4, dt { break-after: avoid; }
  .samples { position: static; max-height: none; }
}
`

/** Waves before a wall. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a566f"/>
<path d="M5 19c3.7 0 3.7-3 7.3-3s3.7 3 7.3 3 3.7-3 7.4-3M5 25c3.7 0 3.7-3 7.3-3s3.7 3 7.3 3 3.7-3 7.4-3M9 11h14"
 fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>`,
)}`
