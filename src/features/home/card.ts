/**
 * The bank in pictures, for those who read reports: what it owes, when, at which rates, and what was broken. What was
 * broken today. For administrators, what they have to look after.
 */
import { addDays, type IsoDate } from '../../domain/dates.ts'
import type { LiquidationGroup } from '../../domain/report.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { type Bar, barTable } from '../../page/bars.ts'
import { card } from '../../page/card.ts'
import { barChart } from '../../page/chart.ts'
import { type Html, html } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { listApiKeys } from '../api-keys/store.ts'
import { listVerifications } from '../callers/store.ts'
import { depositColumn } from '../holders/card.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { listPeople } from '../people/store.ts'
import { readNewestProducts } from '../products/changes.ts'
import { reportLiquidations } from '../reports/store.ts'
import { listDeliveries, listEndpoints } from '../webhooks/store.ts'
import { groupLiabilities, type Liability } from './store.ts'
import { homeWords } from './words.ts'

const WEEKS = 8
const DAYS = 30
/** The page says the age of pictures that are older. */
const KEPT_SHOWN_MS = 1_000
/** Whole percents that are one bar. */
const RATE_STEP = 3
const TERMS = [
  { key: 'month', fromDay: 0, toDay: 30 },
  { key: 'quarter', fromDay: 31, toDay: 91 },
  { key: 'year', fromDay: 92, toDay: 365 },
  { key: 'longer', fromDay: 366, toDay: null },
] as const

export async function pictures(asked: Asked, today: IsoDate): Promise<Html> {
  const { service, book, words, keep } = asked
  const { pictures: say } = words.of(homeWords)
  const span = { from: addDays(today, 1 - DAYS), to: today }
  const { value, at } = await keep(`pictures ${book.bookId} ${today}`, () =>
    Promise.all([owed(asked, today), reportLiquidations(service.db, book, { ...span, groupBy: 'day' })]),
  )
  const [{ groups, names }, days] = value
  const isKept = service.clock().getTime() - at.getTime() > KEPT_SHOWN_MS
  const own = days.filter(({ currency }) => currency === book.currency)
  const bars = (id: string, title: string, rows: readonly Bar[]) =>
    card({ id, title }, barTable(rows, { title, name: say.what, amount: say.amount, none: say.none }, words))
  return html`<div class="pictures">
${bars('by-week', say.byWeek, byWeek(groups, today, words))}
${card({ id: 'by-day', title: say.byDay }, paidChart(own, today, words))}
${bars('charges', say.charges, charges(own, span, words))}
${bars('by-product', say.byProduct, byProduct(groups, names, words))}
${bars('by-term', say.byTerm, byTerm(groups, today, words))}
${bars('by-rate', say.byRate, byRate(groups, words))}
</div>${isKept && html`<p class="hint">${say.addedUp(words.instant(at))}</p>`}`
}

const EXPIRES_SOON_MS = 30 * 86_400_000
const UNUSED_MS = 90 * 86_400_000
const LOOKED_AT = { limit: 50, before: null }

/** What an administrator would otherwise find only by looking for it. */
export async function lookedAfter(asked: Asked): Promise<Html> {
  const { words } = asked
  const { care: say } = words.of(homeWords)
  const lines = [...(await keyLines(asked)), ...(await webhookLines(asked)), ...(await peopleLines(asked))]
  const item = ({ text, path }: Line) => html`<li><a href="/console${path}">${text}</a></li>`
  return card(
    { id: 'care', title: say.title },
    html`${lines.length === 0 ? html`<p>${say.nothing}</p>` : html`<ul class="lines">${lines.map(item)}</ul>`}
<p class="hint">${await verifiedText(asked)}</p>
<p class="hint">${await backupText(asked)}</p>`,
  )
}

type Line = { text: string; path: string }

async function keyLines({ service, book, words }: Asked): Promise<Line[]> {
  const { care: say } = words.of(homeWords)
  const now = service.clock().getTime()
  const { items } = await listApiKeys(service.db, book.bookId, LOOKED_AT)
  const live = items.filter(
    ({ revokedAt, expiresAt }) =>
      (revokedAt === null || revokedAt.getTime() > now) && (expiresAt === null || expiresAt.getTime() > now),
  )
  return live.flatMap(({ name, keyPrefix, expiresAt, lastUsedAt, createdAt }) => {
    const called = name ?? keyPrefix
    const texts = [
      ...(expiresAt !== null && expiresAt.getTime() - now < EXPIRES_SOON_MS
        ? [say.expires(called, words.instant(expiresAt))]
        : []),
      ...(now - (lastUsedAt ?? createdAt).getTime() > UNUSED_MS ? [say.unused(called)] : []),
    ]
    return texts.map((text) => ({ text, path: '/access/keys' }))
  })
}

