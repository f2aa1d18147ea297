/** People invited, listed, disabled and given new links by the operator; each change is in the audit log of a book. */
import type { Command } from 'commander'
import { OPERATOR } from '../domain/actor.ts'
import { MODES } from '../domain/book.ts'
import { type Changed, type Person, type PersonRefusal, ROLES } from '../domain/people.ts'
import type { Queries } from '../engine/database/database.ts'
import type { Page } from '../engine/database/pages.ts'
import { type Caller, listCallers } from '../features/callers/store.ts'
import {
  disablePerson,
  invitePerson,
  issueResetLink,
  type Linked,
  linkPath,
  removeFactorsOf,
  setBreakGlassOf,
} from '../features/people/changes.ts'
import { NewPerson, PersonRecord, REFUSED } from '../features/people/record.ts'
import { findPerson, listPeople } from '../features/people/store.ts'
import { timestamp } from '../wire/envelope.ts'
import { type Environment, requiredOption, UsageError, valueOption } from './command.ts'
import { type Config, readConfig } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import { print, printJson, recordText, tableText } from './output.ts'
import { type Read, runRead } from './reads.ts'
import { asList, readValues } from './values.ts'
import { consoleUrl } from './welcome.ts'

const PERSON_MEMBERS = [
  'person_id',
  'caller_id',
  'name',
  'email',
  'role',
  'modes',
  'status',
  'last_seen_at',
] as const
const LINK_MEMBERS = ['link', 'link_expires_at'] as const
const PERSON_COLUMNS = [
  { name: 'person_id' },
  { name: 'name', shrinks: true },
  { name: 'email', shrinks: true },
  { name: 'role' },
  { name: 'modes' },
  { name: 'status' },
] as const

const PAGE_ITEMS = 100
const AS_OPERATOR = { actor: OPERATOR, requestId: null }

type PeopleOfCaller = {
  caller: { caller_id: string; name: string }
  records: ReturnType<typeof personRecord>[]
}

export const peopleRead: Read<PeopleOfCaller[]> = {
  name: 'people list',
  async answer({ db }, asked) {
    const callers = asked.caller === undefined ? await listCallers(db) : [await findCaller(db, asked.caller)]
    return Promise.all(
      callers.map(async (caller) => ({
        caller: { caller_id: caller.callerId, name: caller.name },
        records: (await listAll(db, caller)).map(personRecord),
      })),
    )
  },
}

export function addPeople(program: Command, env: Environment): void {
  const people = program
    .command('people')
    .description('Invite, list and disable the people who use the console, and let them reset a password.')
  addInvite(people, env)
  addList(people, env)
  addDisable(people, env)
  addBreakGlass(people, env)
  addRemoveFactors(people, env)
  addReset(people, env)
}

type InviteOptions = {
  caller: string
  email: string
  name: string
  role: string
  modes?: string
  json?: true
}

function addInvite(people: Command, env: Environment): void {
  people
    .command('invite')
    .description('Invite a person, and print the link to set a password, once. It works for 30 minutes.')
    .addOption(requiredOption('--caller <ID>', 'The caller, as callers list shows it.'))
    .addOption(requiredOption('--email <EMAIL>', 'What the person signs in with.'))
    .addOption(requiredOption('--name <NAME>', 'What the person is called.'))
    .addOption(requiredOption('--role <ROLE>', 'What the person may do.', ROLES))
    .addOption(valueOption('--modes <LIST>', 'The books that the person works in; test,live by default.'))
    .option('--json', 'Print the record as JSON.')
    .addHelpText(
      'after',
      '\nPeople who were disabled, or whose link expired, are invited again in the same way.',
    )
    .action(async (options: InviteOptions) => {
      const { caller: callerId, email, name, role } = options
      const asked = readValues(NewPerson, {
        name: { option: 'name', value: name },
        email: { option: 'email', value: email },
        role: { option: 'role', value: role },
        modes: { option: 'modes', value: asList(options.modes ?? MODES.join(',')) },
      })
      const config = readConfig(env)
      const record = await withDatabase(config, async (db) => {
        await findCaller(db, callerId)
        const modes = MODES.filter((mode) => asked.modes.includes(mode))
        return linkedRecord(
          config,
          await invitePerson(createServiceOver(db, config), AS_OPERATOR, { ...asked, modes, callerId }),
        )
      })
      if (options.json) return printJson(record)
      print('The person was invited. Pass the link on now: it cannot be shown again.')
      print(recordText(record, [...PERSON_MEMBERS, ...LINK_MEMBERS]))
    })
}

function addList(people: Command, env: Environment): void {
  people
    .command('list')
    .description('List people, newest first in each caller.')
    .addOption(valueOption('--caller <ID>', 'Only the people of this caller.'))
    .option('--json', 'Print the records as JSON.')
    .action(async (options: { caller?: string; json?: true }) => {
      const found = await runRead(readConfig(env), peopleRead, { caller: options.caller })
      const withPeople = found.filter(({ records }) => records.length > 0)
      if (options.json) return printJson(withPeople.flatMap(({ records }) => records))
      if (withPeople.length === 0) return print('There are no people.')
      print(
        withPeople
          .map(
            ({ caller, records }) =>
              `${caller.caller_id}  ${caller.name}\n${tableText(PERSON_COLUMNS, records)}`,
          )
          .join('\n\n'),
      )
    })
}

