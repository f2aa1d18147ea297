/** The settings of single sign-on. They are set together, or none of them. */
import { type GroupRole, readGroupRoles } from '../domain/sign-on.ts'

const NO_ROLES: readonly GroupRole[] = []

export const clientSecret = {
  ...text('OIDC_CLIENT_SECRET', 'The secret of that client, sent as client_secret_basic.'),
  unit: 'secret',
}

export const signOnSettings = {
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    unit: 'URL',
    fallback: null as string | null,
    expected: 'an https URL, or http on this machine',
    reason:
      'The identity provider by which people of OIDC_CALLER sign in to the console. Without it they use passwords.',
    read: readIssuer,
  },
  oidcClientId: text('OIDC_CLIENT_ID', 'How the provider names this service: a confidential client.'),
  oidcClientSecret: clientSecret,
  oidcClientSecretFile: {
    name: 'OIDC_CLIENT_SECRET_FILE',
    unit: 'path',
    fallback: null as string | null,
    expected: 'a path',
    reason: 'A file that holds OIDC_CLIENT_SECRET, instead of the variable; it is read again every hour.',
    read: (path: string) => (path.includes('\0') ? undefined : path),
  },
  oidcCaller: text(
    'OIDC_CALLER',
    'The caller whose people sign in by the provider, as callers list shows it.',
  ),
  oidcRoles: {
    name: 'OIDC_ROLES',
    unit: 'group=ROLE[:modes], …',
    fallback: NO_ROLES,
    expected: 'entries like fd-clerks=CLERK:test+live, separated by commas',
    reason:
      'Which role, and which books, a group gives. Of several roles the most powerful counts; without modes both books.',
    read: readGroupRoles,
  },
  oidcGroupsClaim: {
    ...text('OIDC_GROUPS_CLAIM', 'The claim that lists the groups; a dotted path leads into objects.'),
    fallback: 'groups',
  },
  oidcScopes: {
    ...text('OIDC_SCOPES', 'The scopes that the service asks for.'),
    fallback: 'openid email profile',
  },
  oidcName: {
    ...text('OIDC_NAME', 'What the button of the sign-in page calls the provider.'),
    fallback: 'single sign-on',
  },
  oidcOnly: {
    name: 'OIDC_ONLY',
    unit: '0 or 1',
    fallback: false,
    expected: '0 or 1',
    reason: 'No passwords for people of OIDC_CALLER, except for those who may break the glass.',
    read: (given: string) => (given === '1' ? true : given === '0' ? false : undefined),
  },
}

type SignOnConfig = {
  readonly [Name in keyof typeof signOnSettings]: (typeof signOnSettings)[Name]['fallback']
}

/** A sentence where what is set does not go together. */
export function faultOfSignOn(config: SignOnConfig & { publicUrl: string | null }): string | null {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcCaller, oidcRoles, oidcOnly, publicUrl } = config
  const needed = [oidcClientId, oidcClientSecret, oidcCaller]
  if (oidcIssuer === null) {
    const isAlone = oidcOnly || oidcRoles.length > 0 || needed.some((value) => value !== null)
    return isAlone ? 'OIDC_ settings need OIDC_ISSUER.' : null
  }
  if (needed.includes(null) || oidcRoles.length === 0)
    return 'OIDC_ISSUER needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_CALLER and OIDC_ROLES.'
  return publicUrl === null ? 'OIDC_ISSUER needs PUBLIC_URL, to which the provider sends people back.' : null
}

function text(name: string, reason: string) {
  return {
    name,
    unit: 'text',
    fallback: null as string | null,
    expected: 'a text without control characters',
    reason,
    read: (given: string) => (/^[^\p{Cc}]+$/u.test(given) ? given : undefined),
  }
}

function readIssuer(given: string): string | undefined {
  if (!URL.canParse(given)) return undefined
  const { protocol, hostname, search, hash, username } = new URL(given)
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const isPlain = search === '' && hash === '' && username === ''
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isLoopback)) ? given : undefined
}
