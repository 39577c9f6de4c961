import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { tooWide } from '../support/browser/axe.ts'
import { eventually, hasBrowser, visit } from '../support/browser/browser.ts'
import { fillLibraries, SCREENS, type Screen, type Shown } from '../support/browser/screens.ts'
import { sampled } from '../support/depth.ts'
import { say, startEndpoint } from '../support/endpoint/endpoint.ts'
import { startServer } from '../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const [server, bare] = await Promise.all([startServer(), startServer()])

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe.skipIf(!hasBrowser)('a finger finds everything', () => {
  let shown: Shown
  let page: Page
  beforeAll(async () => {
    shown = await fillLibraries(server, bare, endpoint)
    page = (await visit(server.address, { ...PHONE, reducedMotion: 'reduce' })).page
  })

  /** Something lies over the page, and Back closes it: the browser goes back a moment after it was closed. */
  const isCovered = (covered: boolean) =>
    page.waitForFunction(
      (wanted) =>
        (history.state === 'covered') === wanted &&
        (document.querySelector(':popover-open, #panel > *') !== null) === wanted,
      covered,
    )

  for (const [route, screens] of Object.entries(SCREENS))
    test(route, async () => {
      const faults: string[] = []
      for (const screen of sampled(screens(shown), 1)) faults.push(...(await faultsOf(screen)))
      expect(faults).toEqual([])
    })

  test('the tools of a passage, without anything that hovers', async () => {
    await page.goto(`/adventures/${shown.story}`)
    const tools = page.locator('#story article .more').getByRole('link', { name: 'Edit', exact: true })
    const seen = await tools.evaluateAll((all) =>
      all.map((tool) => tool.checkVisibility({ opacityProperty: true })),
    )
    // The newest passage has them, and the others when they are tapped.
    expect(seen).toEqual(seen.map((_, i) => i === seen.length - 1))
    await page.locator('#story article .prose').first().tap()
    await page.waitForFunction(() => {
      const more = document.querySelector('#story article .more')
      return more !== null && getComputedStyle(more).opacity === '1'
    })
    await tools.first().tap()
    await page.getByLabel('Text of this passage').waitFor()
  })

  test('another version of the newest passage, by a swipe over it', async () => {
    await page.goto(`/adventures/${shown.story}`)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    const passage = page.locator('#story > article').last()
    const swipe = (from: number, to: number) =>
      passage.locator('.prose').evaluate(
        (prose, [start, end]) => {
          const touch = (clientX: number) =>
            new Touch({ identifier: 1, target: prose, clientX, clientY: 300 })
          const send = (type: string, touches: Touch[], changedTouches: Touch[]) =>
            prose.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches }))
          send('touchstart', [touch(start ?? 0)], [touch(start ?? 0)])
          send('touchend', [], [touch(end ?? 0)])
        },
        [from, to],
      )
    await swipe(100, 300)
    await passage.getByText('1/2').waitFor()
    await swipe(300, 100)
    await passage.getByText('2/2').waitFor()
  })

  test('the ways around a story in a menu, and the way back to it', async () => {
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 640 })
      await page.goto(`/adventures/${shown.story}`)
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
      for (const name of ['Plot', 'Memory', 'Contents', 'Insights', 'Search', 'Export']) {
        await page.getByRole('button', { name: 'Menu' }).tap()
        await page.getByRole('navigation', { name: 'This story' }).getByRole('link', { name }).tap()
        await page.locator(name === 'Search' ? '#panel #q:focus' : '#panel h2:focus').waitFor()
        await page.locator('#story-menu').waitFor({ state: 'hidden' })
        await page.getByRole('link', { name: 'Close' }).tap()
        await page.locator('[popovertarget="story-menu"]:focus').waitFor()
        await isCovered(false)
      }
      await page.getByRole('button', { name: 'World' }).tap()
      await isCovered(true)
      await page.getByRole('button', { name: 'Close' }).tap()
      await isCovered(false)
    }
    await page.setViewportSize(PHONE.viewport)
  })

  test('a way out of the menu beside it, which presses nothing', async () => {
    await page.goto(`/adventures/${shown.story}`)
    const edit = page.locator('#story article').last().getByRole('link', { name: 'Edit', exact: true })
    await edit.scrollIntoViewIfNeeded()
    const place = await page.locator('#story article .prose').last().boundingBox()
    await page.getByRole('button', { name: 'Menu' }).tap()
    const tapped = { x: (place?.x ?? 0) + 20, y: Math.max(60, (place?.y ?? 0) + 5) }
    const under = () =>
      page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('main') !== null, tapped)
    await eventually(under, false)
    await page.touchscreen.tap(tapped.x, tapped.y)
    await page.locator('#story-menu').waitFor({ state: 'hidden' })
    await eventually(under, true)
  })

  test('the way back from whatever covers the page, and only then from the story', async () => {
    await page.goto('/settings')
    await page.goto(`/adventures/${shown.story}`)
    const bar = page.locator('.story-head')
    const memory = async () => {
      await bar.getByRole('button', { name: 'Menu' }).tap()
      await page.locator('#story-menu').getByRole('link', { name: 'Memory' }).tap()
      await page.locator('#panel h2:focus').waitFor()
    }
    const opens = [
      () => bar.getByRole('button', { name: 'Menu' }).tap(),
      memory,
      () => bar.getByRole('link', { name: 'Text settings' }).tap(),
      () => bar.getByRole('button', { name: 'World' }).tap(),
    ]
    const closes = [() => page.goBack(), () => page.keyboard.press('Escape')]
    for (const open of opens)
      for (const close of closes) {
        await open()
        await isCovered(true)
        await close()
        await isCovered(false)
      }
    // What is opened again at once is closed by Back again.
    await bar.getByRole('button', { name: 'Menu' }).tap()
    await isCovered(true)
    await page.evaluate(() => {
      const menu = document.querySelector('#story-menu') as HTMLElement
      addEventListener('popstate', () => menu.showPopover(), { once: true })
    })
    await page.goBack()
    await isCovered(true)
    await page.goBack()
    await isCovered(false)
    await memory()
    await isCovered(true)
    await page.reload()
    await isCovered(false)
    await page.goBack()
    await page.waitForURL('**/settings')
  })

  test('what the box asks for, by what is chosen', async () => {
    await page.goto(`/adventures/${shown.story}`)
    for (const [mode, asked] of [
      ['Say', 'What do you say?'],
      ['Story', 'What happens?'],
      ['Do', 'What do you do?'],
    ] as const) {
      await page.getByRole('radio', { name: mode, exact: true }).tap()
      await page.locator(`#words[placeholder="${asked}"]`).waitFor()
    }
  })

  test('where to write, above the keyboard of the screen', async () => {
    await page.goto(`/adventures/${shown.story}`)
    const said = await page.locator('meta[name=viewport]').getAttribute('content')
    expect(said).toContain('interactive-widget=resizes-content')
    expect(said).toContain('viewport-fit=cover')
    await page.locator('#words').tap()
    // That is what the page has left then.
    await page.setViewportSize({ width: 390, height: 360 })
    await page.locator('#words').fill('A line.\n'.repeat(20))
    for (const control of [page.locator('#words'), page.getByRole('button', { name: 'Send' })]) {
      const box = await control.boundingBox()
      expect([(box?.y ?? -1) >= 44, (box?.y ?? 0) + (box?.height ?? 0) <= 360]).toEqual([true, true])
    }
    await page.setViewportSize(PHONE.viewport)
  })

  test('the new text, which no keyboard covers once a line is sent', async () => {
    await page.goto(`/adventures/${shown.plain}`)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    await page.locator('#words').tap()
    await page.fill('#words', 'listen')
    endpoint.next(say('The sea is loud.'))
    await page.getByRole('button', { name: 'Send' }).tap()
    await page.locator('#story').getByText('The sea is loud.').waitFor()
    expect(await page.locator('#words:focus').count()).toBe(0)
  })

  async function faultsOf({ name, path, reach, leave, isBare }: Screen): Promise<string[]> {
    await page.goto(new URL(path, (isBare ? bare : server).address).href)
    await reach?.(page)
    const faults = await page.evaluate(tooSmall)
    await page.setViewportSize({ width: 320, height: 640 })
    faults.push(...(await tooWide(page)))
    await page.setViewportSize(PHONE.viewport)
    await leave?.(page)
    return faults.map((fault) => `${name}: ${fault}`)
  }
})

