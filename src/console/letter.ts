/** Letters to customers: one printable page each, without script. */
import type { Customer } from '../domain/customer.ts'
import type { IsoDate } from '../domain/dates.ts'
import { formatPpm } from '../domain/decimal.ts'
import type { Deposit } from '../domain/deposit.ts'
import type { ExplainedSettlement, Liquidation } from '../domain/liquidation.ts'
import type { RuleSet } from '../domain/rules.ts'
import type { StatementLine } from '../domain/statement.ts'
import { type Html, html, render, trusted } from '../wire/html.ts'
import { sumRows, workedOut } from './settlement.ts'
import type { Words } from './words.ts'

export type Holder = { customerId: string; name: string; address: string }

export function holderOf({ customerId, firstName, lastName, address }: Customer): Holder {
  return { customerId, name: `${firstName} ${lastName}`, address }
}

/** What every letter begins with. */
export type Letterhead = { bank: string; holder: Holder; issuedOn: IsoDate }

export function letterPage(
  title: string,
  { bank, issuedOn }: Letterhead,
  letter: Html,
  words: Words,
): string {
  return render(html`<!doctype html>
<html lang="${words.locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${trusted(STYLE)}</style></head>
<body><p class="bank">${bank}</p><h1>${title}</h1>${letter}<p class="soft">${words.say.letters.issued(words.day(issuedOn))}</p></body></html>
`)
}

const STYLE = `
:root { color-scheme: light; background: #fff }
body { font: 11pt/1.5 system-ui, sans-serif; color: #111; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem }
address { font-style: normal; white-space: pre-line; margin: 1rem 0 }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid #ccc; font-weight: inherit }
td.num, .sum td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.total, .last { font-weight: 700 } .bank { font-weight: 600 } .soft, small { color: #444 } .hidden { display: none }
code { overflow-wrap: anywhere }
thead { display: table-header-group } tr { break-inside: avoid }
@page { margin: 18mm }
@media print { body { margin: 0; max-width: none; padding: 0 } }
`

function addressOf({ name, address }: Holder): Html {
  return html`<address>${name}<br>${address}</address>`
}

export type Advised = {
  holder: Holder
  liquidation: Liquidation & ExplainedSettlement & { reversedAt: Date | null }
  deposit: Deposit
  rules: RuleSet
}

export function adviceLetter({ holder, liquidation, deposit, rules }: Advised, words: Words): Html {
  const { advice: say, breaking } = words.say
  const { elapsedDays, termDays, annualRatePpm } = liquidation.explanation
  const interest = say.interest(Math.min(elapsedDays, termDays), termDays, formatPpm(annualRatePpm))
  return html`${addressOf(holder)}
<p>${say.text(words.day(liquidation.businessDate), liquidation.type === 'FULL' ? say.whole : say.aPart)} <code>${liquidation.depositId}</code> ${say.paid} <b>${words.money(liquidation.net)}</b> ${say.to(liquidation.accountNumber)}</p>
<table class="sum"><caption class="hidden">${breaking.sum}</caption><tbody>${sumRows(liquidation, words, interest)}<tr class="total"><th scope="row">${say.toYou}</th><td>${words.money(liquidation.net)}</td></tr>${liquidation.remaining > 0n && html`<tr class="rest"><th scope="row">${say.remains(words.day(deposit.maturityDate))}</th><td>${words.money(liquidation.remaining)}</td></tr>`}</tbody></table>
<section><h2>${say.how}</h2><ol class="reasons">${workedOut(liquidation, rules, words).map((sentence) => html`<li>${sentence}</li>`)}</ol></section>
${liquidation.reversedAt !== null && html`<p><b>${say.reversed(words.instant(liquidation.reversedAt))}</b></p>`}<p class="soft">${say.reference(liquidation.liquidationId)}</p>`
}

export type Certified = Letterhead & { deposit: Deposit; expectedInterest: bigint }

export function certificateLetter(certified: Certified, words: Words): Html {
  const { bank, holder, deposit, expectedInterest } = certified
  const { certificate: say, letters, statuses, deposit: terms } = words.say
  const rows: [string, string][] = [
    [letters.deposit, deposit.depositId],
    [letters.account, deposit.accountNumber],
    [say.status, statuses[deposit.status]],
    [say.principal, words.money(deposit.principal)],
    [say.remaining, words.money(deposit.remaining)],
    [say.rate, say.percent(formatPpm(deposit.annualRatePpm))],
    [say.term, say.days(deposit.tenorDays, words.day(deposit.startDate), words.day(deposit.maturityDate))],
    [say.interest, words.money(expectedInterest)],
    [say.worth, words.money(deposit.remaining + expectedInterest)],
    [say.atMaturity, deposit.autoRollover ? terms.rollsOver : terms.paysOut],
    ...(deposit.lien > 0n ? [[say.liens, words.money(deposit.lien)] as [string, string]] : []),
  ]
  return html`${addressOf(holder)}<p>${say.text(bank)}</p>
<table><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>
<p>${say.early}</p>`
}

export type Stated = Letterhead & {
  deposit: Deposit
  from: IsoDate
  to: IsoDate
  lines: readonly StatementLine[]
}

export function statementLetter({ holder, deposit, from, to, lines }: Stated, words: Words): Html {
  const { statement: say, letters } = words.say
  return html`${addressOf(holder)}
<p>${letters.deposit} <code>${deposit.depositId}</code>, ${letters.account} ${deposit.accountNumber}, ${deposit.currency}. ${say.span(words.day(from), words.day(to))}</p>
<table><thead><tr><th scope="col">${say.date}</th><th scope="col">${say.text}</th><th scope="col">${say.amount}</th><th scope="col">${say.remaining}</th></tr></thead><tbody>${lines.map(
    (line) =>
      html`<tr class="${line.kind === 'SUMS' ? 'last' : 'line'}"><td>${words.day(line.date)}</td><td>${lineText(line, words)}${line.entryId !== null && html`<br><small>${say.entry} ${line.entryId}</small>`}</td><td class="num">${words.plain(line.amount)}</td><td class="num">${words.plain(line.remaining)}</td></tr>`,
  )}</tbody></table>`
}

/** A line in one sentence. */
export function lineText({ kind, moved, held, remaining, rolled }: StatementLine, words: Words): string {
  const { statement: say, entryKinds } = words.say
  const { plain } = words
  switch (kind) {
    case 'BROUGHT_FORWARD':
      return say.broughtForward
    case 'SUMS': {
      const { interest, charge, tax } = moved
      return say.sums(plain(interest), plain(charge), plain(tax), plain(interest - charge - tax))
    }
    case 'LIEN_PLACED':
      return say.placed(plain(held!.amount), held!.reason)
    case 'LIEN_RELEASED':
      return say.released(plain(held!.amount), held!.reason)
    case 'WAIVER':
      return say.waiver
    case 'DEPOSIT_OPENING':
      return rolled ? say.successor : say.opened
    case 'MATURITY':
      return `${rolled ? say.rolledOver : say.matured}: ${figures()}`
    case 'LIQUIDATION':
      return `${remaining === 0n ? say.whole : say.part}: ${figures()}`
    default:
      return entryKinds[kind]
  }

  function figures(): string {
    return say.figures(plain(-moved.principal), plain(moved.interest), plain(moved.charge + moved.waived))
  }
}
