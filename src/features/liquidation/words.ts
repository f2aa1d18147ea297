/** The sentences that explain a settlement to people. */

import type { ExplainedSettlement } from '../../domain/liquidation.ts'
import type { ChargeTerm, Range, RuleSet } from '../../domain/rules.ts'
import type { AdjustmentKind } from '../../domain/settlement.ts'
import type { TaxExplanation } from '../../domain/tax.ts'
import { count, type Text, type Texts } from '../../words/language.ts'
import type { Words } from '../../words/words.ts'
import { french } from './french.ts'

const english = {
  breaking: {
    heading: 'Break this deposit',
    over: (status: string) => `This deposit is ${status} and can no longer be broken.`,
    mayNot: 'Your role may look at this deposit, but not break it.',
    howMuch: 'How much',
    all: 'All of it',
    part: 'A part',
    onlyWhole: 'The rules of this deposit allow only all of it to be broken.',
    amount: 'Principal to withdraw',
    bounds: (least: Text, most: Text) => `From ${least} to ${most}`,
    tooSmall: 'Too little remains to withdraw a part.',
    on: 'On',
    quote: 'Quote',
    receivesToday: 'The customer receives today',
    receivesOn: (day: Text) => `The customer would receive on ${day}`,
    sum: 'How the payout is made up',
    principal: 'Principal returned',
    interest: (elapsed: Text, term: Text) => `Interest, ${elapsed} of ${term} days`,
    penal: 'Penal charge',
    toAccount: (account: Text) => `To account ${account}`,
    stays: 'Stays in the deposit',
    waived: 'Waived',
    waiving: 'Waive the charge, or a part of it',
    waive: 'How to waive',
    byPercent: 'Percent',
    byAmount: 'Amount',
    toWaive: 'To waive',
    waiverReason: 'Why it is waived',
    waiverNote: 'Note about the waiver',
    noteToApprover: 'Note to the approver',
    waiveHolding: 'Lift the holding period too',
    mayNotWaive: 'Your role may not waive a charge.',
    reason: 'Reason',
    chooseOne: 'Choose one',
    reference: 'Instruction reference',
    ask: (amount: Text) => `Ask for approval of ${amount}`,
    askWhy: (people: number) =>
      people === 1
        ? 'The approval policy asks for a second person. Nothing is paid until that person approves.'
        : `The approval policy asks for ${people} more people. Nothing is paid until they approve.`,
    oneWaits: 'A request for this deposit already waits; another one can be made when it is decided.',
    waiting: (days: number, amount: Text) => `Waiting ${count(days, 'day', 'days')} pays ${amount} more.`,
    waitingWhy: (day: Text) => `From ${day} a lower charge applies.`,
    how: 'How this was worked out',
    lost: 'The answer did not arrive. The same form is sent again until we know; it pays at most once.',
    failed: 'The figures did not arrive. What you see is from before.',
    retry: 'Try again',
    customer: 'Customer',
    account: 'To account',
    deposit: 'Deposit',
    submit: (amount: Text) => `Break and pay ${amount}`,
    sure: (amount: Text) => `Break and pay ${amount}?`,
    sureText: 'The money goes to the account at once.',
    lookAhead: 'A deposit is broken on the day itself. This is a look ahead; nothing is promised.',
    done: (amount: Text, account: Text) => `Paid ${amount} to account ${account}.`,
    printAdvice: 'Print the advice',
    changed:
      'Nothing was paid, because the figures are not the same any more. These are the figures now; check them with the customer.',
    unknown:
      'The answer was lost: the deposit may have been broken or not. Send the same form again; it pays at most once.',
    sendAgain: 'Send the same form again',
    notPaid: 'Nothing was paid.',
    keyReused:
      'This form was sent before with other figures. Nothing was paid now. Start from these figures.',
    approval: 'Nothing was paid, because the approval policy asks for a second person now.',
    needs: {
      amount: 'Give the amount in figures, with at most two decimals, such as 50,000.00.',
      as_of: 'Give a day that exists.',
      reason: 'Choose a reason.',
      reference: 'Give a reference of at most 64 characters, or none.',
      'waiver.percent': 'Give a percent above 0 and up to 100 to waive.',
      'waiver.amount': 'Give the amount to waive in figures, with at most two decimals.',
      'waiver.reason': 'Choose why it is waived.',
      'waiver.note': 'Give a note of at most 200 characters, or none.',
    } as Record<string, string>,
  },
  /** Stored codes, and the texts that the clerk chooses from. */
  reasons: {
    CUSTOMER_IN_BRANCH: 'Customer asked in the branch',
    CUSTOMER_IN_WRITING: 'Customer asked in writing',
    CUSTOMER_BY_PHONE: 'Customer asked by phone',
    DEATH_OF_OWNER: 'Death of the owner',
    COURT_ORDER: 'Court order',
    BANK_DECISION: 'Decision of the bank',
  } as Record<string, string>,
  waiverReasons: {
    GOODWILL: 'Goodwill',
    HARDSHIP: 'Hardship of the customer',
    DEATH_OF_OWNER: 'Death of the owner',
    COURT_ORDER: 'Court order',
    BANK_ERROR: 'Mistake of the bank',
  } as Record<string, string>,
  worked: {
    interest: (principal: Text, rate: Text, days: Text, interest: Text) =>
      `Interest on ${principal} at ${rate} % a year for ${days} days: ${interest}.`,
    compounded: (principal: Text, rate: Text, days: Text, every: string, interest: Text) =>
      `Interest on ${principal} at ${rate} % a year, compounded ${every}, for ${days} days: ${interest}.`,
    earned: (principal: Text, rate: Text, days: Text, earned: Text) =>
      `Earned on ${principal} at ${rate} % a year in ${days} days: ${earned}.`,
    paidBefore: (paid: Text) => `Of this principal ${paid} of interest was paid to you before.`,
    paidNow: (interest: Text) => `The rest of the interest is paid now: ${interest}.`,
    unearned: (amount: Text) =>
      `It was paid for the whole term: ${amount} of it goes back, for the days that the money is not held.`,
    recovered: (amount: Text) =>
      `The interest paid now does not cover the charge: ${amount} of it comes from the interest paid before.`,
    notRecovered: (amount: Text) =>
      `The interest paid now does not cover the charge: the bank forgoes the rest of ${amount}.`,
    taxReturned: (amount: Text) => `The tax on the interest that goes back is returned: ${amount}.`,
    earlier: (principal: Text) =>
      `With the ${principal} that was withdrawn earlier on the same day it is worked out as one withdrawal.`,
    percent: (percent: Text, of: Text, amount: Text) => `${percent} % of ${of}: ${amount}.`,
    bases: {
      ACCRUED_INTEREST: 'the interest earned so far',
      PRINCIPAL: 'the principal withdrawn',
      TERM_INTEREST: 'the interest of the whole term',
    },
    fixed: (amount: Text) => `A fixed charge: ${amount}.`,
    period: (amount: Text) => `The interest of a period: ${amount}.`,
    rerate: (amount: Text) => `The difference to a lower rate for the days that passed: ${amount}.`,
    combine: {
      SUM: (amount: Text) => `Together: ${amount}.`,
      MAX: (amount: Text) => `The larger of these applies: ${amount}.`,
      MIN: (amount: Text) => `The smaller of these applies: ${amount}.`,
    },
    limited: (amount: Text) => `The rule limits the charge to ${amount}.`,
    capped: (amount: Text) => `The charge may take interest only, never principal: ${amount}.`,
    matured: 'The deposit has matured: there is no charge.',
    noRule: 'No rule applies on this day: there is no charge.',
    waived: (amount: Text) => `Of this charge ${amount} is waived.`,
    tax: (rate: Text, interest: Text, tax: Text) =>
      `Withholding tax, ${rate} % of interest of ${interest}: ${tax}.`,
    taxOfRest: (rate: Text, interest: Text, earlier: Text, tax: Text) =>
      `Withholding tax, ${rate} % of interest of ${interest}, less ${earlier} withheld earlier that day: ${tax}.`,
    payout: (sum: Text, total: Text) => `Payout: ${sum} = ${total}.`,
  },
  chart: {
    title: 'What the customer would keep of the interest, by day',
    now: (day: Text, kept: Text, interest: Text) => `On ${day} ${kept} of ${interest} interest.`,
    better: (day: Text, kept: Text) => `From ${day} ${kept}.`,
    end: (day: Text, interest: Text) => `At maturity on ${day} all of ${interest}.`,
    label: 'Payout by day',
    kept: 'Interest kept',
    charged: 'Penal charge',
    beforeTax: 'both before withholding tax',
    day: 'Day',
    reading: (day: Text, pays: Text, charge: Text) => `${day} pays ${pays}, charge ${charge}`,
    brokenOn: 'If broken on',
    interest: 'Interest',
    charge: 'Charge',
    paid: 'Paid before',
    tax: 'Tax',
    receives: 'Customer receives',
  },
  liquidation: {
    title: 'Early withdrawal',
    tab: (amount: Text, name: Text) => `${amount} paid early, ${name}`,
    heading: (amount: Text) => `${amount} paid early`,
    to: (name: Text) => `to ${name}`,
    figures: 'Figures',
    about: 'What was asked for',
    customer: 'Customer',
    deposit: 'Deposit',
    account: 'Paid to account',
    when: 'When',
    kind: 'Broken',
    whole: 'All of it',
    part: 'A part',
    none: 'none',
    waived: 'Waived',
    waivedPercent: (amount: Text, percent: Text) => `${amount}, ${percent} % of the charge`,
  },
  list: {
    title: 'Liquidations',
    type: 'Broken',
    waivers: { '': 'With and without', yes: 'Waived' },
    reversals: { '': 'All', no: 'Not taken back', yes: 'Taken back' },
    types: { '': 'All and parts', FULL: 'All of it', PARTIAL: 'A part' },
    account: 'Account',
    reference: 'Reference',
    paid: 'Paid',
    deposit: 'Deposit',
    day: 'Day',
    charge: 'Charge',
    waived: 'Waived',
    tax: 'Tax',
    reason: 'Reason',
    reversed: 'Taken back',
    none: 'No deposit was broken in this time. What is broken is listed here with what was paid.',
  },
  /** What staff say to the customer. */
  saying: {
    held: (days: Text, term: Text, percent: Text) =>
      `You have held ${days} of ${term} days, which is ${percent} %.`,
    matured: (term: Text) => `You have held all ${term} days.`,
    between: (from: Text, to: Text) => `Between ${from} and ${to} % `,
    from: (from: Text) => `From ${from} % on `,
    below: (to: Text) => `Below ${to} % `,
    now: 'Now ',
    keeps: (percent: Text, charge: Text, interest: Text) =>
      `the bank keeps ${percent} % of the interest earned so far: ${charge} of ${interest}.`,
    charges: (charge: Text, interest: Text) =>
      `the bank charges ${charge}; the interest earned so far is ${interest}.`,
    noCharge: (interest: Text) => `There is no charge: you keep all the interest of ${interest}.`,
    waived: (waived: Text) => `Of this charge ${waived} is waived.`,
    tax: (tax: Text) => `The tax office gets ${tax} of the interest.`,
    receives: (net: Text) => `You receive ${net}.`,
  },
  advice: {
    title: 'Advice of early withdrawal',
    text: (day: Text, part: Text) => `On ${day} we broke ${part} your fixed deposit`,
    whole: 'the whole of',
    aPart: 'a part of',
    paid: 'and paid',
    to: (account: Text) => `to your account ${account}.`,
    interest: (days: Text, term: Text, rate: Text) => `Interest for ${days} of ${term} days at ${rate} %`,
    toYou: 'Paid to you',
    remains: (day: Text) => `Remains in the deposit until ${day}`,
    how: 'How it was worked out',
    reversed: (at: Text) => `This withdrawal was taken back on ${at}.`,
    reference: (id: Text) => `Reference ${id}. Questions: bring this page to any branch.`,
  },
}

