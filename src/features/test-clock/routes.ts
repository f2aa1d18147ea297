import { successBody } from '../../wire/envelope.ts'
import { orRefused } from '../../wire/failure.ts'
import { type Route, route } from '../../wire/route.ts'
import { moveTestClock } from './changes.ts'
import { TestClockMove, TestClockRecord, testClockData } from './record.ts'

export const testClockRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/test-clock',
    operationId: 'getTestClock',
    summary: "Get the time of the test book's own clock",
    tag: 'Test clock',
    scope: '*',
    testModeOnly: true,
    body: null,
    query: null,
    success: { status: 200, data: TestClockRecord },
    refusals: [],
    answer: async ({ service, book }) => {
      const { at } = await service.momentIn(book)
      return {
        status: 200,
        body: successBody('The time of the test book.', testClockData(at)),
        replayed: false,
      }
    },
  }),
  route({
    method: 'POST',
    path: '/v2/test-clock',
    operationId: 'moveTestClock',
    summary: "Move the test book's clock forward and settle what becomes due, before it answers",
    tag: 'Test clock',
    scope: '*',
    testModeOnly: true,
    body: TestClockMove,
    query: null,
    success: { status: 200, data: TestClockRecord },
    refusals: ['clock_moves_forward_only', 'clock_move_too_far'],
    answer: async ({ service, origin, body }) => orRefused(await moveTestClock(service, origin, body.now)),
  }),
]
