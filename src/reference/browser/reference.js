/** The interactive parts of the reference: copying, one language everywhere, and sending a request. */
import { announcement, byId, make } from './elements.js'
import { startSearch } from './search.js'

/** @type {Set<string>} Records that exist in the demo bank. */
const demoIds = new Set()

showOrigin()
useDemo()
addCopyButtons()
keepOneLanguage()
markContents()
startSearch()
startRequestForm()

/** Behind a proxy the service may not know the scheme or the name it was reached by. The browser does. */
function showOrigin() {
  const { origin: served = '' } = document.documentElement.dataset
  if (served === location.origin) return
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    if (text instanceof Text && text.data.includes(served)) {
      text.data = text.data.replaceAll(served, location.origin)
    }
  }
}

/** A service with a demo bank gives a reader on the same machine a key and records that the samples can use. */
function useDemo() {
  const { demo } = document.documentElement.dataset
  if (demo === undefined) return
  const [key = '', depositId = '', customerId = ''] = demo.split(' ')
  const filled = (/** @type {string} */ sample) =>
    sample
      .replaceAll('$API_KEY', key)
      .replaceAll(/\bfd_[0-9A-Za-z]{24}\b/g, depositId)
      .replaceAll(/\bcus_[0-9A-Za-z]{24}\b/g, customerId)
  const samples = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (samples.nextNode()) {
    const { currentNode: text } = samples
    if (text instanceof Text && text.parentElement?.closest('pre.program, .guide pre'))
      text.data = filled(text.data)
  }
  for (const button of document.querySelectorAll('button.try')) {
    if (button instanceof HTMLElement) button.dataset.request = filled(button.dataset.request ?? '')
  }
  for (const id of [depositId, customerId]) demoIds.add(id)
  byId('try-key', HTMLInputElement).value = key
  const command = make('code', {}, `export API_KEY=${key}`)
  const words = 'The samples use the key and the records of the demo bank. For programs: '
  document.querySelector('.title')?.append(make('p', { className: 'demo' }, words, command))
}

function addCopyButtons() {
  for (const sample of document.querySelectorAll('figure.sample')) sample.append(makeCopyButton(sample))
}

/** @param {Element} sample Of its blocks of code, the one that is visible is copied. */
function makeCopyButton(sample) {
  const title = sample.querySelector('figcaption')?.textContent ?? 'sample'
  const button = make('button', { type: 'button', className: 'button copy', textContent: 'Copy' })
  button.setAttribute('aria-label', `Copy ${title}`)
  button.addEventListener('click', async () => {
    const code = [...sample.querySelectorAll('pre')].find((block) => block.offsetParent !== null)
    const copied = await copy(code?.textContent ?? '')
    button.textContent = copied ? 'Copied' : 'Failed'
    announcement.textContent = copied ? `${title} copied.` : `${title} was not copied.`
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  return button
}

/** @param {string} text */
async function copy(text) {
  // Browsers offer the clipboard only over TLS and on this machine.
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = make('textarea', { value: text })
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}

/** The language chosen for one request is shown for all of them. */
function keepOneLanguage() {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.tabs') === null) return
    const before = target.getBoundingClientRect().top
    for (const tab of document.querySelectorAll(`.tabs input[value="${target.value}"]`)) {
      if (tab instanceof HTMLInputElement) tab.checked = true
    }
    // The programs above have another length now; keep the clicked element in place.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
  })
}

/** Marks what is being read in the contents. */
function markContents() {
  const links = new Map(
    [...document.querySelectorAll('.side a')].map((link) => [link.getAttribute('href')?.slice(1), link]),
  )
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target.id)
        if (link === undefined) continue
        if (isIntersecting) link.setAttribute('aria-current', 'true')
        else link.removeAttribute('aria-current')
        if (isIntersecting) link.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      }
    },
    { rootMargin: '-25% 0px -75% 0px' },
  )
  for (const place of document.querySelectorAll('.guide[id], article, #errors')) observer.observe(place)
}

/**
 * @typedef {{ name: string, place: 'path' | 'query' | 'header', required: boolean, example: string }} FormField
 * @typedef {{ method: string, path: string, fields: FormField[], body: string | null }} FormContent
 */