export const liquidationWords: Texts<typeof english> = { en: english, fr: french }

export type Summed = Pick<
  ExplainedSettlement,
  'principal' | 'interest' | 'penal' | 'assessed' | 'waived' | 'tax' | 'adjustments' | 'explanation'
>

/** The charge in one paragraph, as staff say it to the customer and the letter repeats it. */
export function forCustomer(
  settled: Summed & Pick<ExplainedSettlement, 'penal' | 'net'>,
  rules: RuleSet,
  words: Words,
): string {
  const { saying: say } = words.of(liquidationWords)
  const { money } = words
  const { elapsedDays, termDays } = settled.explanation
  const percent = Math.floor((elapsedDays * 100) / termDays)
  const sentences = [
    elapsedDays < termDays ? say.held(elapsedDays, termDays, percent) : say.matured(termDays),
    settled.assessed === 0n
      ? say.noCharge(money(settled.explanation.earned))
      : chargeSentence(settled, rules, words),
  ]
  if (settled.waived > 0n) sentences.push(say.waived(money(settled.waived)))
  const { tax } = settled
  if (tax > 0n) sentences.push(say.tax(money(tax)))
  const { paidShare } = settled.explanation
  if (paidShare > 0n) sentences.push(words.of(liquidationWords).worked.paidBefore(money(paidShare)))
  sentences.push(...takenBackSentences(settled, words))
  return [...sentences, say.receives(money(settled.net))].join(' ')
}

