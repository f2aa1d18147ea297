import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forEachEnvironment, run } from './program.ts'

forEachEnvironment(({ test }) => {
  test('a caller has a letterhead, each part of which is changed and removed alone', async (_, env) => {
    const created = await run(['callers', 'create', '--name', 'Harbour Bank', '--json'], env)
    const { caller_id } = JSON.parse(created.stdout)
    const letterhead = async (...options: string[]) => {
      const args = ['callers', 'letterhead', '--caller', caller_id, '--json', ...options]
      const { code, stdout, stderr } = await run(args, env)
      return code === 0 ? JSON.parse(stdout) : stderr
    }
    const none = { bank: 'Harbour Bank', address: null, logo: null, language: null }
    assert.deepEqual(await letterhead(), none)
    const directory = await mkdtemp(join(tmpdir(), 'breakwater-logo-'))
    try {
      const file = async (name: string, content: string) => {
        await writeFile(join(directory, name), content, 'latin1')
        return join(directory, name)
      }
      const logo = await file('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
      const full = {
        bank: 'Harbour Bank plc',
        address: '1 Quay\nLagos',
        logo: 'image/svg+xml',
        language: 'fr',
      }
      const named = ['--name', full.bank, '--address', full.address, '--language', 'fr']
      assert.deepEqual(await letterhead(...named, '--logo', logo), full)
      assert.deepEqual(await letterhead('--logo', 'none'), { ...full, logo: null })
      const picture = await file('logo.png', '\x89PNG\r\n\x1a\n')
      assert.deepEqual(await letterhead('--logo', picture), { ...full, logo: 'image/png' })
      for (const wrong of [
        join(directory, 'missing'),
        await file('text', 'hello'),
        await file('large', `<svg >${' '.repeat(65_536)}`),
      ])
        assert.match(await letterhead('--logo', wrong), /^--logo /)
      assert.match(await letterhead('--language', 'xx'), /language/)
      assert.match(await letterhead('--address', '\u0007'), /^--address is not valid/)
    } finally {
      await rm(directory, { recursive: true })
    }
    const emptied = ['--name', 'none', '--address', 'none', '--logo', 'none', '--language', 'none']
    assert.deepEqual(await letterhead(...emptied), none)
    const unknown = await run(['callers', 'letterhead', '--caller', 'cal_x', '--name', 'Other'], env)
    assert.match(unknown.stderr, /There is no caller cal_x/)
  })
})
