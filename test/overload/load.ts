/**
 * The load generator of the overload suite, in a separate process. It is an open loop: a request is sent when it is due,
 * whether or not those before it were answered, as many independent clients would do. Latency is measured from when a
 * request was due. Connections are opened beforehand; a request that finds none free is counted and not sent.
 */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { openConnection, requestText } from '../support/load/connection.ts'
import { createHistogram } from '../support/load/histogram.ts'

export type OverloadPlan = {
  port: number
  key: string
  /** Each request takes one unit from the next of them. */
  depositIds: readonly string[]
  /** Part of every Idempotency-Key, so that none is used twice. */
  run: string
  connections: number
  durationMs: number
  /** null: a closed loop over all connections, to find out what the service can do. */
  perSecond: number | null
}

export type OverloadResult = {
  seconds: number
  sent: number
  /** Answers by status; 0 where the connection was closed instead. */
  statuses: Record<string, number>
  /** Had no connection to be sent over. */
  unsent: number
  acceptedPerSecond: number
  acceptedP50Ms: number
  acceptedP99Ms: number
  refusedP99Ms: number
}

if (process.send !== undefined) process.once('message', (plan) => void run(plan as OverloadPlan))

type Connection = { socket: Socket; dueMs: number; busy: boolean }

const TICK_MS = 2
const OPENED_AT_ONCE = 100
/** How long the last answers may take. */
const GRACE_MS = 3000

async function run(plan: OverloadPlan): Promise<void> {
  // The callers of a bank do not work on its processors: theirs gives way.
  setPriority(constants.priority.PRIORITY_LOW)
  const accepted = createHistogram()
  const refused = createHistogram()
  const statuses: Record<string, number> = {}
  const free: Connection[] = []
  let [sent, unsent, answered] = [0, 0, 0]
  for (let opened = 0; opened < plan.connections; opened += OPENED_AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(OPENED_AT_ONCE, plan.connections - opened) }, open))
  }
  const startedMs = performance.now()
  const endMs = startedMs + plan.durationMs

  if (plan.perSecond === null) {
    for (let count = 0; count < plan.connections; count += 1) send(performance.now())
    await wait(plan.durationMs)
  } else {
    for (let due = 0; performance.now() < endMs; await wait(TICK_MS)) {
      const soFar = Math.floor(((performance.now() - startedMs) * plan.perSecond) / 1000)
      for (; due < soFar; due += 1) send(startedMs + (due * 1000) / plan.perSecond)
    }
  }
  for (const graceMs = performance.now() + GRACE_MS; answered < sent && performance.now() < graceMs; )
    await wait(10)
  const seconds = plan.durationMs / 1000
  const result: OverloadResult = {
    seconds,
    sent,
    statuses,
    unsent,
    acceptedPerSecond: accepted.count() / seconds,
    acceptedP50Ms: accepted.quantile(0.5),
    acceptedP99Ms: accepted.quantile(0.99),
    refusedP99Ms: refused.quantile(0.99),
  }
  process.send!(result, () => process.exit(0))

  function send(dueMs: number): void {
    const connection = free.pop()
    if (connection === undefined) {
      unsent += 1
      return
    }
    connection.dueMs = dueMs
    connection.busy = true
    connection.socket.write(requestAt(sent), 'latin1')
    sent += 1
  }

  async function open(): Promise<void> {
    const socket = openConnection(plan.port, (status) => {
      take(connection, status)
      if (plan.perSecond === null && performance.now() < endMs) send(performance.now())
    })
    const connection: Connection = { socket, dueMs: 0, busy: false }
    await once(socket, 'connect')
    free.push(connection)
    socket.on('error', () => {})
    socket.once('close', () => {
      const index = free.indexOf(connection)
      if (index !== -1) free.splice(index, 1)
      if (connection.busy) count(0)
    })
  }

  function take(connection: Connection, status: number): void {
    connection.busy = false
    free.push(connection)
    const elapsedMs = performance.now() - connection.dueMs
    if (status === 200) accepted.record(elapsedMs)
    else refused.record(elapsedMs)
    count(status)
  }

  function count(status: number): void {
    answered += 1
    statuses[status] = (statuses[status] ?? 0) + 1
  }

  function requestAt(index: number): string {
    return requestText({
      method: 'POST',
      path: `/v2/fixed-deposits/${plan.depositIds[index % plan.depositIds.length]}/liquidate`,
      key: plan.key,
      body: '{"liquidation_type":"PARTIAL","amount":1.00}',
      idempotencyKey: `${plan.run}-${index}`,
    })
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
