/** Broken variants of the access of people and keys: rests, confirmations, sessions, tries. Windows are moved to both sides. */
const people = 'src/domain/people.ts'
const tries = 'src/domain/tries.ts'
const signIn = 'src/features/sign-in/sign-in.ts'
const ofPeople = 'test/domain/people.test.ts'
const ofTries = 'test/domain/tries.test.ts'
const ofSignIn = 'test/features/people/sign-in.test.ts'
const ofRest = 'test/console/rest.test.ts'

type Seen = [file: string, pattern?: string]

/** A mutant by its name, the file it edits, what it replaces by what, and the test that sees it. */
function mutant(name: string, file: string, [search, replace]: [string, string], [suite, pattern]: Seen) {
  const by = { kind: 'tests' as const, file: suite, ...(pattern !== undefined && { pattern }) }
  return { name: `access: ${name}`, edits: [{ file, search, replace }], suites: [by] }
}

/** A length of time, or a number, that is shorter and longer. */
function moved(name: string, file: string, [at, less, more]: [string, string, string], seen: Seen) {
  return [mutant(`${name}: less`, file, [at, less], seen), mutant(`${name}: more`, file, [at, more], seen)]
}

/** What another administrator set counts too early, or is confirmed by the wrong person. */
const restMutants = [
  ...moved(
    'the rest of 24 hours',
    people,
    ['REST_MS = 24 * HOUR_MS', 'REST_MS = 23 * HOUR_MS', 'REST_MS = 25 * HOUR_MS'],
    [ofPeople, 'rest'],
  ),
  mutant(
    'a rest ends a moment later',
    people,
    ['rest !== null && now < rest.until', 'rest !== null && now <= rest.until'],
    [ofPeople, 'rest'],
  ),
  mutant(
    'who acted may confirm',
    people,
    ['confirmer === undefined || rest.actors.includes(confirmer.personId)', 'confirmer === undefined'],
    [ofPeople, 'rest'],
  ),
  mutant(
    'who rests may confirm',
    people,
    ["return isResting(confirmer.rest, at) ? refusePerson('confirmer_rests') : null", 'return null'],
    [ofPeople, 'rest'],
  ),
  mutant(
    'what was not shown is confirmed',
    people,
    ["if (rest?.until.getTime() !== shown.getTime()) return refusePerson('changed_meanwhile')\n  ", ''],
    [ofPeople, 'rest'],
  ),
  mutant(
    'an earlier actor is forgotten',
    people,
    ['[...new Set([...namedBy(rest, at), ...by])]', '[...new Set(by)]'],
    [ofPeople, 'rest'],
  ),
  mutant(
    'a rest holds in the test book',
    people,
    [
      "return mode === 'live' && rest !== null ? rest.until : null",
      'return rest === null ? null : rest.until',
    ],
    [ofRest, 'the test book knows no rest'],
  ),
  mutant(
    'a person without password is confirmed',
    people,
    [
      "if (person.status !== 'ACTIVE') return refusePerson('person_not_active')\n  const refused",
      'const refused',
    ],
    [ofPeople],
  ),
  mutant(
    'the books that a person had do not count',
    people,
    ['modes.includes(mode) || hadModes.includes(mode)', 'modes.includes(mode)'],
    [ofPeople, 'somebody who does not work in every book'],
  ),
  mutant(
    'the last administrator of one book may go',
    people,
    [
      'person.modes.some((mode) => otherAdministrators[mode] === 0',
      'person.modes.every((mode) => otherAdministrators[mode] === 0',
    ],
    [ofPeople, 'an active administrator always remains'],
  ),
  mutant(
    'a password that another set by a link does not rest',
    'src/features/sessions/changes.ts',
    ['const rest = restAfter(before.rest, actorsOf(by, maker, at), at)', 'const { rest } = before'],
    [ofRest, 'takes a supervisor over|invites two people'],
  ),
  mutant(
    'an act on somebody of the test book alone is forgotten',
    'src/features/sessions/changes.ts',
    [
      'const rest = restAfter(before.rest, actorsOf(by, maker, at), at)',
      "const rest = before.modes.includes('live') ? restAfter(before.rest, actorsOf(by, maker, at), at) : before.rest",
    ],
    [ofRest, 'acted on somebody of the test book'],
  ),
  mutant(
    'a policy is changed by whoever finds the browser open',
    'src/features/limits/pages.ts',
    ['needsRecentSignIn: () => true', 'needsRecentSignIn: () => false'],
    ['test/console/policy.test.ts', 'asks for the password again'],
  ),
  mutant(
    'who is let in again does not learn by whom',
    'src/features/notices/store.ts',
    ["person_id = $2 and status <> 'DISABLED'", "person_id = $2 and status = 'ACTIVE'"],
    [ofRest, 'who is let in again'],
  ),
  mutant(
    'who let the actor in may confirm',
    people,
    ['[personId, ...namedBy(person?.rest ?? null, at)]', '[personId]'],
    [ofRest, 'let another administrator in'],
  ),
  mutant(
    'who let the maker of a link in may confirm',
    'src/features/sessions/changes.ts',
    ['actorsOf(by, maker, at)', 'actorsOf(by, undefined, at)'],
    [ofRest, 'let another administrator in'],
  ),
  mutant(
    'who let the maker of a key in may confirm',
    'src/features/api-keys/changes.ts',
    ['actorsOf(byOf(actor), maker, now)', 'actorsOf(byOf(actor), undefined, now)'],
    [ofRest, 'let another administrator in'],
  ),
  mutant(
    'who let in the administrator that gave a role may confirm',
    'src/features/people/changes.ts',
    ['...actingOf(asker, at, by), person', '...actingOf(asker, at), person'],
    [ofRest, 'let another administrator in'],
  ),
  mutant(
    'a rest is confirmed in the test book',
    people,
    ["return modes.includes('live') ? rest : null", 'return modes.length > 0 ? rest : null'],
    [ofRest, 'acted on somebody of the test book'],
  ),
  ...moved(
    'the moment from which a person decides',
    'src/domain/approvals.ts',
    [
      'voter.decidesFrom != null && now < voter.decidesFrom',
      'voter.decidesFrom != null && now.getTime() + 1 < voter.decidesFrom.getTime()',
      'voter.decidesFrom != null && now <= voter.decidesFrom',
    ],
    [ofRest, 'invites two people'],
  ),
  ...moved(
    'the moment from which a new key works',
    'src/engine/change/engine.ts',
    [
      'worksFrom != null && clock() < worksFrom',
      'worksFrom != null && clock().getTime() + 1 < worksFrom.getTime()',
      'worksFrom != null && clock() <= worksFrom',
    ],
    [ofRest, 'a key for the live book'],
  ),
  mutant(
    'a replaced key does not rest',
    'src/features/api-keys/changes.ts',
    ['rootKeyId: key.rootKeyId ?? key.apiKeyId, rest }', 'rootKeyId: key.rootKeyId ?? key.apiKeyId }'],
    [ofRest, 'confirmed by a second administrator'],
  ),
  mutant(
    'the audit log of the other book has no line',
    'src/features/people/changes.ts',
    ['if (alsoIn !== null) record(', 'if (alsoIn !== null && alsoIn.bookId === bookId) record('],
    ['test/features/people/people.test.ts', 'audit log'],
  ),
]

