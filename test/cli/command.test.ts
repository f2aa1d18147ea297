import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runCommandLine } from '../../src/cli/command.ts'
import { createProgram } from '../../src/cli/program.ts'
import { SCOPES } from '../../src/domain/scopes.ts'
import { release } from '../../src/observe/release.ts'
import { runAlone } from './program.ts'

/** What the program prints of its own command line; no case here opens a database. */
async function read(...argv: string[]) {
  let [out, complaint] = ['', '']
  let served = 0
  const program = await createProgram({
    env: {},
    serve: async () => {
      served += 1
    },
    output: {
      writeOut: (text) => {
        out += text
      },
      writeErr: (text) => {
        complaint += text
      },
    },
  })
  const code = await runCommandLine(program, argv)
  return { code, out, complaint, served }
}

const key = ['keys', 'create', '--caller', 'cal_1', '--mode', 'test']
const refused: [readonly string[], string][] = [
  [['liquidate'], "error: unknown command 'liquidate'\n"],
  [['sreve'], "error: unknown command 'sreve'\n(Did you mean serve?)\n"],
  [['callers', 'lst'], "error: unknown command 'lst'\n(Did you mean list?)\n"],
  [['serve', 'now'], "error: too many arguments for 'serve'. Expected 0 arguments but got 1.\n"],
  [['serve', '--port', '80'], "error: unknown option '--port'\n"],
  [['serve', '-p'], "error: unknown option '-p'\n"],
  [['callers', 'list', '--jsn'], "error: unknown option '--jsn'\n(Did you mean --json?)\n"],
  [['mature', '--now'], "error: unknown option '--now'\n"],
  [['keys', 'create', '--mode', 'test'], "error: required option '--caller <ID>' not specified\n"],
  [[...key, '--name'], "error: option '--name <NAME>' argument missing\n"],
  [[...key, '--name='], "error: option '--name <NAME>' argument '' is invalid. It needs a value.\n"],
  [
    [...key, '--name', '--json'],
    "error: option '--name <NAME>' argument '--json' is invalid. It needs a value.\n",
  ],
  [
    [...key, '--caller', 'cal_2'],
    "error: option '--caller <ID>' argument 'cal_2' is invalid. It was given twice.\n",
  ],
  [
    [...key, '--mode=test'],
    "error: option '--mode <MODE>' argument 'test' is invalid. It was given twice.\n",
  ],
  [
    ['keys', 'list', '--mode', 'prod'],
    "error: option '--mode <MODE>' argument 'prod' is invalid. Allowed choices are test, live.\n",
  ],
  [[...key, '--constructor'], "error: unknown option '--constructor'\n"],
  [['keys', 'revoke'], "error: missing required argument 'KEY_ID'\n"],
  [
    ['keys', 'revoke', 'key_1', 'key_2'],
    "error: too many arguments for 'revoke'. Expected 1 argument but got 2.\n",
  ],
]

for (const [argv, complaint] of refused) {
  test(`refuses with 2: ${argv.join(' ')}`, async () => {
    assert.deepEqual(await read(...argv), { code: 2, out: '', complaint, served: 0 })
  })
}

test('a group without its command is refused with its help', async () => {
  const { code, out, complaint } = await read('keys')
  assert.deepEqual([code, out], [2, ''])
  for (const name of ['create', 'list', 'roll', 'revoke'])
    assert.match(complaint, new RegExp(`^ +${name} `, 'm'))
})

test('serve is run by its name', async () => {
  assert.deepEqual(await read('serve'), { code: 0, out: '', complaint: '', served: 1 })
})

test('every way to ask for help prints the help of what was named', async () => {
  const { out: all } = await read()
  for (const argv of [['--help'], ['-h'], ['help']]) {
    assert.deepEqual(await read(...argv), { code: 0, out: all, complaint: '', served: 0 })
  }
  assert.match(all, /Exit codes: 0 done, 1 failed or a difference found, 2 wrong usage/)
  const { out: create } = await read('keys', 'create', '--help')
  assert.match(create, /^Usage: breakwater keys create /)
  for (const scope of SCOPES) assert(create.includes(scope), scope)
  const { out: serve } = await read('help', 'serve')
  assert.match(serve, /^ {2}DATABASE_URL +The PostgreSQL server/m)
})

test('help fits into 100 columns', async () => {
  for (const argv of [[], ['serve', '-h'], ['keys', '-h'], ['keys', 'create', '-h'], ['verify', '-h']]) {
    const { out } = await read(...argv)
    assert.deepEqual(
      out.split('\n').filter((line) => line.length > 100),
      [],
    )
  }
})

test('--version prints the version of the package and its commit, where it is known', async () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version, commit } = release()
  assert.equal(version, JSON.parse(manifest).version)
  const shown = commit === null ? version : `${version} (${commit.slice(0, 12)})`
  assert.equal((await read('--version')).out, `${shown}\n`)
})

test('the program answers help with 0 and wrong usage with 2, each in its own stream', async () => {
  const [help, wrong] = await Promise.all([
    runAlone(['--help']),
    runAlone(['keys', 'create', '--mode', 'test']),
  ])
  assert.deepEqual({ code: help.code, stderr: help.stderr }, { code: 0, stderr: '' })
  assert.match(help.stdout, /^Usage: breakwater /)
  assert.deepEqual(wrong, {
    code: 2,
    stdout: '',
    stderr: "error: required option '--caller <ID>' not specified\n",
  })
})
