/** The kinds of settings: what a variable is called, what it may hold and what holds without it. */
import { fileNameOf } from './secret-files.ts'

export type Setting<Value> = {
  name: string
  unit: string
  fallback: Value
  expected: string
  reason: string
  /** undefined: the text is not valid. */
  read: (text: string) => Value | undefined
}

/** How a default would be written in the environment; empty where there is none. */
export function shownDefault({ fallback }: Setting<unknown>): string {
  if (typeof fallback === 'boolean') return fallback ? '1' : '0'
  return String(fallback ?? '')
}

export function whole(
  name: string,
  bounds: { unit: string; fallback: number; min: number; max: number; reason: string },
): Setting<number> {
  const { unit, fallback, min, max, reason } = bounds
  return {
    name,
    unit: `${unit}, ${min} to ${max}`,
    fallback,
    expected: `a whole number from ${min} to ${max}`,
    reason,
    read: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : -1
      return value >= min && value <= max ? value : undefined
    },
  }
}

export function secretFile({ name }: Setting<unknown>): Setting<string | null> {
  return {
    name: fileNameOf(name),
    unit: 'path',
    fallback: null,
    expected: 'a path',
    reason: `A file that holds ${name}, instead of the variable; it is read again for new connections.`,
    read: readPath,
  }
}

export function readPath(text: string): string | undefined {
  return text.includes('\0') ? undefined : text
}

/** A path, a query or a password in it would be lost or shown. */
export function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin, href, protocol } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined
}

export function flag(
  name: string,
  { fallback, reason }: { fallback: boolean; reason: string },
): Setting<boolean> {
  return {
    name,
    unit: '0 or 1',
    fallback,
    expected: '0 or 1',
    reason,
    read: (text) => (text === '1' ? true : text === '0' ? false : undefined),
  }
}
