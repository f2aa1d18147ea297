/** A product as it is sold: its terms, and its rate sheets in force and later. */
import type { IsoDate } from '../../domain/dates.ts'
import type { Product, ProductVersion } from '../../domain/product.ts'
import { type RateGrid, type RateSheet, sheetInForce } from '../../domain/rate-sheet.ts'
import { card, pairs } from '../../page/card.ts'
import { crumbs, type Step } from '../../page/crumbs.ts'
import { type Html, html } from '../../page/html.ts'
import type { Words } from '../../words/words.ts'
import { sheetTable } from './table.ts'
import { interestText, productWords, tenorText } from './words.ts'

/** The way to a page about products; with a version, to one about that product. */
export function productCrumbs(here: string, words: Words, version?: ProductVersion): Html {
  const steps: Step[] = [[words.say.sections.products, '/products']]
  if (version !== undefined) steps.push([version.product.name, `/products/${version.productCode}`])
  return crumbs(steps, here, words)
}

export function sheetCards(sheets: readonly RateSheet[], today: IsoDate, words: Words): Html[] {
  const { page: say } = words.of(productWords)
  const inForce = sheetInForce(sheets, today)
  const later = sheets.filter(({ number }) => number > (inForce?.number ?? 0))
  const cardOf = (sheet: RateGrid, number: number, title: string) =>
    card({ id: `sheet-${number}`, title }, sheetTable(sheet, words))
  if (inForce === undefined && later.length === 0) return [html`<p class="notice">${say.noSheet}</p>`]
  return [
    ...(inForce === undefined
      ? []
      : [cardOf(inForce, inForce.number, say.inForce(inForce.number, words.day(inForce.effectiveFrom)))]),
    ...later.map((sheet) =>
      cardOf(sheet, sheet.number, say.later(sheet.number, words.day(sheet.effectiveFrom))),
    ),
  ]
}

export function termsOf(product: Product, words: Words): Html {
  const { page: say } = words.of(productWords)
  const { minAmount, maxAmount, maturity, negotiatedRate, bonuses } = product
  const least = words.money(minAmount)
  const { rolloverLimit: limit } = maturity
  return pairs([
    [say.amounts, maxAmount === null ? say.from(least) : say.between(least, words.money(maxAmount))],
    [words.of(productWords).list.tenor, tenorText(product, words)],
    [
      say.interest,
      html`${interestText(product, words)}
${product.interest.recoverPaidInterest && html`<small>${say.recovers}</small>`}`,
    ],
    [
      say.maturity,
      html`${words.say.instructions[maturity.instruction]}
${limit !== null && html`<small>${say.rollovers(limit)}</small>`}`,
    ],
    [say.onHoliday, say.onHolidays[maturity.onHoliday]],
    [
      say.negotiated,
      negotiatedRate === null
        ? say.notNegotiated
        : say.percents(words.percent(negotiatedRate.minPpm), words.percent(negotiatedRate.maxPpm)),
    ],
    bonuses.size > 0 && [
      say.bonuses,
      [...bonuses].map(([code, points]) => say.bonus(code, words.percent(points))).join(', '),
    ],
    [say.rules, product.rules === null ? say.callersRules : say.ownRules],
  ])
}
