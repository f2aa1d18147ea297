/**
 * The approval policy: its rules as a table, what a change would mean for what waits and for what was broken, and JSON
 * for rules that a table cannot express. A change gets a second look, and waits for approval where the policy guards
 * itself.
 */
import { type ApprovalPolicy, DEFAULT_POLICY } from '../../domain/approvals.ts'
import type { Version } from '../../domain/document.ts'
import { card } from '../../page/card.ts'
import { type Fields, inputField, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import type { Asked, Page, PageAnswer } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { describeApprovals } from '../approvals/list.ts'
import { policyReader } from '../holding/changes.ts'
import { impactCard } from '../impact/card.ts'
import { impactOfPolicy } from '../impact/changes.ts'
import {
  proposalForms,
  proposalPage,
  propose,
  proposedIn,
  type RefusedProposal,
  secondLook,
  versionsCard,
} from '../proposals/form.ts'
import { policyRules } from '../rulebook/card.ts'
import { ruleWords } from '../rulebook/words.ts'
import { effectOnLiquidations, effectOnWaiting } from './effect.ts'
import {
  policyForm,
  ROWS_MAX,
  readTyped,
  rulesOnlyIn,
  ruleTable,
  type Typed,
  typedIn,
  typedOf,
} from './form.ts'
import { limitWords } from './words.ts'

export const limitPages: Page[] = [
  {
    method: 'GET',
    path: '/policy',
    scope: 'approvals:read',
    answer: (asked) => policyPage(asked, asked.query, null),
  },
  {
    method: 'POST',
    path: '/policy',
    scope: 'approvals:policy',
    needsRecentSignIn: () => true,
    answer: proposePolicy,
  },
]

const VERSIONS_SHOWN = 5

/** Version 0: the book has no policy yet. */
type InForce = Pick<Version<ApprovalPolicy>, 'version' | 'document'>

async function inForceOf({ service, book }: Asked): Promise<InForce> {
  const { db, versions } = service
  return (
    (await policyReader.readNewest(db, versions, book.bookId)) ?? { version: 0, document: DEFAULT_POLICY }
  )
}

async function proposePolicy(asked: Asked): Promise<PageAnswer> {
  const { form, words } = asked
  const inForce = await inForceOf(asked)
  const typed = typedIn(form) ?? typedOf(inForce.document, words)
  const proposed = proposedIn(form, policyForm, words, () => readTyped(typed, words))
  return propose(asked, policyForm, proposed, {
    look: (policy) => lookAgain(asked, inForce, policy),
    again: (refused) => policyPage(asked, form, refused),
  })
}

/** What begins and what ends. */
async function lookAgain(
  asked: Asked,
  { version, document }: InForce,
  proposed: ApprovalPolicy,
): Promise<PageAnswer> {
  const { service, book, words } = asked
  const say = words.of(limitWords)
  const [begins, ends] = [rulesOnlyIn(proposed, document), rulesOnlyIn(document, proposed)]
  const list = (id: string, name: string, rules: ApprovalPolicy['rules']) =>
    rules.length > 0 && card({ id, title: name }, policyRules({ ...proposed, rules }, words))
  const above = html`${ends.length > 0 && showNotice({ kind: 'tip', text: say.looser }, words)}
<div class="halves">${list('begins', say.begins, begins)}${list('ends', say.ends, ends)}</div>
${impactCard(await impactOfPolicy(service, book, proposed), 'policy', words)}`
  const about = html`${begins.length + ends.length === 0 && html`<p>${say.same}</p>`}
<p>${termsText(proposed, words)}</p>`
  return secondLook(asked, policyForm, version + 1, { above, about })
}

function termsText({ expiresAfterHours, deciders }: ApprovalPolicy, words: Words): string {
  const { rules: say } = words.of(ruleWords)
  return `${say.policyHours(expiresAfterHours)} ${say.deciders[deciders]}`
}

async function policyPage(asked: Asked, form: Fields, refused: RefusedProposal | null): Promise<PageAnswer> {
  const { words, may, part } = asked
  const say = words.of(limitWords)
  const inForce = await inForceOf(asked)
  const { version, document } = inForce
  const typed = typedIn(form) ?? typedOf(document, words)
  const proposed = proposedIn(form, policyForm, words, () => readTyped(typed, words))
  const preview = html`<div id="preview">
${!proposed.ok && refused === null && showNotice({ kind: 'bad', text: proposed.text }, words)}
${await effect(asked, document, proposed.ok ? proposed.document : document)}</div>`
  if (part === 'preview') return { kind: 'part', part: preview }
  const rules = may('approvals:policy')
    ? await editForms(asked, form, { inForce, typed })
    : readOnly(document, words)
  const earlier = {
    newest: version,
    most: VERSIONS_SHOWN,
    summary: (one: Version<ApprovalPolicy>) =>
      `${say.version(one.version)}, ${say.since(words.instant(one.createdAt))}`,
    content: (policy: ApprovalPolicy) => wholePolicy(policy, words),
  }
  const content = html`${card({ id: 'edit', title: say.edit }, rules)}
${card({ id: 'effect', title: say.effect }, preview)}
${await versionsCard(asked, policyForm, earlier)}`
  return proposalPage(asked, policyForm, version, { content, refused })
}

function wholePolicy(policy: ApprovalPolicy, words: Words): Html {
  const say = words.of(limitWords)
  return html`${policy.rules.length === 0 ? html`<p>${say.empty}</p>` : policyRules(policy, words)}
<p class="hint">${termsText(policy, words)}</p>`
}

function readOnly(policy: ApprovalPolicy, words: Words): Html {
  return html`${wholePolicy(policy, words)}
<p class="notice">${words.of(limitWords).mayNot}</p>`
}

function editForms(
  asked: Asked,
  form: Fields,
  { inForce: { version, document }, typed }: { inForce: InForce; typed: Typed },
): Promise<Html> {
  const { words } = asked
  const say = words.of(limitWords)
  const fields = html`${ruleTable(typed.rows, words)}
<p class="hint">${say.help} ${say.contactHelp}</p>
<div class="fields">
${inputField({ name: 'hours', label: say.hours, value: typed.hours, max: 3, isDecimal: true })}
${selectField({ name: 'deciders', label: say.deciders, texts: say.decidersOf, value: typed.deciders })}
</div>`
  const add = html`<button class="button" name="add" value="yes">${say.add}</button>`
  const more = typed.rows.length < ROWS_MAX ? add : html``
  return proposalForms(asked, policyForm, form, { next: version + 1, document, fields, more })
}

/** What waits now, and what was broken, by the policy in force and by the proposed one. */
async function effect(asked: Asked, document: ApprovalPolicy, proposed: ApprovalPolicy): Promise<Html> {
  const say = asked.words.of(limitWords)
  return html`${proposed.rules.length === 0 && html`<p>${say.noRules}</p>`}
${await waitingTable(asked, proposed)}
${asked.may('fixed_deposits:read') && (await liquidationsText(asked, document, proposed))}`
}

async function waitingTable(asked: Asked, proposed: ApprovalPolicy): Promise<Html> {
  const { service, book, words } = asked
  const say = words.of(limitWords)
  const effects = await effectOnWaiting(service, book, proposed)
  if (effects.length === 0) return html`<p>${say.noneWait}</p>`
  const describe = await describeApprovals(
    asked,
    effects.map(({ approval }) => approval),
  )
  return recordTable(
    effects,
    [
      {
        name: say.request,
        cell: ({ approval }) => {
          const { title, text, path } = describe(approval)
          return html`<a href="${path}">${title}</a> <small>${text}</small>`
        },
      },
      { name: say.now, isNumber: true, cell: ({ now }) => now ?? say.notCounted },
      {
        name: say.proposed,
        isNumber: true,
        cell: ({ now, proposed: then }) => (then === now ? (then ?? '–') : html`<b>${then}</b>`),
      },
    ],
    { label: say.waiting },
  )
}

async function liquidationsText(
  { service, book, words }: Asked,
  document: ApprovalPolicy,
  proposed: ApprovalPolicy,
): Promise<Html> {
  const say = words.of(limitWords)
  const { count, isComplete, heldBy } = await effectOnLiquidations(service, book)
  if (count === 0) return html`<p>${say.noLiquidations}</p>`
  const text = say.liquidations(count, heldBy(document), heldBy(proposed))
  return html`<p>${text} ${!isComplete && say.newest}</p><p class="hint">${say.leftOut}</p>`
}
