/** Starts fixture-server.ts, communicates with it, and waits for its end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Queries } from '../../../src/engine/database/database.ts'
import { compileCache, PATIENCE } from './counts.ts'
import type { End, FromFixture, ToFixture } from './fixture-server.ts'
import type { PersonAct, PersonActed } from './person-acts.ts'

const FIXTURE = fileURLToPath(new URL('./fixture-server.ts', import.meta.url))

export type Fixture = Queries & {
  url: string
  /** From now on points are counted; at the given one the process ends. */
  arm: (end: End | null) => Promise<void>
  /** How many points of transactions it passed since it was armed. */
  points: () => Promise<number>
  /** Waits for the end, and returns its last output: whether the request had been committed. */
  end: () => Promise<{ committed: boolean }>
  kill: () => Promise<void>
  /** Rejects where the process ends before it has answered. */
  act: (act: PersonAct) => Promise<PersonActed>
}

export async function startFixture(context: TestContext, env: Record<string, string>): Promise<Fixture> {
  const child = spawn(process.execPath, [FIXTURE], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...PATIENCE, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  context.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let lastWords = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    lastWords += text
  })

  async function ask<Kind extends FromFixture['kind']>(
    message: ToFixture | null,
    kind: Kind,
  ): Promise<Extract<FromFixture, { kind: Kind }>> {
    const answer = once(child, 'message') as Promise<[FromFixture]>
    if (message !== null) child.send(message)
    const ending = ended.then(() => Promise.reject(new Error('The fixture ended.')))
    const [said] = await Promise.race([answer, ending])
    if (said.kind !== kind) throw new Error(`The fixture said ${JSON.stringify(said)}.`)
    return said as Extract<FromFixture, { kind: Kind }>
  }

  const { port } = await ask(null, 'listening')
  const end = async () => {
    await ended
    return { committed: lastWords === 'committed' }
  }
  return {
    url: `http://127.0.0.1:${port}`,
    arm: async (end) => {
      await ask({ kind: 'arm', end }, 'armed')
    },
    points: async () => (await ask({ kind: 'points' }, 'points')).count,
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await ask({ kind: 'query', text, values }, 'rows')).rows as Row[],
    act: async (act) => (await ask({ kind: 'act', act }, 'acted')).answer,
    end,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
