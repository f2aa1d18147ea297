/** The clients where programs look for them; packages.ts installs them as their users do. */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../install/installed.ts'
import { findProgram } from '../support/programs.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const TSC = join(ROOT, 'node_modules/.bin/tsc')
const MODULE = 'github.com/breakwater/breakwater/clients/go'

/** How a program of each language is run, from a folder with the clients. */
export const PROGRAMS = [
  { name: 'curl', file: 'sample.sh', program: findProgram('curl') && 'sh', given: [] },
  { name: 'TypeScript', file: 'sample.ts', program: process.execPath, given: [] },
  { name: 'Python', file: 'sample.py', program: findProgram('python3'), given: [] },
  { name: 'Go', file: 'sample.go', program: findProgram('go'), given: ['run', '-buildvcs=false'] },
]

export async function placeClients(folder: string): Promise<void> {
  const client = join(folder, 'node_modules/@breakwater/client')
  const sources = join(ROOT, 'clients/typescript')
  await runProgram(TSC, ['-p', sources, '--declaration', '--outDir', join(client, 'dist')])
  await copyFile(join(sources, 'package.json'), join(client, 'package.json'))
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  const lines = ['module samples', 'go 1.23', `require ${MODULE} v0.0.0`]
  await writeFile(
    join(folder, 'go.mod'),
    `${lines.join('\n')}\nreplace ${MODULE} => ${join(ROOT, 'clients/go')}\n`,
  )
}

export function clientEnv(key: string): NodeJS.ProcessEnv {
  const here = { NO_PROXY: '*', no_proxy: '*', PYTHONPATH: join(ROOT, 'clients/python') }
  return { ...process.env, ...here, API_KEY: key, PYTHONDONTWRITEBYTECODE: '1' }
}
