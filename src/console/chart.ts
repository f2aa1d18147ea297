/**
 * The picture of a term: what the customer keeps of the interest, and what the charge takes, on each day. Drawn on the
 * server as SVG: it prints, needs no script, and has the same figures as a table.
 */
import { daysBetween, type IsoDate } from '../domain/dates.ts'
import { type Html, html, trusted } from '../wire/html.ts'
import { recordTable } from './table.ts'
import type { Words } from './words.ts'

export type OutlookDay = {
  on: IsoDate
  interest: bigint
  penal: bigint
  /** Withheld from what is paid on this day. */
  tax: bigint
  ruleIndex: number | null
}

/*
 * A chart is as wide as its card, and its texts have one size on every screen: heights are pixels, places on the time
 * axis are percent, and only the areas and lines, which have no text, are stretched.
 */
const HEIGHT = 264
const TOP = 26
const FLOOR = HEIGHT - 30
/** Width of the space that is stretched. */
const STRETCHED = 600

export function outlookChart(
  days: readonly OutlookDay[],
  marks: { on: IsoDate; better: OutlookDay | null; principal: bigint; stepDays: number },
  words: Words,
): Html {
  const { chart: say } = words.say
  const first = days[0]!
  const last = days.at(-1)!
  const term = Math.max(1, daysBetween(first.on, last.on))
  const top = niceCeiling(last.interest)
  const share = (on: IsoDate) => daysBetween(first.on, on) / term
  const x = (on: IsoDate) => percent(share(on))
  const y = (amount: bigint) => FLOOR - (Number(amount) / Number(top)) * (FLOOR - TOP)
  const pathOf = (value: (day: OutlookDay) => bigint) =>
    simplified(days.map((day) => [share(day.on) * STRETCHED, y(value(day))]))
  const [keptPath, accruedPath] = [pathOf(kept), pathOf(({ interest }) => interest)]
  const line = (points: Point[]) => `M${points.map(spell).join('L')}`
  const keptArea = `${line(keptPath)}L${STRETCHED} ${FLOOR}L0 ${FLOOR}Z`
  const on = marks.on < first.on ? first.on : marks.on > last.on ? last.on : marks.on
  const now = days.findLast((day) => day.on <= on)!
  const past = fixed(share(on) * STRETCHED)
  const { better } = marks
  const receives = (day: OutlookDay) => marks.principal + kept(day) - day.tax
  const isTaxed = days.some(({ tax }) => tax > 0n)
  const ticks = [0n, top / 4n, top / 2n, (top * 3n) / 4n, top]
  const data = {
    start: first.on,
    step: marks.stepDays,
    last: term,
    floor: FLOOR,
    height: FLOOR - TOP,
    top: Number(top),
    principal: Number(marks.principal),
    currency: words.currency,
    currencyDisplay: words.currencyDisplay,
    reading: say.reading('{0}', '{1}', '{2}'),
    days: days.map(({ interest, penal, tax }) =>
      [interest, penal, ...(isTaxed ? [tax] : [])].map((amount) => Number(amount)),
    ),
  }
  return html`<figure class="chart" data-outlook aria-label="${say.label}">
<figcaption><span class="key kept-key">${say.kept}</span><span class="key charged-key">${say.charged}</span>${isTaxed && html`<span>${say.beforeTax}</span>`}</figcaption>
<svg class="outlook" height="${HEIGHT}" role="img" aria-labelledby="outlook-title outlook-desc"><title id="outlook-title">${say.title}</title>
<desc id="outlook-desc">${say.now(words.day(now.on), words.money(kept(now)), words.money(now.interest))} ${better !== null && say.better(words.day(better.on), words.money(kept(better)))} ${say.end(words.day(last.on), words.money(last.interest))}</desc>
<rect class="ground" width="100%" height="${HEIGHT}"/>
${ticks.map((tick) => amountTick(tick, y(tick), words))}
${monthStarts(first.on, last.on).map(
  (month, index) =>
    html`<line class="month" x1="${x(month)}" x2="${x(month)}" y1="${FLOOR}" y2="${FLOOR + 4}"/><text class="tick${index % 2 === 1 && ' spare'}" x="${x(month)}" y="${FLOOR + 18}" text-anchor="middle">${words.month(month)}</text>`,
)}
<svg viewBox="0 0 ${STRETCHED} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none">
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><line class="hatch-line" x1="0" y1="0" x2="0" y2="6"/></pattern>
<clipPath id="past"><rect width="${past}" height="${HEIGHT}"/></clipPath>
<clipPath id="coming"><rect x="${past}" width="${STRETCHED}" height="${HEIGHT}"/></clipPath></defs>
<g clip-path="url(#past)" class="past"><path class="kept" d="${keptArea}"/><path class="kept-line" d="${line(keptPath)}"/></g>
<g clip-path="url(#coming)"><path class="charged" d="${line(accruedPath)}L${keptPath.toReversed().map(spell).join('L')}Z"/><path class="kept" d="${keptArea}"/><path class="accrued-line" d="${line(accruedPath)}"/><path class="kept-line" d="${line(keptPath)}"/></g></svg>
<line class="today" x1="${x(on)}" x2="${x(on)}" y1="${TOP - 8}" y2="${FLOOR}"/>
<text class="mark" x="${x(on)}" y="${TOP - 13}" text-anchor="${anchorAt(share(on))}">${words.day(on)}</text>
<circle class="dot" cx="${x(now.on)}" cy="${fixed(y(kept(now)))}" r="4.5"/>
${better !== null && html`<circle class="dot hollow" cx="${x(better.on)}" cy="${fixed(y(kept(better)))}" r="4.5"/>`}
<line class="cursor" x1="0" x2="0" y1="${TOP}" y2="${FLOOR}" visibility="hidden"/><circle class="cursor-dot" r="4.5" visibility="hidden"/></svg>
<div class="scrub"><label for="day">${say.day}</label><input id="day" type="range" min="0" max="${days.length - 1}" value="${days.indexOf(now)}"><output for="day">${say.reading(words.day(now.on), words.money(receives(now)), words.money(now.penal))}</output></div>
<script type="application/json">${trusted(JSON.stringify(data).replaceAll('<', '\\u003c'))}</script>
<details><summary>${say.table}</summary>${recordTable(
    tableDays(days, now),
    [
      { name: say.brokenOn, cell: ({ on }) => words.day(on) },
      { name: say.interest, isNumber: true, cell: ({ interest }) => words.plain(interest) },
      { name: say.charge, isNumber: true, cell: ({ penal }) => words.plain(penal) },
      isTaxed && { name: say.tax, isNumber: true, cell: ({ tax }) => words.plain(tax) },
      { name: say.receives, isNumber: true, cell: (day) => words.plain(receives(day)) },
    ],
    { label: say.table, isCurrent: (day) => day === now },
  )}</details></figure>`
}

