/** Improvements of the pages by script; each page works without it. */

const root = document.documentElement

/** Markup comes from our own server alone, which escapes every value. */
const policy = 'trustedTypes' in globalThis ? trustedPolicy() : null

function trustedPolicy() {
  const types =
    /** @type {{trustedTypes: {createPolicy: (name: string, rules: object) => {createHTML: (text: string) => string}}}} */ (
      /** @type {unknown} */ (globalThis)
    )
  return types.trustedTypes.createPolicy('console', { createHTML: (/** @type {string} */ text) => text })
}

/** @param {string} text */
function parse(text) {
  const template = document.createElement('template')
  template.innerHTML = policy === null ? text : policy.createHTML(text)
  return template.content
}

/** @param {EventTarget | null} target @param {string} selector */
function closest(target, selector) {
  return target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(selector)) : null
}

/** @param {string} selector */
function elementAt(selector) {
  return /** @type {HTMLElement | null} */ (document.querySelector(selector))
}

/** @param {string} tag @param {object} properties */
const make = (tag, properties) => Object.assign(document.createElement(tag), properties)

// A form marked data-live asks again while it is filled in, and replaces the one part of the page that answers it.
/** @type {AbortController | undefined} */
let asking
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting
document.addEventListener('input', (event) => {
  const form = /** @type {HTMLFormElement | null} */ (closest(event.target, 'form[data-live]'))
  if (form === null) return
  const typed = /** @type {HTMLInputElement} */ (event.target)
  const partial = /** @type {HTMLInputElement | null} */ (form.querySelector('[name=type][value=PARTIAL]'))
  if (typed.name === 'amount' && partial !== null && !partial.disabled) partial.checked = typed.value !== ''
  const whole = /** @type {HTMLInputElement | null} */ (form.querySelector('[name=type][value=FULL]'))
  if (typed.name === 'amount' && typed.value === '' && whole !== null) whole.checked = true
  clearTimeout(waiting)
  waiting = setTimeout(ask, typed.type === 'text' ? 120 : 0, form)
})
document.addEventListener('change', (event) => {
  const form = /** @type {HTMLFormElement | null} */ (closest(event.target, 'form[data-live]'))
  const chosen = /** @type {HTMLInputElement} */ (event.target)
  if (form === null || chosen.name !== 'type') return
  const amount = /** @type {HTMLInputElement} */ (form.elements.namedItem('amount'))
  if (chosen.value === 'FULL') amount.value = ''
  else amount.focus()
})

/** @param {HTMLFormElement} form */
async function ask(form) {
  asking?.abort()
  asking = new AbortController()
  const url = new URL(form.action)
  for (const [name, value] of new FormData(form)) url.searchParams.set(name, String(value))
  url.searchParams.delete('note')
  const part = /** @type {string} */ (form.dataset.live)
  document.getElementById(part)?.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(url, { headers: { 'x-part': part }, signal: asking.signal })
    if (answer.redirected || !answer.ok) return location.assign(url)
    replacePart(part, await answer.text())
    history.replaceState(null, '', document.getElementById(part)?.dataset.state ?? url)
    prepare()
  } catch (error) {
    if (/** @type {Error} */ (error).name !== 'AbortError') showFailed(form, part)
  }
}

// A part marked data-refresh asks for itself again while the page is looked at, until it is no longer marked.
setInterval(async () => {
  const part = elementAt('[data-refresh]')
  if (part === null || document.hidden) return
  const answer = await fetch(part.dataset.refresh ?? '', { headers: { 'x-part': part.id } }).catch(() => null)
  if (answer === null) return
  if (answer.redirected || !answer.ok) return location.reload()
  replacePart(part.id, await answer.text())
  // The rest of the page depends on how it ended.
  if (elementAt('[data-refresh]') === null) location.reload()
}, 2_000)

/**
 * What was typed or opened in a part stays so when its figures change.
 * @param {string} part @param {string} text
 */
function replacePart(part, text) {
  const old = document.getElementById(part)
  const fresh = parse(text)
  for (const field of old?.querySelectorAll('.act [id]') ?? []) {
    const { id, value } = /** @type {HTMLInputElement} */ (field)
    const twin = /** @type {HTMLInputElement | null} */ (fresh.querySelector(`#${CSS.escape(id)}`))
    if (twin !== null && value !== undefined && 'value' in twin) twin.value = value
  }
  for (const { id } of old?.querySelectorAll('details[open][id]') ?? [])
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '')
  old?.replaceWith(fresh)
}

