/**
 * The picture of a term: what the customer keeps of the interest, and what the charge takes, on each day, with the same
 * figures as a table.
 */
import { daysBetween, type IsoDate } from '../../domain/dates.ts'
import type { OutlookDay } from '../../domain/outlook.ts'
import { amountTick, fixed, niceCeiling, percent } from '../../page/chart.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { recordTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { liquidationWords } from './words.ts'

/*
 * A chart is as wide as its card, and its texts have one size on every screen: heights are pixels, places on the time
 * axis are percent, and only the areas and lines, which have no text, are stretched.
 */
const HEIGHT = 264
const TOP = 26
const FLOOR = HEIGHT - 30
/** Width of the space that is stretched. */
const STRETCHED = 600

type Marks = { on: IsoDate; better: OutlookDay | null; principal: bigint; stepDays: number }

/** The days of a term and the places of its figures in the picture. */
type Frame = {
  days: readonly OutlookDay[]
  first: OutlookDay
  last: OutlookDay
  /** The chosen day, within the term, and its figures. */
  on: IsoDate
  now: OutlookDay
  top: bigint
  share: (on: IsoDate) => number
  x: (on: IsoDate) => string
  y: (amount: bigint) => number
  isTaxed: boolean
  isPaid: boolean
  receives: (day: OutlookDay) => bigint
}

export function outlookChart(days: readonly OutlookDay[], marks: Marks, words: Words): Html {
  const { chart: say } = words.of(liquidationWords)
  const frame = frameOf(days, marks)
  const { now, isTaxed, receives } = frame
  const data = JSON.stringify(dataOf(frame, marks, words)).replaceAll('<', '\\u003c')
  const taxNote = isTaxed && html`<span>${say.beforeTax}</span>`
  return html`<figure class="chart" data-outlook aria-label="${say.label}">
<figcaption><span class="key kept-key">${say.kept}</span><span
class="key charged-key">${say.charged}</span>${taxNote}</figcaption>
${picture(frame, marks.better, words)}
<div class="scrub"><label for="day">${say.day}</label><input id="day" type="range" min="0"
max="${days.length - 1}" value="${days.indexOf(now)}"><output
for="day">${say.reading(words.day(now.on), words.money(receives(now)), words.money(now.charge))}</output></div>
<script type="application/json">${trusted(data)}</script>
<details><summary>${words.say.asTable}</summary>${figuresTable(frame, words)}</details></figure>`
}

function frameOf(days: readonly OutlookDay[], marks: Marks): Frame {
  const first = days[0]!
  const last = days.at(-1)!
  const term = termOf(first, last)
  const top = niceCeiling(last.earned)
  const pixels = (FLOOR - TOP) / Number(top)
  const share = (on: IsoDate) => daysBetween(first.on, on) / term
  const on = marks.on < first.on ? first.on : marks.on > last.on ? last.on : marks.on
  return {
    days,
    first,
    last,
    on,
    now: days.findLast((day) => day.on <= on)!,
    top,
    share,
    x: (day) => percent(share(day)),
    y: (amount) => FLOOR - Number(amount) * pixels,
    isTaxed: days.some(({ tax }) => tax !== 0n),
    isPaid: days.some(({ paid }) => paid > 0n),
    receives: (day) => marks.principal + kept(day) - day.tax - day.paid,
  }
}

function termOf(first: OutlookDay, last: OutlookDay): number {
  return Math.max(1, daysBetween(first.on, last.on))
}

/** What the script of the page needs to show another day. */
function dataOf({ days, first, last, top, isTaxed, isPaid }: Frame, marks: Marks, words: Words) {
  const { chart: say } = words.of(liquidationWords)
  return {
    start: first.on,
    step: marks.stepDays,
    last: termOf(first, last),
    floor: FLOOR,
    height: FLOOR - TOP,
    top: Number(top),
    principal: Number(marks.principal),
    currency: words.currency,
    currencyDisplay: words.currencyDisplay,
    reading: say.reading('{0}', '{1}', '{2}'),
    days: days.map(({ earned, charge, tax, paid }) =>
      [earned, charge, ...(isTaxed || isPaid ? [tax] : []), ...(isPaid ? [paid] : [])].map(Number),
    ),
  }
}

function picture(frame: Frame, better: OutlookDay | null, words: Words): Html {
  const { first, last, on, now, top, share, x, y } = frame
  const { chart: say } = words.of(liquidationWords)
  const betterText = better !== null && say.better(words.day(better.on), words.money(kept(better)))
  const ticks = [0n, top / 4n, top / 2n, (top * 3n) / 4n, top]
  const monthTick = (month: IsoDate, index: number) =>
    html`<line class="month" x1="${x(month)}" x2="${x(month)}" y1="${FLOOR}" y2="${FLOOR + 4}"/>
<text class="tick${index % 2 === 1 && ' spare'}" x="${x(month)}" y="${FLOOR + 18}"
text-anchor="middle">${words.month(month)}</text>`
  const dot = (day: OutlookDay, kind: string) =>
    html`<circle class="${kind}" cx="${x(day.on)}" cy="${fixed(y(kept(day)))}" r="4.5"/>`
  return html`<svg class="outlook" height="${HEIGHT}" role="img" aria-labelledby="outlook-title outlook-desc">
<title id="outlook-title">${say.title}</title>
<desc id="outlook-desc">${say.now(words.day(now.on), words.money(kept(now)), words.money(now.earned))}
${betterText} ${say.end(words.day(last.on), words.money(last.earned))}</desc>
<rect class="ground" width="100%" height="${HEIGHT}"/>
${ticks.map((tick) => amountTick(tick, y(tick), words))}
${monthStarts(first.on, last.on).map(monthTick)}
${areas(frame)}
<line class="today" x1="${x(on)}" x2="${x(on)}" y1="${TOP - 8}" y2="${FLOOR}"/>
<text class="mark" x="${x(on)}" y="${TOP - 13}" text-anchor="${anchorAt(share(on))}">${words.day(on)}</text>
${dot(now, 'dot')}
${better !== null && dot(better, 'dot hollow')}
<line class="cursor" x1="0" x2="0" y1="${TOP}" y2="${FLOOR}" visibility="hidden"/>
<circle class="cursor-dot" r="4.5" visibility="hidden"/></svg>`
}

