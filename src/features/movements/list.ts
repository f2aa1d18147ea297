/** Every movement of money of a book, newest first. */
import { type IsoDate, isIsoDate } from '../../domain/dates.ts'
import { ENTRY_KINDS, type LedgerEntry } from '../../domain/ledger.ts'
import { formatAmount } from '../../domain/money.ts'
import { entryIdAt, ordinalOf } from '../../engine/database/ids.ts'
import { timeSpan } from '../../engine/database/time-span.ts'
import { hiddenFields, inputField, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { idLink } from '../../page/link.ts'
import {
  amountColumn,
  dayFields,
  fileColumn,
  type List,
  type ListColumn,
  listPages,
} from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import type { Words } from '../../words/words.ts'
import { findAccounts } from '../accounts/store.ts'
import { accountWord } from '../ledger/card.ts'
import { type EntryFilters, entryOf, listEntries } from '../ledger/store.ts'
import { ledgerWords } from '../ledger/words.ts'

type Booked = { entry: LedgerEntry; currency: string }

/** What an entry moved, as `movedBy` has it. */
const MOVED = '(select sum(amount) from unnest(newest.amounts_minor) as amount where amount > 0)'

const list: List<Booked> = {
  path: '/ledger',
  section: 'deposits',
  scope: 'ledger:read',
  standby: { mayLag: true },
  title: ({ words }) => words.of(ledgerWords).title,
  steps: ({ words }) => [[words.say.sections.deposits, '/deposits']],
  none: (words) => words.of(ledgerWords).none,
  filters: ['from', 'to', 'kind', 'account', 'entry'],
  fields: filterFields,
  columns: ({ words }) => columnsFor(words),
  idOf: ({ entry }) => entry.entryId,
  currencyOf: ({ currency }) => currency,
  read: async (asked, { place, limit }) => {
    const { service, book } = asked
    const { filters, below } = filtersOf(asked)
    const before = /^le_\d+$/.test(place) ? ordinalOf(place) : below
    const { items, next } = await listEntries(service.db, book.bookId, filters, { limit, before })
    return { rows: await withCurrencies(asked, items), next: next === null ? null : items.at(-1)!.entryId }
  },
  window: (asked, page) => {
    const { filters, below } = filtersOf(asked)
    return listEntries.window(asked.book.bookId, filters, { ...page, before: below })
  },
  rowsOf: (asked, found) => withCurrencies(asked, found.map(entryOf)),
  sql: {
    id: 'entry_id',
    order: {
      time: 'created_at',
      kind: 'kind',
      record: 'coalesce(liquidation_id, deposit_id, account_number)',
      amount: MOVED,
    },
    sums: { amount: MOVED },
    currency: `(
        select currency
        from accounts
        where accounts.book_id = $1
          and accounts.account_number = newest.account_number)`,
  },
}

export const movementListPages = listPages(list)

async function withCurrencies({ service, book }: Asked, entries: readonly LedgerEntry[]): Promise<Booked[]> {
  const numbers = new Set(entries.flatMap(({ accountNumber }) => accountNumber ?? []))
  const accounts = await findAccounts(service.db, book.bookId, [...numbers])
  return entries.map((entry) => {
    return { entry, currency: accounts.get(entry.accountNumber ?? '')?.currency ?? book.currency }
  })
}

const FIRST_DAY = '1970-01-02' as IsoDate
const LAST_DAY = '9000-01-01' as IsoDate

function filtersOf({ book, query }: Asked): { filters: EntryFilters; below: bigint | null } {
  const [from, to] = [query.get('from'), query.get('to')]
  const kind = ENTRY_KINDS.find((one) => one === query.get('kind'))
  const [accountNumber, entryId] = [query.get('account').trim(), query.get('entry')]
  const hasDays = isIsoDate(from) || isIsoDate(to)
  const { start, end, above, below } = timeSpan(book, {
    from: isIsoDate(from) ? from : FIRST_DAY,
    to: isIsoDate(to) ? to : LAST_DAY,
  })
  return {
    filters: {
      ...(kind !== undefined && { kind }),
      ...(accountNumber !== '' && { accountNumber }),
      ...(entryId !== '' && { entryId }),
      ...(hasDays && { from: start, before: end, aboveEntry: entryIdAt(above) }),
    },
    below: hasDays ? below : null,
  }
}

function filterFields(asked: Asked): Html {
  const { query, words } = asked
  const say = words.of(ledgerWords)
  const entryId = query.get('entry')
  return html`${entryId !== '' && hiddenFields([['entry', entryId]])}${dayFields(asked)}
${selectField({
  name: 'kind',
  label: say.kind,
  texts: { '': say.everyKind, ...words.say.entryKinds },
  value: query.get('kind'),
})}
${inputField({ name: 'account', label: say.account, max: 20, value: query.get('account') })}`
}

/** What moved: the sum of the lines on the credit side. */
function movedBy({ entry }: Booked): bigint {
  return entry.postings.reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n)
}

/** What the entry is about; a credit is about its account. */
function recordOf({ liquidationId, depositId, accountNumber }: LedgerEntry): string | null {
  return liquidationId ?? depositId ?? accountNumber
}

function columnsFor(words: Words): ListColumn<Booked>[] {
  const say = words.of(ledgerWords)
  const line = ({ account, amount }: LedgerEntry['postings'][number], currency: string) =>
    html`<li>${accountWord(account, '', words)} ${words.in(currency).signedPlain(amount)}</li>`
  return [
    {
      key: 'time',
      name: say.when,
      cell: ({ entry }) => html`<span class="nowrap">${words.instant(entry.createdAt)}</span>`,
      text: ({ entry }) => entry.createdAt.toISOString(),
    },
    {
      key: 'kind',
      name: say.entry,
      cell: ({ entry }) => html`<b>${words.say.entryKinds[entry.kind]}</b><small>${entry.narration}</small>`,
      text: ({ entry }) => entry.kind,
    },
    {
      key: 'record',
      name: say.record,
      cell: ({ entry }) => {
        const id = recordOf(entry)
        return id !== null && idLink(id)
      },
      text: ({ entry }) => recordOf(entry) ?? '',
    },
    amountColumn(
      { key: 'amount', name: say.amount, currencyOf: ({ currency }: Booked) => currency, amount: movedBy },
      words,
    ),
    {
      key: 'lines',
      name: say.lines,
      cell: ({ entry, currency }) =>
        html`<details><summary>${entry.postings.length}</summary>
<ul class="plain">${entry.postings.map((posting) => line(posting, currency))}</ul></details>`,
      text: ({ entry }) =>
        entry.postings.map(({ account, amount }) => `${account} ${formatAmount(amount)}`).join('; '),
    },
    fileColumn('entry_id', ({ entry }: Booked) => entry.entryId),
    fileColumn('currency', ({ currency }: Booked) => currency),
    fileColumn('narration', ({ entry }: Booked) => entry.narration ?? ''),
  ]
}