/** Where the rule is a share of the interest for a span of the term, it is said so; otherwise only the amount. */
function chargeSentence(settled: Summed, rules: RuleSet, words: Words): string {
  const { saying: say } = words.of(liquidationWords)
  const { money } = words
  const { ruleIndex } = settled.explanation
  const rule = ruleIndex === null ? undefined : rules.penalRules[ruleIndex]
  const { gte, lt } = spanOfRule(settled.explanation, rules)
  const [from, to] = [gte, lt].map((ppm) => (ppm === undefined || ppm === 0 ? null : words.percent(ppm)))
  const span =
    from != null && to != null
      ? say.between(from, to)
      : from != null
        ? say.from(from)
        : to != null
          ? say.below(to)
          : say.now
  const { assessed, explanation } = settled
  const { earned } = explanation
  const term = rule?.terms.length === 1 ? rule.terms[0]! : undefined
  const isPlain = explanation.limited === explanation.combined && explanation.cappedFrom === null
  const text =
    term?.kind === 'PERCENT' && term.of === 'ACCRUED_INTEREST' && isPlain
      ? say.keeps(words.percent(term.percentPpm), money(assessed), money(earned))
      : say.charges(money(assessed), money(earned))
  return span + text
}

/** The span of the term in which the rule applies: rules before it that look at the term alone end where it begins. */
function spanOfRule(
  { ruleIndex, elapsedDays, termDays }: Summed['explanation'],
  { penalRules }: RuleSet,
): Range<number> {
  if (ruleIndex === null) return {}
  const { gte = 0, lt } = penalRules[ruleIndex]?.when.elapsedPercent ?? {}
  const ends = penalRules.slice(0, ruleIndex).flatMap(({ when: { elapsedPercent, ...others } }) => {
    const end = elapsedPercent?.lt
    const hasPassed = end !== undefined && end * termDays <= elapsedDays * WHOLE_PPM
    return hasPassed && Object.keys(others).length === 0 ? [end] : []
  })
  return { gte: Math.max(gte, ...ends), ...(lt !== undefined && { lt }) }
}

