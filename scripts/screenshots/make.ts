// The pictures of README and docs, taken of a library that is made for them. Run it with `npm run pictures`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { start } from '../../src/start.ts'
import { type ScriptedEndpoint, startEndpoint } from '../../test/support/endpoint/endpoint.ts'
import { loopback } from '../../test/support/service/loopback.ts'
import { DRAFT } from './ferry.ts'
import { playFerry, sender } from './play-ferry.ts'

const PICTURES = join(import.meta.dir, '../../docs/pictures')
const WIDE = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 780 }

const folder = mkdtempSync(join(tmpdir(), 'inglenook-pictures-'))
const endpoint = await startEndpoint()
const service = await start(loopback(join(folder, 'library.db')), { idleDelay: 1_000_000 })
const browser = await chromium.launch({
  executablePath: process.env.APP_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const story = await playedLibrary(endpoint)
  mkdirSync(PICTURES, { recursive: true })
  const page = await browser.newPage({ baseURL: service.address, viewport: WIDE })

  await page.goto(`/adventures/${story}`)
  await page.fill('#words', DRAFT)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await picture(page, 'play')

  const passage = await page.locator('article.narration').last().getAttribute('id')
  await page.goto(`/adventures/${story}?panel=attempts&action=${passage?.replace('action-', '')}`)
  await picture(page, 'attempts')

  await page.goto('/')
  await picture(page, 'library')

  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`/adventures/${story}`)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await picture(page, 'phone')
} finally {
  await browser.close()
  await service.stop()
  await endpoint.close()
  rmSync(folder, { recursive: true, force: true })
  // The browser's pipes would keep the process.
  process.exit()
}

/** A library of three stories; gives the one that is shown from inside. */
async function playedLibrary(narrator: ScriptedEndpoint): Promise<number> {
  const send = sender(service.address)
  for (const scenario_id of [1, 3])
    await send('POST', '/api/adventures', { scenario_id, placeholders: { 'Your name': 'Tamsin' } })
  return playFerry(service.address, narrator)
}

async function picture(page: Page, name: string): Promise<void> {
  const taken = await page.screenshot({ animations: 'disabled' })
  await Bun.write(join(PICTURES, `${name}.webp`), await new Bun.Image(taken).webp({ quality: 80 }).bytes())
}
