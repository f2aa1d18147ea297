/** FAULTS=ci asks for the full counts; without it a suite does just enough to be worth its seconds. */
export const full = process.env.FAULTS === 'ci'
