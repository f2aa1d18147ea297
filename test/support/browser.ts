/** The browser of this machine, for what only a browser can tell. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const executable = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((path) => existsSync(path))

/** A sentence where there is none: the reason to skip a test. */
export const browserAbsence: string | false =
  executable === undefined ? 'no Chromium was found on this machine' : false

export function openBrowser(): Promise<Browser> {
  // Its sandbox needs rights that a container does not have; it shows only our own pages here.
  return chromium.launch({ executablePath: executable!, args: ['--no-sandbox'] })
}
