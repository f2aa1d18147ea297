/** html`…` escapes every value unless it is itself html. The whole template engine. */
const MARKUP = Symbol('markup')

export type Html = { readonly [MARKUP]: string }

export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  return trusted(strings.reduce((text, string, index) => text + render(values[index - 1]) + string))
}

/** Marks text as markup that we made and that contains nothing that was sent. */
export function trusted(markup: string): Html {
  return { [MARKUP]: markup }
}

/** The markup of a value, as it goes into a page. */
export function render(value: unknown): string {
  if (Array.isArray(value)) return value.map(render).join('')
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object' && MARKUP in value) return (value as Html)[MARKUP]
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
