/** How a bank appears on its letters. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { Type } from 'typebox'
import { LANGUAGES } from '../domain/language.ts'
import { findSender, updateSender } from '../features/callers/store.ts'
import { Address, PlainText } from '../wire/fields.ts'
import { type Environment, requiredOption, UsageError, valueOption } from './command.ts'
import { readConfig } from './config.ts'
import { withDatabase } from './database.ts'
import { print, printJson, recordText } from './output.ts'
import { readValues } from './values.ts'

const MEMBERS = ['bank', 'address', 'logo', 'language'] as const

const Texts = Type.Object({
  name: Type.Optional(PlainText({ max: 100 })),
  address: Type.Optional(Address()),
})

type Options = {
  caller: string
  name?: string
  address?: string
  logo?: string
  language?: string
  json?: true
}

export function addLetterhead(callers: Command, env: Environment): void {
  callers
    .command('letterhead')
    .description('Show or change the name, address, logo and language of the letters of a caller.')
    .addOption(requiredOption('--caller <ID>', 'The caller, as callers list shows it.'))
    .addOption(valueOption('--name <NAME>', "The bank's name on paper; none: the name of the caller."))
    .addOption(valueOption('--address <TEXT>', 'Its address, which may have several lines, or none.'))
    .addOption(valueOption('--logo <FILE>', 'A PNG, JPEG or SVG file of at most 64 KiB, or none.'))
    .addOption(
      valueOption('--language <CODE>', 'Language of its letters; none: that of the person who prints.', [
        ...LANGUAGES,
        NONE,
      ]),
    )
    .option('--json', 'Print the record as JSON.')
    .action(async (options: Options) => {
      const changes = await changesFrom(options)
      const sender = await withDatabase(readConfig(env), async (db) => {
        await updateSender(db, options.caller, changes)
        return findSender(db, options.caller)
      })
      if (sender === undefined)
        throw new Error(`There is no caller ${options.caller}; see breakwater callers list.`)
      const { bank, bankAddress, logo, language } = sender
      const record = { bank, address: bankAddress, logo: logo && /^data:([^;]+)/.exec(logo)![1]!, language }
      if (options.json) return printJson(record)
      print(recordText(record, MEMBERS))
    })
}

/** What removes a part. */
const NONE = 'none'

async function changesFrom({ name, address, logo, language }: Options) {
  const given = (value: string | undefined) => (value === NONE ? undefined : value)
  const read = readValues(Texts, {
    name: { option: 'name', value: given(name) },
    address: { option: 'address', value: given(address) },
  })
  const path = given(logo)
  const changed = (value: string | undefined, text: string | undefined) =>
    value === NONE ? '' : (text ?? null)
  return {
    name: changed(name, read.name),
    address: changed(address, read.address),
    logo: changed(logo, path && (await readLogo(path))),
    language: changed(language, language),
  }
}

const LOGO_MAX_BYTES = 64 * 1024
const SIGNATURES: readonly [type: string, begins: RegExp][] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/svg+xml', /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/],
]

/** As a data URL, so that a letter is one file. In an image no script of an SVG runs. */
async function readLogo(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => {
    throw new UsageError(`--logo cannot be read: ${path}`)
  })
  const text = bytes.toString('latin1')
  const type = SIGNATURES.find(([, begins]) => begins.test(text))?.[0]
  if (type === undefined || bytes.length > LOGO_MAX_BYTES)
    throw new UsageError('--logo is not valid. Name a PNG, JPEG or SVG file of at most 64 KiB.')
  return `data:${type};base64,${bytes.toString('base64')}`
}
