/**
 * What commands read. A read runs on the database; where a running service holds the embedded database, the service
 * runs it and answers over its socket.
 */
import type { Database } from '../engine/database/database.ts'
import { DirectoryInUseError } from '../engine/embedded/directory-lock.ts'
import type { Service } from './compose.ts'
import { baseUrl, type Config } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import { createProgress } from './progress.ts'
import { type AnswerRead, type Asked, type Asker, askReadSocket } from './read-socket.ts'

export type Read<Answer> = {
  name: string
  /** The answer is plain JSON: it may be sent over the socket. */
  answer: (source: ReadSource, asked: Asked) => Promise<Answer>
}

export type ReadSource = Asker & {
  db: Database
  clock: () => Date
  momentIn: Service['momentIn']
  perform: Service['perform']
  config: Config
  /** The URL of the service. */
  url: string
  /** How much is read per page; small in a service, because the embedded engine serves requests only in between. */
  pageKeys?: number
}

/** Answers reads by their names. */
export function answerReads(
  reads: Readonly<Record<string, () => Promise<Read<unknown>>>>,
  source: Omit<ReadSource, keyof Asker>,
): AnswerRead {
  return (name, asked, asker) => {
    if (!Object.hasOwn(reads, name)) return undefined
    return reads[name]!().then((read) => read.answer({ ...source, ...asker }, asked))
  }
}

export async function runRead<Answer>(
  config: Config,
  read: Read<Answer>,
  asked: Readonly<Record<string, string | undefined>>,
  /** What to do instead where the database can be opened. */
  overDatabase?: (db: Database) => Promise<Answer>,
): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as Asked
  const progress = createProgress()
  const answerOver = (db: Database) => {
    const { clock, momentIn, perform } = createServiceOver(db, config)
    const { signal } = new AbortController()
    return read.answer(
      { db, clock, momentIn, perform, config, url: baseUrl(config), progress: progress.show, signal },
      given,
    )
  }
  try {
    return await withDatabase(config, overDatabase ?? answerOver)
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error
    const request = { read: read.name, asked: given }
    const reply = await askReadSocket(config.dataDirectory, request, progress.show)
    // Held by something that answers no reads, such as another command.
    if (reply === null) throw error
    return reply.answer as Answer
  } finally {
    progress.end()
  }
}
