/** Trees of RFC 6962, by the vectors that implementations of Certificate Transparency share. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { chainedHead, leafHash, NO_HEAD, openTree, pathTo } from '../../../src/engine/database/merkle.ts'

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const bytes = (hex: string) => Buffer.from(hex, 'hex')
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => sha256(bytes(`00${hex}`)).toString('hex'))
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

test('a tree has the root of the standard after each leaf', () => {
  const tree = openTree()
  LEAVES.forEach((leaf, index) => {
    tree.add(leaf)
    assert.deepEqual([tree.size(), tree.root()], [index + 1, ROOTS[index]])
  })
})

test('paths are those of the standard', () => {
  const nodes = (count: number) => LEAVES.slice(0, count)
  assert.deepEqual(pathTo(0, nodes(1)), [])
  const pair = (left: string, right: string) => sha256(bytes(`01${left}${right}`)).toString('hex')
  const [one, two, three, four, five] = LEAVES as [string, string, string, string, string]
  assert.deepEqual(pathTo(2, nodes(5)), [four, pair(one, two), five])
  assert.deepEqual(pathTo(4, nodes(5)), [pair(pair(one, two), pair(three, four))])
})

test('leaves, nodes and links are hashed apart', () => {
  assert.equal(leafHash('é'), sha256(Buffer.from([0]), Buffer.from('é')).toString('hex'))
  const [previous, text] = ['ab'.repeat(32), '["seal"]']
  assert.equal(
    chainedHead({ previous, earlier: null, text }),
    sha256(Buffer.from([2]), bytes(previous), bytes(NO_HEAD), bytes(leafHash(text))).toString('hex'),
  )
})