const WHOLE_PPM = 1_000_000

/** What a clerk can read to a customer on the phone. */
export function workedOut(
  settled: Summed & Pick<ExplainedSettlement, 'penal' | 'net'>,
  rules: RuleSet,
  words: Words,
): string[] {
  const { worked: say } = words.of(liquidationWords)
  const { explanation } = settled
  const { money } = words
  const sentences = interestSentences(settled, words)
  const { earlierToday, ruleIndex, terms, combine, combined, limited, cappedFrom, tax } = explanation
  if (earlierToday !== null) sentences.push(say.earlier(money(earlierToday.principal)))
  if (explanation.noRuleReason !== null) {
    sentences.push(explanation.noRuleReason === 'MATURED' ? say.matured : say.noRule)
  }
  for (const [index, { amount }] of terms.entries()) {
    sentences.push(termSentence(rules.penalRules[ruleIndex!]!.terms[index]!, amount, words))
  }
  if (terms.length > 1 && combine !== null) sentences.push(say.combine[combine](money(combined!)))
  if (limited !== null && limited !== combined) sentences.push(say.limited(money(limited)))
  if (cappedFrom !== null && explanation.paidShare === 0n) sentences.push(say.capped(money(settled.assessed)))
  if (settled.waived > 0n) sentences.push(say.waived(money(settled.waived)))
  // A rate of 0 % is no tax: the customer has nothing to read about it.
  if (tax !== null && tax.ratePpm > 0) sentences.push(taxSentence(tax, settled.tax, words))
  sentences.push(...takenBackSentences(settled, words))
  const { plain } = words
  const { principal, interest, penal, adjustments, net } = settled
  const parts = [`${plain(principal)} + ${plain(interest)} − ${plain(penal)}`]
  for (const { amount } of adjustments) parts.push(words.signedPlain(amount))
  return [...sentences, say.payout(parts.join(' '), money(net))]
}

