import type { Page } from '../../page/page.ts'
import { accountListPages } from './list.ts'

export const accountPages: Page[] = [...accountListPages]