function amountTick(amount: bigint, y: number, words: Words): Html {
  return html`<line class="grid" x2="100%" y1="${fixed(y)}" y2="${fixed(y)}"/><text class="tick" x="-8" y="${fixed(y + 4)}" text-anchor="end">${amount === 0n ? '0' : words.short(amount)}</text>`
}

/** A text stays within the chart. */
function anchorAt(share: number): 'start' | 'middle' | 'end' {
  if (share < 0.15) return 'start'
  return share > 0.85 ? 'end' : 'middle'
}

function kept({ interest, penal }: OutlookDay): bigint {
  return interest - penal
}

/** The chosen day, each day on which another rule begins, the first of each month, and maturity. */
function tableDays(days: readonly OutlookDay[], now: OutlookDay): OutlookDay[] {
  return days.filter((day, index) => {
    if (day.on < now.on) return false
    const before = days[index - 1]
    return day === now || day === days.at(-1) || before?.ruleIndex !== day.ruleIndex || day.on.endsWith('-01')
  })
}

type Point = [x: number, y: number]

/** Half of what a screen shows. */
const DEVIATION_MAX = 0.3

/** Leaves out points that lie on the line between their neighbours: a term is mostly straight. */
function simplified(points: readonly Point[]): Point[] {
  const chosen: Point[] = [points[0]!]
  let from = 0
  for (let to = 2; to <= points.length; to += 1) {
    if (to < points.length && isStraight(points, from, to)) continue
    from = to - 1
    chosen.push(points[from]!)
  }
  return chosen
}

const LOOKED_BACK_MAX = 60

function isStraight(points: readonly Point[], from: number, to: number): boolean {
  if (to - from > LOOKED_BACK_MAX) return false
  const [fromX, fromY] = points[from]!
  const [toX, toY] = points[to]!
  for (let index = from + 1; index < to; index += 1) {
    const [x, y] = points[index]!
    const straight = fromY + ((x - fromX) / (toX - fromX)) * (toY - fromY)
    if (Math.abs(straight - y) > DEVIATION_MAX) return false
  }
  return true
}

function spell([x, y]: Point): string {
  return `${fixed(x)} ${fixed(y)}`
}

