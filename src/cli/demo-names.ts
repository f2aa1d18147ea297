/** Names and products of the demo bank. */
import type { IsoDate } from '../domain/dates.ts'
import { minor } from '../domain/money.ts'
import type { Product } from '../domain/product.ts'
import type { RateGrid } from '../domain/rate-sheet.ts'

export const FIRST_NAMES = [
  ...['Abena', 'Adewale', 'Aisha', 'Amara', 'Bukola', 'Chidi', 'Chinwe', 'Damilola', 'Ebele', 'Efosa'],
  ...['Emeka', 'Fatima', 'Femi', 'Folake', 'Hadiza', 'Ibrahim', 'Ifeoma', 'Ikenna', 'Kehinde', 'Kemi'],
  ...['Lanre', 'Maryam', 'Musa', 'Ngozi', 'Nkechi', 'Nnamdi', 'Obinna', 'Ola', 'Segun', 'Sade'],
  ...['Taiwo', 'Temitope', 'Tobi', 'Uche', 'Umar', 'Wale', 'Yemi', 'Yetunde', 'Zainab', 'Zubairu'],
]
export const LAST_NAMES = [
  ...['Abiola', 'Adebayo', 'Adeleke', 'Agu', 'Akinola', 'Aliyu', 'Anyanwu', 'Balogun', 'Bankole', 'Bassey'],
  ...['Chukwu', 'Danjuma', 'Dike', 'Edet', 'Ekwueme', 'Fashola', 'Garba', 'Ibekwe', 'Idris', 'Igwe'],
  ...['Jimoh', 'Kalu', 'Madu', 'Mohammed', 'Ndukwe', 'Nwachukwu', 'Obaseki', 'Odukoya', 'Ogunleye', 'Okafor'],
  ...['Okoro', 'Oladipo', 'Onyeka', 'Osagie', 'Oyelaran', 'Sanusi', 'Shehu', 'Udo', 'Uzor', 'Yakubu'],
]
export const STREETS = [
  'Harbour Road',
  'Market Street',
  'Palm Avenue',
  'Station Road',
  'Hill Crescent',
  'Creek View',
]
export const TOWNS = ['Lagos', 'Ibadan', 'Kano', 'Enugu', 'Abuja', 'Benin City', 'Jos', 'Port Harcourt']

type Sold = { productCode: string; product: Product; grid: (from: IsoDate) => RateGrid }

/** One for each way in which interest is paid besides at maturity. */
export const PRODUCTS: readonly Sold[] = [
  sold('INCOME', 'Monthly income', { method: 'PAYOUT', every: 'MONTH', recoverPaidInterest: true }, 95_000),
  sold(
    'GROWTH',
    'Compound growth',
    { method: 'COMPOUND', every: 'QUARTER', recoverPaidInterest: false },
    110_000,
  ),
  sold('UPFRONT', 'Interest first', { method: 'UPFRONT', every: null, recoverPaidInterest: true }, 85_000),
]

function sold(productCode: string, name: string, interest: Product['interest'], ratePpm: number): Sold {
  return {
    productCode,
    product: {
      name,
      currency: 'NGN',
      status: 'OPEN',
      minAmount: minor(50_000_00n),
      maxAmount: null,
      tenor: { unit: 'MONTH', min: 1, max: 24, multiple: 1 },
      interest,
      maturity: { onHoliday: 'NEXT_BUSINESS_DAY', instruction: 'PAY_OUT', rolloverLimit: null },
      negotiatedRate: null,
      bonuses: new Map(),
      rules: null,
    },
    grid: (from) => ({
      effectiveFrom: from,
      tenorUnit: 'MONTH',
      tenorFrom: [0, 6, 12],
      amountFrom: [minor(0n), minor(1_000_000_00n)],
      ratesPpm: [
        [ratePpm, ratePpm + 2_500],
        [ratePpm + 7_500, ratePpm + 10_000],
        [ratePpm + 12_500, ratePpm + 15_000],
      ],
    }),
  }
}
