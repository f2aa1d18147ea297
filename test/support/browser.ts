/** The browser of this machine, for tests that need one. */
import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './programs.ts'

const executable = findProgram('chromium', 'chromium-browser', 'google-chrome')

/** A sentence where there is none: the reason to skip a test. */
export const browserAbsence: string | false =
  executable === undefined ? 'no Chromium was found on this machine' : false

/** On a busy machine a page may take longer than the 30 seconds that playwright-core allows it. */
const PATIENCE_MS = 300_000

export async function openBrowser(): Promise<Browser> {
  // Its sandbox needs rights that a container does not have; it shows only our own pages here.
  const browser = await chromium.launch({
    executablePath: executable!,
    args: ['--no-sandbox'],
    timeout: PATIENCE_MS,
  })
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS))
  return browser
}
