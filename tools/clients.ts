/**
 * Writes the generated parts of the clients from openapi.json: one method for each operation, and the types of their
 * records. Transport, money, retries, pages, errors and webhooks are written by hand in each language.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { printGo } from './clients/go.ts'
import { readModel } from './clients/model.ts'
import { printPython, printPythonTables } from './clients/python.ts'
import { printTypeScript } from './clients/typescript.ts'

const clients = new URL('../clients/', import.meta.url)
const BIOME = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url))

export async function writeClients(document: string): Promise<void> {
  const model = readModel(JSON.parse(document))
  const typescript = new URL('typescript/src/generated.ts', clients)
  await writeFile(typescript, printTypeScript(model))
  await promisify(execFile)(BIOME, ['format', '--write', fileURLToPath(typescript)])
  await writeFile(new URL('python/breakwater/_tables.py', clients), printPythonTables(model))
  await writeFile(new URL('python/breakwater/client.py', clients), printPython(model))
  await writeFile(new URL('go/generated.go', clients), printGo(model))
  for (const name of ['typescript/package.json', 'python/pyproject.toml']) {
    const manifest = new URL(name, clients)
    await writeFile(manifest, withVersion(await readFile(manifest, 'utf8'), model.version))
  }
}

/** A client has the version of the service that it was generated from. */
function withVersion(manifest: string, version: string): string {
  return manifest.replace(/^( *"?version"?(?:: | = )")[^"]+/m, (_, start: string) => start + version)
}

if (import.meta.main) await writeClients(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'))
