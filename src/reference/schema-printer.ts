/** Turns schemas into what the reference shows: no functions, no unknown members, every member explained. */
import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { meaningOf } from './glossary.ts'

export type Schema = { [keyword: string]: unknown }
export type Reference = { $ref: string }

/** A schema with a title is printed once, under that name. */
export function createSchemaPrinter() {
  const known: Record<string, Schema> = {}
  const places = new Set<string>()

  /** A description belongs to the place where the schema stands; `about` describes what has a name of its own. */
  function print(schema: TSchema, owner: string): Schema {
    const { title, about, description, ...keywords } = schema as Schema
    if (typeof title !== 'string') return printKeywords(schema as Schema, owner)
    const own = about === undefined ? keywords : { description: about, ...keywords }
    const reference = define(title, own as TSchema, title)
    return description === undefined ? reference : { ...reference, description }
  }

  function define(name: string, schema: TSchema, owner: string): Reference {
    // The place is taken first, so that components stand in the order in which they are met.
    places.add(name)
    return keep(name, printKeywords(schema as Schema, owner))
  }

  /** The same name may be defined again, but never as something else. */
  function keep(name: string, printed: Schema): Reference {
    places.add(name)
    if (name in known) assert.deepEqual(printed, known[name], `two schemas are called ${name}`)
    known[name] = printed
    return { $ref: `#/components/schemas/${name}` }
  }

  function printKeywords(keywords: Schema, owner: string): Schema {
    const printed: Schema = {}
    for (const [keyword, value] of Object.entries(keywords)) {
      // What only our reader understands.
      if (typeof value === 'function' || keyword === 'notUpdatable') continue
      printed[keyword] = printKeyword(keyword, value, owner)
    }
    // An object without a list of members may hold any.
    if (Object.keys(printed.properties ?? {}).length > 0) printed.additionalProperties ??= false
    return printed
  }

  function printKeyword(keyword: string, value: unknown, owner: string): unknown {
    switch (keyword) {
      case 'properties':
        return Object.fromEntries(
          Object.entries(value as Record<string, TSchema>).map(([name, member]) => [
            name,
            printMember(member, { owner, name }),
          ]),
        )
      case 'items':
        return print(value as TSchema, owner)
      case 'anyOf':
      case 'oneOf':
        return (value as TSchema[]).map((one) => print(one, owner))
      default:
        return value
    }
  }

  function printMember(member: TSchema, place: { owner: string; name: string }): Schema {
    const printed = print(member, place.name)
    if (printed.description !== undefined) return printed
    const description = meaningOf(place.owner, place.name)
    assert(description !== undefined, `glossary.ts does not say what ${place.owner}.${place.name} means`)
    return { ...printed, description }
  }

  const schemas = () => Object.fromEntries([...places].map((name) => [name, known[name]!]))

  return { schemas, print, define, keep }
}

export type SchemaPrinter = ReturnType<typeof createSchemaPrinter>
