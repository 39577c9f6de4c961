import { afterAll, expect } from 'bun:test'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** The browser of the machine. */
export const CHROMIUM = process.env.APP_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Whether there is a browser to test with. */
export const hasBrowser = existsSync(CHROMIUM)

/**
 * What Playwright switches off, and the suggestions of the address bar, which cost each window a second renderer: a half of
 * the processor time of a visit. Chromium reads the last list alone.
 */
const NOT_TESTED = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${NOT_TESTED.join(',')}`,
]

/** Milliseconds to wait for a page, on a busy machine. */
const TIMEOUT = 120_000

/** One browser for the tests of a file; each visit has a context of its own in it. */
let browser: Promise<Browser> | null = null

afterAll(async () => {
  await (await browser)?.close()
  browser = null
})

/** A page without a history, and everything that went wrong in it: complaints of its console, and requests to others. */
export interface Visit {
  page: Page
  faults: string[]
}

/** Opens a page that closes with the tests of the file. */
export async function visit(address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  browser ??= chromium.launch({ executablePath: CHROMIUM, headless: true, args: QUIET })
  const context = await (await browser).newContext({ baseURL: address, ...options })
  context.setDefaultTimeout(TIMEOUT)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on(
    'request',
    (request) =>
      request.url().startsWith(address) || request.url().startsWith('data:') || faults.push(request.url()),
  )
  return { page, faults }
}

/** Begins a story from a starter scenario and answers what it asks. */
export async function beginStory(page: Page, scenario = 1): Promise<void> {
  await page.goto(`/scenarios/${scenario}`)
  for (const field of await page.locator('.begin input:not([type=hidden])').all()) await field.fill('Tamsin')
  await page.getByRole('button', { name: 'Start story' }).click()
  await page.waitForURL(/\/adventures\/\d+/)
}

/** The passages of the page, as a reader sees them. */
export async function passages(page: Page): Promise<string[]> {
  return (await page.locator('#story article .prose').allTextContents()).map((text) => text.trim())
}

/** Waits until what is read from a page is the wanted value: right after an action it may still be the old one. */
export async function eventually(read: () => Promise<unknown>, wanted: unknown): Promise<void> {
  for (const end = Date.now() + TIMEOUT; ; await Bun.sleep(20))
    try {
      return expect(await read()).toEqual(wanted)
    } catch (fault) {
      if (Date.now() > end) throw fault
    }
}

/** Opens a panel of a story, by its link in the bar or in the menu. */
export async function openPanel(page: Page, name: string): Promise<void> {
  const link = page.locator('.story-head').getByRole('link', { name, exact: true })
  if (!(await link.first().isVisible())) await page.getByRole('button', { name: 'Menu' }).click()
  await link.first().click()
}

/** Types a line and sends it with the Enter key; resolves when the narrator has answered. */
export async function play(page: Page, words: string): Promise<void> {
  const before = await page.locator('article.narration').count()
  await page.fill('#words', words)
  await page.press('#words', 'Enter')
  await page.waitForFunction(
    (count) =>
      !document.querySelector('#telling') && document.querySelectorAll('article.narration').length > count,
    before,
  )
}
