/**
 * The main thread's side of the engine's thread (worker.ts): starts and stops it, passes the driver's bytes in both
 * directions, and checks that it is alive.
 */
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { type FromWorker, joinBytes, PROGRESS, SYNCS, type ToWorker, type WorkerData } from './messages.ts'

export type Engine = {
  /** A connection for the driver; the engine has one session, so a new connection takes it over. */
  connect(): Duplex
  /** How many fsync calls have reached the disk. */
  syncCount(): number
  stop(): Promise<void>
}

export async function startEngine(options: {
  cluster: string | null
  template: string | null
  silenceMaxMs: number
  onDeath: (sentence: string) => void
}): Promise<Engine> {
  const counters = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const { cluster, template } = options
  const workerData: WorkerData = { cluster, template, counters: counters.buffer }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, env: workerEnv() })
  const ended = once(worker, 'exit')
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  /** Callbacks waiting for a response of the thread, in order; the first waits for the start. */
  const waiting: ((answer: Uint8Array) => void)[] = [() => resolve()]
  let state: 'alive' | 'stopping' | 'dead' = 'alive'
  const watch = setInterval(createSilenceCheck(), SILENCE_CHECK_MS)
  watch.unref()

  worker.on('error', (error) => die(`The thread of the database engine failed: ${error.message}`))
  worker.on('exit', () => die('The thread of the database engine ended.'))
  worker.on('message', (message: FromWorker) => {
    switch (message.kind) {
      case 'answer':
        return waiting.shift()?.(message.bytes)
      case 'failed':
        state = 'stopping'
        return reject(new Error(message.sentence))
      case 'died':
        return die(message.sentence)
      default:
        message satisfies never
    }
  })

  try {
    await ready
  } catch (error) {
    await ended
    clearInterval(watch)
    throw error
  }
  return {
    connect: () => createEngineStream(exchange),
    syncCount: () => Atomics.load(counters, SYNCS),
    async stop() {
      state = 'stopping'
      worker.postMessage({ kind: 'close' } satisfies ToWorker)
      await ended
      clearInterval(watch)
    },
  }

  /** The thread responds in order, so the first response belongs to the first message. */
  function exchange(bytes: Uint8Array<ArrayBuffer>, onAnswer: (bytes: Uint8Array) => void): void {
    waiting.push(onAnswer)
    worker.postMessage({ kind: 'message', bytes } satisfies ToWorker, [bytes.buffer])
  }

  function die(sentence: string): void {
    if (state !== 'alive') return
    state = 'dead'
    clearInterval(watch)
    options.onDeath(sentence)
  }

  /**
   * A starved process is not a stuck one: what counts is the CPU time that the thread had without a sign of life. A thread
   * that gets none at all, because it waits for a disk that never answers, is given up much later. Checks are counted
   * instead of seconds, so that a machine that was suspended does not look like an engine that hangs.
   */
  function createSilenceCheck(): () => void {
    let lastProgress = 0
    let silentMs = 0
    let usedMs = 0
    /** CPU time of the thread at its last sign of life; null: not known yet. */
    let usedBeforeMs: number | null = null
    return () => {
      const progress = Atomics.load(counters, PROGRESS)
      const isSilent = waiting.length > 0 && progress === lastProgress
      lastProgress = progress
      if (!isSilent) {
        ;[silentMs, usedMs, usedBeforeMs] = [0, 0, null]
        return
      }
      silentMs += SILENCE_CHECK_MS
      // The thread itself answers this, when it next has the processor.
      worker.cpuUsage().then(
        ({ user, system }) => {
          if (Atomics.load(counters, PROGRESS) !== progress) return
          usedBeforeMs ??= (user + system) / 1000
          usedMs = (user + system) / 1000 - usedBeforeMs
        },
        () => undefined,
      )
      if (usedMs < options.silenceMaxMs && silentMs < options.silenceMaxMs * BLOCKED_FACTOR) return
      die(`The database engine has not answered or touched a file for ${silentMs / 1000} seconds.`)
    }
  }
}

/** A thread finds code that was compiled before only if it knows where; the program has one folder for each Node. */
function workerEnv(): NodeJS.ProcessEnv {
  const compiled = getCompileCacheDir()
  return compiled === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(compiled) }
}

/** How much longer a thread may be silent that uses no CPU time. */
const BLOCKED_FACTOR = 10

const SILENCE_CHECK_MS = 1000

/** Looks to the driver like the socket that it would have opened. */
function createEngineStream(
  exchange: (bytes: Uint8Array<ArrayBuffer>, onAnswer: (bytes: Uint8Array) => void) => void,
): Duplex {
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      send([chunk])
      done()
    },
    writev(chunks: { chunk: Buffer }[], done) {
      send(chunks.map(({ chunk }) => chunk))
      done()
    },
    final(done) {
      stream.push(null)
      done()
    },
  })
  return Object.assign(stream, {
    connect() {
      // State that an earlier connection left in the session must not reach this one.
      exchange(joinBytes([simpleQuery('rollback'), simpleQuery('discard all')]), () => stream.emit('connect'))
    },
    setNoDelay() {},
    setKeepAlive() {},
    ref() {},
    unref() {},
  })

  /** The driver writes whole messages, and the engine needs them whole. */
  function send(chunks: Uint8Array[]): void {
    exchange(joinBytes(chunks), (answer) => {
      if (answer.length > 0 && !stream.destroyed && !stream.writableFinished) {
        stream.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength))
      }
    })
  }
}

function simpleQuery(text: string): Uint8Array {
  const message = Buffer.alloc(1 + 4 + text.length + 1)
  message.write('Q')
  message.writeInt32BE(message.length - 1, 1)
  message.write(text, 5)
  return message
}
