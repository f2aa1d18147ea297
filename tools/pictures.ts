/**
 * Takes the pictures of docs/pictures from a demo bank of its own: `npm run pictures`. They show what the console shows,
 * so they are taken again whenever that changes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { Demo } from '../src/cli/demo-bank.ts'
import type { Role } from '../src/domain/people.ts'
import { browserAbsence, openBrowser } from '../test/support/browser.ts'
import { animatedPng, type Frame } from './animated-png.ts'
import { packedPng } from './packed-png.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const pictures = join(root, 'docs/pictures')
const WIDTH = 1360
/** What a page of documents may weigh. */
const PICTURE_MAX_BYTES = 153_600
const ANIMATION_MAX_BYTES = 1_500_000
const ANIMATION_SIZE = { width: 1184, height: 720 }
const DAY_MS = 86_400_000
let passedDays = 0

if (browserAbsence) throw new Error(browserAbsence)
const directory = await mkdtemp(join(tmpdir(), 'breakwater-pictures-'))
const port = await freePort()
const origin = `http://localhost:${port}`
const service = spawn(process.execPath, ['src/cli/main.ts', 'serve'], {
  cwd: root,
  env: { ...process.env, DATA_DIR: directory, PORT: String(port), DATABASE_URL: '' },
  stdio: 'ignore',
})
let browser: Browser | undefined
try {
  await untilReady()
  const demo: Demo = JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8'))
  await mkdir(pictures, { recursive: true })
  browser = await openBrowser()
  await takeAll(browser, demo)
} finally {
  await browser?.close()
  await ended(service)
  await rm(directory, { recursive: true })
}

async function takeAll(browser: Browser, demo: Demo): Promise<void> {
  const clerk = await signIn(browser, demo, 'CLERK')
  const deposit = `/deposits/${demo.partial_deposit_id}?type=PARTIAL&amount=50000`
  await take(clerk, deposit, 'phone', { width: 390, height: 844 })
  await take(clerk, deposit, 'deposit', { height: 790, from: '.hero' })
  await take(clerk, deposit, 'deposit-dark', { height: 790, from: '.hero', scheme: 'dark' })
  await clerk.selectOption('#reason', 'CUSTOMER_IN_BRANCH')
  await clerk.click('.act > .primary')
  await clerk.locator('dialog#sure').waitFor()
  await shoot(clerk, 'confirm', { height: 900 })
  await clerk.click('dialog#sure .primary')
  await clerk.getByRole('link', { name: 'Print the advice' }).first().click()
  await clerk.waitForURL('**/advice')
  await shoot(clerk, 'advice', { height: 800 })
  await take(clerk, '/search?q=a', 'search', { height: 700 })
  await animate(clerk, demo)

  await pass(demo, 1)
  const supervisor = await signIn(browser, demo, 'SUPERVISOR')
  await take(supervisor, '/', 'home', { height: 760 })
  await take(supervisor, '/approvals', 'approvals', { height: 900 })
  const proposal = 'until0=15&share0=90&until1=40&share1=70&until2=60&share2=50&until3=80&share3=40&share4=20'
  await take(supervisor, `/rules?${proposal}`, 'rules', { height: 860 })
  await breakForDays(demo)
  await take(supervisor, '/report', 'report', { height: 760 })
  await take(supervisor, '/audit?who=PERSON', 'audit', { height: 760 })
}