/** What was earned, what of it was paid before, and what is paid now. */
function interestSentences({ principal, interest, explanation }: Summed, words: Words): string[] {
  const { worked: say } = words.of(liquidationWords)
  const { money } = words
  const { method, every, earned, paidShare } = explanation
  const days = Math.min(explanation.elapsedDays, explanation.termDays)
  const rate = words.percent(explanation.annualRatePpm)
  if (method === 'COMPOUND' && every !== null) {
    return [say.compounded(money(principal), rate, days, words.say.periods[every], money(interest))]
  }
  if (paidShare === 0n) return [say.interest(money(principal), rate, days, money(interest))]
  return [
    say.earned(money(principal), rate, days, money(earned)),
    say.paidBefore(money(paidShare)),
    ...(interest > 0n ? [say.paidNow(money(interest))] : []),
  ]
}

/** What of the interest paid before goes back, and why. */
function takenBackSentences(settled: Summed, words: Words): string[] {
  const { worked: say } = words.of(liquidationWords)
  const { money } = words
  const { adjustments, explanation } = settled
  const of = (kind: AdjustmentKind) => adjustments.find((one) => one.kind === kind)?.amount ?? 0n
  const [unearned, recovered, returned] = [of('UNEARNED_INTEREST'), of('PENAL_RECOVERY'), of('TAX_RETURNED')]
  const forgone = explanation.paidShare > 0n ? explanation.uncollected : 0n
  return [
    ...(unearned < 0n ? [say.unearned(money(-unearned))] : []),
    ...(recovered < 0n ? [say.recovered(money(-recovered))] : []),
    ...(forgone > 0n ? [say.notRecovered(money(forgone))] : []),
    ...(returned > 0n ? [say.taxReturned(money(returned))] : []),
  ]
}

function termSentence(term: ChargeTerm, amount: bigint, words: Words): string {
  const { worked } = words.of(liquidationWords)
  const { money } = words
  switch (term.kind) {
    case 'FIXED':
      return worked.fixed(money(amount))
    case 'PERCENT':
      return worked.percent(words.percent(term.percentPpm), worked.bases[term.of], money(amount))
    case 'PERIOD_INTEREST':
      return worked.period(money(amount))
    case 'RERATE':
      return worked.rerate(money(amount))
    default:
      return term satisfies never
  }
}

function taxSentence(
  { ratePpm, taxable, withheldEarlier }: TaxExplanation,
  tax: bigint,
  words: Words,
): string {
  const { worked: say } = words.of(liquidationWords)
  const { money } = words
  const rate = words.percent(ratePpm)
  return withheldEarlier === 0n
    ? say.tax(rate, money(taxable), money(tax))
    : say.taxOfRest(rate, money(taxable), money(withheldEarlier), money(tax))
}