/** Runs in the page: what can be pressed and is smaller than a finger (WCAG 2.2, 2.5.5), but for links inside sentences. */
function tooSmall(): string[] {
  const LEAST = 44
  const CONTROLS = 'a[href], button, input:not([type="hidden"]), select, textarea, summary'
  const isInSentence = (control: Element) =>
    control.matches('a') &&
    getComputedStyle(control).display === 'inline' &&
    [...(control.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.textContent ?? ''),
    )
  /** What takes a finger for it: itself, what it spreads over, or its label. */
  const placesOf = (control: HTMLElement) => [
    control,
    ...(getComputedStyle(control, '::after').position === 'absolute'
      ? [control.closest('.card, .book-tile')]
      : []),
    ...(control.matches('input[type="checkbox"], input[type="radio"]')
      ? [...((control as HTMLInputElement).labels ?? [])]
      : []),
  ]
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
    .filter(
      (control) =>
        control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
        control.matches('.modes input'),
    )
    .filter((control) => !control.closest('[inert], .unseen, .skip') && !isInSentence(control))
    .flatMap((control) => {
      const sizes = placesOf(control).map((place) => {
        const { width, height } = place?.getBoundingClientRect() ?? { width: 0, height: 0 }
        return [width, height] as const
      })
      if (sizes.some(([width, height]) => Math.min(width, height) >= LEAST - 0.5)) return []
      const [width, height] = sizes[0]?.map(Math.round) ?? []
      const words = control.getAttribute('aria-label') ?? control.textContent?.trim().slice(0, 30)
      return [
        `${width}x${height} ${control.tagName.toLowerCase()} ${control.getAttribute('name') ?? ''} ${words}`,
      ]
    })
}
