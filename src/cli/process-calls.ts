/** Calls between the processes of one service, over the channel that Node opens from each to its supervisor. */
import type { Serializable } from 'node:child_process'
import type { Worker } from 'node:cluster'
import type { Taken } from '../http/rate-limit.ts'
import type { Counted } from '../observe/metrics.ts'

export type AskedOfSupervisor = {
  role: (nothing: null) => { hasJobs: boolean; processes: number }
  take: (asked: {
    counted: string
    name: string
    perMinute: number
    wanted: number
  }) => Taken & { count: number }
  printMetrics: (nothing: null) => Promise<string>
  noteChanges: (count: number) => void
}

export type AskedOfFellow = {
  /** Another process takes its place. */
  retire: (nothing: null) => void
  counted: (nothing: null) => Promise<Counted>
  noteChanges: (count: number) => void
}

/** What one side can be asked, by name. Arguments and values travel as JSON. */
type Procedures = Record<string, (argument: never) => unknown>
type Argument<One extends (argument: never) => unknown> = Parameters<One>[0]
type Value<One extends (argument: never) => unknown> = Awaited<ReturnType<One>>

type Message =
  | { kind: 'call'; id: number; name: string; argument: unknown }
  | { kind: 'value'; id: number; value: unknown }
  | { kind: 'failure'; id: number }

export type Calls<Theirs extends Procedures> = {
  /** Fails when the other side fails, or when the channel is closed. */
  call: <Name extends keyof Theirs & string>(
    name: Name,
    argument: Argument<Theirs[Name]>,
  ) => Promise<Value<Theirs[Name]>>
}

export function createCalls<Theirs extends Procedures>(channel: Worker, ours: Procedures): Calls<Theirs> {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  channel.on('message', (message) => void receive(message as Message))
  channel.once('disconnect', () => {
    for (const one of open.values()) one.reject(closed())
    open.clear()
  })
  return {
    call(name, argument) {
      lastId += 1
      const pending = Promise.withResolvers<unknown>()
      open.set(lastId, pending)
      post({ kind: 'call', id: lastId, name, argument })
      return pending.promise as Promise<never>
    },
  }

  async function receive(message: Message): Promise<void> {
    // Node and libraries send messages of their own over the same channel.
    if (message?.kind === 'call') await answer(message)
    else if (message?.kind === 'value') take(message.id)?.resolve(message.value)
    else if (message?.kind === 'failure') take(message.id)?.reject(new Error('The call failed.'))
  }

  async function answer({ id, name, argument }: Extract<Message, { kind: 'call' }>): Promise<void> {
    try {
      post({ kind: 'value', id, value: await ours[name]!(argument as never) })
    } catch {
      post({ kind: 'failure', id })
    }
  }

  function take(id: number): PromiseWithResolvers<unknown> | undefined {
    const pending = open.get(id)
    open.delete(id)
    return pending
  }

  function post(message: Message): void {
    channel.send(message as Serializable, (error) => {
      if (error !== null) take(message.id)?.reject(closed())
    })
  }
}

function closed(): Error {
  return new Error('The other process has ended.')
}
