import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { createHistogram } from '../../src/observe/histogram.ts'

const ABOUT = { name: 'waiting_seconds', help: 'Time spent waiting.' }
const BOUNDS = [0.001, 0.01, 0.1, 1]
const anyObserved = fc.array(
  fc.record({
    route: fc.constantFrom('/a', '/b "quoted"'),
    value: fc.oneof(fc.constantFrom(0, ...BOUNDS), fc.double({ min: 0, max: 5, noNaN: true })),
  }),
)

test('a scrape shows what the histogram of the library shows, alone and merged', async () => {
  await fc.assert(
    fc.asyncProperty(anyObserved, async (observed) => {
      const [own, library] = [new Registry(), new Registry()]
      const histogram = createHistogram<'route'>([own], { ...ABOUT, bounds: BOUNDS })
      const theirs = new Histogram({ ...ABOUT, buckets: BOUNDS, labelNames: ['route'], registers: [library] })
      const byRoute = new Map<string, (value: number) => void>()
      for (const { route, value } of observed) {
        const observe = byRoute.get(route) ?? histogram({ route })
        byRoute.set(route, observe)
        observe(value)
        theirs.observe({ route }, value)
      }
      assert.equal(await own.metrics(), await library.metrics())
      assert.equal(await merged(own), await merged(library))
    }),
  )
})

async function merged(registry: Registry): Promise<string> {
  const counted = await registry.getMetricsAsJSON()
  return AggregatorRegistry.aggregate([counted, counted]).metrics()
}
