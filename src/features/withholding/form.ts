/** Tax rules as the fields of a form: the classes are rows, and STANDARD is always the first of them. */
import type { IsoDate } from '../../domain/dates.ts'
import { ROUNDINGS } from '../../domain/money.ts'
import { STANDARD_CLASS, TAX_BASES, TAX_ON_RECOVERY, type TaxRules } from '../../domain/tax.ts'
import { type Fields, numeral } from '../../page/form.ts'
import type { FieldError } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { type ProposalForm, type Proposed, readProposed } from '../proposals/form.ts'
import { taxRulesDocument } from '../tax/changes.ts'
import { formatTaxRules, TaxRulesBody, taxRulesFrom } from '../tax/record.ts'
import { withholdingWords } from './words.ts'

/** A class as it was typed. */
export type TypedClass = { name: string; rate: string }
export type Typed = {
  from: string
  base: string
  onRecovery: string
  rounding: string
  classes: TypedClass[]
}

export const CLASSES_MAX = 20

/** The first version begins with no class but the one that every customer has, from today on. */
export function typedOf(rules: TaxRules | null, today: IsoDate, words: Words): Typed {
  const classes = rules?.classes ?? new Map([[STANDARD_CLASS, 0]])
  return {
    from: rules === null || rules.effectiveFrom < today ? today : rules.effectiveFrom,
    base: rules?.base ?? TAX_BASES[0],
    onRecovery: rules?.onRecovery ?? TAX_ON_RECOVERY[0],
    rounding: rules?.rounding ?? ROUNDINGS[0],
    classes: [...classes]
      .toSorted(([one], [other]) => Number(other === STANDARD_CLASS) - Number(one === STANDARD_CLASS))
      .map(([name, ratePpm]) => ({ name, rate: words.percent(ratePpm) })),
  }
}

/** What the form says; null where none was sent. */
export function typedIn(form: Fields): Typed | null {
  if (!form.has('effective_from')) return null
  const classes: TypedClass[] = []
  for (let index = 0; index < CLASSES_MAX && form.has(`rate${index}`); index += 1) {
    const name = index === 0 ? STANDARD_CLASS : className(form.get(`class${index}`))
    classes.push({ name, rate: form.get(`rate${index}`).trim() })
  }
  return {
    from: form.get('effective_from'),
    base: form.get('base'),
    onRecovery: form.get('on_recovery'),
    rounding: form.get('rounding'),
    classes: form.has('add') && classes.length < CLASSES_MAX ? [...classes, { name: '', rate: '' }] : classes,
  }
}

/** Classes have capital letters; people may type them as they write. */
export function className(typed: string): string {
  return typed
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
}

export const taxForm: ProposalForm<typeof TaxRulesBody, TaxRules> = {
  path: '/tax-rules',
  operation: 'replaceTaxRules',
  texts: withholdingWords,
  schema: TaxRulesBody,
  from: taxRulesFrom,
  format: formatTaxRules,
  document: taxRulesDocument,
  jsonRows: 14,
}

export function readTyped(typed: Typed, words: Words): Proposed<TaxRules> {
  const say = words.of(withholdingWords)
  const classes = typed.classes.filter(({ name, rate }) => name !== '' || rate !== '')
  const names = classes.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return { ok: false, text: say.twice(twice) }
  const body = {
    effective_from: typed.from,
    base: typed.base,
    on_recovery: typed.onRecovery,
    rounding: typed.rounding,
    classes: Object.fromEntries(classes.map(({ name, rate }) => [name, numeral(rate, 'rate', words)])),
  }
  return readProposed(taxForm, body, (error) => textOf(error, words))
}

function textOf({ field, code }: FieldError, words: Words): string {
  const say = words.of(withholdingWords)
  if (field === 'effective_from') return say.wrongDay
  if (!field.startsWith('classes.')) return say.wrongField
  const name = field.slice('classes.'.length)
  return name === '' || code === 'invalid_format' ? say.wrongClass(name) : say.wrongRate(name)
}
