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
