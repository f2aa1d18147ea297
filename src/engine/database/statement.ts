/**
 * One statement, from its values to its rows. The driver keeps the connection, the order of statements, their time limits
 * and their errors. What every change pays for is done here: the driver would copy the values of a batch twice on their way
 * to the server, and prepare the columns of each result again.
 */
import pg from 'pg'
import { EncodedValues } from './encoding.ts'
import { createRowReaders, type RowReader, type RowReaders } from './row-reader.ts'

export type StatementToSend = {
  /** '': prepared for this time only. */
  name: string
  text: string
  /** One by one, or all of them encoded. */
  values?: readonly unknown[] | undefined
  /**
   * Statements without columns that are sent before the same Sync. If one fails, the server skips the rest: a statement
   * behind `begin` can never run, and commit, by itself. Two pipelined statements would not guarantee that.
   */
  after?: readonly string[]
  /** Called in the order in which statements fail; promises may be rejected in another one. */
  onFailure?: (error: Error) => void
}

/** Resolves to the rows. */
export function sendStatement(client: pg.ClientBase, statement: StatementToSend): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const sent = new SentStatement(statement, (error) => {
      if (!error) return resolve(sent.found)
      statement.onFailure?.(error)
      reject(error)
    })
    client.query(sent)
  })
}

/** What the driver's types leave out. */
declare module 'pg' {
  interface Query {
    name: string
    text: string
    values: unknown[]
    queryMode: 'extended'
    /** An error that is reported when the server has finished. */
    _canceledDueToError: unknown
    prepare(connection: Connection): void
    hasBeenParsed(connection: Connection): boolean
    handleError(error: Error, connection: Connection): void
  }
  interface Connection {
    /** Texts that the server has prepared or is about to, by name. */
    parsedStatements: Record<string, string>
    submittedNamedStatements: Record<string, string>
    /**
     * Ours, by text. A prepared statement always returns the same columns (where they have changed, the server rejects
     * it), so they are described once. Those of others, such as `fetch`, depend on what was done before.
     */
    rowReaders?: Map<string, RowReader>
    /** Ours too; the connections of a pool share it. */
    readerOf?: RowReaders
  }
}

const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }
).utils

class SentStatement extends pg.Query {
  readonly found: unknown[] = []
  readonly #after: readonly string[]
  /** Statements of `after` that have not ended; rows before that are theirs. */
  #ahead: number
  /** Whether this statement asked the server to prepare it. */
  #prepares = false
  #readers: Map<string, RowReader> | undefined
  #read: RowReader | undefined
  #readerOf: RowReaders | undefined

  constructor({ name, text, values = [], after = [] }: StatementToSend, done: (error?: Error) => void) {
    super(text, values as unknown[], done)
    this.name = name
    this.queryMode = 'extended'
    this.#after = after
    this.#ahead = after.length
  }

  override prepare(connection: pg.Connection): void {
    const { name, text, values } = this
    const bound = values[0] instanceof EncodedValues ? values[0] : values.map(prepareValue)
    for (const first of this.#after) {
      connection.parse({ name: '', text: first, types: [] }, true)
      connection.bind({}, true)
      connection.execute({}, true)
    }
    this.#prepares = !this.hasBeenParsed(connection)
    if (this.#prepares) {
      // Where an earlier attempt failed, the server may have the statement nevertheless.
      if (name !== '') connection.close({ type: 'S', name }, true)
      connection.parse({ name, text, types: [] }, true)
      if (name !== '') connection.submittedNamedStatements[name] = text
    }
    if (bound instanceof EncodedValues) bindEncoded(connection, name, bound)
    else connection.bind({ statement: name, values: bound }, true)
    this.#readers = connection.rowReaders ??= new Map()
    this.#readerOf = connection.readerOf ??= createRowReaders()
    // What is prepared again is described again.
    this.#read = this.#prepares ? undefined : this.#readers.get(text)
    if (this.#read === undefined) connection.describe({ type: 'P' }, true)
    connection.execute({}, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#read = this.#readerOf!(fields)
    if (this.name !== '' && HAS_FIXED_COLUMNS.test(this.text)) this.#readers!.set(this.text, this.#read)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#ahead > 0) return
    try {
      this.found.push(this.#read!(fields))
    } catch (error) {
      this._canceledDueToError = error
    }
  }

  handleCommandComplete(): void {
    this.#ahead -= 1
  }

  override handleError(error: Error, connection: pg.Connection): void {
    // The driver takes the response to a statement of `after` for that of this one, so it is not known whether the server
    // has prepared it. Without this the next use would fail because it does not exist.
    if (this.#prepares) delete connection.parsedStatements[this.name]
    super.handleError(error, connection)
  }
}

const HAS_FIXED_COLUMNS = /^\s*(select|with)\b/

function bindEncoded({ stream }: pg.Connection, name: string, values: EncodedValues): void {
  stream.write(bindHeader(name, values))
  stream.write(values.bytes)
  stream.write(RESULTS_AS_TEXT)
}

/** Binds to the unnamed portal, with all values in binary form. */
function bindHeader(name: string, { count, bytes }: EncodedValues): Buffer {
  const header = Buffer.alloc(13 + name.length)
  header.write('B')
  header.writeInt32BE(header.length - 1 + bytes.length + RESULTS_AS_TEXT.length, 1)
  header.write(name, 6, 'latin1')
  header.writeInt16BE(1, 7 + name.length)
  header.writeInt16BE(1, 9 + name.length)
  header.writeInt16BE(count, 11 + name.length)
  return header
}

const RESULTS_AS_TEXT = Buffer.from([0, 1, 0, 0])
