/**
 * JSON from well-meaning, faulty and hostile programs. One parameter, the slip, determines how often something else
 * replaces the value or member that the grammar expects: at 0 every body is valid.
 */
import type { Random } from '../../support/random.ts'

/** Part of what is sent wherever text is allowed, and searched for in what comes back. */
export const CANARY = 'Kanari'

/** A member that is undefined is left out. */
type Members = Record<string, string | undefined>

export type Grammar = {
  /** The text of a value, or of another one in its place. */
  value: (text: string) => string
  choice: (words: readonly string[]) => string
  object: (members: Members) => string
  list: (items: readonly string[]) => string
  /** Now and then a member that may be left out. */
  maybe: (make: () => string) => string | undefined
}

export function createGrammar(random: Random, slip: number): Grammar {
  const value = (text: string) => (random.chance(slip) ? anyValue(random) : text)

  function object(members: Members): string {
    let texts = Object.entries(members)
      .filter((member): member is [string, string] => member[1] !== undefined)
      .map(([name, text]) => `${nameText(random, name, slip)}${space(random)}:${space(random)}${text}`)
    if (random.chance(slip)) texts = withMistake(random, texts)
    if (random.chance(0.2)) texts.reverse()
    return value(`{${space(random)}${texts.join(`,${space(random)}`)}${space(random)}}`)
  }

  return {
    value,
    choice: (words) => value(JSON.stringify(random.pick(words))),
    object,
    list: (items) => value(`[${items.join(`,${space(random)}`)}]`),
    maybe: (make) => (random.chance(0.4) ? make() : undefined),
  }
}

function withMistake(random: Random, members: readonly string[]): string[] {
  const other = `${anyName(random)}:${anyValue(random)}`
  switch (random.below(4)) {
    case 0:
      return [...members, other]
    case 1:
      return [other, ...members]
    case 2:
      return members.length === 0 ? [other] : [...members, random.pick(members)]
    default:
      return members.slice(1)
  }
}

/** The same name can be spelt in many ways; only some of them are the same to a careless reader. */
function nameText(random: Random, name: string, slip: number): string {
  if (!random.chance(slip)) return JSON.stringify(name)
  switch (random.below(4)) {
    case 0:
      return `"${escaped(name.charCodeAt(0))}${name.slice(1)}"`
    case 1:
      return `"${[...name].map((letter) => escaped(letter.charCodeAt(0))).join('')}"`
    case 2:
      return JSON.stringify(name.toUpperCase())
    default:
      return JSON.stringify(` ${name}`)
  }
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

const NAMES = (
  '__proto__ constructor prototype toString hasOwnProperty toJSON then length ammount amount_ status penal_charge ' +
  `customer_id first_name updated_at book_id 0 \u0000 \u202eemail ſtatus ${CANARY}_name`
)
  .split(' ')
  .concat('', ' ', 'amount ')

function anyName(random: Random): string {
  return random.chance(0.05)
    ? JSON.stringify('n'.repeat(random.below(5000)))
    : JSON.stringify(random.pick(NAMES))
}

const DEPTH_MAX = 20

export function anyValue(random: Random, depth = 0): string {
  const dice = random.below(100)
  if (dice < 30) return random.pick(NUMBERS)
  if (dice < 35) return randomNumber(random)
  if (dice < 65) return anyText(random)
  if (dice < 78) return random.pick(['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"":{}}'])
  if (dice < 84) return random.pick(NOT_JSON)
  if (dice < 86) return deep(random)
  if (depth >= DEPTH_MAX) return '0'
  const items = Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1))
  if (dice < 93) return `[${items.join(',')}]`
  return `{${items.map((item) => `${anyName(random)}:${item}`).join(',')}}`
}

const NUMBERS = (
  '0 -0 0.0 0e0 -0.00 1 -1 100 100.1 100.10 100.100 1e2 1E+2 10e1 0.01 0.001 0.005 143.48 1.005 0.1 5e-324 1e-400 ' +
  '1e400 -1e400 1e21 9007199254740993 9999999999999.99 9999999999999.991 10000000000000 0.30000000000000004 36500 ' +
  '36501 99999999999999999999999999999999 1e99999999999 1e-99999999999 0.0000000000000000000000001 4294967296 ' +
  '2147483648 -2147483649 18446744073709551616 1.7976931348623159e308'
)
  .split(' ')
  .concat('9'.repeat(2000), `0.${'0'.repeat(2000)}1`, `1${'0'.repeat(300)}e-300`)

