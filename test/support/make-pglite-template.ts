/**
 * Makes src/engine/embedded/template.tar.br: run it once after a change of the PGlite version.
 *
 *     npx node test/support/make-pglite-template.ts
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'

const directory = await mkdtemp(join(tmpdir(), 'breakwater-make-template-'))
const engine = await PGlite.create(directory)
// No database is made from these here, and they are two thirds of the files.
await engine.exec("update pg_database set datistemplate = false where datname in ('template0', 'template1')")
await engine.exec('drop database template0')
await engine.exec('drop database template1')
// The log of how the cluster was made would be two fifths of the template, and nobody replays it.
await engine.exec('set wal_recycle = off')
await engine.exec('select pg_switch_wal()')
await engine.exec('checkpoint')
await engine.close()

// Packed after a clean shutdown, so that opening it needs no recovery.
const stable = ['--format=ustar', '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
const tar = execFileSync('tar', [...stable, '-C', directory, '-cf', '-', ...(await readdir(directory))], {
  maxBuffer: 2 ** 28,
})
await rm(directory, { recursive: true })
const packed = brotliCompressSync(tar, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
})
await writeFile(new URL('../../src/engine/embedded/template.tar.br', import.meta.url), packed)
console.log(`${tar.length} bytes packed into ${packed.length}`)