/**
 * The figures of before stay, with a line that says so.
 * @param {HTMLFormElement} form @param {string} part
 */
function showFailed(form, part) {
  const shown = document.getElementById(part)
  shown?.removeAttribute('aria-busy')
  shown?.querySelector('.failed')?.remove()
  const line = make('p', { className: 'notice bad failed', role: 'alert' })
  const again = make('button', { type: 'button', className: 'button', textContent: form.dataset.retry ?? '' })
  again.addEventListener('click', () => ask(form))
  line.append(`${form.dataset.failed} `, again)
  shown?.prepend(line)
}

/**
 * The day that the slider stands on, in the chart and in words.
 * @typedef {{
 *   start: string, step: number, last: number, floor: number, height: number, top: number, principal: number,
 *   currency: string, currencyDisplay: 'narrowSymbol' | 'symbol', reading: string, days: [number, number, number?][],
 * }} Outlook
 * @param {HTMLElement} figure
 */
function prepareOutlook(figure) {
  const source = figure.querySelector('script')
  const svg = figure.querySelector('svg')
  const ground = figure.querySelector('.ground')
  const range = figure.querySelector('input')
  const output = figure.querySelector('output')
  const line = figure.querySelector('.cursor')
  const dot = figure.querySelector('.cursor-dot')
  if (!source || !svg || !ground || !range || !output || !line || !dot || figure.dataset.ready) return
  figure.dataset.ready = 'true'
  /** @type {Outlook} */
  const outlook = JSON.parse(source.textContent ?? '')
  const money = new Intl.NumberFormat(root.lang, {
    style: 'currency',
    currency: outlook.currency,
    currencyDisplay: outlook.currencyDisplay,
  })
  const dayText = new Intl.DateTimeFormat(root.lang, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  // Exact: the text of a number of minor units, never a fraction of a double.
  const amount = (/** @type {number} */ minor) => {
    const digits = String(minor).padStart(3, '0')
    return money.format(/** @type {never} */ (`${digits.slice(0, -2)}.${digits.slice(-2)}`))
  }
  const elapsed = (/** @type {number} */ index) => Math.min(index * outlook.step, outlook.last)

  const show = (/** @type {number} */ index) => {
    const day = /** @type {[number, number, number?, number?]} */ (outlook.days[index])
    const [earned, charge, tax = 0, paid = 0] = day
    const on = new Date(Date.parse(`${outlook.start}T12:00:00Z`) + elapsed(index) * 86_400_000)
    const x = `${(100 * elapsed(index)) / outlook.last}%`
    const y = String(outlook.floor - ((earned - charge) / outlook.top) * outlook.height)
    range.value = String(index)
    line.setAttribute('x1', x)
    line.setAttribute('x2', x)
    dot.setAttribute('cx', x)
    dot.setAttribute('cy', y)
    for (const element of [line, dot]) element.setAttribute('visibility', 'visible')
    const values = [
      dayText.format(on),
      amount(outlook.principal + earned - charge - tax - paid),
      amount(charge),
    ]
    const text = outlook.reading.replace(/\{(\d)\}/g, (_, place) => values[Number(place)] ?? '')
    output.textContent = text
    range.setAttribute('aria-valuetext', text)
  }
  range.addEventListener('input', (event) => {
    event.stopPropagation()
    show(Number(range.value))
  })
  svg.addEventListener('pointermove', (event) => {
    const box = ground.getBoundingClientRect()
    const share = (event.clientX - box.left) / box.width
    const index = Math.round((share * outlook.last) / outlook.step)
    show(Math.max(0, Math.min(outlook.days.length - 1, index)))
  })
}

/** What is in the page now, also after a part of it was replaced. */
function prepare() {
  for (const figure of document.querySelectorAll('[data-outlook]')) {
    prepareOutlook(/** @type {HTMLElement} */ (figure))
  }
  for (const input of document.querySelectorAll('[data-suggest]')) {
    prepareSearch(/** @type {HTMLInputElement} */ (input))
  }
  for (const form of document.querySelectorAll('form[data-fragment]')) {
    const { elements, dataset } = /** @type {HTMLFormElement} */ (form)
    const field = /** @type {HTMLInputElement} */ (elements.namedItem(dataset.fragment ?? ''))
    if (location.hash.length > 1) field.value = location.hash.slice(1)
    else if (field.value === '') field.closest('[data-nojs]')?.removeAttribute('data-nojs')
  }
}
prepare()
// On a narrow screen the places lie in one line, which may be longer than the screen.
elementAt('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// What cannot be undone asks once more: the dialog of the form, or of its button, repeats what it is about.
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  const name = event.submitter?.dataset.confirm ?? form.dataset.confirm ?? ''
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById(name))
  if (dialog === null || event.submitter?.closest('dialog') === dialog) return
  event.preventDefault()
  for (const place of dialog.querySelectorAll('[data-of]')) {
    const field = form.elements.namedItem(/** @type {HTMLElement} */ (place).dataset.of ?? '')
    place.textContent =
      field instanceof HTMLSelectElement
        ? (field.selectedOptions[0]?.textContent ?? '')
        : /** @type {HTMLInputElement} */ (field).value
  }
  dialog.showModal()
})