/** What is kept before the chosen day and after it, and what is charged after it. */
function areas({ days, on, share, y }: Frame): Html {
  const step = share(days[1]?.on ?? on) * STRETCHED
  const pathOf = (value: (day: OutlookDay) => bigint) =>
    // The last step may be shorter: a term need not be a number of whole steps.
    simplified(days.map((day, index) => [Math.min(index * step, STRETCHED), y(value(day))]))
  const [keptPath, accruedPath] = [pathOf(kept), pathOf(({ earned }) => earned)]
  const line = (points: Point[]) => `M${points.map(spell).join('L')}`
  const keptArea = `${line(keptPath)}L${STRETCHED} ${FLOOR}L0 ${FLOOR}Z`
  const charged = `${line(accruedPath)}L${keptPath.toReversed().map(spell).join('L')}Z`
  const past = fixed(share(on) * STRETCHED)
  return html`<svg viewBox="0 0 ${STRETCHED} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none">
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect class="hatch-ground" width="6" height="6"/>
<line class="hatch-line" x1="0" y1="0" x2="0" y2="6"/></pattern>
<clipPath id="past"><rect width="${past}" height="${HEIGHT}"/></clipPath>
<clipPath id="coming"><rect x="${past}" width="${STRETCHED}" height="${HEIGHT}"/></clipPath></defs>
<g clip-path="url(#past)" class="past"><path class="kept" d="${keptArea}"/>
<path class="kept-line" d="${line(keptPath)}"/></g>
<g clip-path="url(#coming)"><path class="charged" d="${charged}"/>
<path class="kept" d="${keptArea}"/>
<path class="accrued-line" d="${line(accruedPath)}"/>
<path class="kept-line" d="${line(keptPath)}"/></g></svg>`
}

function figuresTable({ days, now, isPaid, isTaxed, receives }: Frame, words: Words): Html {
  const { chart: say } = words.of(liquidationWords)
  return recordTable(
    tableDays(days, now),
    [
      { name: say.brokenOn, cell: ({ on }) => words.day(on) },
      { name: say.interest, isNumber: true, cell: ({ earned }) => words.plain(earned) },
      { name: say.charge, isNumber: true, cell: ({ charge }) => words.plain(charge) },
      isPaid && { name: say.paid, isNumber: true, cell: ({ paid }) => words.plain(paid) },
      isTaxed && { name: say.tax, isNumber: true, cell: ({ tax }) => words.plain(tax) },
      { name: say.receives, isNumber: true, cell: (day) => words.plain(receives(day)) },
    ],
    { label: words.say.asTable, isCurrent: (day) => day === now },
  )
}

/** A text stays within the chart. */
function anchorAt(share: number): 'start' | 'middle' | 'end' {
  if (share < 0.15) return 'start'
  return share > 0.85 ? 'end' : 'middle'
}

function kept({ earned, charge }: OutlookDay): bigint {
  return earned - charge
}

/** The chosen day, each day on which another rule begins, the first of each month, and maturity. */
function tableDays(days: readonly OutlookDay[], now: OutlookDay): OutlookDay[] {
  return days.filter((day, index) => {
    if (day.on < now.on) return false
    const before = days[index - 1]
    return day === now || day === days.at(-1) || before?.ruleIndex !== day.ruleIndex || day.on.endsWith('-01')
  })
}

export type Point = [x: number, y: number]

/** Half of what a screen shows. */
export const DEVIATION_MAX = 0.3

/** Leaves out points that lie on the line between their neighbours: a term is mostly straight. */
export function simplified(points: readonly Point[]): Point[] {
  const chosen: Point[] = [points[0]!]
  let from = points[0]!
  /** The slopes of lines that pass all points since then closely enough. */
  let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const [index, point] of points.entries()) {
    if (index === 0) continue
    const slope = slopeBetween(from, point)
    if (slope < least || slope > most) {
      from = points[index - 1]!
      chosen.push(from)
      least = Number.NEGATIVE_INFINITY
      most = Number.POSITIVE_INFINITY
    }
    const [x, y] = point
    least = Math.max(least, slopeBetween(from, [x, y - DEVIATION_MAX]))
    most = Math.min(most, slopeBetween(from, [x, y + DEVIATION_MAX]))
  }
  return points.length === 1 ? chosen : [...chosen, points.at(-1)!]
}

function slopeBetween([fromX, fromY]: Point, [toX, toY]: Point): number {
  return (toY - fromY) / (toX - fromX)
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
