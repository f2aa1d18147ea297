import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Command, readCommandLine, UsageError } from '../../src/cli/command.ts'
import { run } from './program.ts'

const nothing = async () => {}
const commands: readonly Command[] = [
  { name: 'serve', summary: 'Serves.', run: nothing, notes: () => 'Some notes.' },
  {
    name: 'keys create',
    summary: 'Creates a key.',
    options: {
      caller: { value: 'ID', required: true, help: 'The caller.' },
      name: { value: 'NAME', help: 'A name.' },
      json: { help: 'As JSON.' },
    },
    run: nothing,
  },
  { name: 'keys revoke', summary: 'Revokes a key.', operands: ['KEY_ID'], run: nothing },
]

test('options and operands are read in any order, and --name=value is --name value', () => {
  const asked = { operands: [], options: { caller: 'cal_1', name: '-x', json: 'true' } }
  for (const argv of [
    ['keys', 'create', '--caller', 'cal_1', '--name=-x', '--json'],
    ['keys', 'create', '--json', '--name=-x', '--caller=cal_1'],
  ]) {
    assert.deepEqual(readCommandLine(commands, argv), { command: commands[1], asked })
  }
  assert.deepEqual(readCommandLine(commands, ['keys', 'revoke', 'key_1']), {
    command: commands[2],
    asked: { operands: ['key_1'], options: {} },
  })
})

const refused: [readonly string[], string][] = [
  [['start'], 'There is no command "start"; see breakwater --help.'],
  [['--json'], 'There is no command "--json"; see breakwater --help.'],
  [['start', '--help'], 'There is no command "start"; see breakwater --help.'],
  [['help', 'start'], 'There is no command "start"; see breakwater --help.'],
  [['keys'], 'Say which: keys create, keys revoke.'],
  [['keys', 'delete'], 'Say which: keys create, keys revoke.'],
  [['serve', 'now'], 'serve does not know "now".'],
  [['serve', '--port', '80'], 'serve has no option --port; see breakwater serve --help.'],
  [['serve', '-p'], 'serve has no option -p; see breakwater serve --help.'],
  [['keys', 'create'], '--caller ID is required.'],
  [['keys', 'create', '--caller'], '--caller needs a value: --caller ID.'],
  [['keys', 'create', '--caller='], '--caller needs a value: --caller ID.'],
  [['keys', 'create', '--caller', ''], '--caller needs a value: --caller ID.'],
  [['keys', 'create', '--caller', '--json'], '--caller needs a value: --caller ID.'],
  [['keys', 'create', '--caller', 'a', '--caller', 'b'], '--caller was given twice.'],
  [['keys', 'create', '--caller', 'a', '--json=yes'], '--json takes no value.'],
  [
    ['keys', 'create', '--caller', 'a', '--constructor'],
    'keys create has no option --constructor; see breakwater keys create --help.',
  ],
  [['keys', 'revoke'], 'keys revoke needs KEY_ID.'],
  [['keys', 'revoke', 'key_1', 'key_2'], 'keys revoke does not know "key_2".'],
]

for (const [argv, sentence] of refused) {
  test(`refuses: ${argv.join(' ') || '(nothing)'}`, () => {
    assert.throws(
      () => readCommandLine(commands, argv),
      (error) => error instanceof UsageError && error.message === sentence,
    )
  })
}

test('every way to ask for help tells about what was named', () => {
  const helpOf = (...argv: string[]) => {
    const read = readCommandLine(commands, argv)
    assert('help' in read)
    return read.help
  }
  const all = helpOf()
  for (const { name, summary } of commands)
    assert(all.includes(`breakwater ${name}`) && all.includes(summary))
  for (const argv of [['--help'], ['-h'], ['help']]) assert.equal(helpOf(...argv), all)

  const keys = helpOf('keys', '--help')
  assert(keys.includes('breakwater keys revoke KEY_ID') && !keys.includes('breakwater serve\n'))
  assert.equal(helpOf('help', 'keys'), keys)

  assert.equal(helpOf('serve', '--help'), 'breakwater serve\nServes.\n\nSome notes.')
  const create = helpOf('keys', 'create', '--help')
  assert.equal(
    create,
    'breakwater keys create --caller ID [--name NAME] [--json]\nCreates a key.\n\n' +
      '  --caller ID  The caller.\n  --name NAME  A name.\n  --json       As JSON.',
  )
  assert.equal(helpOf('help', 'keys', 'create'), create)
  assert.equal(helpOf('keys', 'create', '--caller', '--help'), create)
})

test('the program answers help with 0 and wrong usage with 2, each in its own stream', async () => {
  const [help, wrong] = await Promise.all([run(['--help']), run(['keys', 'create', '--mode', 'test'])])
  assert.deepEqual({ code: help.code, stderr: help.stderr }, { code: 0, stderr: '' })
  assert(
    help.stdout.includes(
      'breakwater callers create --name NAME [--time-zone ZONE] [--currency CODE] [--json]',
    ),
  )
  assert.deepEqual(wrong, { code: 2, stdout: '', stderr: '--caller ID is required.\n' })
})
