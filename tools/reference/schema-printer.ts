/** Turns schemas into what the reference shows: no functions, no unknown members, every member described. */
import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'

export type Schema = { [keyword: string]: unknown }
export type Reference = { $ref: string }

/** A schema with a title is printed once, under that name. */
export function createSchemaPrinter() {
  const known: Record<string, Schema> = {}
  const names = new Set<string>()

  /** A description belongs to the place where the schema is used; `about` describes a named schema. */
  function print(schema: TSchema, place: string): Schema {
    const { title, about, description, ...keywords } = schema as Schema
    if (typeof title !== 'string') return printKeywords(schema as Schema, place)
    const own = about === undefined ? keywords : { description: about, ...keywords }
    const reference = define(title, own as TSchema)
    return description === undefined ? reference : { ...reference, description }
  }

  function define(name: string, schema: TSchema): Reference {
    // The name is recorded first, so that components are listed in the order in which they are met.
    names.add(name)
    return keep(name, printKeywords(schema as Schema, name))
  }

  /** The same name may be defined again, but never as something else. */
  function keep(name: string, printed: Schema): Reference {
    names.add(name)
    if (name in known) assert.deepEqual(printed, known[name], `two schemas are called ${name}`)
    known[name] = printed
    return { $ref: `#/components/schemas/${name}` }
  }

  function printKeywords(keywords: Schema, place: string): Schema {
    const printed: Schema = {}
    for (const [keyword, value] of Object.entries(keywords)) {
      // Keywords that only our reader understands.
      if (typeof value === 'function' || keyword === 'notUpdatable') continue
      printed[keyword] = printKeyword(keyword, value, place)
    }
    const { enum: values } = printed
    if (Array.isArray(values) && isComponent(place)) printed['x-enumNames'] = namesOf(values, place)
    // An object without a list of members may have any.
    if (Object.keys(printed.properties ?? {}).length > 0) printed.additionalProperties ??= false
    return printed
  }

  function printKeyword(keyword: string, value: unknown, place: string): unknown {
    switch (keyword) {
      case 'properties':
        return Object.fromEntries(
          Object.entries(value as Record<string, TSchema>).map(([name, member]) => [
            name,
            printMember(member, `${place}.${name}`),
          ]),
        )
      case 'items':
        return print(value as TSchema, place)
      case 'anyOf':
      case 'oneOf':
        return (value as TSchema[]).map((one) => print(one, place))
      default:
        return value
    }
  }

  function printMember(member: TSchema, place: string): Schema {
    const printed = print(member, place)
    assert(printed.description !== undefined, `${place} has a description`)
    return printed
  }

  const schemas = () => Object.fromEntries([...names].map((name) => [name, known[name]!]))

  return { schemas, print, define, keep }
}

/** Beside components only parameters have places, which begin with the name of their operation. */
function isComponent(place: string): boolean {
  return /^[A-Z]/.test(place)
}

/** Generators for Go call a value LiquidationTypePartial then, and not PARTIAL, which belongs to their whole package. */
function namesOf(values: readonly unknown[], place: string): string[] {
  const prefix = place.split('.').map(inOneWord).join('')
  return values.map((value) => prefix + inOneWord(String(value)))
}

/** DEATH_OF_OWNER: DeathOfOwner; liquidateFixedDeposit: LiquidateFixedDeposit */
function inOneWord(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word[0]!.toUpperCase() + lower(word.slice(1))).join('')
}

/** Inside a word capitals stay, unless all letters are. */
function lower(rest: string): string {
  return /[a-z]/.test(rest) ? rest : rest.toLowerCase()
}

export type SchemaPrinter = ReturnType<typeof createSchemaPrinter>
