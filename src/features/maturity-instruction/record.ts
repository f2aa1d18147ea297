import { type Static, Type } from 'typebox'
import { MATURITY_INSTRUCTIONS } from '../../domain/deposit.ts'
import { Choice } from '../../wire/fields.ts'
import { DepositRecord, maturityInstruction } from '../deposits/record.ts'

export const InstructionBody = Type.Object({
  maturity_instruction: Choice(MATURITY_INSTRUCTIONS, {
    title: 'MaturityInstruction',
    description: maturityInstruction.description,
  }),
})
export type InstructionBody = Static<typeof InstructionBody>

/** What subscribers can receive. */
export const instructionEvents = {
  'fixed_deposit.maturity_instruction_changed': DepositRecord,
}
