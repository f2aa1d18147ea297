/** The generated lists of the settings: the table of the handbook, and `.env.example`. */
import { settings } from '../src/cli/config.ts'
import { type Setting, shownDefault } from '../src/cli/setting.ts'

const list = Object.values<Setting<unknown>>(settings)

const TABLE_HEAD = '| Name | Unit | Default | Why |\n|---|---|---|---|\n'

/** The handbook with its table of settings replaced. */
export function setSettingsTable(handbook: string): string {
  const start = handbook.indexOf(TABLE_HEAD)
  const end = handbook.indexOf('\n\n', start)
  if (start < 0 || end < 0) throw new Error('The handbook has no table of settings.')
  return handbook.slice(0, start) + printSettingsTable() + handbook.slice(end)
}

export function printSettingsTable(): string {
  const rows = list.map(
    (setting) => `| \`${setting.name}\` | ${setting.unit} | ${shownDefault(setting)} | ${setting.reason} |`,
  )
  return TABLE_HEAD + rows.join('\n')
}

export function printEnvExample(): string {
  const entries = list.map((setting) => `# ${setting.reason}\n#${setting.name}=${shownDefault(setting)}\n`)
  return [ENV_HEAD, ...entries].join('\n')
}

const ENV_HEAD = `\
# Every setting, with its default. The service reads the environment, not this file: export what you change, or start
# it with a file of your own: set -a; . ./.env; set +a; npm start
`
