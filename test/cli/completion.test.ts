import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { ROLES } from '../../src/domain/people.ts'
import { processEnvironment, run } from './program.ts'

/** How each shell is queried, without a terminal, for what can follow a command line. */
const asks: Record<string, (script: string, line: readonly string[]) => string> = {
  bash: (script, line) =>
    `${script}\nCOMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}
_breakwater; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script, line) =>
    `compdef() {}\ncompadd() { shift; print -rl -- "$@" }\n${script}
words=(${line.map((word) => `'${word}'`).join(' ')}); CURRENT=${line.length}; _breakwater`,
  fish: (script, line) => `${script}\ncomplete -C '${line.join(' ')}' | string replace -r '\\t.*' ''; true`,
}

const WITHOUT_SETTINGS: Record<string, string> = { bash: '--norc', zsh: '-f', fish: '--no-config' }

const lines: [readonly string[], readonly string[]][] = [
  [
    ['keys', 'roll', ''],
    ['--overlap', '--json', '--help'],
  ],
  [
    ['keys', 'list', '--mode', ''],
    ['test', 'live'],
  ],
  [['people', 'invite', '--role', ''], ROLES],
]

for (const [shell, ask] of Object.entries(asks)) {
  const skip = spawnSync(shell, ['--version']).error === undefined ? false : `${shell} is not installed`
  test(`${shell} completes commands, options and their values`, { skip }, async () => {
    const script = (await run(['completion', shell])).stdout
    const complete = (...words: string[]) =>
      execFileSync(shell, [WITHOUT_SETTINGS[shell]!, '-c', ask(script, ['breakwater', ...words])], {
        env: processEnvironment,
        encoding: 'utf8',
      })
        .split('\n')
        .filter((word) => word !== '')
    const commands = complete('')
    for (const command of ['serve', 'callers', 'keys', 'status', 'verify', 'completion']) {
      assert(commands.includes(command), command)
    }
    assert.deepEqual(
      complete('callers', '')
        .filter((word) => !word.startsWith('-'))
        .sort(),
      ['create', 'help', 'letterhead', 'list'],
    )
    for (const [line, expected] of lines) {
      // fish offers options only when a dash was typed.
      const typed = shell === 'fish' && expected[0]!.startsWith('--') ? [...line.slice(0, -1), '--'] : line
      assert.deepEqual(complete(...typed).sort(), [...expected].sort(), line.join(' '))
    }
    assert.deepEqual(complete('callers', 'create', '--name', ''), [])
  })
}

test('another shell is refused', async () => {
  const { code, stderr } = await run(['completion', 'ksh'])
  assert.equal(code, 2)
  assert.match(stderr, /Allowed choices are bash, zsh, fish\./)
})
