/** Batches of a book, newest first. */
import type { Batch } from '../../domain/batch.ts'
import { formatAmount } from '../../domain/money.ts'
import { selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { fileColumn, type List, type ListColumn } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { rowsOfStore } from '../../page/stored-list.ts'
import type { Words } from '../../words/words.ts'
import { type BatchFilters, listBatches } from '../batches/store.ts'
import { batchWords } from './words.ts'

/** `filtersOf`: those of the person, which depend on what the person may run. */
export const batchList = (filtersOf: (asked: Asked) => BatchFilters): List<Batch> => ({
  path: '/batches',
  section: 'batches',
  scope: 'batches:run',
  title: ({ words }) => words.of(batchWords).title,
  none: (words) => words.of(batchWords).none,
  filters: ['status', 'operation'],
  actions: ({ words }) =>
    html`<a class="button primary" href="/console/batches/new">${words.of(batchWords).make}</a>`,
  fields: ({ query, words }) => {
    const say = words.of(batchWords)
    const field = (name: string, label: string, texts: Record<string, string>) =>
      selectField({ name, label, texts: { '': say.all, ...texts }, value: query.get(name) })
    return html`${field('status', say.status, say.statuses)}${field('operation', say.what, say.operations)}`
  },
  columns: ({ words }) => columnsFor(words),
  idOf: ({ batchId }) => batchId,
  ...rowsOfStore(listBatches, filtersOf),
  sql: {
    id: 'batch_id',
    order: {
      name: 'name',
      operation: 'operation',
      status: 'status',
      lines: 'lines',
      failed: 'failed',
      created: 'created_at',
    },
    sums: {},
  },
})

function columnsFor(words: Words): ListColumn<Batch>[] {
  const say = words.of(batchWords)
  return [
    {
      key: 'name',
      name: say.name,
      cell: ({ batchId, name }) => html`<a href="/console/batches/${batchId}"><b>${name ?? batchId}</b></a>`,
      text: ({ name }) => name ?? '',
    },
    {
      key: 'operation',
      name: say.what,
      cell: ({ operation }) => say.operations[operation],
      text: ({ operation }) => operation,
    },
    { key: 'status', name: say.status, cell: (batch) => badge(batch, words), text: ({ status }) => status },
    {
      key: 'lines',
      name: say.lines,
      isNumber: true,
      cell: ({ lines }) => words.whole(lines),
      text: ({ lines }) => String(lines),
    },
    {
      key: 'failed',
      name: say.failed,
      isNumber: true,
      cell: ({ failed }) => words.whole(failed),
      text: ({ failed }) => String(failed),
    },
    {
      key: 'created',
      name: say.created,
      cell: ({ createdAt }) => words.instant(createdAt),
      text: ({ createdAt }) => createdAt.toISOString(),
    },
    fileColumn('batch_id', ({ batchId }) => batchId),
    fileColumn('total', ({ total }) => formatAmount(total)),
  ]
}

const BADGES: Record<Batch['status'], string> = {
  UPLOADING: '',
  RUNNING: 'waiting',
  DONE: 'active',
  CANCELLED: '',
}

export function badge({ status }: Batch, words: Words): Html {
  return html`<span class="badge ${trusted(BADGES[status])}">${words.of(batchWords).statuses[status]}</span>`
}