function startRequestForm() {
  const dialog = byId('try', HTMLDialogElement)
  const key = byId('try-key', HTMLInputElement)
  const fields = byId('try-fields', HTMLElement)
  const body = byId('try-body', HTMLTextAreaElement)
  const send = byId('try-send', HTMLButtonElement)
  const answer = byId('try-answer', HTMLElement)
  /** @type {FormContent | null} */
  let shown = null

  for (const button of document.querySelectorAll('button.try')) {
    if (!(button instanceof HTMLButtonElement)) continue
    button.hidden = false
    button.addEventListener('click', () => open(JSON.parse(button.dataset.request ?? '')))
  }
  byId('try-close', HTMLButtonElement).addEventListener('click', () => dialog.close())
  dialog.querySelector('form')?.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (shown === null || send.disabled || !acceptKey()) return
    send.disabled = true
    answer.replaceChildren(make('p', { textContent: 'Sending…' }))
    answer.replaceChildren(...(await ask(shown)))
    answer.scrollIntoView({ block: 'nearest' })
    send.disabled = false
  })

  /** @param {FormContent} content */
  function open(content) {
    shown = content
    const method = byId('try-method', HTMLElement)
    method.textContent = content.method
    method.className = `method ${content.method.toLowerCase()}`
    byId('try-path', HTMLElement).textContent = content.path
    byId('try-body-field', HTMLElement).hidden = content.body === null
    body.value = content.body ?? ''
    body.rows = Math.min(16, body.value.split('\n').length + 1)
    fields.replaceChildren(...content.fields.map(renderField))
    answer.replaceChildren()
    showKeyError('')
    dialog.showModal()
    const next = key.value === '' ? key : (fields.querySelector('input') ?? send)
    next.focus()
  }

  /** Only test keys are sent from here; a live key does not even stay in the field. */
  function acceptKey() {
    const given = key.value.trim()
    const isLive = given.startsWith('bw_live_')
    const isTest = /^bw_test_[0-9A-Za-z]+$/.test(given)
    if (isLive) key.value = ''
    if (isLive) showKeyError('This is a live key. Use a test key, which begins with bw_test_.')
    else showKeyError(isTest ? '' : 'Enter a test key. It begins with bw_test_.')
    if (!isTest) key.focus()
    return isTest
  }

  /** @param {string} error */
  function showKeyError(error) {
    byId('try-key-error', HTMLElement).textContent = error
    key.setAttribute('aria-invalid', String(error !== ''))
  }

  /**
   * @param {FormField} field
   * @param {number} index
   */
  function renderField({ name, required, example }, index) {
    const id = `try-field-${index}`
    const label = make('label', { htmlFor: id }, make('code', {}, name), required ? '' : ' (optional)')
    const input = make('input', {
      ...{
        id,
        required,
        placeholder: example,
        value: demoIds.has(example) ? example : '',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
      },
    })
    return make('div', { className: 'field' }, label, input)
  }

  /**
   * @param {FormContent} content
   * @returns {Promise<HTMLElement[]>}
   */
  async function ask(content) {
    const inputs = [...fields.querySelectorAll('input')]
    const given = content.fields.map((field, index) => ({ ...field, value: inputs[index]?.value ?? '' }))
    const path = content.path.replaceAll(/\{(\w+)\}/g, (_, wanted) =>
      encodeURIComponent(given.find(({ name }) => name === wanted)?.value ?? ''),
    )
    const url = new URL(path, location.origin)
    const headers = new Headers({ Authorization: `Bearer ${key.value.trim()}` })
    if (content.body !== null) headers.set('Content-Type', 'application/json')
    for (const { name, place, value } of given.filter((field) => field.value !== '')) {
      if (place === 'query') url.searchParams.set(name, value)
      if (place === 'header') headers.set(name, value)
    }
    try {
      const response = await fetch(url, {
        method: content.method,
        headers,
        body: content.body === null ? null : body.value,
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      })
      return renderAnswer(response, await response.text())
    } catch (error) {
      return [make('p', { className: 'error' }, `No answer came. ${error}`)]
    }
  }

  /**
   * @param {Response} response
   * @param {string} text
   */
  function renderAnswer({ ok, status, headers }, text) {
    const requestId = headers.get('Request-Id') ?? ''
    const title = make('p', {}, make('b', { className: ok ? 'good' : 'bad' }, String(status)), ' ')
    title.append(make('code', {}, requestId))
    if (headers.get('Idempotent-Replayed') === 'true') title.append(' replayed')
    const code = make('pre', { tabIndex: 0, role: 'group', ariaLabel: 'Body of the answer' })
    code.append(make('code', {}, indent(text)))
    const sample = make('figure', { className: 'sample' }, code)
    sample.append(makeCopyButton(sample))
    return [title, sample]
  }
}

/**
 * @param {string} json Not parsed, so that amounts keep both of their decimals.
 */
function indent(json) {
  let depth = 0
  const line = (/** @type {number} */ change) => {
    depth += change
    return `\n${'  '.repeat(depth)}`
  }
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') return token + line(1)
    if (token === '}' || token === ']') return line(-1) + token
    if (token === ',') return token + line(0)
    return token === ':' ? ': ' : token
  })
}
