/** The operator's way out of an approval policy that nobody can satisfy any more. */
import type { Command } from 'commander'
import { OPERATOR } from '../domain/actor.ts'
import { type Book, MODES } from '../domain/book.ts'
import { ApprovalPolicyRecord } from '../features/approval-policy/record.ts'
import { findBook } from '../features/callers/store.ts'
import { clearApprovalPolicy } from '../features/policies/changes.ts'
import { type Environment, requiredOption } from './command.ts'
import { readConfig } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import { print, printJson } from './output.ts'

export function addPolicy(program: Command, env: Environment): void {
  const policy = program.command('policy').description('Clear the approval policy of a book.')

  type Options = { caller: string; mode: Book['mode']; json?: true }
  policy
    .command('clear')
    .description(
      'Write an approval policy without rules, so that nothing waits. The audit log names the operator.',
    )
    .addOption(requiredOption('--caller <ID>', 'The caller, as callers list shows it.'))
    .addOption(requiredOption('--mode <MODE>', 'Which of its two books.', MODES))
    .option('--json', 'Print the policy as JSON.')
    .action(async (options: Options) => {
      const config = readConfig(env)
      const written = await withDatabase(config, async (db) => {
        const book = await findBook(db, { callerId: options.caller, mode: options.mode })
        if (book === undefined) {
          throw new Error(`There is no caller ${options.caller}; see breakwater callers list.`)
        }
        const origin = { book, actor: OPERATOR, requestId: null, idempotency: null }
        return clearApprovalPolicy(createServiceOver(db, config), origin)
      })
      if (written === undefined) throw new Error('The book has no approval policy, so nothing waits.')
      if (options.json) return printJson(ApprovalPolicyRecord.write(written))
      print(`Version ${written.version} of the approval policy has no rules: nothing waits any more.`)
    })
}
