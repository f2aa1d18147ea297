import type { Page } from '../../page/page.ts'
import { lienListPages } from './list.ts'

export const lienPages: Page[] = [...lienListPages]
