/** The frame of a letter to a customer: one printable page, without script. */
import { readFileSync } from 'node:fs'
import type { Holder, Letterhead, Sender } from '../domain/letterhead.ts'
import type { SealHead } from '../domain/seal.ts'
import type { Words } from '../words/words.ts'
import { type Html, html, render, trusted } from './html.ts'

export function letterPage(title: string, head: Letterhead, letter: Html, words: Words): string {
  return render(html`<!doctype html>
<html lang="${words.locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${trusted(LETTER_STYLE)}</style></head>
<body>${senderBlock(head)}<h1>${title}</h1>${letter}${letterEnd(head, words)}</body></html>
`)
}

/** The same letter in the frame of the console, whose style prints the letter alone. It may speak another language. */
export function printedLetter(
  title: string,
  head: Letterhead,
  letter: Html,
  { words, reader }: { words: Words; reader: Words },
): Html {
  return html`<article class="advice card" lang="${words.locale}"><header class="head">
<div>${senderBlock(head)}<h1>${title}</h1></div>
${printButton(reader)}</header>
${letter}
${letterEnd(head, words)}</article>`
}

export function printButton({ say, locale }: Words): Html {
  return html`<button class="button" type="button" lang="${locale}" data-js data-print>${say.letters.print}</button>`
}

/** The bank at the head of a page of paper. */
export function senderBlock({ bank, bankAddress, logo }: Sender): Html {
  return html`<div class="sender">${logo !== null && html`<img src="${logo}" alt="">`}
<p><b>${bank}</b>${bankAddress !== null && html`<br><span class="soft">${bankAddress}</span>`}</p></div>`
}

function letterEnd({ issuedOn, seal }: Letterhead, words: Words): Html {
  return html`<div class="ending"><p class="soft">${words.say.letters.issued(words.day(issuedOn))}</p>
${signatureLine(words)}${seal && sealLine(seal, words)}</div>`
}

export function signatureLine({ say }: Words): Html {
  return html`<p class="signature">${say.letters.signature}</p>`
}

/** The newest head: a person who keeps the letter can prove later that nothing before it was changed. */
export function sealLine({ sealNo, head }: SealHead, words: Words): Html {
  return html`
<p class="soft">
<small>${words.say.seal(sealNo)} <code>${head}</code></small>
</p>`
}

/** Colours and fonts of the console; paper is always light. */
const TOKENS = readFileSync(new URL('./style/tokens.css', import.meta.url), 'utf8')

export const LETTER_STYLE = `
${TOKENS}:root { color-scheme: light; background: var(--surface) }
body { font: 11pt/1.5 var(--sans); color: var(--ink); max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem }
address { font-style: normal; white-space: pre-line; margin: 1rem 0 }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid var(--line); font-weight: inherit }
.num, .sum td { text-align: right; font-variant-numeric: tabular-nums }
td.num, .sum td, .nowrap { white-space: nowrap }
.total, .last { font-weight: 700 } .soft, small { color: var(--soft) } .hidden { display: none }
.signature { border-top: 1px solid var(--ink); width: 16rem; margin: 3.5rem 0 1rem auto; padding-top: .3rem; font-size: .85rem }
.sender { display: flex; gap: 1rem; align-items: center; white-space: pre-line }
.sender p { margin: 0 } .sender img { max-height: 18mm; max-width: 60mm }
code { font-family: var(--mono); overflow-wrap: anywhere }
thead { display: table-header-group } tr, .ending { break-inside: avoid }
@page { size: A4; margin: 18mm }
@media print {
  body { margin: 0; max-width: none; padding: 0 }
  .many :is(th, td, code, small) { font-size: 8.5pt }
  .many :is(th, td) { padding-inline: .25rem }
}
`

export function addressOf({ name, address }: Holder): Html {
  return html`<address>${name}<br>${address}</address>`
}
