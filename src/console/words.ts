import type { Text, Texts } from '../words/language.ts'
import { french } from './french.ts'

const english = {
  frame: {
    age: (seconds: number) =>
      `This page is read from a copy of the database that is ${seconds} ${seconds === 1 ? 'second' : 'seconds'} behind.`,
    waiting: 'waiting for you',
    main: 'Main',
    search: 'Search',
    searchHint: 'Name, account, deposit or phone',
    testMode: 'Test mode',
    clock: 'No real money moves. The clock of this book says',
    moveClock: 'Move the clock',
    me: 'Your sign-in',
    theme: 'Light or dark',
    signOut: 'Sign out',
    offline: 'This browser is offline. Nothing can be sent until it is online again.',
    switchTo: { test: 'Go to the test book', live: 'Go to the live book' },
  },
  help: {
    open: 'Help and keys',
    close: 'Close',
    keys: 'Keys',
    search: 'Search for a customer, account or deposit',
    choose: 'Choose among what was found, and open it',
    go: (place: Text) => `Go to: ${place}`,
    break: 'On a deposit: go to the reason, then Enter shows the sum once more',
    help: 'This help',
    escape: 'Close a dialog or a menu',
    /** By the path of a page, or of a page above it. */
    purposes: {
      '/': 'What waits for you, what matures soon, what was broken today, and the bank in pictures.',
      '/customers':
        'Find customers as people speak: a part of the name, a phone number with or without its country, an account.',
      '/search':
        'What was found. A part of a name, a phone number as people say it, an account or a deposit is enough.',
      '/open': 'Open a customer. An account and a deposit follow from the page of the customer.',
      '/customers/:customer_id':
        'Everything about one customer: contact details, accounts, deposits, tax class, and who changed what.',
      '/customers/:customer_id/interest-certificate':
        'What the customer was paid in interest in a span of days, for the tax return. It prints on A4.',
      '/customers/:customer_id/open-account':
        'Open an account for this customer. Deposits are opened from it and paid back to it.',
      '/accounts':
        'An account with its balance and its movements. Supervisors credit it; deposits are opened from it.',
      '/accounts/:account_number/open-deposit':
        'Open a deposit. Its rate, schedule and maturity are shown before anything is done.',
      '/deposits':
        'Open, break and hold deposits. Every figure is worked out before anything is paid, and nothing is paid twice.',
      '/deposits/:deposit_id':
        'What breaking this deposit pays on any day, and why. Choose how much, give a reason, look once more, and pay.',
      '/deposits/:deposit_id/parties':
        'Joint holders, nominees and guardians. They are recorded and printed; no money moves.',
      '/deposits/:deposit_id/certificate':
        'The letter that tells the customer the terms of the deposit. It prints on A4.',
      '/deposits/:deposit_id/statement':
        'What happened to the deposit in a span of days, with what remained. It prints on A4.',
      '/liquidations': 'What was broken and paid, with filters, sums and a file of exactly that.',
      '/liquidations/:liquidation_id':
        'One payment: who, when, why, its figures and its entries. It can be taken back here within 30 days.',
      '/liquidations/:liquidation_id/advice':
        'The letter that tells the customer what was paid and how it was worked out. It prints on one A4 page.',
      '/ledger': 'Every entry of the ledger, with filters, sums and a file of exactly that.',
      '/tax': 'What was withheld from interest, movement by movement, for the tax office.',
      '/approvals': 'Decide what others asked for. Nobody approves a request of their own.',
      '/requests': 'What you asked others to approve, and what became of it.',
      '/report': 'A business day in figures. Each figure leads to its rows.',
      '/accounting': 'How interest is accrued for the general ledger, day by day.',
      '/products':
        'What the bank sells: products, their rates by tenor and amount, and the days on which it is closed.',
      '/new-product':
        'Describe a product: who may open it, how it pays interest, and what becomes of it at maturity.',
      '/calendar':
        'The days on which the bank is closed. Products may move a maturity to the next day that is open.',
      '/rules':
        'What breaking a deposit costs, what needs approval, and what is taxed. Deposits keep the version they were opened under.',
      '/rules/versions':
        'Every version of the penal rules, newest first. Deposits keep the version they were opened under.',
      '/policy':
        'Which operations wait for a second person. What a change would have held is shown before it is made.',
      '/tax-rules':
        'What is withheld from interest, by class of customer. What a change would have withheld is shown before it is made.',
      '/batches':
        'Files of many operations: send and start them, see how far each is, and what became of its lines.',
      '/audit': 'Who changed what and when, with old and new values.',
      '/access': 'Who works here with which rights. What one administrator sets, a second one confirms.',
      '/access/keys':
        'The keys of programs: what each may do, and when it was last used. Make, replace and revoke them here.',
      '/webhooks': 'Where events of this book are sent, and what became of each message.',
      '/me': 'Where you are signed in, your password, and the browsers that know you.',
      '/me/factors': 'What you need besides your password, and the recovery codes that help if you lose it.',
      '/clock':
        'Move the clock of the test book forward. What falls due on the way is carried out, as it would be in time.',
    } as Record<string, string>,
  },
  signIn: {
    title: 'Sign in',
    heading: 'Sign in to the console',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    bank: 'Bank',
    chooseBank:
      'This e-mail and password are known at several banks. Choose one, and give the password again.',
    forgotten: 'Forgotten your password? An administrator can give you a link to set a new one.',
    ended: 'Please sign in again. What you had filled in is kept.',
    endedPlain: 'Please sign in.',
    demo: 'Demo bank. Sign in as:',
    use: 'Use',
    again: 'You are signed in again',
    againText: 'Nothing was sent yet. Send what you had filled in, or go back and look at it once more.',
    send: 'Send it now',
    look: 'Look at it again',
  },
  fresh: {
    title: 'Is it you?',
    text: 'This gives somebody access. Enter your password again, because you signed in more than 15 minutes ago.',
    textOfPasskey:
      'This gives somebody access. Use your passkey or enter your password again, because you signed in more than 15 minutes ago.',
    password: 'Your password',
    submit: 'Continue',
    back: 'Back, without doing anything',
  },
  signOn: {
    button: (name: Text) => `Sign in with ${name}`,
    fresh: (name: Text) =>
      `Sign in with ${name} again, because you signed in more than 15 minutes ago. What you had filled in is kept.`,
    refusedTitle: 'You cannot sign in here',
    noRole: (groups: Text) => `You have no role here. Ask for one of the groups ${groups}.`,
    askFor: (name: Text) => `The people who look after ${name} can help.`,
    failedTitle: 'Sign in again',
    failed: 'The sign-in did not come back as it was begun, or took too long. Nothing was done.',
    unreachableTitle: 'The identity provider does not answer',
    unreachable: 'Try again in a moment. If you have a password of this console, you can use it.',
    unreachableOnly: 'Try again in a moment. Those who may break the glass can use their password.',
    local: 'Use a password',
    leftTitle: 'You are signed out here',
    left: 'The identity provider signs you out as well.',
    leave: 'Go on',
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    confirm: 'Use your passkey',
    failed: 'Nothing was done: the passkey did not answer, or this browser cannot use passkeys.',
  },
  factor: {
    title: 'Second step',
    heading: 'Enter the code',
    text: 'Your password is right. Open your authenticator app and enter the code that it shows for this console.',
    textOfPasskey: 'Your password is right. Use your passkey, or enter a code.',
    code: 'Code',
    codeHint: 'Six digits of your authenticator app, or one of your recovery codes.',
    submit: 'Sign in',
    lost: 'Lost your telephone and your recovery codes? An administrator can remove your second factor.',
    back: 'Start again',
  },
  notices: {
    title: 'What was done',
    read: 'I have read this',
    operator: 'the operator',
    somebody: 'somebody',
    own: {
      'person.invited': (by: Text) => `You were invited by ${by}.`,
      'person.enabled': (by: Text) => `You were invited again by ${by}.`,
      'person.role_changed': (by: Text) => `Your role or your books were changed by ${by}.`,
      'person.reset': (by: Text) =>
        `Your password was reset by ${by}. If you did not ask for that, tell another administrator now.`,
      'person.confirmed': (by: Text) => `Your access was confirmed by ${by}.`,
      'person.factors_removed': (by: Text) =>
        `Your second factors were removed by ${by}. If you did not ask for that, tell another administrator now.`,
      'person.factor_added': () =>
        'A second factor was added to your sign-in. If that was not you, tell an administrator now.',
      'person.factor_removed': () =>
        'A second factor was removed from your sign-in. If that was not you, tell an administrator now.',
      'person.recovery_code_used': () =>
        'Somebody signed in as you with a recovery code. If that was not you, tell an administrator now.',
      'person.passkey_copied': () =>
        'Somebody tried to sign in with what seems to be a copy of your passkey. Remove it, and tell an administrator now.',
    } as Record<string, (by: string) => string>,
    others: {
      'person.invited': (who: Text, by: Text) => `${who} was invited by ${by}.`,
      'person.enabled': (who: Text, by: Text) => `${who} was invited again by ${by}.`,
      'person.role_changed': (who: Text, by: Text) => `Role or books of ${who} were changed by ${by}.`,
      'person.reset': (who: Text, by: Text) => `The password of ${who} was reset by ${by}.`,
      'person.disabled': (who: Text, by: Text) => `${who} was disabled by ${by}.`,
      'person.factors_removed': (who: Text, by: Text) =>
        `The second factors of ${who} were removed by ${by}.`,
      'person.confirmed': (who: Text, by: Text) => `The access of ${who} was confirmed by ${by}.`,
    } as Record<string, (who: string, by: string) => string>,
  },
  welcome: {
    title: 'Welcome',
    heading: 'Set your password',
    text: 'At least 12 characters. A few unrelated words are easy to remember and hard to guess.',
    password: 'New password',
    link: 'The part of your link behind the #',
    submit: 'Set password',
    done: 'Your password is set. You can sign in now.',
    whoHeading: 'Who are you?',
    whoText: 'You are the first administrator. Sign in with this e-mail address from now on.',
    name: 'Name',
    email: 'E-mail',
    whoSubmit: 'Save',
  },
  failures: {
    signInAgain: 'Sign in',
    home: 'Go to the first page',
    403: [
      'Not for your role',
      'Your role does not include this page. A supervisor or an administrator can help.',
    ],
    crossSite: [
      'Not sent from the console',
      'The form did not come from a page of this console, so nothing was done. Open the page again and send the form from there.',
    ],
    404: ['Not found', 'There is nothing at this address in this book.'],
    400: ['Not understood', 'The form could not be read. Nothing was done.'],
    clockUnsure: [
      'The date has to be confirmed',
      'Nothing was done. The date of this book has jumped, so it accepts no changes until the operator has checked the clock. Everything can still be read.',
    ],
    503: ['Too busy at the moment', 'Nothing was done. Try again in a few seconds.'],
    500: ['Something failed', 'We could not confirm the change. Look at the record before you try again.'],
  },
}

export const consoleWords: Texts<typeof english> = { en: english, fr: french }
