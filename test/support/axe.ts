/** What axe-core finds wrong with a page for people who use a keyboard, a screen reader or large contrast. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * One line for each finding, with the element it concerns; `contrast: false` leaves out the one rule that takes longer than
 * all others together, and `alone` looks at nothing else: no other changes with the colours. The script runs through the debugger of the browser, so the
 * content security policy of the page neither stops it nor has to allow it. What is folded away is not looked at: open
 * it first.
 */
export async function accessibilityFindings(
  tab: Page,
  { contrast = true }: { contrast?: boolean | 'alone' } = {},
): Promise<string[]> {
  if (!(await tab.evaluate('"axe" in window'))) await tab.evaluate(axe.source)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(contrast === 'alone'
      ? { runOnly: { type: 'rule', values: ['color-contrast'] } }
      : { runOnly: RULES, rules: { 'color-contrast': { enabled: contrast } } }),
  }
  const { violations } = (await tab.evaluate(`axe.run(${JSON.stringify(options)})`)) as axe.AxeResults
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(' ')}: ${help}`),
  )
}
