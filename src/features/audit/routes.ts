import { Type } from 'typebox'
import { listReply, pageQuery, type Route, route } from '../../route/route.ts'
import { Identifier, Instant } from '../../wire/fields.ts'
import { apiKeyId } from '../../wire/record.ts'
import { ACTION, AuditRecord, SUBJECT } from './record.ts'
import { type AuditFilters, listChanges } from './store.ts'

const AuditQuery = Type.Object({
  ...pageQuery,
  subject_id: Type.Optional(Identifier({ description: SUBJECT })),
  action: Type.Optional(Identifier({ description: ACTION })),
  api_key_id: Type.Optional(Identifier(apiKeyId)),
  from: Type.Optional(Instant({ description: 'Only changes at or after this time.' })),
  to: Type.Optional(Instant({ description: 'Only changes before this time.' })),
})

export const auditRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/audit-log',
    operationId: 'listAuditLog',
    summary: 'List every committed change, newest first: who, when, what, and old and new personal values',
    tag: 'Audit log',
    scope: 'audit:read',
    query: AuditQuery,
    success: { status: 200, data: AuditRecord, list: true },
    answer: (asked) => {
      const { subject_id, action, api_key_id, from, to } = asked.query
      const filters: AuditFilters = {
        ...(subject_id !== undefined && { subjectId: subject_id }),
        ...(action !== undefined && { action }),
        ...(api_key_id !== undefined && { apiKeyId: api_key_id }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      }
      return listReply(asked, {
        operationId: 'listAuditLog',
        message: 'The audit log.',
        read: (page) => listChanges(asked.service.db, asked.book.bookId, filters, page),
        show: AuditRecord.write,
      })
    },
  }),
]
