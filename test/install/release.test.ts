/** The files of a release, made twice from the commit that is checked out. Needs a registry, and for the image what it needs. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeArtefacts } from '../../tools/artefacts.ts'
import { imageAbsence } from '../../tools/image.ts'
import { ROOT } from '../support/documents.ts'
import { openDirectory, runProgram } from './installed.ts'

const skip = !existsSync(join(ROOT, '.git')) && 'this is not a git checkout'
const directory = await openDirectory({ after })

test('two releases of one commit are the same files, and their sums agree', { skip }, async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const image = (await imageAbsence()) === false ? [`breakwater-image-${version}.tar`] : []
  const [one, other] = ['one', 'other'].map((name) => join(directory, name))
  const files = await makeArtefacts(one!)
  assert.deepEqual(files, [
    `breakwater-${version}.cdx.json`,
    `breakwater-${version}.tgz`,
    `breakwater-chart-${version}.tgz`,
    ...image,
    'SHA256SUMS',
  ])
  await makeArtefacts(other!)
  const sums = await readFile(join(one!, 'SHA256SUMS'), 'utf8')
  assert.equal(await readFile(join(other!, 'SHA256SUMS'), 'utf8'), sums)
  await runProgram('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: one! })

  const chart = await runProgram('tar', ['--list', '--file', `breakwater-chart-${version}.tgz`], {
    cwd: one!,
  })
  assert.match(chart, /^breakwater\/Chart\.yaml$/m)
  const parts = JSON.parse(await readFile(join(one!, `breakwater-${version}.cdx.json`), 'utf8'))
  assert.equal(parts.bomFormat, 'CycloneDX')
  const names = parts.components.map(({ name }: { name: string }) => name)
  assert(names.includes('fastify') && !names.includes('typescript'), names.join(' '))
})
