import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { isoDate } from '../domain/dates.ts'
import { type ErrorCode, errors } from '../wire/errors.ts'
import { type Environment, requiredOption, UsageError, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { addressOf, keyOf } from './event-feed.ts'
import { type BadLine, type Checked, checkFiles, latestToday } from './import/check.ts'
import { type Files, readRows } from './import/files.ts'
import { FILES, type FileName, type Mapping, parseMapping } from './import/mapping.ts'
import { totalsPage } from './import/page.ts'
import { type LineResult, type SentLine, sendFile } from './import/sending.ts'
import { createProducts, createService, RefusedError, type Service } from './import/service.ts'
import { addAnswer, type ControlLine, compareTotals, newTotals, type Totals } from './import/totals.ts'
import { print, tableText } from './output.ts'
import { createProgress } from './progress.ts'

type Options = { map: string; dryRun?: boolean; page?: string; url?: string }
type Show = (text: string) => void

export function addImport(program: Command, env: Environment): void {
  program
    .command('import')
    .description('Take over customers, accounts and deposits from files of another system.')
    .argument('<customers>', 'File of customers, comma-separated.')
    .argument('<accounts>', 'File of accounts.')
    .argument('<deposits>', 'File of deposits.')
    .addOption(requiredOption('--map <FILE>', 'Which columns become what: see examples/import.'))
    .option('--dry-run', 'Stop after the check of all lines.')
    .addOption(valueOption('--page <FILE>', 'Write the control totals to an HTML file, to print and sign.'))
    .addOption(valueOption('--url <URL>', 'The service; by default the one at PORT on this machine.'))
    .addHelpText(
      'after',
      `
All lines are checked before anything is written; where one is wrong, nothing is. A run that was
stopped goes on when the same command is given again, and no line takes effect twice. The key in
BREAKWATER_KEY, or else that of the demo bank, needs batches:read, batches:write, batches:import,
customers:write and products:read.`,
    )
    .action(async (customers: string, accounts: string, deposits: string, options: Options) => {
      const config = readConfig(env)
      const url = addressOf(options.url, config)
      const service = createService(url, keyOf(env, config))
      await importFiles({ customers, accounts, deposits }, { ...options, url }, service)
    })
}

async function importFiles(
  files: Files,
  options: Options & { url: string },
  service: Service,
): Promise<void> {
  if (options.page !== undefined) requireWritable(options.page)
  const mapping = readMapping(options.map)
  const progress = createProgress()
  const facts = { today: await todayOf(service), product: createProducts(service) }
  const checked = await checkFiles(files, mapping, facts, progress.show).finally(progress.end)
  reportCheck(files, checked)
  if (checked.bad.length > 0)
    throw new Error('Nothing was written. Correct these lines and run the command again.')
  if (options.dryRun) return
  const { totals, failed } = await carryOut(files, mapping, service, progress.show).finally(progress.end)
  const lines = compareTotals(checked.totals, totals)
  printTotals(lines)
  if (options.page !== undefined) {
    writeFileSync(
      options.page,
      totalsPage(lines, { url: options.url, at: new Date(), failed: failed.length }),
    )
    print(`To print: ${options.page}`)
  }
  if (failed.length > 0) {
    print(failed.map((bad) => lineText(files, bad)).join('\n'))
    throw new Error(`${failed.length} lines were refused. Correct them and run the command again.`)
  }
  if (lines.some(({ agrees }) => !agrees)) throw new Error('The totals do not agree.')
  print('All totals agree.')
}

/** The page is written last, when everything was taken over. */
function requireWritable(page: string): void {
  const [path, folder] = [resolve(page), dirname(resolve(page))]
  if (!isDirectory(folder)) throw new UsageError(`There is no directory ${folder}.`)
  if (isDirectory(path)) throw new UsageError(`${path} is a directory; name a file in it.`)
  try {
    accessSync(existsSync(path) ? path : folder, constants.W_OK)
  } catch (error) {
    throw new UsageError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

function readMapping(path: string): Mapping {
  try {
    return parseMapping(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`${basename(path)}: ${(error as Error).message}`)
  }
}

/** That of a test clock where the key may read it. */
async function todayOf(service: Service) {
  try {
    return isoDate(String((await service.get('/v2/test-clock')).now).slice(0, 10))
  } catch (error) {
    if (error instanceof RefusedError && ['insufficient_scope', 'test_mode_only'].includes(error.code))
      return latestToday(new Date())
    throw error
  }
}

function reportCheck(files: Files, { bad, rows }: Checked): void {
  for (const file of FILES) {
    const wrong = new Set(bad.filter((one) => one.file === file).map(({ line }) => line)).size
    print(`${basename(files[file])}: ${rows[file]} lines, ${wrong === 0 ? 'all good' : `${wrong} wrong`}`)
  }
  if (bad.length > 0) print(bad.map((one) => lineText(files, one)).join('\n'))
}

function lineText(files: Files, { file, line, field, reason }: BadLine): string {
  return `${basename(files[file])}:${line}: ${field === '' ? '' : `${field}: `}${reason}`
}

/** Customers first, then accounts, then deposits: each names one before it. */
async function carryOut(files: Files, mapping: Mapping, service: Service, show: Show) {
  const totals = newTotals()
  const failed: BadLine[] = []
  const numbers = new Map<string, string>()
  for (const file of FILES) {
    const results = await sendFile(service, file, () => linesOf(files, file, mapping, numbers, failed), show)
    for (const result of results) take(file, result, { totals, failed, numbers })
  }
  return {
    totals,
    failed: [...new Map(failed.map((bad) => [`${bad.file} ${bad.line} ${bad.field}`, bad])).values()],
  }
}

function take(
  file: FileName,
  { line, externalId, failure, data }: LineResult,
  into: { totals: Totals; failed: BadLine[]; numbers: Map<string, string> },
): void {
  if (failure === null) {
    addAnswer(into.totals, file, data)
    if (file === 'accounts') into.numbers.set(externalId, String(data.account_number))
    return
  }
  const [{ field, message } = { field: '', message: errors[failure.code as ErrorCode].message }] =
    failure.fields
  into.failed.push({ file, line, field, reason: message })
}

/** A deposit of an account that was refused cannot be sent: it fails with it. */
async function* linesOf(
  files: Files,
  file: FileName,
  mapping: Mapping,
  numbers: ReadonlyMap<string, string>,
  failed: BadLine[],
): AsyncGenerator<SentLine> {
  for await (const { line, members } of readRows(files, file, mapping)) {
    const { account_external_id: name, ...others } = members
    if (name === undefined) {
      yield { line, members }
      continue
    }
    const number = numbers.get(String(name))
    if (number !== undefined) yield { line, members: { ...others, account_number: number } }
    else failed.push({ file, line, field: 'account_external_id', reason: 'Its account was not taken over.' })
  }
}

function printTotals(lines: readonly ControlLine[]): void {
  const columns = ['what', 'product', 'currency', 'files', 'amount', 'service', 'stored', 'agrees']
  const records = lines.map(({ kind, product, currency, old, new: now, agrees }) => ({
    ...{ what: kind, product, currency, files: old.count, amount: old.sum },
    ...{ service: now.count, stored: now.sum, agrees: agrees ? 'yes' : 'NO' },
  }))
  const shrinking = new Set(['what', 'product'])
  print(
    tableText(
      columns.map((name) => ({ name, ...(shrinking.has(name) && { shrinks: true as const }) })),
      records,
    ),
  )
}
