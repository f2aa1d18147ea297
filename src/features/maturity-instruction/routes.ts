import { type Route, replyWith, route, success } from '../../route/route.ts'
import { DepositRecord } from '../deposits/record.ts'
import { putMaturityInstruction } from './changes.ts'
import { InstructionBody } from './record.ts'

export const maturityInstructionRoutes: Route[] = [
  route({
    method: 'PUT',
    path: '/v2/fixed-deposits/:deposit_id/maturity-instruction',
    operationId: 'putMaturityInstruction',
    summary: 'Say what becomes of a fixed deposit at maturity, until the day before',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:write',
    body: InstructionBody,
    success: { status: 200, data: DepositRecord },
    refusals: ['deposit_not_found', 'deposit_not_active', 'deposit_matured'],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        putMaturityInstruction(
          service,
          origin,
          { depositId: params.deposit_id!, instruction: body.maturity_instruction },
          success(200, 'The maturity instruction was set.', DepositRecord.write),
        ),
      ),
  }),
]
