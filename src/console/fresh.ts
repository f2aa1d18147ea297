/**
 * What gives access to others asks for the password again after 15 minutes, with a code where the person has a second
 * factor, or for a passkey alone. The form that was sent is kept meanwhile, and is carried out when the answer arrives with
 * it.
 */
import {
  type PersonRefusal,
  type PersonRefusalCode,
  type SignedIn,
  signedInRecently,
} from '../domain/people.ts'
import type { Fields } from '../page/form.ts'
import type { PersonIdentity, SignIn } from '../page/sign-in.ts'
import { withoutFields } from './form.ts'

const OWN_PASSWORD = 'own_password'
const OWN_CODE = 'own_code'
const OWN_CHALLENGE = 'own_challenge'
const OWN_CREDENTIAL = 'own_credential'
const OWN = [OWN_PASSWORD, OWN_CODE, OWN_CHALLENGE, OWN_CREDENTIAL]

export type Recognised = {
  outcome: 'recognised'
  identity: PersonIdentity
  /** Where the session got another secret. */
  secret: string | null
  /** Without the password or the passkey. */
  form: Fields
}

/** `refused`: why the password or the passkey that was sent did not do; null: none was sent. */
type Unrecognised = { outcome: 'unrecognised'; refused: PersonRefusalCode | null }

export async function recognise(
  signIn: SignIn,
  sent: { identity: PersonIdentity; secret: string; form: Fields; home: string | null },
  { isNeeded, now }: { isNeeded: boolean; now: Date },
): Promise<Recognised | Unrecognised> {
  const { identity } = sent
  const form = OWN.some(sent.form.has) ? withoutFields(sent.form, OWN) : sent.form
  if (!isNeeded || signedInRecently(identity.session.signedInAt, now)) {
    return { outcome: 'recognised', identity, secret: null, form }
  }
  if (form === sent.form) return { outcome: 'unrecognised', refused: null }
  const confirmed = await confirm(signIn, sent)
  if (confirmed.outcome === 'refused') return { outcome: 'unrecognised', refused: confirmed.code }
  const renewed = await signIn.findSession(confirmed.secret)
  if (renewed === undefined) return { outcome: 'unrecognised', refused: 'session_ended' }
  return { outcome: 'recognised', identity: renewed, secret: confirmed.secret, form }
}

function confirm(
  signIn: SignIn,
  { secret, form, home }: { secret: string; form: Fields; home: string | null },
): Promise<SignedIn | PersonRefusal> {
  const credential = form.get(OWN_CREDENTIAL)
  return credential === ''
    ? signIn.confirmPassword({ secret, password: form.get(OWN_PASSWORD), code: form.get(OWN_CODE) })
    : signIn.confirmPasskey({ secret, home, challenge: form.get(OWN_CHALLENGE), credential })
}
