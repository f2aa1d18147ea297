/** What a request for approval is about, in words: a line for the queue, a heading and its terms. */

import { type Approval, isNamed } from '../../domain/approvals.ts'
import type { Customer } from '../../domain/customer.ts'
import type { Account, Deposit } from '../../domain/deposit.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { isJsonObject, type Json, parseJson } from '../../wire/json.ts'
import { keptAmount, textOf } from '../../wire/stored.ts'
import type { Text, Texts } from '../../words/language.ts'
import type { Words } from '../../words/words.ts'
import { depositWords } from '../deposits/words.ts'
import { operationName } from '../document-kinds/words.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { ruleWords } from '../rulebook/words.ts'
import { french } from './french.ts'

const english = {
  outcomes: {
    title: 'Requests',
    approval: 'Approval',
    request: 'Request',
    maker: 'Asked by',
    noteOfMaker: 'Note to the approver',
    checker: 'Approved by',
  },
  waiting: {
    waits: (amount: Text) => `${amount} waits for approval.`,
    text: (who: Text, at: Text) => `Asked for by ${who}, ${at}. Nothing was paid yet.`,
    look: 'Look at the request',
    withdraw: 'Withdraw request',
    withdrawn: 'The request was withdrawn. Nothing was paid.',
  },
  approvals: {
    title: 'Approvals',
    waitForYou: (count: number) => (count === 1 ? '1 waits for you' : `${count} wait for you`),
    noneForYou: 'nothing waits for you',
    waiting: 'Waiting',
    none: 'No request waits for approval.',
    all: 'All requests',
    whole: (customer: Text) => `Break all of it, ${customer}`,
    part: (customer: Text) => `Break a part, ${customer}`,
    by: (who: Text, ago: Text) => `${who}, ${ago}`,
    yours: 'You asked: somebody else decides',
    voted: 'You have approved: others decide too',
    breaking: (customer: Text, principal: Text) => `Break ${customer}’s deposit of ${principal}`,
    asks: {
      open: (customer: Text, amount: Text) => `Open a deposit of ${amount} for ${customer}`,
      reverse: (customer: Text, amount: Text) => `Take back ${amount} paid to ${customer}`,
      hold: (customer: Text, amount: Text) => `Hold ${amount} of ${customer}’s deposit`,
      release: (customer: Text, amount: Text) => `Release ${amount} held of ${customer}’s deposit`,
      credit: (customer: Text, amount: Text) => `Credit ${amount} to ${customer}`,
      batch: (name: Text, amount: Text) => `Start the batch ${name} of ${amount}`,
      taxStatus: (customer: Text, taxClass: Text) => `Put ${customer} in the tax class ${taxClass}`,
    },
    lines: 'Lines',
    of: (what: Text, customer: Text) => `${what}, ${customer}`,
    account: 'Account',
    fromAccount: 'From account',
    rate: 'Rate a year',
    paidOn: 'Paid on',
    remainsThen: 'Remains then',
    freeNow: 'Free now',
    heldFor: 'Held for',
    lienReference: 'Reference',
    narration: 'Narration',
    validUntil: 'Valid until',
    noEnd: 'no end',
    since: (day: Text) => `Waiting since ${day}`,
    statuses: {
      PENDING: 'Waiting',
      APPROVED: 'Approved',
      REJECTED: 'Refused',
      CANCELLED: 'Withdrawn',
      EXPIRED: 'Expired',
    },
    figures: 'Figures when asked, and now',
    whenAsked: (day: Text) => `When asked, ${day}`,
    ifToday: 'If approved today',
    interest: 'Interest',
    daysPassed: (days: number) =>
      days === 1 ? 'A day passed since it was asked.' : `${days} days passed since it was asked.`,
    figuresMoved: 'The figures have changed since it was asked.',
    same: 'The figures are the same as when it was asked.',
    more: (amount: Text) => `The customer now receives ${amount} more. Approving pays today’s figure.`,
    less: (amount: Text) => `The customer now receives ${amount} less. Approving pays today’s figure.`,
    notPossible: 'It cannot be approved now:',
    askedBy: 'Asked by',
    reference: (reference: Text) => `reference ${reference}`,
    reason: 'Reason',
    waiver: 'Waiver',
    note: 'Note',
    why: 'Why two people',
    onRequest: 'The person who asked wanted it',
    approved: 'Approved by',
    needed: (given: number, needed: number) => `${given} of ${needed} approvals`,
    deposit: 'Deposit',
    expires: 'Expires',
    made: 'Result',
    refusedBy: 'Refused by',
    decidedWhy: 'Why it was refused',
    ownText: 'You asked for this, so somebody else decides. You can withdraw the request.',
    takeBack: 'Withdraw request',
    mayNot: 'Your role may look at requests, but not decide them.',
    noteField: 'Note',
    neededToRefuse: 'needed to refuse',
    password: 'Your password',
    passwordWhy: 'You signed in more than 15 minutes ago.',
    refuse: 'Refuse',
    approve: 'Approve',
    sure: (act: Text) => `${act}?`,
    what: 'What',
    target: 'Record',
    approveAmount: (amount: Text) => `Approve ${amount}`,
    approveAndPay: (amount: Text) => `Approve and pay ${amount}`,
    noteMissing: 'Say in the note why you refuse.',
    noDecision: 'Nothing was decided: approve or refuse with the buttons of this page.',
    figuresChanged: 'Nothing was done: the figures are not the same any more. These are the figures now.',
    unknown:
      'The answer was lost. This page shows what is known now; decide again only if the request still waits.',
    done: {
      paid: (amount: Text) => `Approved, and paid ${amount}.`,
      carriedOut: 'Approved and carried out.',
      counted: 'Your approval was counted. Others have to approve too, and nothing was done yet.',
      refused: 'Refused. Nothing was done.',
      takenBack: 'The request was withdrawn. Nothing was done.',
    },
  },
}

