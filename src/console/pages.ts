/** Every page of the console. */
import { homePages } from '../features/deposits/pages.ts'
import { mePages } from '../features/people/pages.ts'
import { clockPages } from '../features/test-clock/pages.ts'
import type { Page } from './page.ts'

export const pages: readonly Page[] = [...homePages, ...clockPages, ...mePages]
