import type { Command } from './command.ts'
import { type Setting, settings, shownDefault } from './config.ts'
import { alignColumns } from './output.ts'

/** All commands, or those of one group. */
export function overview(commands: readonly Command[]): string {
  return [
    'Breaks fixed deposits and keeps customer profiles for a bank’s back office.',
    '',
    ...commands.flatMap((command) => [`  breakwater ${invocation(command)}`, `      ${command.summary}`]),
    '',
    'breakwater COMMAND --help tells more of one command. Settings come from the environment: see',
    'breakwater serve --help. Commands use DATABASE_URL, or the embedded database of a stopped service in DATA_DIR.',
    'Exit codes: 0 done, 1 failed, 2 wrong usage or data directory in use.',
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => [
    `  --${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    option.help,
  ])
  return [
    `breakwater ${invocation(command)}`,
    command.summary,
    ...(options.length === 0 ? [] : ['', alignColumns(options)]),
    ...(command.notes === undefined ? [] : ['', command.notes()]),
  ].join('\n')
}

/** How a command is written: optional parts in brackets. */
function invocation(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, { value, required }]) => {
    const text = value === undefined ? `--${name}` : `--${name} ${value}`
    return required ? text : `[${text}]`
  })
  return [command.name, ...(command.operands ?? []), ...options].join(' ')
}

export function settingsHelp(): string {
  const rows = Object.values<Setting<unknown>>(settings).map((setting) => [
    `  ${setting.name}`,
    shownDefault(setting) || '-',
    setting.reason,
  ])
  return `Settings come from the environment; name, default and meaning:\n${alignColumns(rows)}`
}
