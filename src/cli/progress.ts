/**
 * The progress of a long command: one line that is overwritten on a terminal, elsewhere a new line every few seconds.
 */

const REDRAW_MS = 100
const LINE_MS = 5_000

type Progress = { show: (text: string) => void; end: () => void }

export function createProgress(
  stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.stderr,
  nowMs: () => number = () => performance.now(),
): Progress {
  const onTerminal = stream.isTTY === true
  let shownAtMs = onTerminal ? Number.NEGATIVE_INFINITY : nowMs()
  let drawn = false
  return {
    show(text) {
      if (nowMs() - shownAtMs < (onTerminal ? REDRAW_MS : LINE_MS)) return
      shownAtMs = nowMs()
      drawn = onTerminal
      stream.write(onTerminal ? `\r${text}\u001b[K` : `${text}\n`)
    },
    /** Clears the line before something else is printed. */
    end() {
      if (drawn) stream.write('\r\u001b[K')
    },
  }
}
