/**
 * The load generator, a process of its own. It is an open loop: a request is sent when its time has come, whether or not
 * those before it were answered, as the customers of many banks would do. Latency counts from when a request was due.
 * The connections stand when it begins; a request that finds none free is counted and not sent.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { createHistogram } from '../../bench/histogram.ts'

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
    connection.socket.write(requestText(sent), 'latin1')
    sent += 1
  }

  async function open(): Promise<void> {
    const socket = connectTo(plan.port, (status) => {
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

  function requestText(index: number): string {
    const body = '{"liquidation_type":"PARTIAL","amount":1.00}'
    return (
      `POST /v2/fixed-deposits/${plan.depositIds[index % plan.depositIds.length]}/liquidate HTTP/1.1\r\n` +
      `Host: 127.0.0.1\r\nAuthorization: Bearer ${plan.key}\r\nContent-Type: application/json\r\n` +
      `Idempotency-Key: ${plan.run}-${index}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

const HEAD_END = '\r\n\r\n'
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i

/** Calls back with the status of each answer; a connection carries one request at a time. */
function connectTo(port: number, answered: (status: number) => void): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd === -1) return
    const length = Number(CONTENT_LENGTH.exec(received)?.[1])
    if (received.length < headEnd + HEAD_END.length + length) return
    const status = Number(received.slice(9, 12))
    received = ''
    answered(status)
  })
  return socket
}
