/** How the reference looks: quiet, readable on a phone and on paper, light or dark as the reader prefers. */
export const STYLE = `
:root {
  --paper: #fbfaf7; --panel: #f3f1ea; --ink: #1f2730; --soft: #59636e; --line: #e2dfd5;
  --accent: #0a566f; --mark: #e7f0f2; --text: #7a4a12; --value: #1b6a4b;
  --get: #1b6a4b; --post: #0a566f; --put: #7a4a12; --delete: #9b2c2c;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', sans-serif;
  --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'URW Palladio L', 'Book Antiqua', Georgia, serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14191e; --panel: #1b2228; --ink: #dde3e8; --soft: #9aa6b1; --line: #2c353d;
    --accent: #7cc4d8; --mark: #1d2c33; --text: #e0b483; --value: #8fd0b0;
    --get: #8fd0b0; --post: #7cc4d8; --put: #e0b483; --delete: #f0a3a3;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -99rem; padding: 0.5rem 1rem; background: var(--paper); }
.skip:focus { left: 0.5rem; top: 0.5rem; z-index: 1; }

code, pre { font-family: var(--mono); font-size: 0.86em; font-variant-ligatures: none; }
p code, li code, dd code { padding: 0.08em 0.3em; background: var(--panel); border-radius: 3px; overflow-wrap: anywhere; }
pre {
  margin: 0; padding: 0.9rem 1.1rem; overflow: auto; max-height: 32rem; background: var(--panel); border-radius: 6px;
  line-height: 1.55; tab-size: 2;
}
pre code { font-size: 0.8125rem; }
.command { white-space: pre-wrap; overflow-wrap: anywhere; }
.name { color: var(--ink); } .text { color: var(--text); } .value { color: var(--value); }

main { padding: 2.5rem 1.25rem 6rem; max-width: 92rem; }
h1, h2 { font-family: var(--serif); font-weight: 600; letter-spacing: -0.01em; line-height: 1.15; text-wrap: balance; }
h1 { margin: 0 0 0.5rem; font-size: clamp(2.4rem, 6vw, 3.4rem); }
h2 { margin: 0 0 0.75rem; font-size: clamp(1.6rem, 4vw, 2.05rem); }
h3 { margin: 0 0 0.6rem; font-size: 1.2rem; font-weight: 650; line-height: 1.35; text-wrap: balance; }
h4 { margin: 1.8rem 0 0.3rem; font-size: 0.8125rem; font-weight: 650; color: var(--soft); letter-spacing: 0.02em; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
h3 code { font-size: 1.05rem; font-weight: 600; overflow-wrap: anywhere; }
.summary { margin: 0; font: 1.25rem/1.45 var(--serif); color: var(--soft); }
.facts { margin: 0.9rem 0 0; font-size: 0.875rem; color: var(--soft); }
.lead { margin: 0; color: var(--soft); max-width: 42rem; }
section { padding-top: 4rem; }
.guide { max-width: 42rem; padding-top: 2.75rem; }
.guide p, .guide ul { margin: 0 0 1rem; }
.guide ul { padding-left: 1.1rem; } .guide li { margin-bottom: 0.4rem; }
.guide pre { margin: 0 0 1rem; }

article { padding: 2.5rem 0; border-bottom: 1px solid var(--line); }
article:last-child { border-bottom: 0; }
.words p { margin: 0 0 0.5rem; font-size: 0.9375rem; color: var(--soft); }
.words .request { font-size: 1rem; color: var(--ink); }
.request { display: flex; gap: 0.6rem; align-items: baseline; }
.request code { padding: 0; background: none; overflow-wrap: anywhere; }
.method { font: 650 0.72rem/1 var(--mono); letter-spacing: 0.03em; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
.status { font: 600 0.78rem/1 var(--mono); color: var(--soft); }

.fields { margin: 0; }
.fields > div { padding: 0.6rem 0; border-top: 1px solid var(--line); }
.fields > div:first-child { border-top: 0; padding-top: 0.2rem; }
.fields.index { margin-top: 1.25rem; max-width: 92rem; }
.fields.index > div:first-child { border-top: 1px solid var(--line); padding-top: 0.6rem; }
.fields > div:target, article:target h3 { background: var(--mark); box-shadow: 0 0 0 0.35rem var(--mark); border-radius: 2px; }
dt { display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; align-items: baseline; }
.fields dt code { padding: 0; background: none; color: var(--ink); font-weight: 600; overflow-wrap: anywhere; }
dd { margin: 0.1rem 0 0; font-size: 0.9375rem; color: var(--soft); }
.type, .tag { font-size: 0.8125rem; color: var(--soft); }
.tag { font-style: italic; }
.bounds::before { content: '('; } .bounds::after { content: ')'; }
.values a { text-decoration: none; }
.members { margin-top: 0.35rem; }
.members > .fields { margin-left: 0.15rem; padding-left: 0.95rem; border-left: 2px solid var(--line); }
summary { cursor: pointer; font-size: 0.875rem; color: var(--accent); width: fit-content; }
figure { margin: 0 0 1.1rem; }
figcaption { margin-bottom: 0.3rem; font-size: 0.8125rem; font-weight: 650; color: var(--soft); letter-spacing: 0.02em; }
.samples { margin-top: 1.8rem; min-width: 0; }
.words { min-width: 0; }

nav ul { margin: 0 0 1.1rem; padding: 0; list-style: none; }
nav a { display: block; padding: 0.16rem 0; color: var(--soft); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav .method { display: inline-block; width: 3.2em; font-size: 0.625rem; }
.group, .group a { margin: 0 0 0.2rem; font-weight: 650; color: var(--ink); }
nav, .contents { font-size: 0.875rem; line-height: 1.45; }
.side { display: none; }
.contents { margin-top: 1.5rem; padding: 0.7rem 1rem; background: var(--panel); border-radius: 6px; }
.contents nav { margin-top: 0.9rem; }

@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); }
  .side {
    display: block; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2.6rem 1.25rem 3rem 1.5rem;
    border-right: 1px solid var(--line);
  }
  .contents { display: none; }
  .values code { white-space: nowrap; }
  main { padding: 3.5rem clamp(2rem, 4vw, 4.5rem) 8rem; }
}
@media (min-width: 82rem) {
  article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 3.5rem; }
  .samples { position: sticky; top: 1.5rem; align-self: start; margin-top: 0; max-height: calc(100vh - 3rem); overflow-y: auto; }
  .samples pre { max-height: none; }
  .fields.index { columns: 2; column-gap: 3.5rem; }
  .fields.index > div { break-inside: avoid; }
}
@media print {
  :root { --paper: #fff; --panel: #f6f6f4; --ink: #000; --soft: #333; --line: #ccc; }
  body { display: block; font-size: 10pt; }
  .side, .contents, .skip { display: none; }
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