const sessionMutants = [
  ...moved(
    'the 15 minutes of a recent sign-in',
    people,
    [
      'RECENT_SIGN_IN_MS = 15 * MINUTE_MS',
      'RECENT_SIGN_IN_MS = 14 * MINUTE_MS',
      'RECENT_SIGN_IN_MS = 16 * MINUTE_MS',
    ],
    [ofPeople, 'a session ends'],
  ),
  ...moved(
    'the 15 minutes without use',
    people,
    [
      'SESSION_IDLE_MS = 15 * MINUTE_MS',
      'SESSION_IDLE_MS = 14 * MINUTE_MS',
      'SESSION_IDLE_MS = 16 * MINUTE_MS',
    ],
    [ofPeople, 'a session ends'],
  ),
  ...moved(
    'the 10 hours of a session',
    people,
    [
      'SESSION_MAX_MS = 600 * MINUTE_MS',
      'SESSION_MAX_MS = 599 * MINUTE_MS',
      'SESSION_MAX_MS = 601 * MINUTE_MS',
    ],
    [ofPeople, 'a session ends'],
  ),
  ...moved(
    'the half hour of a link',
    people,
    ['LINK_MS = 30 * MINUTE_MS', 'LINK_MS = 29 * MINUTE_MS', 'LINK_MS = 31 * MINUTE_MS'],
    ['test/features/people/people.test.ts', 'half an hour'],
  ),
  ...moved(
    'the 12 characters of a password',
    'src/domain/password.ts',
    ['PASSWORD_MIN = 12', 'PASSWORD_MIN = 11', 'PASSWORD_MIN = 13'],
    [ofPeople, 'at least 12 characters'],
  ),
  ...moved(
    'the 256 characters of a password',
    'src/domain/password.ts',
    ['PASSWORD_MAX = 256', 'PASSWORD_MAX = 255', 'PASSWORD_MAX = 257'],
    [ofPeople, 'at least 12 characters'],
  ),
  ...moved(
    'the 180 days of a known browser',
    people,
    ['DEVICE_MS = 180 *', 'DEVICE_MS = 179 *', 'DEVICE_MS = 181 *'],
    [ofSignIn, '180 days'],
  ),
  ...moved(
    'how far ahead a time may lie',
    'src/domain/clock.ts',
    [
      'at.getTime() - now.getTime() > CLOCK_DIFFERENCE_MAX_MS',
      'at.getTime() - now.getTime() >= CLOCK_DIFFERENCE_MAX_MS',
      'at.getTime() - now.getTime() > CLOCK_DIFFERENCE_MAX_MS + 1',
    ],
    [ofTries],
  ),
  mutant(
    'a session of a clock that was ahead goes on',
    people,
    [' || isAhead(session.lastSeenAt, now)', ''],
    [ofPeople, 'a session ends'],
  ),
  mutant(
    'nobody signs in while the date is in doubt',
    'src/features/people/changes.ts',
    ['needsNoDate ? personChangeAtAnyDate : personChange', 'personChange'],
    [ofSignIn, 'in doubt'],
  ),
  mutant(
    'a rest begins while the date is in doubt',
    'src/features/people/changes.ts',
    ['needsNoDate ? personChangeAtAnyDate : personChange', 'personChangeAtAnyDate'],
    [ofSignIn, 'in doubt'],
  ),
]

