/** Programs of this machine that a test needs and the project does not install. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of these names that is installed. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}
