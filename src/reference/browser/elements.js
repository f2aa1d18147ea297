/** Elements of the page: those that it has, and new ones. */

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function byId(id, kind) {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`The page lacks #${id}.`)
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean>} properties
 * @param {(string | Node)[]} children
 */
export function make(tag, properties, ...children) {
  const made = document.createElement(tag)
  Object.assign(made, properties)
  made.append(...children)
  return made
}

/** Read aloud when it changes. */
export const announcement = byId('announcement', HTMLElement)
