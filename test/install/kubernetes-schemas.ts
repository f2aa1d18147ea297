/** JSON schemas of the kinds of Kubernetes, made from its own description, in which unknown fields are errors. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './installed.ts'

const KUBERNETES = 'k8s.io/kubernetes@v1.34.0'

type Definition = {
  properties?: Record<string, object>
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
}
type Definitions = Record<string, Definition>

/** Returns the place of the schemas as kubeconform wants it. */
export async function writeKubernetesSchemas(directory: string, kinds: readonly string[]): Promise<string> {
  // Outside of any module, so that nothing but this one is downloaded.
  const download = ['mod', 'download', '-json', KUBERNETES]
  const { Dir } = JSON.parse(await runProgram('go', download, { cwd: '/' }))
  const described = await readFile(join(Dir, 'api/openapi-spec/swagger.json'), 'utf8')
  const { definitions } = JSON.parse(described) as { definitions: Definitions }
  await mkdir(directory)
  for (const [name, definition] of Object.entries(definitions)) {
    const [identity, ...others] = definition['x-kubernetes-group-version-kind'] ?? []
    if (identity === undefined || others.length > 0 || !kinds.includes(identity.kind)) continue
    const { group, version, kind } = identity
    const suffix = [group.split('.')[0], version].filter((part) => part !== '').join('-')
    const schema = { $ref: `#/definitions/${name}`, definitions: strict(reached(definitions, name)) }
    await writeFile(join(directory, `${kind.toLowerCase()}-${suffix}.json`), JSON.stringify(schema))
  }
  return join(directory, '{{ .ResourceKind }}{{ .KindSuffix }}.json')
}

/** A definition and all that it names. */
function reached(definitions: Definitions, first: string): Definitions {
  const found: Definitions = {}
  const waiting = [first]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found[name] !== undefined) continue
    found[name] = definitions[name]!
    const names = JSON.stringify(found[name]).matchAll(/"#\/definitions\/([^"]+)"/g)
    waiting.push(...[...names].map(([, target]) => target!))
  }
  return found
}

function strict(definitions: Definitions): object {
  const closed = Object.entries(definitions).map(([name, definition]) => [
    name,
    definition.properties === undefined ? definition : { ...definition, additionalProperties: false },
  ])
  const text = JSON.stringify(Object.fromEntries(closed))
  return JSON.parse(
    text.replaceAll(/\{[^{}]*"format":"int-or-string"[^{}]*\}/g, '{"type":["string","integer"]}'),
  )
}
