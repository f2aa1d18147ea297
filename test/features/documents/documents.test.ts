/** A kind of document that is nothing but its description, without a column of its own in the row of the book. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { documentKinds } from '../../../src/features/document-kinds/document.ts'
import { defineDocument } from '../../../src/features/documents/changes.ts'
import { documentRoutes } from '../../../src/features/documents/routes.ts'
import { describeDocument } from '../../../src/features/versions/document.ts'
import { Text } from '../../../src/wire/fields.ts'
import { text } from '../../../src/wire/record.ts'
import { describeService, type TestService } from '../../support/service.ts'

const MOTTO = 'What the bank says of itself.'
const motto = describeDocument({
  kind: 'MOTTO',
  name: 'Motto',
  title: 'Motto',
  noun: 'motto',
  event: 'motto.updated',
  path: '/v2/motto',
  tag: 'Service',
  scopes: { read: 'rules:read', write: 'rules:write' },
  summaries: { get: 'Get it', replace: 'Write the next', version: 'Get one version' },
  shown: 'The motto.',
  replaced: 'The motto was replaced.',
  example: '{"words": "Slow and sure"}',
  texts: {
    en: { operation: 'Change the motto', action: 'Motto changed' },
    fr: { operation: 'Modifier la devise', action: 'Devise modifiée' },
  },
  body: Type.Object({ words: Text({ min: 1, max: 100, description: MOTTO }) }),
  from: ({ words }) => words,
  members: { words: text.as(MOTTO, (words: string) => words) },
  empty: '',
})
const document = defineDocument(motto)

async function originIn({ service, callerId }: TestService) {
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  return { book, actor: OPERATOR, requestId: null, idempotency: null }
}

test('a description names the three operations of its kind', () => {
  const routes = documentRoutes(document, motto)
  assert.deepEqual(
    routes.map(({ method, path, operationId }) => `${operationId}: ${method} ${path}`),
    ['getMotto: GET /v2/motto', 'replaceMotto: PUT /v2/motto', 'getMottoVersion: GET /v2/motto/:version'],
  )
  assert.equal(motto.operation, 'replaceMotto')
})

test('kinds, operations and events have names of their own', () => {
  for (const member of ['kind', 'operation', 'event', 'path'] as const) {
    const names = documentKinds.map((kind) => kind[member])
    assert.deepEqual([...new Set(names)], names)
  }
})

describeService('documents', (running) => {
  test('a kind without a column writes its versions one after the other, with their events', async () => {
    const { service, ask } = running()
    const origin = await originIn(running())
    const { bookId } = origin.book
    const { readNewest, readVersion } = document.reader
    assert.equal(await readNewest(service.db, service.versions, bookId), undefined)
    assert.deepEqual(motto.record.write(motto.first), { version: 0, words: '', created_at: null })
    for (const words of ['Slow', 'Slow and sure']) await document.replace(service, origin, words)
    const newest = await readNewest(service.db, service.versions, bookId)
    assert.deepEqual([newest?.version, newest?.document], [2, 'Slow and sure'])
    assert.equal((await readVersion(service.db, service.versions, bookId, 1))?.document, 'Slow')
    const { data } = (await ask('GET', '/v2/audit-log?action=motto.updated')).json
    assert.deepEqual(
      data.map(({ subject_id }: { subject_id: string }) => subject_id),
      ['2', '1'],
    )
  })

  test('a kind waits for approval where the policy has a rule for its operation, and another does not', async () => {
    const { service, ask } = running()
    const origin = await originIn(running())
    const before = await document.reader.readNewest(service.db, service.versions, origin.book.bookId)
    const rule = { operation: 'replaceCalendar', when: {}, approvals: 1 }
    const policy = { expires_after_hours: 24, deciders: 'ANY', rules: [rule] }
    assert.equal((await ask('PUT', '/v2/approval-policy', policy)).status, 200)
    const calendar = { weekend: [], holidays: [] }
    const held = await ask('PUT', '/v2/business-calendar', calendar)
    assert.equal(held.json.error.code, 'approval_required')
    const requested = await ask('POST', '/v2/approvals', { operation: 'replaceCalendar', body: calendar })
    assert.equal(requested.status, 201, requested.text)
    assert.equal((await document.replace(service, origin, 'Sure')).outcome, 'done')
    const after = await document.reader.readNewest(service.db, service.versions, origin.book.bookId)
    assert.equal(after!.version, before!.version + 1)
  })
})
