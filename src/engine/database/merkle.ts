/**
 * Hashes that stand for many rows: the Merkle trees of RFC 6962, and the chain of their roots. A leaf, a node and a link of
 * the chain begin with different bytes, so that none can be taken for another. A hash is written in hexadecimal digits, as it
 * is shown: a Buffer for each takes three times as long.
 */
import { hash } from 'node:crypto'

const LEAF = '00'
const NODE = '01'
const LINK = '02'

/** Characters of a hash. */
export const HASH_LENGTH = 64

/** Stands for the head before the first. */
export const NO_HEAD = '0'.repeat(HASH_LENGTH)

export function leafHash(text: string): string {
  return hashOf(LEAF + Buffer.from(text).toString('hex'))
}

/** The head of a seal, from the text that describes it and two heads before it. */
export function chainedHead(parts: {
  previous: string | null
  earlier: string | null
  text: string
}): string {
  const { previous, earlier, text } = parts
  return hashOf(LINK + (previous ?? NO_HEAD) + (earlier ?? NO_HEAD) + leafHash(text))
}

export type Tree = { add: (leaf: string) => void; size: () => number; root: () => string }

/** Leaves are added one by one; only the roots of complete subtrees are kept. */
export function openTree(): Tree {
  const complete: { root: string; size: number }[] = []
  return {
    add(leaf) {
      let joined = { root: leaf, size: 1 }
      while (complete.at(-1)?.size === joined.size) {
        const left = complete.pop()!
        joined = { root: nodeHash(left.root, joined.root), size: left.size * 2 }
      }
      complete.push(joined)
    },
    size: () => complete.reduce((sum, { size }) => sum + size, 0),
    root: () => complete.map(({ root }) => root).reduceRight((right, left) => nodeHash(left, right)),
  }
}

/** The hashes beside the way from a leaf to the root, the lowest first. */
export function pathTo(index: number, leaves: readonly string[]): string[] {
  if (leaves.length === 1) return []
  const middle = 2 ** Math.floor(Math.log2(leaves.length - 1))
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)]
  return index < middle
    ? [...pathTo(index, left), rootOf(right)]
    : [...pathTo(index - middle, right), rootOf(left)]
}

function rootOf(leaves: readonly string[]): string {
  const tree = openTree()
  leaves.forEach(tree.add)
  return tree.root()
}

const node = Buffer.from(NODE + NO_HEAD + NO_HEAD, 'hex')

/** Each leaf of a book costs one of these, so they share their bytes. */
function nodeHash(left: string, right: string): string {
  node.write(left + right, 1, 'hex')
  return hash('sha256', node)
}

function hashOf(hex: string): string {
  return hash('sha256', Buffer.from(hex, 'hex'))
}
