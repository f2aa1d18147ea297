import type { Route } from '../../route/route.ts'
import { documentRoutes } from '../documents/routes.ts'
import { calendarDocument } from './changes.ts'
import { CalendarBody, FIRST_CALENDAR } from './record.ts'

export const calendarRoutes: Route[] = documentRoutes(calendarDocument, {
  path: '/v2/business-calendar',
  tag: 'Products',
  body: CalendarBody,
  from: (body) => body,
  scopes: { read: 'rules:read', write: 'rules:write' },
  get: {
    operationId: 'getCalendar',
    summary: 'Get the business calendar; before the first one no day is closed',
  },
  replace: {
    operationId: 'replaceCalendar',
    summary: 'Write the next version of the business calendar; deposits opened earlier keep their maturity',
  },
  version: { operationId: 'getCalendarVersion', summary: 'Get one version of the business calendar' },
  shown: 'The business calendar.',
  replaced: 'The business calendar was replaced.',
  first: FIRST_CALENDAR,
})