export const approvalWords: Texts<typeof english> = { en: english, fr: french }

/** The records that a request is about. */
export type Subject = {
  customer?: Customer | undefined
  deposit?: Deposit | undefined
  account?: Account | undefined
  liquidation?: StoredLiquidation | undefined
}

export type RequestInWords = {
  /** null: it is not about an amount. */
  minor: bigint | null
  amount: string | null
  heading: string
  terms: readonly [name: string, value: string][]
}

type AboutRequest = {
  /** What was kept of the preview. */
  kept: Json
  subject: Subject
  customer: string
  words: Words
}

/** Whether its figures were removed after the time that a bank keeps them. */
export function isWithoutPreview({ preview }: Approval): boolean {
  return preview === '{}'
}

/** `words` in the currency of its subject. */
export function requestInWords(approval: Approval, subject: Subject, words: Words): RequestInWords {
  const { approvals: say } = words.of(approvalWords)
  const request = { kept: parseJson(approval.preview), subject, customer: nameOf(subject), words }
  const { kept, customer } = request
  const { operation } = approval
  const named = { minor: null, amount: null, heading: operationName(operation, words), terms: [] }
  if (!isNamed(operation) || isWithoutPreview(approval)) return named
  switch (operation) {
    case 'liquidateFixedDeposit': {
      const heading = say.breaking(customer, words.money(subject.deposit!.principal))
      return { ...amountIn(request, 'net_credited'), heading, terms: [] }
    }
    case 'openFixedDeposit':
      return openingInWords(request)
    case 'reverseLiquidation':
      return reversalInWords(request)
    case 'placeLien': {
      const asked = amountIn(request, 'amount')
      const free = subject.deposit!.remaining - subject.deposit!.lien
      return {
        ...asked,
        heading: say.asks.hold(customer, asked.amount),
        terms: [[say.freeNow, words.money(free)]],
      }
    }
    case 'releaseLien': {
      const asked = amountIn(request, 'amount')
      const terms = given(
        [say.heldFor, textOf(kept, 'reason')],
        [say.lienReference, textOf(kept, 'reference')],
      )
      return { ...asked, heading: say.asks.release(customer, asked.amount), terms }
    }
    case 'creditAccount':
      return creditInWords(request)
    case 'putTaxStatus':
      return taxStatusInWords(request)
    case 'startBatch': {
      const asked = amountIn(request, 'total_amount')
      const heading = say.asks.batch(textOf(kept, 'name'), asked.amount)
      return { ...asked, heading, terms: [[say.lines, textOf(kept, 'lines')]] }
    }
    case 'replaceRules':
    case 'replaceTaxRules':
    case 'replaceApprovalPolicy':
    case 'putProduct':
    case 'addRateSheet':
      return named
    default:
      return operation satisfies never
  }
}

