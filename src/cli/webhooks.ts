import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { webhookHeaders } from '../features/webhooks/signature.ts'
import { type Environment, requiredOption, UsageError, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { addressOf, type FedEvent, followEvents, keyOf } from './event-feed.ts'
import { print } from './output.ts'

const TIMEOUT_MS = 15_000
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

export function addWebhooks(program: Command, env: Environment): void {
  program
    .command('webhooks')
    .description('Webhooks while developing.')
    .command('forward')
    .description('Send the events of a test book to a program on this machine, signed as webhooks are.')
    .addOption(requiredOption('--to <URL>', 'Where to send them, such as http://127.0.0.1:9000/hooks.'))
    .addOption(valueOption('--url <URL>', 'The service; by default the one at PORT on this machine.'))
    .addHelpText('after', '\nThe book is that of the test key in BREAKWATER_KEY, or else the demo bank.')
    .action(async (options: { to: string; url?: string }) => {
      const to = URL.parse(options.to)
      if (to === null || !LOOPBACK.test(to.hostname))
        throw new UsageError('--to must be a URL on this machine, such as http://127.0.0.1:9000/hooks.')
      const config = readConfig(env)
      const key = keyOf(env, config)
      if (!key.startsWith('bw_test_')) throw new UsageError('Only events of a test book are forwarded.')
      const secret = `whsec_${randomBytes(24).toString('base64')}`
      print(`Forwarding to ${to.href}. The secret of these messages is ${secret}`)
      for await (const event of followEvents(addressOf(options.url, config), key))
        print(`${event.type} ${event.id} ${await forward(event, to, secret)}`)
    })
}

/** The status of the receiver's answer, or that there was none. */
async function forward({ id, text }: FedEvent, to: URL, secret: string): Promise<string> {
  const headers = webhookHeaders({ eventId: id, body: text, sentAt: new Date() }, [secret])
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Breakwater' },
      body: text,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    return String(answer.status)
  } catch {
    return 'no answer'
  }
}
