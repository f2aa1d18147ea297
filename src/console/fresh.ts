/**
 * What gives access to others asks for the password again after 15 minutes, with a code where the person has a second
 * factor. The form that was sent is kept meanwhile, and
 * is carried out when the password arrives with it.
 */
import { type PersonRefusalCode, signedInRecently } from '../domain/people.ts'
import type { Fields } from '../page/form.ts'
import type { PersonIdentity, SignIn } from '../page/sign-in.ts'
import { withoutFields } from './form.ts'

const OWN_PASSWORD = 'own_password'
const OWN_CODE = 'own_code'

export type Recognised = {
  outcome: 'recognised'
  identity: PersonIdentity
  /** Where the session got another secret. */
  secret: string | null
  /** Without the password. */
  form: Fields
}

/** `refused`: why the password that was sent did not do; null: none was sent. */
type Unrecognised = { outcome: 'unrecognised'; refused: PersonRefusalCode | null }

export async function recognise(
  signIn: SignIn,
  sent: { identity: PersonIdentity; secret: string; form: Fields },
  { isNeeded, now }: { isNeeded: boolean; now: Date },
): Promise<Recognised | Unrecognised> {
  const { identity, secret } = sent
  const form = sent.form.has(OWN_PASSWORD) ? withoutFields(sent.form, [OWN_PASSWORD, OWN_CODE]) : sent.form
  if (!isNeeded || signedInRecently(identity.session.signedInAt, now)) {
    return { outcome: 'recognised', identity, secret: null, form }
  }
  if (form === sent.form) return { outcome: 'unrecognised', refused: null }
  const given = { password: sent.form.get(OWN_PASSWORD), code: sent.form.get(OWN_CODE) }
  const confirmed = await signIn.confirmPassword({ secret, ...given })
  if (confirmed.outcome === 'refused') return { outcome: 'unrecognised', refused: confirmed.code }
  const renewed = await signIn.findSession(confirmed.secret)
  if (renewed === undefined) return { outcome: 'unrecognised', refused: 'session_ended' }
  return { outcome: 'recognised', identity: renewed, secret: confirmed.secret, form }
}