function amountIn({ kept, words }: Pick<AboutRequest, 'kept' | 'words'>, member: string) {
  const minor = keptAmount(kept, member)
  return { minor, amount: words.money(minor) }
}

function openingInWords(request: AboutRequest): RequestInWords {
  const { kept, subject, customer, words } = request
  const { approvals: say } = words.of(approvalWords)
  const { deposit: terms } = words.of(depositWords)
  const asked = amountIn(request, 'principal')
  const day = (member: string) => words.dayText(textOf(kept, member))
  const { maturity_instruction: said, auto_rollover: rolls } = isJsonObject(kept) ? kept : {}
  const rolling = said === 'ROLL_OVER_PRINCIPAL' ? said : 'ROLL_OVER'
  return {
    ...asked,
    heading: say.asks.open(customer, asked.amount),
    terms: [
      [say.fromAccount, subject.account!.accountNumber],
      [terms.term, terms.fromTo(day('start_date'), day('maturity_date'))],
      [say.rate, words.of(ruleWords).rules.percent(textOf(kept, 'interest_rate'))],
      [say.interest, amountIn(request, 'expected_interest').amount],
      [terms.atMaturity, words.say.instructions[rolls === true ? rolling : 'PAY_OUT']],
    ],
  }
}

function reversalInWords({ kept, subject, customer, words }: AboutRequest): RequestInWords {
  const { approvals: say } = words.of(approvalWords)
  const { net, principal, businessDate, accountNumber } = subject.liquidation!
  const deposit = (isJsonObject(kept) ? kept.deposit : undefined) ?? null
  return {
    minor: net,
    amount: words.money(net),
    heading: say.asks.reverse(customer, words.money(net)),
    terms: [
      [say.paidOn, words.day(businessDate)],
      [say.fromAccount, accountNumber],
      [words.of(liquidationWords).breaking.principal, words.money(principal)],
      [say.remainsThen, amountIn({ kept: deposit, words }, 'remaining_principal').amount],
    ],
  }
}

function creditInWords({ kept, subject, customer, words }: AboutRequest): RequestInWords {
  const { approvals: say } = words.of(approvalWords)
  const lines = isJsonObject(kept) && Array.isArray(kept.lines) ? kept.lines : []
  const asked = amountIn({ kept: lines.at(-1) ?? null, words }, 'amount')
  const terms = given(
    [say.account, subject.account!.accountNumber],
    [say.narration, textOf(kept, 'narration')],
  )
  return { ...asked, heading: say.asks.credit(customer, asked.amount), terms }
}

function taxStatusInWords({ kept, customer, words }: AboutRequest): RequestInWords {
  const { approvals: say } = words.of(approvalWords)
  const until = words.dayText(textOf(kept, 'valid_until'))
  return {
    minor: null,
    amount: null,
    heading: say.asks.taxStatus(customer, textOf(kept, 'tax_class')),
    terms: [[say.validUntil, until === '' ? say.noEnd : until]],
  }
}

export function isBreak({ operation }: Approval): boolean {
  return operation === 'liquidateFixedDeposit'
}

export function nameOfActor({ name, kind }: Approval['requestedBy'], { say }: Words): string {
  return name ?? say.actors[kind]
}

export function inCurrencyOf({ deposit, account }: Subject, words: Words): Words {
  return words.in((deposit ?? account)?.currency ?? words.currency)
}

export function nameOf({ customer }: Subject): string {
  return customer === undefined ? '' : `${customer.firstName} ${customer.lastName}`
}

function given(...terms: [string, string][]): [string, string][] {
  return terms.filter(([, value]) => value !== '')
}
