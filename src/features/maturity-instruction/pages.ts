import type { Page } from '../../page/page.ts'
import { carryOut, made } from '../counter/form.ts'
import { refusedOnDeposit } from '../deposits/pages.ts'
import { putMaturityInstruction } from './changes.ts'
import { InstructionBody } from './record.ts'

export const instructionPages: Page[] = [
  {
    method: 'POST',
    path: '/deposits/:deposit_id/maturity-instruction',
    scope: 'fixed_deposits:write',
    answer: (asked) => {
      const { service, form, params, originOf } = asked
      const depositId = params.deposit_id!
      return carryOut(asked, {
        schema: InstructionBody,
        body: { maturity_instruction: form.get('maturity_instruction') },
        run: ({ maturity_instruction: instruction }: InstructionBody) =>
          putMaturityInstruction(service, originOf(form.get('key')), { depositId, instruction }, () =>
            made(depositId),
          ),
        done: () => `/console/deposits/${depositId}?done=instructed`,
        again: (refused) => refusedOnDeposit(asked, depositId, refused),
      })
    },
  },
]
