/**
 * Secrets that come from files, so that they are in no environment. A file holds the value and may end with a line end.
 * A file that cannot be used ends the start with a sentence that names its path, never its content.
 */
import { readFileSync } from 'node:fs'
import { type Environment, UsageError } from './command.ts'

/** The environment with the values of the files that it names. */
export function withSecretFiles(env: Environment, names: readonly string[]): Environment {
  const fromFiles = names.flatMap((name) => {
    const path = env[fileNameOf(name)] ?? ''
    if (path === '') return []
    if ((env[name] ?? '') !== '') throw new UsageError(`Set ${name} or ${fileNameOf(name)}, not both.`)
    return [[name, readSecretFile(fileNameOf(name), path)] as const]
  })
  return { ...env, ...Object.fromEntries(fromFiles) }
}

export function fileNameOf(name: string): string {
  return `${name}_FILE`
}

/**
 * The value as it is now, so that a changed password needs no restart. A file that is just being replaced, or holds
 * nothing valid, leaves the last value in force.
 */
export function createSecret(options: {
  path: string | null
  value: string
  isValid: (text: string) => boolean
}): () => string {
  const { path, isValid } = options
  let last = options.value
  return () => {
    const text = path === null ? last : tryToRead(path)
    if (text !== undefined && isValid(text)) last = text
    return last
  }
}

function readSecretFile(setting: string, path: string): string {
  const text = tryToRead(path)
  if (text === undefined) throw new UsageError(`${setting} names ${path}, which cannot be read.`)
  if (text === '') throw new UsageError(`${setting} names ${path}, which is empty.`)
  return text
}

function tryToRead(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}
