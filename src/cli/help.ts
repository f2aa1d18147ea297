import { settings } from './config.ts'
import { listText } from './output.ts'
import { type Setting, shownDefault } from './setting.ts'

export function settingsHelp(): string {
  const rows = Object.values<Setting<unknown>>(settings).map((setting) => {
    const fallback = shownDefault(setting)
    return [setting.name, `${setting.reason}${fallback === '' ? '' : ` Default: ${fallback}.`}`] as const
  })
  return `Settings, from the environment:\n${listText(rows)}`
}