async function webhookLines({ service, book, words, may }: Asked): Promise<Line[]> {
  if (!may('webhooks:read')) return []
  const { care: say } = words.of(homeWords)
  const { items } = await listEndpoints(service.db, book.bookId, LOOKED_AT)
  const lines = items.map(async ({ webhookEndpointId, url, status }) => {
    const path = `/webhooks/${webhookEndpointId}`
    if (status === 'DISABLED') return [{ text: say.webhookOff(url), path }]
    const { items: sent } = await listDeliveries(service.db, book.bookId, { webhookEndpointId }, LOOKED_AT)
    const failed = sent.filter((delivery) => delivery.status === 'FAILED').length
    return failed === 0 ? [] : [{ text: say.webhookFails(url, failed), path }]
  })
  return (await Promise.all(lines)).flat()
}

async function peopleLines({ service, identity, words, may }: Asked): Promise<Line[]> {
  if (!may('people:read')) return []
  const { care: say } = words.of(homeWords)
  const { items } = await listPeople(service.db, identity.person.callerId, PEOPLE)
  const invited = items.filter(({ status }) => status === 'INVITED').map(({ name }) => say.invited(name))
  // Those who sign in by an identity provider have their second factor there.
  const bare = items.filter(
    ({ status, factors, subject }) => status === 'ACTIVE' && factors.length === 0 && subject === null,
  )
  const [only] = bare
  const named = bare.slice(0, NAMED_MAX).map(({ name }) => name)
  const rest = bare.length - named.length
  const withoutFactor =
    only === undefined
      ? []
      : [bare.length === 1 ? say.noFactor(only.name) : say.noFactors(bare.length, named.join(', '), rest)]
  return [...invited, ...withoutFactor].map((text) => ({ text, path: '/access' }))
}

/** People of whom those without a second factor are found, and how many are named. */
const PEOPLE = { limit: 200, before: null }
const NAMED_MAX = 3

async function verifiedText({ service, book, words }: Asked): Promise<string> {
  const { care: say } = words.of(homeWords)
  const verifications = await listVerifications(service.db)
  const own = verifications.find(({ callerId, mode }) => callerId === book.callerId && mode === book.mode)
  if (own === undefined) return say.notVerified
  return own.difference === null
    ? say.verified(words.instant(own.finishedAt))
    : say.difference(own.difference)
}

/** The last backup of the whole service: it holds all books. */
async function backupText({ service, words }: Asked): Promise<string> {
  const { care: say } = words.of(homeWords)
  const last = await service.backlog.lastBackup()
  if (last === null) return say.noBackup
  const now = service.clock()
  const at = new Date(now.getTime() - last.ageSeconds * 1000)
  const ago = words.ago(at, now)
  return last.exists ? say.backedUp(words.instant(at), ago) : say.notBackedUp(ago)
}

function sumOf(groups: readonly Liability[]): { amount: bigint; deposits: number } {
  return {
    amount: groups.reduce((sum, { held }) => sum + held, 0n),
    deposits: groups.reduce((sum, { deposits }) => sum + deposits, 0),
  }
}

function bar(name: string, query: Record<string, string>, groups: readonly Liability[], words: Words): Bar {
  const { amount, deposits } = sumOf(groups)
  const href = `/console/deposits?${new URLSearchParams({ status: 'ACTIVE', ...query })}`
  return { name, href, amount, note: words.of(homeWords).pictures.deposits(deposits) }
}

function byWeek(groups: readonly Liability[], today: IsoDate, words: Words): Bar[] {
  const { pictures: say } = words.of(homeWords)
  return Array.from({ length: WEEKS }, (_, week) => {
    const [from, to] = [addDays(today, week * 7), addDays(today, week * 7 + 6)]
    const own = groups.filter((group) => group.week === week)
    return bar(say.weekFrom(words.dayOfYear(from)), { matures_from: from, matures_to: to }, own, words)
  })
}

