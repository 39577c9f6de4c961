// Takes every screen of the accessibility test in every size and theme, and a played story besides: pictures to look at,
// not to compare. `npm run screenshots -- --all FOLDER [WORDS]` takes those whose name has the words.

import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { visit } from '../../test/support/browser/browser.ts'
import { fillLibraries, SCREENS, type Screen } from '../../test/support/browser/screens.ts'
import { setTheme } from '../../test/support/browser/theme.ts'
import { startEndpoint } from '../../test/support/endpoint/endpoint.ts'
import { startServer } from '../../test/support/service/server.ts'
import { playFerry } from './play-ferry.ts'

const PHONE = { hasTouch: true, isMobile: true, deviceScaleFactor: 1 }
const SIZES = {
  '1280': { viewport: { width: 1280, height: 800 } },
  '390': { viewport: { width: 390, height: 844 }, ...PHONE },
  '844x390': { viewport: { width: 844, height: 390 }, ...PHONE },
}
const THEMES = ['light', 'dark', 'sepia'] as const
const FOLDER = process.env.SCREENS_FOLDER ?? 'screens'
const WORDS = process.env.SCREENS_WORDS ?? ''

const endpoint = await startEndpoint()
const [server, bare] = await Promise.all([startServer(), startServer()])
const shown = await fillLibraries(server, bare, endpoint)
const ferry = await playFerry(server.address, endpoint)
mkdirSync(FOLDER, { recursive: true })

const PLAYED: Screen[] = [
  { name: 'ferry', path: `/adventures/${ferry}` },
  { name: 'ferry from its opening', path: `/adventures/${ferry}#action-1` },
]
const screens = [...Object.values(SCREENS).flatMap((make) => make(shown)), ...PLAYED].filter(({ name }) =>
  name.includes(WORDS),
)

for (const [size, options] of Object.entries(SIZES))
  test(`at ${size}`, async () => {
    const failed: string[] = []
    const { page } = await visit(server.address, { ...options, reducedMotion: 'reduce' })
    page.context().setDefaultTimeout(8_000)
    for (const screen of screens)
      await takeAll(page, screen, size).catch((cause) => failed.push(`${screen.name}: ${cause.message}`))
    await page.context().close()
    expect(failed).toEqual([])
  })

async function takeAll(page: Page, { name, path, reach, leave, isNarrow, isBare }: Screen, size: string) {
  if (isNarrow && size === '1280') return
  const where = isBare ? bare : server
  const take = async (theme: string, fullPage = false) => {
    const file = `${name.replaceAll(' ', '-')}.${size}.${theme}${fullPage ? '.whole' : ''}.png`
    await page.screenshot({ path: join(FOLDER, file), fullPage, animations: 'disabled' })
  }
  await page.goto(new URL(path, where.address).href)
  await reach?.(page)
  for (const theme of THEMES) {
    await setTheme(page, where, theme)
    await take(theme)
  }
  await setTheme(page, where, 'light')
  await take('light', true)
  await setTheme(page, where, 'system')
  await leave?.(page)
}
