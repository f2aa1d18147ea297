import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const parser = fileURLToPath(new URL('../../support/pglite-parser.ts', import.meta.url))

test('the parser of the embedded engine is not optimized, which would take 0.6 GB', {
  skip: process.platform !== 'linux' && 'the memory of a process is read from /proc',
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'breakwater-memory-'))
  try {
    // What would be optimized in the background is optimized at once.
    const run = await promisify(execFile)(process.execPath, ['--wasm-sync-tier-up', parser, directory])
    const peakMegabytes = Number(run.stdout)
    assert.ok(peakMegabytes > 100 && peakMegabytes < 500, run.stdout)
  } finally {
    await rm(directory, { recursive: true })
  }
})
