/**
 * Links from an answer to the operations that take what it names, such as from an opened deposit to its quote. The rest
 * of the request comes from the example, so a tester that follows links works on records that exist.
 */
import type { Json } from '../../src/wire/json.ts'
import type { Examples, Link, Operation } from './openapi-document.ts'
import type { Reference } from './schema-printer.ts'

export type Links = ReturnType<typeof createLinks>

export function createLinks(operations: readonly Operation[], examples: Examples['operations']) {
  const identifiers = new Set(operations.flatMap(({ path }) => pathParameters(path)))
  const targets = operations.flatMap(({ operationId, path }) => {
    const [example] = examples[operationId] ?? []
    const body = (example?.body ?? {}) as Record<string, Json>
    const inPath = pathParameters(path)
    const inBody = Object.keys(body).filter((name) => identifiers.has(name))
    const link: Link = {
      operationId,
      ...(inPath.length > 0 && { parameters: expressions(inPath) }),
      ...(example?.body && { requestBody: { ...body, ...expressions(inBody) } }),
    }
    const taken = [...inPath, ...inBody]
    return taken.length === 0 ? [] : [{ link, taken }]
  })

  /** The next operations for a record that was made or changed; a member that is null in its example has no link. */
  function from({ operationId, method, scope }: Operation): Record<string, Reference> {
    const isChange = (method === 'POST' || method === 'PUT') && scope?.endsWith(':read') !== true
    const [example] = isChange ? (examples[operationId] ?? []) : []
    const { data = {} } = (example?.answer ?? {}) as { data?: Record<string, Json> }
    const named = Object.keys(data).filter((name) => data[name] !== null)
    return Object.fromEntries(
      targets
        .filter(({ taken }) => taken.every((name) => named.includes(name)))
        .map(({ link: { operationId } }) => [operationId, { $ref: `#/components/links/${operationId}` }]),
    )
  }

  /** A link is the same everywhere, so each is printed once. */
  function all(): Record<string, Link> {
    const used = new Set(operations.flatMap((operation) => Object.keys(from(operation))))
    return Object.fromEntries(
      targets.filter(({ link }) => used.has(link.operationId)).map(({ link }) => [link.operationId, link]),
    )
  }

  return { from, all }
}

function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

function expressions(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `$response.body#/data/${name}`]))
}
