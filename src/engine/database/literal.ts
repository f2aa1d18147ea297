/**
 * A function that makes objects of one shape, compiled as a literal with all of its members. The columns of a row are known
 * only when the program runs, and setting forty members one by one takes V8 five times as long.
 */

/** How a member is made of the source: `code` may name `source`, and the given values by their names. */
export type MadeMember = readonly [name: string, code: string]

export function compileLiteral<Source, Made>(
  members: readonly MadeMember[],
  values: Record<string, unknown>,
): (source: Source) => Made {
  const literal = members.map(([name, code]) => `${JSON.stringify(name)}: ${code}`).join(', ')
  const compile = new Function(...Object.keys(values), `return (source) => ({ ${literal} })`)
  return compile(...Object.values(values))
}
