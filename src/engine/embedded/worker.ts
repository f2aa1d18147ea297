/**
 * The embedded engine in its own thread: wire protocol in, wire protocol out, in order, one message at a time.
 *
 * It runs here because each statement blocks its thread until it is done, fsync included, and because an engine that
 * panics can leave its thread spinning. When the engine fails, this thread reports the reason and stops permanently, so
 * that nothing more is answered; the main thread then ends the process.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { type FromWorker, joinBytes, PROGRESS, SYNCS, type ToWorker, type WorkerData } from './messages.ts'
import { startInDirectory, startInMemory } from './start.ts'

/** PGlite throws this internally for every SQL error; anything else that leaves the engine's loop is fatal. */
const SQL_ERROR_STATUS = 100

await serve(parentPort!, workerData as WorkerData)

async function serve(port: MessagePort, data: WorkerData): Promise<void> {
  const counters = new Int32Array(data.counters)
  const count = (counter: number) => Atomics.add(counters, counter, 1)
  const post = (message: FromWorker) => port.postMessage(message)
  let lastWords = ''

  const die = (reason: string): never => {
    post({ kind: 'died', sentence: `The database engine cannot go on: ${reason}` })
    for (;;) Atomics.wait(counters, PROGRESS, Atomics.load(counters, PROGRESS))
  }

  let engine: PGlite
  try {
    engine = await startEngine()
  } catch (error) {
    post({ kind: 'failed', sentence: lastWords || (error instanceof Error ? error.message : String(error)) })
    return
  }
  callAtUnknownErrors(engine, (error) => die(lastWords || String(error)))
  post({ kind: 'answer', bytes: new Uint8Array(0) })
  port.on('message', async (message: ToWorker) => {
    if (message.kind === 'close') {
      await engine.close()
      port.close()
      return
    }
    const chunks: Uint8Array[] = []
    // It runs to its end before it returns its promise, so responses keep the order of messages.
    await engine.execProtocolRawStream(message.bytes, {
      syncToFs: false,
      // A view of the engine's memory, which the next statement overwrites.
      onRawData: (bytes) => void chunks.push(bytes.slice()),
    })
    count(PROGRESS)
    const bytes = joinBytes(chunks)
    port.postMessage({ kind: 'answer', bytes } satisfies FromWorker, [bytes.buffer])
  })

  function startEngine(): Promise<PGlite> {
    const onLog = (line: string) => {
      if (/\b(PANIC|FATAL):/.test(line)) lastWords = line.replace(/^.*\b(PANIC|FATAL): */, '')
    }
    if (data.cluster === null) return startInMemory(data.template, onLog)
    const watch = {
      onProgress: () => void count(PROGRESS),
      onSync: () => void count(SYNCS),
      onSyncFailure: (error: unknown) => die(`a write could not be made durable (${String(error)}).`),
    }
    return startInDirectory(data.cluster, watch, onLog)
  }
}

/** PGlite swallows these and calls the dead engine again. */
function callAtUnknownErrors({ Module: module }: PGlite, die: (error: unknown) => never): void {
  const runOnce = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      runOnce()
    } catch (error) {
      if ((error as { status?: number }).status !== SQL_ERROR_STATUS) die(error)
      throw error
    }
  }
}
