/**
 * Broken variants of second factors, passkeys and single sign-on: one check less each. Issuer and audience of ID tokens are
 * checked inside the library; the rows of provider.test.ts forge them.
 */
const factors = 'test/features/factors/factors.test.ts'
const passkeys = 'test/features/factors/passkeys.test.ts'
const keys = 'src/features/factors/passkeys.ts'
const people = 'src/features/sign-in/sign-in.ts'
const provider = 'test/features/sign-on/provider.test.ts'
const console = 'test/console/sign-on.test.ts'
const client = 'src/features/sign-on/provider.ts'

function mutant(name: string, suite: string, edit: { file: string; search: string; replace: string }) {
  return { name: `sign-on: ${name}`, edits: [edit], suites: [{ kind: 'tests' as const, file: suite }] }
}

export const signOnMutants = [
  mutant('the signature is not checked', provider, {
    file: client,
    search: '  oidc.enableNonRepudiationChecks(configuration)\n',
    replace: '',
  }),
  mutant('the nonce is not checked', provider, {
    file: client,
    search: '          expectedNonce: checks.nonce,\n',
    replace: '',
  }),
  mutant('the state is not checked', console, {
    file: client,
    search: 'expectedState: checks.state,',
    replace: 'expectedState: oidc.skipStateCheck,',
  }),
  mutant('the nonce is always the same', provider, {
    file: client,
    search: 'nonce: oidc.randomNonce(),',
    replace: "nonce: 'nonce',",
  }),
  mutant('the state is always the same', provider, {
    file: client,
    search: 'state: oidc.randomState(),',
    replace: "state: 'state',",
  }),
  mutant('the verifier of PKCE is always the same', provider, {
    file: client,
    search: 'verifier: oidc.randomPKCECodeVerifier(),',
    replace: "verifier: 'verifier'.repeat(6),",
  }),
  mutant('the challenge of PKCE is the verifier itself', provider, {
    file: client,
    search: 'code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),',
    replace: 'code_challenge: checks.verifier,',
  }),
  mutant('the verifier of PKCE is not sent', provider, {
    file: client,
    search: '          pkceCodeVerifier: checks.verifier,\n',
    replace: '',
  }),
  mutant('the sign-out of another issuer counts', console, {
    file: client,
    search: '    issuer: metadata.issuer,\n',
    replace: '',
  }),
  mutant('the sign-out for another service counts', console, {
    file: client,
    search: '    audience: clientId,\n',
    replace: '',
  }),
  mutant('a sign-out counts twice', console, {
    file: 'src/features/sign-on/sign-on.ts',
    search: '      if (!isFirst) return false\n',
    replace: '',
  }),
  mutant('a browser may be sent elsewhere', console, {
    file: 'src/console/gate-routes.ts',
    search: " && !path.includes('//')",
    replace: '',
  }),
  mutant('a token of another time is accepted', provider, {
    file: client,
    search: '        requireRecent(claims.iat, clock())\n',
    replace: '',
  }),
  mutant('a code of the app is good twice', factors, {
    file: 'src/features/factors/store.ts',
    search: 'return known.lastStep! < proof.step',
    replace: 'return known.lastStep! <= proof.step',
  }),
  mutant('a sign-in may be finished whenever', console, {
    file: 'src/features/sign-on/sign-on.ts',
    search: 'now - started.startedAt >= STARTED_MS',
    replace: 'now < started.startedAt',
  }),
  mutant('a passkey signs in without a finger or a PIN', passkeys, {
    file: keys,
    search: 'requireUserVerification: true,\n    // Its counter',
    replace: 'requireUserVerification: false,\n    // Its counter',
  }),
  mutant('a passkey is added without a finger or a PIN', passkeys, {
    file: keys,
    search: 'requireUserVerification: true,\n    supportedAlgorithmIDs',
    replace: 'requireUserVerification: false,\n    supportedAlgorithmIDs',
  }),
  mutant('a passkey answers whatever was asked', passkeys, {
    file: keys,
    search: 'expectedChallenge: challenge,',
    replace: 'expectedChallenge: () => challenge !== null,',
  }),
  mutant('an answer of a passkey is good twice', passkeys, {
    file: keys,
    search: ' || !(await isFirstUse(parts, asked))',
    replace: '',
  }),
  mutant('an answer of a passkey is good whenever', passkeys, {
    file: keys,
    search: 'clock().getTime() < asked.until',
    replace: 'clock().getTime() > 0',
  }),
  mutant('an answer of a passkey is good at another address', passkeys, {
    file: keys,
    search: ' && asked.origin === siteOf(home)?.origin',
    replace: " && home !== ''",
  }),
  mutant('the question of one person is answered by another', passkeys, {
    file: keys,
    search: ' && asked.personId === personId',
    replace: " && personId !== ''",
  }),
  mutant('a passkey need not say whose it is', passkeys, {
    file: keys,
    search: ' && userHandle !== handleOf(personId)',
    replace: " && userHandle === ''",
  }),
  mutant('the copy of a passkey signs in', passkeys, {
    file: 'src/features/factors/store.ts',
    search: "return isCounterGood(known, proof.counter) ? 'good' : 'copied'",
    replace: "return isCounterGood(known, proof.counter) ? 'good' : 'good'",
  }),
  mutant('a passkey is added to two people', passkeys, {
    file: 'src/features/factors/changes.ts',
    search: "      if (isTaken) return refusePerson('passkey_refused')\n",
    replace: '',
  }),
  mutant('a passkey goes around the identity provider', passkeys, {
    file: people,
    search: ' && mayUsePassword(person)',
    replace: '',
  }),
  mutant('a passkey outlives the password', passkeys, {
    file: people,
    search: ' && person.passwordHash !== null',
    replace: '',
  }),
]
