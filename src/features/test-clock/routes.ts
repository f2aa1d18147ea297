import { type Route, reply, replyWith, route, success } from '../../route/route.ts'
import { moveTestClock } from './changes.ts'
import { TestClockMove, TestClockRecord } from './record.ts'

export const testClockRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/test-clock',
    operationId: 'getTestClock',
    summary: "Get the time of the test book's own clock",
    tag: 'Test clock',
    scope: '*',
    testModeOnly: true,
    success: { status: 200, data: TestClockRecord },
    answer: async ({ service, book }) => {
      const { at } = await service.momentIn(book)
      return reply('The time of the test book.', TestClockRecord.write(at))
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
    success: { status: 200, data: TestClockRecord },
    refusals: ['clock_moves_forward_only', 'clock_move_too_far'],
    answer: ({ service, origin, body }) =>
      replyWith(
        moveTestClock(
          service,
          origin,
          { now: body.now, rolloversMax: service.testClockRolloversMax },
          success(200, 'The clock was moved and what became due is settled.', ({ after }) =>
            TestClockRecord.write(after),
          ),
        ),
      ),
  }),
]
