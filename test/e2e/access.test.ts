import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CDPSession, Page } from 'playwright-core'
import { createApp } from '../../src/app/app.ts'
import { createServer } from '../../src/server.ts'
import { OF_ROOM, resize, tooWide, violations } from '../support/browser/axe.ts'
import { hasBrowser, visit } from '../support/browser/browser.ts'
import { fillLibraries, SCREENS, type Screen, type Shown } from '../support/browser/screens.ts'
import { setTheme } from '../support/browser/theme.ts'
import { sampled } from '../support/depth.ts'
import { startEndpoint } from '../support/endpoint/endpoint.ts'
import { NO_ACCESS } from '../support/service/routes.ts'
import { startServer } from '../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const [server, bare] = await Promise.all([startServer(), startServer()])

/** How a screen is looked at. At 200 % a window of 1280 has room for 640. */
const SIZES = [
  { width: 1280, zoom: 1, colorScheme: 'light', rules: undefined },
  { width: 640, zoom: 2, colorScheme: 'light', rules: OF_ROOM },
  { width: 320, zoom: 1, colorScheme: 'dark', rules: undefined },
] as const
const NARROW = [
  { width: 320, zoom: 1, colorScheme: 'light', rules: undefined },
  { width: 320, zoom: 1, colorScheme: 'dark', rules: ['color-contrast'] },
] as const

test('no page is without its screens', async () => {
  const routes = (await createServer(createApp(server.deps), NO_ACCESS)).routes
    .filter(({ method, path }) => method === 'GET' && !/^\/(public|api\/(?!docs$)|api$)|\/events$/.test(path))
    .map(({ path }) => path)
  expect(routes.sort()).toEqual(Object.keys(SCREENS).sort())
})

describe.skipIf(!hasBrowser)('no rule of access is broken', () => {
  let shown: Shown
  let page: Page
  let window: CDPSession
  beforeAll(async () => {
    shown = await fillLibraries(server, bare, endpoint)
    const visitor = await visit(server.address, { reducedMotion: 'reduce' })
    page = visitor.page
    window = await page.context().newCDPSession(page)
  })

  for (const [route, screens] of Object.entries(SCREENS))
    test(route, async () => {
      const faults: string[] = []
      for (const screen of sampled(screens(shown), 1)) faults.push(...(await faultsOf(screen)))
      expect(faults).toEqual([])
    })

  const styleOf = (selector: string, property: 'backgroundColor' | 'color' | 'position') =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element)[name], property)

  test('what is chosen can be seen where the system sets all colors, and what is current be read', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(new URL(`/adventures/${shown.plain}`, server.address).href)
    const [chosen, other] = ['.modes [value=do] + span', '.modes [value=say] + span']
    expect(await styleOf(chosen, 'backgroundColor')).not.toBe(await styleOf(other, 'backgroundColor'))
    await page.goto(new URL(`/adventures/${shown.plain}/branches`, server.address).href)
    const [current, branch] = ['.branch[aria-current]', '.branch:not([aria-current])']
    expect(await styleOf(current, 'backgroundColor')).toBe(await styleOf(branch, 'backgroundColor'))
    await page.emulateMedia({ forcedColors: null })
  })

  test('a story is printed in dark letters, whatever it is read in', async () => {
    await page.goto(new URL(`/adventures/${shown.story}`, server.address).href)
    await setTheme(page, server, 'light')
    const dark = await styleOf('.prose', 'color')
    await setTheme(page, server, 'dark')
    expect(await styleOf('.prose', 'color')).not.toBe(dark)
    await page.emulateMedia({ media: 'print' })
    expect([await styleOf('.prose', 'color'), await styleOf('.story-head', 'position')]).toEqual([
      dark,
      'static',
    ])
    await page.emulateMedia({ media: null })
    await setTheme(page, server, 'system')
  })

  async function faultsOf({ name, path, isNarrow = false, reach, leave, themes = [], isBare }: Screen) {
    const faults: string[] = []
    const add = (where: string, found: string[]) =>
      faults.push(...found.map((fault) => `${name}, ${where}: ${fault}`))
    await resize(window, isNarrow ? 320 : 1280)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(new URL(path, (isBare ? bare : server).address).href)
    await reach?.(page)
    await unstick(page)
    if ((await page.locator('h1').count()) !== 1) add('anywhere', ['not one h1'])
    for (const { width, zoom, colorScheme, rules } of isNarrow ? NARROW : SIZES) {
      await resize(window, width, zoom)
      await page.emulateMedia({ colorScheme })
      add(`${colorScheme}, ${width} px`, await violations(page, rules))
      add(`${width} px`, await tooWide(page))
    }
    for (const theme of themes) {
      await setTheme(page, server, theme)
      add(theme, await violations(page, ['color-contrast']))
    }
    await server.send('PUT', '/api/preferences', { theme: 'system' })
    await leave?.(page)
    return faults
  }

  /** The bar and the desk cover a part of whatever lies at their edges, which is another at every width and place. */
  const unstick = (shown: Page) =>
    shown.evaluate(() => {
      for (const one of document.querySelectorAll<HTMLElement>('.story-head, .desk'))
        one.style.setProperty('position', 'static')
    })
})