function addDisable(people: Command, env: Environment): void {
  const command = people
    .command('disable')
    .description('Disable a person: every running service ends the sessions immediately.')
  changePerson(command, env, { change: disablePerson, done: 'The person is disabled.' })
}

/** A command whose only argument is the person that it changes. */
function changePerson(
  command: Command,
  env: Environment,
  { change, done }: { change: typeof disablePerson; done: string },
): void {
  command
    .argument('<PERSON_ID>', 'The person, as people list shows it.')
    .option('--json', 'Print the record as JSON.')
    .action(async (personId: string, options: { json?: true }) => {
      const config = readConfig(env)
      const record = await withDatabase(config, async (db) =>
        changedRecord(await change(createServiceOver(db, config), AS_OPERATOR, await findKey(db, personId))),
      )
      if (options.json) return printJson(record)
      print(`${done}\n${recordText(record, PERSON_MEMBERS)}`)
    })
}

function addBreakGlass(people: Command, env: Environment): void {
  people
    .command('break-glass')
    .description(
      'Let a person always sign in with a password, also where the identity provider is down, or no longer.',
    )
    .argument('<PERSON_ID>', 'The person, as people list shows it; at most three, each with a second factor.')
    .option('--on', 'The person may.')
    .option('--off', 'The person no longer may.')
    .option('--json', 'Print the record as JSON.')
    .action(async (personId: string, options: { on?: true; off?: true; json?: true }) => {
      if ((options.on ?? false) === (options.off ?? false)) throw new UsageError('Give --on or --off.')
      const isOn = options.on === true
      const config = readConfig(env)
      const record = await withDatabase(config, async (db) => {
        const key = { ...(await findKey(db, personId)), isOn }
        return changedRecord(await setBreakGlassOf(createServiceOver(db, config), AS_OPERATOR, key))
      })
      if (options.json) return printJson(record)
      const text = isOn ? 'The person may break the glass.' : 'The person may no longer break the glass.'
      print(`${text}\n${recordText(record, PERSON_MEMBERS)}`)
    })
}

function addRemoveFactors(people: Command, env: Environment): void {
  const command = people
    .command('remove-factors')
    .description(
      'Remove the second factors of a person who lost them: the password is enough until one is added.',
    )
  changePerson(command, env, { change: removeFactorsOf, done: 'The second factors are removed.' })
}

function addReset(people: Command, env: Environment): void {
  people
    .command('reset')
    .description('Print a link to set a new password, once. It works for 30 minutes.')
    .argument('<PERSON_ID>', 'The person, as people list shows it.')
    .option('--json', 'Print the record as JSON.')
    .action(async (personId: string, options: { json?: true }) => {
      const config = readConfig(env)
      const record = await withDatabase(config, async (db) =>
        linkedRecord(
          config,
          await issueResetLink(createServiceOver(db, config), AS_OPERATOR, await findKey(db, personId)),
        ),
      )
      if (options.json) return printJson(record)
      print('Pass the link on now: it cannot be shown again. The old password works until it is used.')
      print(recordText(record, [...PERSON_MEMBERS, ...LINK_MEMBERS]))
    })
}

async function findCaller(db: Queries, callerId: string): Promise<Caller> {
  const caller = (await listCallers(db)).find((one) => one.callerId === callerId)
  if (caller === undefined) throw new Error(`There is no caller ${callerId}; see breakwater callers list.`)
  return caller
}

async function findKey(db: Queries, personId: string): Promise<{ callerId: string; personId: string }> {
  for (const { callerId } of await listCallers(db)) {
    if ((await findPerson(db, { callerId, personId })) !== undefined) return { callerId, personId }
  }
  throw new Error(`There is no person ${personId}; see breakwater people list.`)
}

async function listAll(db: Queries, { callerId }: Caller): Promise<Person[]> {
  const people: Person[] = []
  let before: bigint | null = null
  do {
    const page: Page<Person> = await listPeople(db, callerId, { limit: PAGE_ITEMS, before })
    people.push(...page.items)
    before = page.next
  } while (before !== null)
  return people
}

function personRecord(person: Person) {
  return { ...PersonRecord.write(person), caller_id: person.callerId }
}

function changedRecord(result: Changed | PersonRefusal) {
  if (result.outcome === 'refused') throw new Error(REFUSED[result.code])
  return personRecord(result.person)
}

function linkedRecord(config: Config, result: Linked | PersonRefusal) {
  if (result.outcome === 'refused') throw new Error(REFUSED[result.code])
  return {
    ...personRecord(result.person),
    link: consoleUrl(config) + linkPath(result.link.token),
    link_expires_at: timestamp(result.link.expiresAt),
  }
}
