import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mutants } from './mutants.ts'

test('every mutant changes one place of the code as it is now', () => {
  for (const { name, edits } of mutants) {
    for (const { file, search, replace } of edits) {
      const code = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      assert.deepEqual([name, code.split(search).length - 1, search === replace], [name, 1, false])
    }
  }
})