/** Passwords may be guessed more often, or somebody else uses up the tries of a person. */
const tryMutants = [
  ...moved('the tries of a network', tries, ['{ free: 5,', '{ free: 4,', '{ free: 6,'], [ofTries]),
  ...moved('the tries of a known browser', tries, ['{ free: 10,', '{ free: 9,', '{ free: 11,'], [ofTries]),
  ...moved(
    'the tries of a person',
    tries,
    ['free: 20,', 'free: 19,', 'free: 21,'],
    [ofSignIn, 'never exhausts'],
  ),
  ...moved(
    'how soon a try of a network is forgotten',
    tries,
    ['forgottenEveryMs: 6 * MINUTE_MS', 'forgottenEveryMs: 5 * MINUTE_MS', 'forgottenEveryMs: 7 * MINUTE_MS'],
    [ofTries],
  ),
  ...moved(
    'how soon a try of a known browser is forgotten',
    tries,
    ['forgottenEveryMs: 2 * MINUTE_MS', 'forgottenEveryMs: 1 * MINUTE_MS', 'forgottenEveryMs: 3 * MINUTE_MS'],
    [ofTries],
  ),
  mutant(
    'a network has the tries of a person',
    tries,
    ['forgottenEveryMs: 3 * MINUTE_MS', 'forgottenEveryMs: 30 * MINUTE_MS'],
    [ofTries],
  ),
  ...moved(
    'the longest wait',
    tries,
    ['delayMaxMs: 15 * MINUTE_MS', 'delayMaxMs: 14 * MINUTE_MS', 'delayMaxMs: 16 * MINUTE_MS'],
    [ofTries],
  ),
  ...moved(
    'the end of a wait',
    tries,
    ['return waitMs > 0', 'return waitMs > 1', 'return waitMs > -1'],
    [ofTries],
  ),
  mutant(
    'a device of any person is a known one',
    signIn,
    [
      'return device.callerId === person.callerId && device.personId === person.personId',
      'return device.deviceId !== person.personId',
    ],
    [ofSignIn, 'does not lock out|another bank gives no tries'],
  ),
  mutant(
    'what is right at another bank uses up no try',
    signIn,
    ['mayAsStranger === null && !wasWrong', 'mayAsStranger === null'],
    [ofSignIn, 'by changing its own'],
  ),
  mutant(
    'an invitation that nobody has accepted uses up tries',
    signIn,
    ['one.passwordHash !== null && !matching', '!matching'],
    [ofSignIn, 'nobody has accepted'],
  ),
  mutant(
    'tries are given back that were not taken',
    signIn,
    ['isStrange && mayAsStranger === null && !wasWrong', '!wasWrong'],
    [ofSignIn],
  ),
  mutant(
    'a right password uses up a try',
    tries,
    ['Math.max(0, count - 1)', 'Math.max(0, count)'],
    [ofTries],
  ),
]

export const accessMutants = [...restMutants, ...sessionMutants, ...tryMutants]
