import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../src/cli/command.ts'
import { createProgram } from '../../src/cli/program.ts'
import { type Environment, forEachEnvironment, run, serve, serveOnTerminal } from './program.ts'

forEachEnvironment(({ name, test }) => {
  // The embedded default starts with demo people.
  if (name === 'PostgreSQL') {
    test('a start where nobody can sign in logs the command to run, and no link', async (context, env) => {
      const { caller_id } = await json(['callers', 'create', '--name', 'Harbour Bank'], env)
      const clerk = ['--email', 'ada@example.com', '--name', 'Ada Obi', '--role', 'CLERK']
      const commands: (string | undefined)[] = []
      for (const invite of [true, false]) {
        const service = await serve(context, env)
        service.kill('SIGINT')
        const { stdout } = await service.end()
        const lines = stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
        commands.push(lines.find(({ event }) => event === 'nobody_can_sign_in')?.command)
        assert.doesNotMatch(stdout, /welcome/)
        if (invite) await json(['people', 'invite', '--caller', caller_id, ...clerk], env)
      }
      assert.deepEqual(commands, [
        `breakwater people invite --caller ${caller_id} --role ADMINISTRATOR --email EMAIL --name NAME`,
        undefined,
      ])
    })

    test('on a terminal it prints a link for an administrator, until somebody is invited', async (context, env) => {
      const { caller_id } = await json(['callers', 'create', '--name', 'Harbour Bank'], env)
      const clerk = ['--email', 'ada@example.com', '--name', 'Ada Obi', '--role', 'CLERK']
      const links: (string | undefined)[] = []
      for (const invite of [false, true, false]) {
        const printed = await serveOnTerminal(
          context,
          env,
          invite || links.length === 0 ? /welcome#/ : /listening/,
        )
        links.push(/Nobody can sign in yet\. As an administrator: (\S+)/.exec(printed)?.[1])
        if (invite) await json(['people', 'invite', '--caller', caller_id, ...clerk], env)
      }
      assert.match(links[0]!, /^http:\/\/localhost:\d+\/console\/welcome#\S{20,}$/)
      assert.match(links[1]!, /\/console\/welcome#/)
      assert.notEqual(links[0]!.split('#')[1], links[1]!.split('#')[1])
      assert.equal(links[2], undefined)
    })
  }

  test('people are invited, listed, reset and disabled', async (_, env) => {
    const { caller_id } = await json(['callers', 'create', '--name', 'Harbour Bank'], env)
    const invite = (more: string[]) => [
      ...['people', 'invite', '--caller', caller_id, '--email', 'Ada@example.com', '--name', 'Ada Obi'],
      ...more,
    ]
    const { link, link_expires_at, ...ada } = await json(invite(['--role', 'CLERK']), env)
    assert.deepEqual(ada, {
      person_id: ada.person_id,
      name: 'Ada Obi',
      email: 'Ada@example.com',
      role: 'CLERK',
      modes: ['test', 'live'],
      status: 'INVITED',
      last_seen_at: null,
      caller_id,
    })
    assert.match(link, /^http:\/\/localhost:8080\/console\/welcome#[\w-]{43}$/)
    const minutes = (Date.parse(link_expires_at) - Date.now()) / 60_000
    assert(minutes > 25 && minutes <= 30)

    const elsewhere = { ...env, PUBLIC_URL: 'https://bank.example.com' }
    const renewed = await json(invite(['--role', 'ADMINISTRATOR', '--modes', 'live']), elsewhere)
    assert.equal(renewed.person_id, ada.person_id)
    assert.deepEqual(renewed.modes, ['live'])
    assert(renewed.link.startsWith('https://bank.example.com/console/welcome#') && renewed.link !== link)

    const unchanged = { ...ada, role: 'ADMINISTRATOR', modes: ['live'] }
    assert.deepEqual(await json(['people', 'list'], env), [unchanged])
    const table = await run(['people', 'list', '--caller', caller_id], env)
    assert.match(table.stdout, new RegExp(`^${caller_id}  Harbour Bank\\nperson_id .*\\n${ada.person_id} `))
    assert(!table.stdout.includes(renewed.link.split('#')[1]))

    const refused = await json(['people', 'reset', ada.person_id], env, 1)
    assert.equal(refused.stderr, 'The person is not active. Invite them again.\n')
    const unknown = await json(['people', 'disable', 'per_unknown'], env, 1)
    assert.equal(unknown.stderr, 'There is no person per_unknown; see breakwater people list.\n')
    const disabled = await json(['people', 'disable', ada.person_id], env)
    assert.deepEqual(disabled, { ...unchanged, status: 'DISABLED' })
  })
})

const wrong: [readonly string[], RegExp][] = [
  [['--role', 'CLERK', '--modes', 'demo'], /^--modes is not valid\./],
  [['--role', 'CLERK', '--modes', 'live,test,live'], /^--modes is not valid\./],
  [['--role', 'CLERK', '--email', 'ada'], /^--email is not valid\./],
]

for (const [options, sentence] of wrong) {
  test(`people invite refuses ${options.slice(-2).join(' ')} before it opens a database`, async () => {
    const program = await createProgram({ env: { DATABASE_URL: 'not read' }, serve: async () => {} })
    const email = options.includes('--email') ? [] : ['--email', 'ada@example.com']
    const argv = ['people', 'invite', '--caller', 'cal_1', '--name', 'Ada Obi', ...email, ...options]
    await assert.rejects(
      program.parseAsync(argv, { from: 'user' }),
      (error) => error instanceof UsageError && sentence.test(error.message),
    )
  })
}

async function json(args: readonly string[], env: Environment, expected = 0): Promise<any> {
  const ended = await run([...args, '--json'], env)
  assert.equal(ended.code, expected, ended.stderr)
  return expected === 0 ? JSON.parse(ended.stdout) : ended
}
