import type { Product } from '../../domain/product.ts'
import type { Text, Texts } from '../../words/language.ts'
import type { Words } from '../../words/words.ts'
import { french } from './french.ts'

const english = {
  list: {
    title: 'Products',
    add: 'New product',
    calendar: 'Business calendar',
    none: 'The bank sells no product yet. A product has a rate sheet, a way to pay interest, and rules of its own.',
    all: 'All',
    find: 'Name or code contains',
    code: 'Code',
    name: 'Name',
    currency: 'Currency',
    interest: 'Interest',
    tenor: 'Tenor',
    status: 'Status',
  },
  statuses: { OPEN: 'Open', CLOSED: 'Closed' },
  page: {
    version: (version: Text) => `version ${version}`,
    edit: 'Change the product',
    sheet: 'New rate sheet',
    deposits: 'Its deposits',
    terms: 'What it offers',
    amounts: 'Amounts',
    from: (least: Text) => `from ${least}`,
    between: (least: Text, most: Text) => `${least} to ${most}`,
    tenors: (least: Text, most: Text) => `${least} to ${most}`,
    multiple: (count: Text) => `every ${count}`,
    interest: 'Interest',
    recovers: 'A charge also takes back interest paid before',
    maturity: 'At maturity',
    onHoliday: 'Maturity on a closed day',
    onHolidays: { SAME_DAY: 'stays on that day', NEXT_BUSINESS_DAY: 'moves to the next business day' },
    rollovers: (limit: Text) => `at most ${limit} rollovers`,
    negotiated: 'Negotiated rates',
    percents: (least: Text, most: Text) => `${least} to ${most} %`,
    notNegotiated: 'none: the rate of the sheet',
    bonuses: 'Bonuses',
    bonus: (code: Text, points: Text) => `${code} ${points}`,
    rules: 'Rules',
    ownRules: 'its own',
    callersRules: 'those of the bank, in force at the opening',
    inForce: (number: Text, day: Text) => `Rate sheet ${number}, in force since ${day}`,
    later: (number: Text, day: Text) => `Rate sheet ${number}, from ${day}`,
    noSheet: 'There is no rate sheet yet, so nothing can be opened by this product.',
    done: { written: 'The product was written.', added: 'The rate sheet was added.' } as Record<
      string,
      string
    >,
  },
  sheet: {
    title: 'New rate sheet',
    of: (name: Text) => `of ${name}`,
    from: 'In force from',
    unit: 'Tenors in',
    units: { DAY: 'Days', MONTH: 'Months' },
    tenor: 'From tenor',
    tenorOf: (row: Text) => `Tenor of row ${row}`,
    amountOf: (column: Text) => `Amount of column ${column}`,
    rateOf: (row: Text, column: Text) => `Rate of row ${row}, column ${column}`,
    fromAmount: 'From amount',
    fromOf: (amount: Text) => `from ${amount}`,
    percent: (rate: Text) => `${rate}\u00a0%`,
    addRow: 'Add a row',
    addColumn: 'Add a column',
    hint: 'A row that is left empty disappears. A rate of 0 is not offered.',
    submit: 'Publish the sheet',
    who: 'Who gets what rate',
    whoText: 'The last deposits of this product, if they were opened with this sheet.',
    nobody: 'No deposit was opened by this product yet.',
    deposit: 'Deposit',
    held: 'Tenor',
    now: 'Rate now',
    proposed: 'Proposed',
    notOffered: 'not offered',
    wrong: 'Give each tenor, amount and rate in figures.',
  },
  form: {
    titleNew: 'New product',
    titleEdit: (code: Text) => `Change ${code}`,
    text: 'Deposits that were opened earlier keep the version they were opened by.',
    code: 'Code',
    codeHint: 'Capital letters and digits, such as HARBOUR-FIX. It never changes.',
    name: 'Name',
    currency: 'Currency',
    status: 'Status',
    least: 'Least amount',
    most: 'Largest amount',
    unlimited: 'Empty: without limit.',
    unit: 'Tenors in',
    tenorMin: 'Shortest tenor',
    tenorMax: 'Longest tenor',
    multiple: 'Multiple of',
    method: 'Interest',
    every: 'How often',
    never: 'not before maturity',
    recover: 'A charge also takes back interest paid before',
    onHoliday: 'Maturity on a closed day',
    instruction: 'At maturity',
    limit: 'Rollovers at most',
    rateMin: 'Negotiated rate from',
    rateMax: 'to',
    rateHint: 'Both empty: only the rate of the sheet.',
    bonuses: 'Bonuses',
    bonusesHint: 'A code and its points on each line, such as SENIOR 0.5.',
    rules: 'Rules of its own, as JSON',
    rulesHint: 'Empty: the rules of the bank.',
    submit: (version: Text) => `Write version ${version}`,
    wrongRules: 'The rules are not JSON.',
  },
  needs: {
    name: 'Give a name of at most 100 characters.',
    min_amount: 'Give the least amount in figures, with at most two decimals, such as 50,000.00.',
    max_amount:
      'Give an amount that is not below the least one, in figures with at most two decimals, or nothing.',
    tenor:
      'Give a whole number of days, up to 36,500, or of months, up to 1,200; the longest is not below the shortest.',
    interest: 'Choose how often; interest at maturity and at the start has no periods.',
    'maturity.rollover_limit': 'Give a whole number, up to 1,000, or nothing.',
    negotiated_rate:
      'Give both rates in percent, up to 100, the lower one first, such as 8.5 and 10; or neither.',
    bonuses: 'Give each line a code of capital letters and its points, from -10 to 10, such as SENIOR 0.5.',
    rules: 'The rules are not as the API takes them.',
    effective_from: 'Give a day that exists.',
    tenor_from: 'Tenors are whole numbers: the first is 0, and each is more than the one before.',
    amount_from:
      'Amounts are figures with at most two decimals: the first is 0, and each is more than the one before.',
    rates: 'Rates are percents from 0 to 100, in figures with at most four decimals.',
  } as Record<string, string>,
}

export const productWords: Texts<typeof english> = { en: english, fr: french }

export function interestText({ interest: { method, every } }: Product, words: Words): string {
  const { interestMethods, periods } = words.say
  return every === null ? interestMethods[method] : `${interestMethods[method]}, ${periods[every]}`
}

export function tenorText({ tenor: { unit, min, max, multiple } }: Product, words: Words): string {
  const { page: say } = words.of(productWords)
  const { tenors } = words.say
  const span = min === max ? tenors[unit](min) : say.tenors(min, tenors[unit](max))
  return multiple === 1 ? span : `${span}, ${say.multiple(multiple)}`
}