function byTerm(groups: readonly Liability[], today: IsoDate, words: Words): Bar[] {
  const { pictures: say } = words.of(homeWords)
  const lastWeek = (day: number | null) => (day === null ? Number.POSITIVE_INFINITY : Math.floor(day / 7))
  return TERMS.map(({ key, fromDay, toDay }) => {
    const firstWeek = Math.ceil(fromDay / 7)
    const own = groups.filter(({ week }) => week >= firstWeek && week < lastWeek(toDay) + 1)
    const query = {
      matures_from: addDays(today, firstWeek * 7),
      ...(toDay !== null && { matures_to: addDays(today, lastWeek(toDay) * 7 + 6) }),
    }
    return bar(say.terms[key], query, own, words)
  })
}

async function owed({ service, book }: Asked, today: IsoDate) {
  const { db, versions } = service
  const groups = await groupLiabilities(db, book.bookId, { today, currency: book.currency })
  const codes = [...new Set(groups.flatMap(({ productCode }) => productCode ?? []))]
  const products = await readNewestProducts(db, versions, book.bookId, codes)
  const names = new Map([...products].map(([code, { product }]) => [code, product.name]))
  return { groups, names }
}

function byProduct(groups: readonly Liability[], names: ReadonlyMap<string, string>, words: Words): Bar[] {
  const { pictures: say } = words.of(homeWords)
  return [...Map.groupBy(groups, ({ productCode }) => productCode)]
    .map(([code, own]) => {
      const name = code === null ? say.noProduct : (names.get(code) ?? code)
      return bar(name, { product: code ?? '-' }, own, words)
    })
    .toSorted((one, other) => (one.amount < other.amount ? 1 : -1))
}

function byRate(groups: readonly Liability[], words: Words): Bar[] {
  const { pictures: say } = words.of(homeWords)
  const steps = Map.groupBy(groups, ({ ratePercent }) => Math.floor(ratePercent / RATE_STEP) * RATE_STEP)
  return [...steps]
    .toSorted(([one], [other]) => one - other)
    .map(([from, own]) => {
      const below = from + RATE_STEP
      return bar(say.rates(from, below), { rate_from: String(from), rate_below: String(below) }, own, words)
    })
}

function charges(
  days: readonly LiquidationGroup[],
  { from, to }: { from: IsoDate; to: IsoDate },
  words: Words,
): Bar[] {
  const { pictures: say } = words.of(homeWords)
  const sum = (amount: (day: LiquidationGroup) => bigint) => days.reduce((all, day) => all + amount(day), 0n)
  const rows = `/console/liquidations?from=${from}&to=${to}`
  return [
    { name: say.earned, href: `${rows}&sort=-charge`, amount: sum(({ charge }) => charge) },
    { name: say.waived, href: `${rows}&waived=yes`, amount: sum(({ waived }) => waived), isHatched: true },
  ]
}

function paidChart(days: readonly LiquidationGroup[], today: IsoDate, words: Words): Html {
  const { pictures: say } = words.of(homeWords)
  const amounts = new Map(days.map(({ day, net }) => [day, net]))
  const bars = Array.from({ length: DAYS }, (_, index) => {
    const on = addDays(today, index + 1 - DAYS)
    return { on, amount: amounts.get(on) ?? 0n, href: `/console/liquidations?from=${on}&to=${on}` }
  })
  return barChart(
    bars,
    { title: say.byDay, day: say.day, amount: say.amount, table: words.say.asTable },
    words,
  )
}

export async function brokenCard(asked: Asked, broken: readonly StoredLiquidation[]): Promise<Html> {
  const { home: say } = asked.words.of(homeWords)
  const content =
    broken.length === 0 ? html`<p class="inset">${say.noneBroken}</p>` : await brokenTable(asked, broken)
  return card({ id: 'broken', title: say.broken, isFlush: true }, content)
}

async function brokenTable(asked: Asked, broken: readonly StoredLiquidation[]): Promise<Html> {
  const { words } = asked
  const { home: say } = words.of(homeWords)
  const { breaking } = words.of(liquidationWords)
  const money = ({ currency }: StoredLiquidation, amount: bigint) => words.in(currency).money(amount)
  return recordTable(
    broken,
    [
      {
        name: say.paid,
        cell: (one) =>
          html`<a href="/console/liquidations/${one.liquidationId}"><b>${money(one, one.net)}</b></a>`,
      },
      await depositColumn(asked, broken),
      { name: breaking.principal, isNumber: true, cell: (one) => money(one, one.principal) },
      { name: breaking.penal, isNumber: true, cell: (one) => money(one, one.penal) },
      { name: say.at, cell: ({ at }) => words.instant(at) },
    ],
    { label: say.broken, isFlush: true },
  )
}
