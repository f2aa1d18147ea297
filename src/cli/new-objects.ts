/** Bounds the memory for new objects of the main thread, which no option of a running process does. */
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** The space for new objects doubles up to 128 MB by default, half of which is always empty. */
export function boundNewObjects(maxBytes: number): void {
  const observer = new PerformanceObserver(() => {
    if (newObjectBytes() < maxBytes) return
    setFlagsFromString('--semi-space-growth-factor=1')
    observer.disconnect()
  })
  observer.observe({ entryTypes: ['gc'] })
}

export function newObjectBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size
}