// A passkey answers before the form is sent.
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  if (form.dataset.passkey === undefined) return
  event.preventDefault()
  if (form.dataset.asking) return
  form.dataset.asking = 'true'
  const failed = form.querySelector('[data-failed]')
  failed?.setAttribute('hidden', '')
  askPasskey(form)
    .catch(() => failed?.removeAttribute('hidden'))
    .finally(() => form.removeAttribute('data-asking'))
})

/** @param {HTMLFormElement} form */
async function askPasskey(form) {
  const { passkey, options = '' } = form.dataset
  const asked = JSON.parse(options)
  const { credentials } = navigator
  const credential =
    passkey === 'create'
      ? await credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) })
      : await credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) })
  const field = /** @type {HTMLInputElement} */ (form.querySelector('[name$=credential]'))
  field.value = JSON.stringify(credential)
  form.submit()
}

// The answer to what moves money may be lost: the same form, with its key, is sent again until there is one, or until the
// service says that it did nothing and will not soon.
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  if (event.defaultPrevented || form.dataset.lost === undefined) return
  event.preventDefault()
  if (form.dataset.sent) return
  form.dataset.sent = 'true'
  sendUntilKnown(form, event.submitter)
})

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function sendUntilKnown(form, submitter) {
  const body = new URLSearchParams(/** @type {never} */ (new FormData(form, submitter)))
  const line = form.querySelector('[data-sending]')
  for (let waitMs = 500; ; waitMs = Math.min(2 * waitMs, 8_000)) {
    const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null)
    if (answer?.redirected) return location.assign(answer.url)
    if (answer !== null && answer.status !== 503) return showAnswer(form, submitter, answer)
    submitter?.closest('dialog')?.close()
    const refused = answer?.headers.has('x-refused') && parse(await answer.text()).querySelector('h1 + p')
    if (line !== null) line.textContent = refused ? refused.textContent : (form.dataset.lost ?? '')
    line?.removeAttribute('hidden')
    if (refused) return form.removeAttribute('data-sent')
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/**
 * What was refused is shown in place, so that nothing is sent twice; anything else is a page, for which the browser sends
 * the same form once more.
 * @param {HTMLFormElement} form @param {HTMLElement | null} submitter @param {Response} answer
 */
async function showAnswer(form, submitter, answer) {
  const isRefused = [400, 409, 422].includes(answer.status)
  const main = isRefused ? parse(await answer.text()).querySelector('main') : null
  if (main !== null) {
    elementAt('#content')?.replaceWith(main)
    scrollTo(0, 0)
    prepare()
    return main.focus()
  }
  const { name = '', value = '' } = /** @type {Partial<HTMLButtonElement>} */ (submitter ?? {})
  form.append(make('input', { type: 'hidden', name, value }))
  form.submit()
}

// Whether the browser is offline is said at once.
const sayOffline = () => elementAt('[data-offline]')?.toggleAttribute('hidden', navigator.onLine)
for (const change of ['offline', 'online']) addEventListener(change, sayOffline)
sayOffline()
document.addEventListener('click', (event) => {
  const target = closest(
    event.target,
    '[data-copy], [data-theme-toggle], [data-print], [data-close], [data-fill], [data-help]',
  )
  if (target === null) return
  const { copy, copied, fill } = target.dataset
  if (copy !== undefined) {
    navigator.clipboard.writeText(copy).then(() => {
      target.textContent = copied ?? copy
    })
  }
  if ('print' in target.dataset) print()
  if ('close' in target.dataset) target.closest('dialog')?.close()
  if ('help' in target.dataset) showHelp()
  if ('themeToggle' in target.dataset) {
    const dark =
      getComputedStyle(root).colorScheme === 'dark' || matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = (root.dataset.theme ?? (dark ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark'
    localStorage.setItem('theme', root.dataset.theme)
  }
  if (fill !== undefined) {
    for (const [name, value] of Object.entries(JSON.parse(fill))) {
      const field = /** @type {HTMLInputElement | null} */ (
        document.querySelector(`[name="${CSS.escape(name)}"]`)
      )
      if (field !== null) field.value = String(value)
    }
  }
})

// The menu of the person closes by Escape and by a click elsewhere.
/** @param {Event} event */
function closeMenu(event) {
  const menu = elementAt('.menu[open]')
  if (menu === null || (event.type === 'click' && closest(event.target, '.menu') === menu)) return
  menu.removeAttribute('open')
  if (event.type === 'keydown') menu.querySelector('summary')?.focus()
}
document.addEventListener('click', closeMenu)
document.addEventListener('keydown', (event) => event.key === 'Escape' && closeMenu(event))

// A double click submits once.
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  if (event.defaultPrevented || form.method !== 'post') return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'true'
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) form.removeAttribute('data-sent')
})

