/** Ranges as they are sent. Half open: gte is inclusive, lt is exclusive. */
import { type TSchema, Type } from 'typebox'
import type { Range } from '../domain/rules.ts'
import { Money, type Notes, Percent } from './fields.ts'
import type { FieldError } from './reader.ts'

export function PercentRange(description: string) {
  const bound = (notes: Notes) => Percent({ min: 0, max: 100, ...notes })
  return RangeOf({ title: 'PercentRange', description }, bound)
}

export function AmountRange(description: string) {
  const bound = (notes: Notes) => Money({ zeroAllowed: true, ...notes })
  return RangeOf({ title: 'AmountRange', description }, bound)
}

export function RangeOf<Bound extends TSchema>(notes: Notes, bound: (notes: Notes) => Bound) {
  return Type.Object(
    {
      gte: Type.Optional(bound({ description: 'At least this.' })),
      lt: Type.Optional(bound({ description: 'Less than this.' })),
    },
    {
      ...notes,
      refine: ({ gte, lt }: Range<number | bigint>, sent: object): FieldError[] => {
        // An invalid bound was present all the same, and has its error already.
        if (!Object.hasOwn(sent, 'gte') && !Object.hasOwn(sent, 'lt')) {
          return [{ field: 'gte', code: 'required', message: 'Name gte, lt or both.' }]
        }
        if (gte === undefined || lt === undefined || gte < lt) return []
        return [{ field: 'lt', code: 'invalid_value', message: 'Send an lt that is above gte.' }]
      },
    },
  )
}
