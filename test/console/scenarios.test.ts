/** The scenarios that the console has to pass, each with the test that plays it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** In order: what has to hold, and the tests that show it, by file. */
const SCENARIOS: [what: string, tests: Record<string, string[]>][] = [
  [
    'keyboard only: /, amount, arrow keys over the days, reason, dialog, paid',
    {
      breaking: [
        'in a browser: by keyboard alone without a finding or an error, on paper, and without script',
      ],
      counter: ['in a browser: from the search to paid in twelve strokes'],
    },
  ],
  [
    'without script: quote, confirm, pay',
    {
      breaking: [
        'without script: quote, confirm, pay; the same form twice pays once',
        'in a browser: by keyboard alone without a finding or an error, on paper, and without script',
      ],
    },
  ],
  [
    'the same form twice pays once; its key with another amount is refused',
    { breaking: ['without script: quote, confirm, pay; the same form twice pays once'] },
  ],
  [
    'a POST from another site 403; with neither header 403',
    { door: ['a write from another or an unknown site is refused'] },
  ],
  [
    'no console error and no CSP violation on any page, Trusted Types on',
    {
      'every-page': [
        'has no finding in light or dark, no error, and no sideways scroll on a tablet or a phone',
      ],
    },
  ],
  [
    'axe 2.2 AA and best practice: 0 on every page, light and dark',
    {
      'every-page': [
        'has no finding in light or dark, no error, and no sideways scroll on a tablet or a phone',
      ],
    },
  ],
  [
    'rules, clock or deposit change between quote and payment: nothing paid, new figures shown',
    { breaking: ['when the figures changed after the quote nothing is paid and the new figures are shown'] },
  ],
  [
    'above the limit: nothing paid, the request waits, the deposit says so',
    { breaking: ['above the limit nothing is paid, the request waits, and the deposit says so'] },
  ],
  [
    'nobody approves a request of their own by URL, second tab or second role',
    { approvals: ['nobody can approve their own request, by its page, its URL or another session'] },
  ],
  [
    'two approve at once: one payment',
    {
      approvals: [
        'a request of another person shows its figures when requested and today, and approving pays once',
      ],
    },
  ],
  [
    'refusing needs a note',
    { approvals: ['refusing needs a note, and a clerk takes back only their own request'] },
  ],
  [
    'every role × every route: allowed or 403, generated from the table',
    { 'every-page': ['opens for the roles with its scope and for no other'] },
  ],
  [
    'identifiers of another bank: 404',
    { 'every-page': ['is not found under an identifier of another bank'] },
  ],
  [
    'signed out, idle, revoked, role changed: the next click asks to sign in, the form is kept',
    {
      door: [
        'after the session has ended sign-in is required, and the form is preserved without the password',
        'a person who is disabled, gets another role or ends a session elsewhere loses access at the next click',
      ],
    },
  ],
  [
    'password, lock-out, welcome link once',
    {
      door: [
        'a link sets the password once; a wrong password and an unknown person get the same answer',
        'after five wrong passwords others are not looked at, but those of a browser that knows the person',
      ],
    },
  ],
  [
    '<script> as a name is text, everywhere',
    {
      'every-page': [
        'shows markup in every text as text, and logs and roles without a right to it see no canary',
      ],
    },
  ],
  [
    "figures of the console equal the API's to the cent for 200 random deposits",
    { figures: ["random deposits equal the API's"] },
  ],
  [
    'the advice fits one A4 page',
    {
      breaking: [
        'in a browser: by keyboard alone without a finding or an error, on paper, and without script',
      ],
      letters: ['in a browser: one sheet of A4 each, with the letterhead and without the console'],
    },
  ],
  [
    'test band in test, none in live',
    { door: ['the clock of a test book is shown on every page, and on none of a live book'] },
  ],
  [
    'lost answer: the page says so and offers the same key again',
    {
      breaking: ['when the answer is lost the page says so, and the same form, sent again, pays once'],
      counter: [
        'in a browser: typed fields stay, a quote that fails leaves the figures, a lost payment ends in the truth',
      ],
    },
  ],
  [
    '820 and 390 px: no sideways scroll',
    {
      'every-page': [
        'has no finding in light or dark, no error, and no sideways scroll on a tablet or a phone',
      ],
    },
  ],
  [
    'a second language and right-to-left',
    {
      'every-page': [
        'takes each word from the table of its language, and reads from right to left where that does',
      ],
      door: ['a person reads the console in a language of their own choice, or else of their browser'],
    },
  ],
]

for (const [index, [what, tests]] of SCENARIOS.entries()) {
  test(`scenario ${index + 1}: ${what}`, () => {
    for (const [file, names] of Object.entries(tests)) {
      const text = readFileSync(new URL(`${file}.test.ts`, import.meta.url), 'utf8')
      for (const name of names) assert(text.includes(name), `${file}.test.ts has no test: ${name}`)
    }
  })
}

test('there are 22 scenarios', () => assert.equal(SCENARIOS.length, 22))
