/** What charts share: they are drawn on the server as SVG, so that they print, need no script and follow the theme. */
import type { IsoDate } from '../domain/dates.ts'
import type { Words } from '../words/words.ts'
import { type Html, html } from './html.ts'
import { headedTable } from './table.ts'

/** One bar for each day, the last one marked. */
export function barChart(
  days: readonly { on: IsoDate; amount: bigint; href?: string }[],
  say: { title: string; day: string; amount: string; table: string },
  words: Words,
): Html {
  const most = days.reduce((top, { amount }) => (amount > top ? amount : top), 0n)
  const top = niceCeiling(most)
  const y = (amount: bigint) => 190 - Number((amount * 1600n) / top) / 10
  const x = (place: number) => percent(place / days.length)
  const bar = ({ on, amount }: { on: IsoDate; amount: bigint }, index: number) => {
    const toLast = days.length - 1 - index
    const label = html`<text class="tick${toLast % 8 === 4 && ' spare'}" x="${x(index + 0.5)}" y="210"
text-anchor="middle">${words.dayOfYear(on)}</text>`
    return html`<rect class="bar${toLast === 0 && ' last'}" x="${x(index + 0.15)}" y="${fixed(y(amount))}"
width="${x(0.7)}" height="${fixed(190 - y(amount))}" rx="2">
<title>${words.day(on)}: ${words.money(amount)}</title></rect>${toLast % 4 === 0 && label}`
  }
  const row = ({ on, amount, href }: (typeof days)[number]) => {
    const day = words.day(on)
    return [href === undefined ? day : html`<a href="${href}">${day}</a>`, words.money(amount)]
  }
  const table = headedTable([say.day, say.amount], days.toReversed().map(row), { areNumbers: true })
  return html`<figure class="chart"><svg class="outlook" height="224" role="img" aria-labelledby="bars-title">
<title id="bars-title">${say.title}</title>
${[0n, top / 2n, top].map((tick) => amountTick(tick, y(tick), words))}
${days.map(bar)}</svg>
<details><summary>${say.table}</summary>${table}</details></figure>`
}

export function amountTick(amount: bigint, y: number, words: Words): Html {
  const text = amount === 0n ? '0' : words.short(amount)
  return html`<line class="grid" x2="100%" y1="${fixed(y)}" y2="${fixed(y)}"/>
<text class="tick" x="-8" y="${fixed(y + 4)}" text-anchor="end">${text}</text>`
}

/** Quarters of it read well. */
export function niceCeiling(amount: bigint): bigint {
  if (amount <= 100n) return 100n
  let power = 1n
  while (power * 10n < amount) power *= 10n
  for (const tenths of [10n, 12n, 16n, 20n, 24n, 30n, 40n, 50n, 60n, 80n]) {
    const candidate = (power * tenths) / 10n
    if (candidate >= amount) return candidate
  }
  return power * 10n
}

export function fixed(value: number): string {
  return value.toFixed(1)
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}
