/**
 * One connection without time limits, for moving whole tables: queries as everywhere else, and COPY in both directions.
 *
 * Guarantee: rows are passed on as they arrive. A slow reader stops the server, and a slow server the reader, so a table
 * of any size needs little memory.
 */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import pg from 'pg'
import type { Queries } from './database.ts'
import { asDatabaseError } from './pooled-database.ts'
import { sendStatement } from './statement.ts'

export type Session = Queries & {
  /** The rows of a query in the text form of COPY. */
  copyOut(query: string): AsyncIterable<Uint8Array>
  /** `statement` is a COPY … FROM STDIN. */
  copyIn(statement: string, rows: AsyncIterable<Uint8Array>): Promise<void>
  close(): Promise<void>
}

export async function openSession(config: pg.ClientConfig): Promise<Session> {
  const client = new pg.Client({ application_name: SESSION_NAME, ...config })
  client.on('error', () => {})
  try {
    await client.connect()
    const session = sessionOver(client)
    for (const setting of TEXT_SETTINGS) await session.query(setting)
    return session
  } catch (error) {
    await client.end().catch(() => {})
    throw asDatabaseError(error)
  }
}

/** Not the name of a service's connections, because those are looked for. */
export const SESSION_NAME = 'breakwater-copy'

/** What the text of a value depends on. */
const TEXT_SETTINGS = [
  `set timezone = 'UTC'`,
  `set datestyle = 'ISO, YMD'`,
  `set intervalstyle = 'postgres'`,
  `set bytea_output = 'hex'`,
  'set extra_float_digits = 1',
]

function sessionOver(client: pg.Client): Session {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      try {
        return (await sendStatement(client, { name: '', text, values })) as Row[]
      } catch (error) {
        throw asDatabaseError(error)
      }
    },
    copyOut(query) {
      const rows = new PassThrough()
      let paused: { resume(): void } | null = null
      const resume = () => {
        paused?.resume()
        paused = null
      }
      const copy = new Copy(`copy (${query}) to stdout`, (error) => {
        if (error) rows.destroy(asDatabaseError(error))
        else rows.end()
        // What has ended emits no drain any more, and the connection is needed for the next statement.
        resume()
      })
      copy.handleCopyData = ({ chunk }, { stream }) => {
        // A copy, because the driver reads the next messages into the same memory.
        if (rows.write(Buffer.from(chunk)) || paused !== null) return
        paused = stream
        stream.pause()
        rows.once('drain', resume)
      }
      client.query(copy)
      return rows
    },
    copyIn(statement, rows) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const copy = new Copy(statement, (error) => (error ? reject(asDatabaseError(error)) : resolve()))
      copy.handleCopyInResponse = (connection) => void sendRows(connection, rows)
      client.query(copy)
      return promise
    },
    close: () => client.end(),
  }
}

/** What the driver's types leave out. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

class Copy extends pg.Query {
  constructor(text: string, done: (error?: Error) => void) {
    super(text, [], done)
  }

  handleCopyData(_message: { chunk: Uint8Array }, _connection: pg.Connection): void {}
  handleCopyInResponse(_connection: CopyConnection): void {}
}

async function sendRows(connection: CopyConnection, rows: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of rows) {
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  } catch (error) {
    // The server then fails the statement with this reason, which rejects the promise of copyIn.
    connection.sendCopyFail(error instanceof Error ? error.message : String(error))
  }
}