/** A deposit is found, looked at, broken in part and paid, and the letter is there: a picture of each step. */
async function animate(tab: Page, demo: Demo): Promise<void> {
  const depositId = demo.partial_deposit_id
  const { customer_id } = (await ask(demo, 'GET', `/v2/fixed-deposits/${depositId}`)) as Named<'customer_id'>
  const customer = (await ask(demo, 'GET', `/v2/customer/${customer_id}`)) as Named<'phone_number'>
  const frames: Frame[] = []
  // The caret would be in some of the pictures and not in others.
  const keep = async (ms: number) => frames.push({ png: await tab.screenshot({ caret: 'hide' }), ms })
  await tab.emulateMedia({ colorScheme: 'light' })
  await tab.setViewportSize(ANIMATION_SIZE)
  await tab.goto(`${origin}/console`)
  await keep(1200)
  await tab.keyboard.press('/')
  await tab.keyboard.type(customer.phone_number.slice(-8))
  await tab.getByRole('option').first().waitFor()
  await keep(1800)
  await tab.goto(`${origin}/console/deposits/${depositId}`)
  await keep(1800)
  await tab.locator('.hero').evaluate((element) => element.scrollIntoView())
  await tab.fill('#amount', '50000')
  await tab.waitForURL(/amount=50000/)
  await keep(2000)
  await tab.focus('#day')
  for (let day = 0; day < 45; day += 1) await tab.keyboard.press('ArrowRight')
  await tab.locator('.scrub').evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await keep(2400)
  await tab.selectOption('#reason', 'CUSTOMER_IN_BRANCH')
  await tab.locator('.act').evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await keep(1800)
  await tab.locator('.act > .button').click()
  await tab.locator('dialog#sure').waitFor()
  await keep(2400)
  await tab.click('dialog#sure .primary')
  await tab.waitForURL('**?done=liq_*')
  await keep(2200)
  await tab.getByRole('link', { name: 'Print the advice' }).first().click()
  await tab.waitForURL('**/advice')
  await keep(2800)
  const animation = animatedPng(frames)
  if (animation.length > ANIMATION_MAX_BYTES)
    throw new Error(`The animation would weigh ${animation.length} bytes.`)
  await writeFile(join(pictures, 'breaking.png'), animation)
  console.log(`breaking.png ${animation.length}`)
}

type Named<Member extends string> = Record<Member, string>

async function signIn(browser: Browser, demo: Demo, role: Role): Promise<Page> {
  const person = demo.people.find((one) => one.role === role)!
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const tab = await context.newPage()
  await tab.goto(`${origin}/console/sign-in`)
  await tab.getByLabel('E-mail').fill(person.email)
  await tab.getByLabel('Password').fill(person.password)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.waitForURL(`${origin}/console`)
  return tab
}

/** `from` is the element at the top; without it the page is not scrolled. */
type Shape = { width?: number; height: number; from?: string; scheme?: 'light' | 'dark' }

async function take(tab: Page, path: string, name: string, shape: Shape): Promise<void> {
  await tab.goto(`${origin}/console${path}`)
  await shoot(tab, name, shape)
}

async function shoot(
  tab: Page,
  name: string,
  { width = WIDTH, height, from, scheme = 'light' }: Shape,
): Promise<void> {
  await tab.emulateMedia({ colorScheme: scheme })
  await tab.setViewportSize({ width, height })
  if (from !== undefined) await tab.locator(from).evaluate((element) => element.scrollIntoView())
  const path = join(pictures, `${name}.png`)
  const picture = packedPng(await tab.screenshot())
  if (picture.length > PICTURE_MAX_BYTES) throw new Error(`${path} would weigh ${picture.length} bytes.`)
  await writeFile(path, picture)
  console.log(`${name}.png ${picture.length}`)
}

/** Something for the report to show: parts broken on several days, some with a waiver. */
async function breakForDays(demo: Demo): Promise<void> {
  const deposits = (await ask(demo, 'GET', '/v2/fixed-deposits?status=ACTIVE&limit=50')) as {
    deposit_id: string
    remaining_principal: number
  }[]
  const breakable = deposits.filter((one) => one.remaining_principal > 100_000)
  for (let day = 0; day < 8; day += 1) {
    await pass(demo, 1)
    for (const { deposit_id } of breakable.slice(0, 1 + ((day * 5) % 4))) {
      await ask(demo, 'POST', `/v2/fixed-deposits/${deposit_id}/liquidate`, {
        liquidation_type: 'PARTIAL',
        amount: 6_000 + 1_500 * ((day * 3) % 5),
        ...(day % 3 === 2 && { waiver: { percent: 25, reason: 'GOODWILL' } }),
      })
    }
  }
}

async function pass(demo: Demo, days: number): Promise<void> {
  passedDays += days
  const now = new Date(Date.now() + passedDays * DAY_MS).toISOString()
  await ask(demo, 'POST', '/v2/test-clock', { now })
}

/** A deposit that can no longer be broken is left alone. */
async function ask(demo: Demo, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${demo.test_key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return ((await answer.json()) as { data: unknown }).data
}

async function untilReady(): Promise<void> {
  for (;;) {
    if (service.exitCode !== null) throw new Error('The service did not start.')
    const answer = await fetch(`${origin}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port is free.')
  return address.port
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill()
  })
}
