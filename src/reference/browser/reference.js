/** The interactive parts of the reference: search, copying, one language everywhere, and sending a request. */

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
function byId(id, kind) {
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
function make(tag, properties, ...children) {
  const made = document.createElement(tag)
  Object.assign(made, properties)
  made.append(...children)
  return made
}

const announcement = byId('announcement', HTMLElement)

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

/** @typedef {{ kind: string, name: string, hint: string, text: string, element: Element }} Findable */

function startSearch() {
  const input = byId('search', HTMLInputElement)
  const results = byId('results', HTMLElement)
  const box = input.closest('.search')
  if (!(box instanceof HTMLElement)) return
  /** @type {Findable[] | null} */
  let index = null
  box.hidden = false

  const show = () => {
    index ??= readIndex()
    const groups = input.value.trim() === '' ? [] : find(index, input.value)
    results.hidden = input.value.trim() === ''
    results.replaceChildren(...groups.map((group) => renderGroup(group, close)))
    const count = groups.reduce((sum, { found }) => sum + found.length, 0)
    if (count === 0) results.append(make('p', { textContent: 'Nothing found.' }))
    announcement.textContent = results.hidden ? '' : `${count} found.`
  }
  const close = () => {
    results.hidden = true
    input.blur()
  }

  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) results.hidden = true
  })
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) results.hidden = true
  })
  box.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')]
    const at = links.findIndex((link) => link.matches(':focus'))
    if (event.key === 'Escape') {
      input.value = ''
      close()
    } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : input)?.focus()
    else if (event.key === 'Enter' && at === -1) links[0]?.click()
    else return
    event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** @returns {Findable[]} */
function readIndex() {
  /** @type {Findable[]} */
  const index = []
  for (const article of document.querySelectorAll('article')) {
    const request = article.querySelector('.request')?.textContent ?? ''
    const title = article.querySelector('h3')?.textContent ?? ''
    const kind = request === '' ? 'Messages' : 'Operations'
    const { name = '' } = article.dataset
    index.push({ kind, name, hint: request || 'Message', text: `${title} ${article.id}`, element: article })
    for (const field of article.querySelectorAll('.fields:not(.codes) > div')) {
      index.push({ kind: 'Fields', ...readTerm(field), hint: `${name}, ${placeOf(field)}`, element: field })
    }
  }
  for (const error of document.querySelectorAll('#errors .fields > div')) {
    const term = readTerm(error)
    index.push({ kind: 'Errors', ...term, hint: term.text, element: error })
  }
  for (const chapter of document.querySelectorAll('.guide[id]')) {
    const name = chapter.querySelector('h2')?.textContent ?? ''
    index.push({ kind: 'Guide', name, hint: '', text: chapter.textContent ?? '', element: chapter })
  }
  return index
}

/** @param {Element} field Whether it is part of the body, the answer and so on, and inside which other fields. */
function placeOf(field) {
  /** @type {string[]} */
  const outer = []
  let list = field.parentElement
  for (let parent = list?.closest('.fields > div'); parent; parent = list?.closest('.fields > div')) {
    outer.unshift(readTerm(parent).name)
    list = parent.parentElement
  }
  let before = list?.previousElementSibling
  while (before && before.tagName !== 'H4') before = before.previousElementSibling
  return [before?.textContent?.toLowerCase() ?? '', ...outer].join(', ')
}

/** @param {Element} pair A term and what is said about it. */
function readTerm(pair) {
  const status = pair.querySelector('dt .status')?.textContent ?? ''
  return {
    name: pair.querySelector('dt code')?.textContent ?? '',
    text: `${pair.querySelector('dd')?.textContent ?? ''} ${status}`,
  }
}

/** What other services call the things that this one has: the first word is ours. */
const SYNONYMS = [
  ['cursor', 'pagination', 'paging', 'paginate', 'offset'],
  ['test mode', 'sandbox', 'staging', 'playground'],
  ['liquidat', 'break', 'withdraw', 'redeem', 'terminat', 'encash', 'premature', 'close'],
  ['penal', 'penalty', 'fee', 'charge'],
  ['rate_limited', 'throttl', 'quota'],
  ['api key', 'token', 'bearer', 'credential', 'authentication', 'login'],
  ['idempot', 'retry', 'retries', 'duplicate'],
  ['webhook', 'callback', 'hook', 'notification'],
  ['signature', 'hmac', 'signing', 'verify'],
  ['lien', 'hold', 'block', 'freeze', 'pledge'],
  ['revers', 'undo', 'void', 'refund', 'cancel'],
  ['approv', 'maker', 'checker', 'dual'],
  ['roll', 'renew', 'reinvest'],
  ['calendar', 'holiday'],
  ['audit', 'history', 'trail'],
  ['export', 'download', 'csv'],
  ['customer', 'client', 'holder'],
]

/** @param {string} word */
function spellingsOf(word) {
  const group = SYNONYMS.find(([, ...others]) => others.some((other) => word.startsWith(other)))
  return group === undefined ? [word] : [word, group[0] ?? word]
}

const KINDS = ['Operations', 'Fields', 'Errors', 'Messages', 'Guide']

/**
 * @param {readonly Findable[]} index
 * @param {string} query Every word of it has to occur, in one of its spellings; those whose name it begins come first.
 */
function find(index, query) {
  const words = query.toLowerCase().trim().split(/\s+/)
  const phrase = words.join(' ')
  const spellings = words.map(spellingsOf)
  const everyWordIn = (/** @type {string} */ text) =>
    spellings.every((ones) => ones.some((one) => text.includes(one)))
  const rank = (/** @type {Findable} */ { name }) => {
    const known = name.toLowerCase()
    if (known === phrase) return 0
    if (known.startsWith(phrase)) return 1
    return everyWordIn(known) ? 2 : 3
  }
  const matches = index
    .filter(({ name, hint, text }) => everyWordIn(`${name} ${hint} ${text}`.toLowerCase()))
    .sort((one, other) => rank(one) - rank(other))
  return KINDS.map((kind) => ({ kind, found: matches.filter((match) => match.kind === kind) })).filter(
    ({ found }) => found.length > 0,
  )
}

const SHOWN_MAX = 5

/**
 * @param {{ kind: string, found: Findable[] }} group
 * @param {() => void} close
 */
function renderGroup({ kind, found }, close) {
  const items = found.slice(0, SHOWN_MAX).map(({ name, hint, element }) => {
    const place = element.id || element.closest('[id]')?.id
    const link = make('a', { href: `#${place}` }, make('b', {}, name), ' ', make('span', {}, hint))
    link.addEventListener('click', () => {
      close()
      // After the browser has gone to the place in the page.
      setTimeout(() => reveal(element))
    })
    return make('li', {}, link)
  })
  const more = found.length > SHOWN_MAX ? `, ${SHOWN_MAX} of ${found.length}` : ''
  return make('div', {}, make('p', { className: 'group' }, kind + more), make('ul', {}, ...items))
}

/** @param {Element} element */
function reveal(element) {
  for (
    let outer = element.closest('details');
    outer;
    outer = outer.parentElement?.closest('details') ?? null
  ) {
    outer.open = true
  }
  for (const earlier of document.querySelectorAll('.found')) earlier.classList.remove('found')
  element.classList.add('found')
  element.scrollIntoView({ block: element.matches('article, section') ? 'start' : 'center' })
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
