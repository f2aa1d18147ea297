import { fixed } from '../../page/chart.ts'
import { type Html, html } from '../../page/html.ts'
import type { Words } from '../../words/words.ts'
import { ruleWords } from './words.ts'

/** The share that is charged over a term, in percent for each hundredth of it: now, and as proposed. */
export function stepChart(
  shares: { now: readonly number[]; proposed: readonly number[] },
  words: Words,
): Html {
  const { rules: say } = words.of(ruleWords)
  const y = (share: number) => 150 - share * 1.2
  const path = (values: readonly number[]) =>
    stepsOf(values)
      .map(
        ({ from, to, share }, index) =>
          `${index === 0 ? 'M' : 'L'}${from} ${fixed(y(share))}L${to} ${fixed(y(share))}`,
      )
      .join('')
  const reading = (values: readonly number[]) =>
    stepsOf(values)
      .map(({ from, share }) => say.step(share, from))
      .join(', ')
  const shareTick = (tick: number) => html`<line class="grid" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/>
<text class="tick" x="-8" y="${y(tick) + 4}" text-anchor="end">${tick} %</text>`
  const timeTick = (tick: number) => {
    const anchor = tick === 100 ? 'end' : 'middle'
    return html`<text class="tick" x="${tick}%" y="170" text-anchor="${anchor}">${tick} %</text>`
  }
  return html`<figure class="chart tier"><figcaption><span class="key now-key">${say.keyNow}</span><span
class="key kept-key">${say.keyProposed}</span></figcaption>
<svg class="outlook" height="184" role="img" aria-labelledby="step-title step-desc">
<title id="step-title">${say.chart}</title>
<desc id="step-desc">${say.chartText(reading(shares.now), reading(shares.proposed))}</desc>
${[0, 50, 100].map(shareTick)}
${[0, 25, 50, 75, 100].map(timeTick)}
<svg viewBox="0 0 100 184" width="100%" height="184" preserveAspectRatio="none">
<path class="now-line" d="${path(shares.now)}"/>
<path class="kept-line" d="${path(shares.proposed)}"/></svg></svg></figure>`
}

function stepsOf(values: readonly number[]): { from: number; to: number; share: number }[] {
  const steps: { from: number; to: number; share: number }[] = []
  for (const [index, share] of values.entries()) {
    const last = steps.at(-1)
    if (last !== undefined && last.share === share) last.to = index + 1
    else steps.push({ from: index, to: index + 1, share })
  }
  return steps
}
