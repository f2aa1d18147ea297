import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Second factors',
  sub: 'Besides your password, so that somebody who learns it cannot sign in as you.',
  must: 'Your role needs a second factor. Add one to go on.',
  none: 'You have none yet.',
  name: 'Name',
  added: 'Added',
  used: 'Last used',
  remove: 'Remove',
  removeOf: (name: Text) => `Remove ${name}`,
  passkeyTitle: 'Passkey',
  passkeyText:
    'Your finger, face or PIN on this device or a security key. It signs you in without password, and one touch is enough to confirm.',
  passkeyLabel: 'Name of the passkey',
  passkeyName: 'Passkey',
  addPasskey: 'Add a passkey',
  noPasskeys: 'Passkeys need the https address of the console, or localhost.',
  touch: 'Continue',
  touchText: 'Your browser asks for your finger, face or PIN, or for your security key.',
  touchFailed:
    'Nothing was added: the passkey did not answer, has been added before, or this browser cannot use passkeys.',
  appTitle: 'Authenticator app',
  appText: 'An app on your telephone shows a new code of six digits every 30 seconds.',
  appName: 'Authenticator app',
  addApp: 'Add an authenticator app',
  codesTitle: 'Recovery codes',
  codesLeft: (left: number) =>
    `You have ${left} unused ${left === 1 ? 'code' : 'codes'}. Each works once, in place of a code of the app.`,
  newCodes: 'Make new recovery codes',
  newCodesText: 'The earlier codes stop working.',
  scanTitle: 'Add an authenticator app',
  scanText:
    'Scan this picture with the app, or type the key into it. Then enter the code that the app shows.',
  picture: 'QR code for your authenticator app',
  key: 'Key',
  code: 'Code of the app',
  confirm: 'Add the app',
  cancel: 'Back, without adding anything',
  shownOnce: 'Your recovery codes',
  shownOnceText:
    'Keep them where you find them without your telephone. Each works once. They cannot be shown again.',
  goOn: 'I have kept them',
  done: {
    added: 'The second factor was added. Your other sessions have ended.',
    removed: 'The second factor was removed. Your other sessions have ended.',
  } as Record<string, string>,
}

export const factorWords: Texts<typeof english> = { en: english, fr: french }