const NOT_JSON = (
  `NaN Infinity -Infinity undefined 01 .5 5. +1 0x1F 1_000 'a' --1 1e True nul " "\\ "\\x41" "\\ud800" "\\u12" "\t" ` +
  '[1,] {"a":1,} {a:1} //'
)
  .split(' ')
  .concat('')

function randomNumber(random: Random): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join('')
  const whole = `${1 + random.below(9)}${digits(random.below(20))}`
  const fraction = random.chance(0.6) ? `.${digits(1 + random.below(6))}` : ''
  const exponent = random.chance(0.2) ? `e${random.below(60) - 30}` : ''
  return `${random.chance(0.15) ? '-' : ''}${whole}${fraction}${exponent}`
}

function deep(random: Random): string {
  const depth = random.pick([10, 15, 16, 17, 100, 5000])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ])
  return `${open.repeat(depth)}0${close.repeat(depth)}`
}

const TEXTS = (
  '\u0000 \u0007 \u2028 \ufeff \u200b \u202e \u00a0 é e\u0301 😀 👩‍👩‍👧 ﷺ ٣٤٥ FULL full PARTIAL ＦＵＬＬ CLOSE 5000 100.00 ' +
  'true null [] {} {{7*7}} %s%n%x ../../etc/passwd $(id) `id` <script>alert(1)</script> \\u0000 __proto__ \\ " ' +
  'a@b.c ada@example.com a@b @ a@b@c.de ada@-x.com ada@example..com .a@b.de 0123456 123456 1234567890123456 + ' +
  '(1)(2)(3)4567 1--2345678 １２３４５６７８ !!! . a\tb 2026-02-30 2026-07-01 0000-01-01 9999-12-31 2026-7-1'
)
  .split(' ')
  .concat('', ' ', ' FULL', 'FULL ', "'; drop table deposits; --", "' or '1'='1", 'a\r\nSet-Cookie: a=b')
  .concat('+234 801 234 5678', '12 Marina Road\nLagos', 'ada @example.com')

function anyText(random: Random): string {
  const text = random.pick(TEXTS)
  switch (random.below(6)) {
    case 0:
      return JSON.stringify(`${CANARY}${text}`)
    case 1:
      return JSON.stringify(`${text}${CANARY}@example.com`)
    case 2:
      return JSON.stringify(
        random.pick(['x', '1', '😀', ' ', 'a@', '(1', '\n']).repeat(random.pick([65, 255, 501, 9000])),
      )
    case 3:
      return `"${[...text].map((letter) => escaped(letter.charCodeAt(0))).join('')}"`
    default:
      return JSON.stringify(text)
  }
}

function space(random: Random): string {
  return random.chance(0.05) ? random.pick([' ', '\n', '\r\n', '\t', '    ']) : ''
}

/** What happens to a text on its way: it is cut, joined, encoded differently, or partly replaced. */
export function damage(random: Random, text: string): string | Buffer {
  const at = random.below(text.length + 1)
  const [before, behind] = [text.slice(0, at), text.slice(at)]
  switch (random.below(12)) {
    case 0:
      return before
    case 1:
      return behind
    case 2:
      return text + text
    case 3:
      return `\ufeff${text}`
    case 4:
      return Buffer.from(text, 'utf16le')
    case 5:
      return Buffer.concat([Buffer.from(before), bytes(random), Buffer.from(behind)])
    case 6:
      return `${before}${random.pick(['"', '{', '}', '[', ',', ':', '\\', '\u0000', '/**/', '#', '\u2028'])}${behind}`
    case 7:
      return `[${text}]`
    case 8:
      return `${text}${' '.repeat(random.pick([1, 65_000, 65_536, 70_000]))}`
    case 9:
      return text.replaceAll('"', "'")
    case 10:
      return Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)))
    default:
      return random.pick(['', 'null', 'true', '0', '""', '[]', '{', `"${CANARY}"`, ")]}'\n{}"])
  }
}

/** Not UTF-8: half a character, one spelt too long, half a surrogate pair, one beyond the last. */
function bytes(random: Random): Buffer {
  return Buffer.from(random.pick(['c3', 'c0af', 'eda080', 'f4908080', 'ff', 'e28028', '80']), 'hex')
}
