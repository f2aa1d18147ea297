import type { IsoDate } from './dates.ts'

/** When something is decided: the instant, and the business date it falls on in the caller's time zone. */
export type Moment = { at: Date; today: IsoDate }
