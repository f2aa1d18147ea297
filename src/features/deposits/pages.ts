import { type Page, show } from '../../console/page.ts'
import { html } from '../../wire/html.ts'

export const homePages: Page[] = [
  {
    method: 'GET',
    path: '/',
    scope: null,
    answer: async ({ words, identity }) => {
      const { home } = words.say
      return show(
        null,
        home.title,
        html`<header class="head"><h1>${home.heading(identity.person.name)}</h1></header>`,
      )
    },
  },
]
