import { afterAll } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const executablePath = process.env.APP_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Whether there is a browser to test with. */
export const hasBrowser = existsSync(executablePath)

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const contexts: { context: BrowserContext; folder: string }[] = []

afterAll(async () => {
  for (const { context, folder } of contexts.splice(0)) {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A page of a fresh browser, and everything that went wrong in it: complaints of its console, and requests to others. */
export interface Visit {
  page: Page
  faults: string[]
}

/** Opens a browser that closes with the tests of the file. */
export async function visit(address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-browser-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    headless: true,
    args: QUIET,
    baseURL: address,
    ...options,
  })
  contexts.push({ context, folder })
  context.setDefaultTimeout(10_000)
  const page = context.pages()[0] ?? (await context.newPage())
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
  await page.getByRole('button', { name: 'Begin this story' }).click()
  await page.waitForURL(/\/adventures\/\d+/)
}

/** The passages of the page, as a reader sees them. */
export async function passages(page: Page): Promise<string[]> {
  return (await page.locator('#story article .prose').allInnerTexts()).map((text) => text.trim())
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