/**
 * Results appear while somebody types in a search; the arrow keys choose one. Where a form asks for somebody, choosing fills
 * in the field instead of opening a page.
 * @param {HTMLInputElement} input
 */
function prepareSearch(input) {
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  if (list === null || input.dataset.ready) return
  input.dataset.ready = 'true'
  const isSelected = (/** @type {Element} */ option) => option.getAttribute('aria-selected') === 'true'
  const show = (/** @type {boolean} */ isOpen) => {
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    input.setAttribute('aria-activedescendant', (isOpen && [...list.children].find(isSelected)?.id) || '')
  }
  const suggest = async () => {
    const wanted = input.value.trim()
    if (wanted.length < 2) return show(false)
    const headers = { 'x-part': input.dataset.suggest ?? '' }
    const answer = await fetch(`/console/search?q=${encodeURIComponent(wanted)}`, { headers }).catch(
      () => null,
    )
    if (!answer?.ok || answer.redirected || input.value.trim() !== wanted) return
    list.replaceChildren(...(parse(await answer.text()).firstElementChild?.children ?? []))
    for (const [index, option] of [...list.children].entries()) option.id = `${list.id}-${index}`
    show(list.firstElementChild !== null)
  }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting
  input.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(suggest, 150)
  })
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') show(false)
    if (list.hidden || (step === undefined && event.key !== 'Enter')) return
    const options = [...list.children]
    const now = options.findIndex(isSelected)
    if (step === undefined && now < 0) return
    event.preventDefault()
    if (step === undefined) return /** @type {HTMLElement} */ (options[now]).click()
    const next = options[(now + step + options.length) % options.length]
    for (const option of options) option.setAttribute('aria-selected', String(option === next))
    show(true)
  })
  document.addEventListener('click', (event) => {
    const picked = closest(event.target, '[data-value]')
    if (picked !== null && list.contains(picked)) {
      event.preventDefault()
      input.value = picked.dataset.value ?? ''
      input.focus()
      show(false)
    } else if (!input.parentElement?.contains(/** @type {Node} */ (event.target))) show(false)
  })
}

const showHelp = () => /** @type {HTMLDialogElement | null} */ (elementAt('#help'))?.showModal()

// Enter in a choice sends its form, as it does in a field; the arrow keys and letters choose.
document.addEventListener('keydown', (event) => {
  const select = /** @type {HTMLSelectElement | null} */ (closest(event.target, '.act select'))
  if (select === null || event.key !== 'Enter') return
  event.preventDefault()
  select.form?.requestSubmit()
})

// Keys: / searches, g and then a letter goes somewhere, b goes to the reason, ? says which keys there are.
let goesUntil = 0
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (closest(event.target, 'input, select, textarea, dialog') !== null) return
  if (event.key === '/') {
    event.preventDefault()
    elementAt('[data-hotkey="/"]')?.focus()
  } else if (event.key === '?') {
    showHelp()
  } else if (event.timeStamp < goesUntil) {
    goesUntil = 0
    elementAt(`[data-go="${CSS.escape(event.key)}"]`)?.click()
  } else if (event.key === 'b') {
    event.preventDefault()
    elementAt('#quote .act :is(select, input:not([type=hidden]))')?.focus()
  } else if (event.key === 'g') {
    goesUntil = event.timeStamp + 1_000
  }
})
