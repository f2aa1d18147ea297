/** A probe for places without a shell or curl, such as the image: the exit code is that of the service at PORT. */
import type { Command } from 'commander'
import type { Environment } from './command.ts'
import { baseUrl, readConfig } from './config.ts'
import { print } from './output.ts'

const TIMEOUT_MS = 5000

export function addHealth(program: Command, env: Environment): void {
  program
    .command('health')
    .description('Exit with 0 where the service at PORT takes requests, otherwise with 1.')
    .action(async () => {
      const url = `${baseUrl(readConfig(env))}/readyz`
      print(await readHealth(url))
    })
}

/** The sentence of the service; throws where it is not ready. */
async function readHealth(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause) => {
    throw new Error(`There is no answer at ${url}.`, { cause })
  })
  const { message } = (await answer.json()) as { message: string }
  if (!answer.ok) throw new Error(message)
  return message
}
