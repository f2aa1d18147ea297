/** The known name or path that somebody who misspelt one probably meant. */

/** null where nothing is near enough: a wrong guess is worse than none. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > WORD_MAX_CHARACTERS) return null
  const sent = normal(word)
  let best: { name: string; distance: number } | null = null
  for (const name of known) {
    const allowed = Math.floor(name.length / LETTERS_PER_MISTAKE)
    const distance = editDistance(sent, normal(name))
    if (distance <= allowed && (best === null || distance < best.distance)) best = { name, distance }
  }
  return best?.name ?? null
}

/** The known path that is as long and whose parts are all near; a part in braces is whatever was sent. */
export function nearestPath(path: string, known: readonly string[]): string | null {
  if (path.length > PATH_MAX_CHARACTERS) return null
  const sent = partsOf(path)
  if (sent.length === 0) return null
  const near = known.filter((candidate) => {
    const parts = partsOf(candidate)
    return parts.length === sent.length && parts.every((part, at) => isNear(sent[at]!, part))
  })
  // Where a fixed path and one in braces are both near, the fixed one was meant.
  return near.sort((one, other) => bracesIn(one) - bracesIn(other))[0] ?? null
}

const PATH_MAX_CHARACTERS = 200

function partsOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return VERSION.test(parts[0] ?? '') ? parts.slice(1) : parts
}

/** Left out or guessed often enough. */
const VERSION = /^v\d$/

function isNear(sent: string, part: string): boolean {
  return part.startsWith('{') || nearest(sent, [part]) !== null
}

function bracesIn(path: string): number {
  return path.split('{').length - 1
}

const WORD_MAX_CHARACTERS = 64
const LETTERS_PER_MISTAKE = 3

/** depositId, deposit-id and Deposit_ID are spellings of one name. */
function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '')
}

/** How many letters must be changed, added, left out or swapped with their neighbour. */
function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        last[column]! + 1,
        next[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[other.length]!
}
