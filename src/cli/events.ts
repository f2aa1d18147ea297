import type { Command } from 'commander'
import { type Environment, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { addressOf, followEvents, keyOf } from './event-feed.ts'
import { print } from './output.ts'

export function addEvents(program: Command, env: Environment): void {
  program
    .command('events')
    .description('Events of a book.')
    .command('follow')
    .description('Print events as they happen, one JSON object a line, until the command is stopped.')
    .addOption(valueOption('--url <URL>', 'The service; by default the one at PORT on this machine.'))
    .addHelpText('after', '\nThe book is that of the key in BREAKWATER_KEY, or else the demo bank.')
    .action(async (options: { url?: string }) => {
      const config = readConfig(env)
      const url = addressOf(options.url, config)
      for await (const { text } of followEvents(url, keyOf(env, config))) print(text)
    })
}
