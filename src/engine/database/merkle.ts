/**
 * Hashes that stand for many rows: the Merkle trees of RFC 6962, and the chain of their roots. A leaf, a node and a link of
 * the chain begin with different bytes, so that none can be taken for another.
 */
import { hash } from 'node:crypto'

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])
const LINK = Buffer.from([2])

export const HASH_BYTES = 32

/** Stands for the head before the first. */
export const NO_HEAD = '0'.repeat(2 * HASH_BYTES)

export function leafHash(text: string): Buffer {
  return hashOf(LEAF, Buffer.from(text))
}

/** The head of a seal, from the text that describes it and two heads before it. */
export function chainedHead(parts: {
  previous: string | null
  earlier: string | null
  text: string
}): string {
  const { previous, earlier, text } = parts
  const heads = [previous, earlier].map((head) => Buffer.from(head ?? NO_HEAD, 'hex'))
  return hashOf(LINK, ...heads, leafHash(text)).toString('hex')
}

export type Tree = { add: (leaf: Buffer) => void; size: () => number; root: () => string }

/** Leaves are added one by one; only the roots of complete subtrees are kept. */
export function openTree(): Tree {
  const complete: { root: Buffer; size: number }[] = []
  return {
    add(leaf) {
      let joined = { root: leaf, size: 1 }
      while (complete.at(-1)?.size === joined.size) {
        const left = complete.pop()!
        joined = { root: hashOf(NODE, left.root, joined.root), size: left.size * 2 }
      }
      complete.push(joined)
    },
    size: () => complete.reduce((sum, { size }) => sum + size, 0),
    root: () => {
      const roots = complete.map(({ root }) => root)
      const joined = roots.reduceRight((right, left) => hashOf(NODE, left, right))
      return joined.toString('hex')
    },
  }
}

/** The hashes beside the way from a leaf to the root, the lowest first. */
export function pathTo(index: number, leaves: readonly Buffer[]): string[] {
  if (leaves.length === 1) return []
  const middle = 2 ** Math.floor(Math.log2(leaves.length - 1))
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)]
  return index < middle
    ? [...pathTo(index, left), rootOf(right)]
    : [...pathTo(index - middle, right), rootOf(left)]
}

function rootOf(leaves: readonly Buffer[]): string {
  const tree = openTree()
  leaves.forEach(tree.add)
  return tree.root()
}

function hashOf(...parts: readonly Buffer[]): Buffer {
  return hash('sha256', Buffer.concat(parts), 'buffer')
}
