import type { Page } from '../../page/page.ts'
import { movementListPages } from './list.ts'

export const movementPages: Page[] = [...movementListPages]
