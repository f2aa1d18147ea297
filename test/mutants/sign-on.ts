/** Broken variants of second factors and of single sign-on: one check less each. */
const factors = 'test/features/factors/factors.test.ts'
const provider = 'test/features/sign-on/provider.test.ts'
const console = 'test/console/sign-on.test.ts'
const client = 'src/features/sign-on/provider.ts'

function mutant(name: string, suite: string, edit: { file: string; search: string; replace: string }) {
  return { name: `sign-on: ${name}`, edits: [edit], suites: [{ kind: 'tests' as const, file: suite }] }
}

export const signOnMutants = [
  mutant('the signature is not checked', provider, {
    file: client,
    search: '    oidc.enableNonRepudiationChecks(configuration)\n',
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
  mutant('a token of another time is accepted', provider, {
    file: client,
    search: '        requireRecent(claims.iat)\n',
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
]