function monthStarts(from: IsoDate, to: IsoDate): IsoDate[] {
  const months: IsoDate[] = []
  let [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))]
  for (;;) {
    month += 1
    if (month > 12) [year, month] = [year + 1, 1]
    const on = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01` as IsoDate
    if (on > to) break
    months.push(on)
  }
  const every = Math.ceil(months.length / 14)
  return months.filter((_, index) => index % every === 0)
}

/** Quarters of it read well. */
function niceCeiling(amount: bigint): bigint {
  if (amount <= 100n) return 100n
  let power = 1n
  while (power * 10n < amount) power *= 10n
  for (const tenths of [10n, 12n, 16n, 20n, 24n, 30n, 40n, 50n, 60n, 80n]) {
    const candidate = (power * tenths) / 10n
    if (candidate >= amount) return candidate
  }
  return power * 10n
}

function fixed(value: number): string {
  return value.toFixed(1)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}

/** The share that is charged over a term, in percent for each hundredth of it: now, and as proposed. */
export function stepChart(
  shares: { now: readonly number[]; proposed: readonly number[] },
  words: Words,
): Html {
  const { rules: say } = words.say
  const y = (share: number) => 150 - share * 1.2
  const path = (values: readonly number[]) =>
    stepsOf(values)
      .map(
        ({ from, to, share }, index) =>
          `${index === 0 ? 'M' : 'L'}${from} ${fixed(y(share))}L${to} ${fixed(y(share))}`,
      )
      .join('')
  const reading = (values: readonly number[]) =>
    stepsOf(values)
      .map(({ from, share }) => say.step(share, from))
      .join(', ')
  return html`<figure class="chart tier"><figcaption><span class="key now-key">${say.keyNow}</span><span class="key kept-key">${say.keyProposed}</span></figcaption><svg class="outlook" height="184" role="img" aria-labelledby="step-title step-desc"><title id="step-title">${say.chart}</title><desc id="step-desc">${say.chartText(reading(shares.now), reading(shares.proposed))}</desc>${[
    0, 50, 100,
  ].map(
    (tick) =>
      html`<line class="grid" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="-8" y="${y(tick) + 4}" text-anchor="end">${tick} %</text>`,
  )}${[0, 25, 50, 75, 100].map((tick) => html`<text class="tick" x="${tick}%" y="170" text-anchor="${tick === 100 ? 'end' : 'middle'}">${tick} %</text>`)}<svg viewBox="0 0 100 184" width="100%" height="184" preserveAspectRatio="none"><path class="now-line" d="${path(shares.now)}"/><path class="kept-line" d="${path(shares.proposed)}"/></svg></svg></figure>`
}

function stepsOf(values: readonly number[]): { from: number; to: number; share: number }[] {
  const steps: { from: number; to: number; share: number }[] = []
  for (const [index, share] of values.entries()) {
    const last = steps.at(-1)
    if (last !== undefined && last.share === share) last.to = index + 1
    else steps.push({ from: index, to: index + 1, share })
  }
  return steps
}

/** One bar for each day, the last one marked. */
export function barChart(
  days: readonly { on: IsoDate; amount: bigint }[],
  say: { title: string; day: string; amount: string; table: string },
  words: Words,
): Html {
  const most = days.reduce((top, { amount }) => (amount > top ? amount : top), 0n)
  const top = niceCeiling(most)
  const y = (amount: bigint) => 190 - Number((amount * 1600n) / top) / 10
  const x = (place: number) => percent(place / days.length)
  const bar = ({ on, amount }: { on: IsoDate; amount: bigint }, index: number) => {
    const toLast = days.length - 1 - index
    return html`<rect class="bar${toLast === 0 && ' last'}" x="${x(index + 0.15)}" y="${fixed(y(amount))}" width="${x(0.7)}" height="${fixed(190 - y(amount))}" rx="2"><title>${words.day(on)}: ${words.money(amount)}</title></rect>${toLast % 4 === 0 && html`<text class="tick${toLast % 8 === 4 && ' spare'}" x="${x(index + 0.5)}" y="210" text-anchor="middle">${words.dayOfYear(on)}</text>`}`
  }
  return html`<figure class="chart"><svg class="outlook" height="224" role="img" aria-labelledby="bars-title"><title id="bars-title">${say.title}</title>${[0n, top / 2n, top].map((tick) => amountTick(tick, y(tick), words))}${days.map(bar)}</svg><details><summary>${say.table}</summary><table><thead><tr><th scope="col">${say.day}</th><th scope="col" class="num">${say.amount}</th></tr></thead><tbody>${days.toReversed().map(({ on, amount }) => html`<tr><th scope="row">${words.day(on)}</th><td class="num">${words.money(amount)}</td></tr>`)}</tbody></table></details></figure>`
}
