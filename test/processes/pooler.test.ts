import assert from 'node:assert/strict'
import { forEachEnvironment, serve } from '../cli/program.ts'
import { keepsNames, poolerAbsent, startPgBouncer, throughPort } from '../support/pgbouncer.ts'

forEachEnvironment(({ name, test }) => {
  if (name === 'PGlite' || poolerAbsent) return

  test('a start logs that it found a pooler, and whether statements are prepared by name', async (t, env) => {
    const { DATABASE_URL } = env
    const server = { port: Number(new URL(DATABASE_URL!).port) }
    const pooler = await startPgBouncer(server)
    t.after(() => pooler.stop())
    const found = async (url: string) => {
      const service = await serve(t, { ...env, DATABASE_URL: url })
      const lines = service.stdout().split('\n')
      return lines.filter((line) => line.includes('pooler_found')).map((line) => JSON.parse(line))
    }
    assert.deepEqual(await found(DATABASE_URL!), [])
    const [line] = await found(throughPort(DATABASE_URL!, pooler.port))
    assert.deepEqual([line.level, line.named_statements], ['info', keepsNames ? 'on' : 'off'])
  })
})
