import { beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { eventually, hasBrowser, visit } from '../../support/browser/browser.ts'
import { sampled } from '../../support/depth.ts'
import {
  breakOff,
  editsAbout,
  gate,
  recorded,
  type Step,
  say,
  sayAround,
} from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel()

const SCREENS: Record<string, BrowserContextOptions> = {
  'a desk': { viewport: { width: 1280, height: 800 } },
  'a phone': { viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true },
}

let marks = 0

/** Paragraphs in which a mark of its own stands on every line or so. */
function passage(paragraphs: number): string {
  const sentence = () => `The **tide** comes in at m${++marks} and *goes out* again.`
  const paragraph = () => Array.from({ length: 9 }, sentence).join(' ')
  return Array.from({ length: paragraphs }, paragraph).join('\n\n* * *\n\n')
}

/** A story that counts something, with numbers of its own at its end. */
async function longStory(turns: number, schema: object = LANTERN_ROCK): Promise<string> {
  const { body: scenario } = await server.post('/api/scenarios', { title: 'Rock', stat_schema: schema })
  const { body } = await server.post('/api/adventures', { scenario_id: scenario.id, title: 'Still' })
  // Every answer of the model is a passage.
  await server.send('PATCH', `/api/adventures/${body.id}`, { memory_bank_enabled: false })
  for (let turn = 0; turn < turns; turn++) {
    endpoint.next(say(passage(1)))
    await playTurn(server, body.id, { type: 'do', text: `wait ${turn}` })
  }
  return `/adventures/${body.id}`
}

/** Follows every mark in sight frame by frame; gives the most that any has moved, and how many there were. */
async function watch(page: Page): Promise<() => Promise<{ moved: number; marks: number }>> {
  await page.evaluate(() => {
    const placesOf = () => {
      const places = new Map<string, number>()
      const range = new Range()
      const walker = document.createTreeWalker(document.querySelector('#story') as Node, NodeFilter.SHOW_TEXT)
      while (walker.nextNode())
        for (const { 0: mark, index } of (walker.currentNode.textContent ?? '').matchAll(/m\d+/g)) {
          range.setStart(walker.currentNode, index)
          range.setEnd(walker.currentNode, index + 1)
          places.set(mark, range.getBoundingClientRect().top)
        }
      return places
    }
    const desk = document.querySelector('.desk')?.getBoundingClientRect().top ?? innerHeight
    const from = [...placesOf()].filter(([, top]) => top > 60 && top < desk - 30)
    if (from.length < 4) throw new Error('Nothing is read here.')
    const state = { moved: 0, marks: from.length }
    const look = () => {
      const now = placesOf()
      for (const [mark, top] of from) {
        const moved = Math.abs((now.get(mark) ?? top) - top)
        state.moved = Math.max(state.moved, moved)
      }
      if (![...now.keys()].some((mark) => mark === from[0]?.[0])) state.moved = Number.NaN
      frame = requestAnimationFrame(look)
    }
    let frame = 0
    const own = window as unknown as { watched: object; unwatch?: () => void }
    own.unwatch?.()
    own.unwatch = () => cancelAnimationFrame(frame)
    own.watched = state
    look()
  })
  return async () => {
    await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))))
    return page.evaluate(() => {
      const { moved, marks } = (window as unknown as { watched: { moved: number; marks: number } }).watched
      return { moved: Math.round(moved * 10) / 10, marks }
    })
  }
}

/** Goes to where a passage, counted from the end, has its middle in sight, below half of a last line. */
async function readAt(page: Page, [which, back]: Place): Promise<void> {
  await page.evaluate(
    ([selector, at]) => {
      const read = [...document.querySelectorAll(selector)].at(at) as Element
      const { top, height } = read.getBoundingClientRect()
      scrollBy(0, top + Math.min(height / 2, 900) - 100)
      const cut = [...read.querySelectorAll('p')].find((one) => one.getBoundingClientRect().bottom > 60)
      scrollBy(0, Math.round(cut?.getBoundingClientRect().bottom ?? 0) - 70)
    },
    [which, back] as const,
  )
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))))
}

/** The first line in sight, by the mark in it, and where it stands. */
async function firstInSight(page: Page): Promise<{ mark: string; top: number }> {
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))))
  return page.evaluate(() => {
    const range = new Range()
    const walker = document.createTreeWalker(document.querySelector('#story') as Node, NodeFilter.SHOW_TEXT)
    while (walker.nextNode())
      for (const { 0: mark, index } of (walker.currentNode.textContent ?? '').matchAll(/m\d+/g)) {
        range.setStart(walker.currentNode, index)
        range.setEnd(walker.currentNode, index + 1)
        const { top } = range.getBoundingClientRect()
        if (top >= 60) return { mark, top: Math.round(top * 10) / 10 }
      }
    return { mark: '', top: 0 }
  })
}

const isAtEnd = (page: Page) => page.evaluate(() => innerHeight + scrollY >= document.body.scrollHeight - 2)
const STILL = { moved: 0, marks: expect.any(Number) }
type Place = [selector: string, at: number]
const OLD: Place = ['#story > article.narration .prose', -4]
const NEWEST: Place = ['#story > article:not(.telling) .prose', -1]
const TOLD: Place = ['#told', 0]

describe.skipIf(!hasBrowser)('the line that is being read', () => {
  for (const [screen, options] of sampled(Object.entries(SCREENS)))
    describe(`on ${screen}`, () => {
      let page: Page
      let faults: string[]
      beforeAll(async () => {
        ;({ page, faults } = await visit(server.address, options))
        await page.goto(await longStory(8))
      })

      /** Presses a button, and waits until the first of what is told then is there. */
      async function press(button: string, answer: (first: string) => Step): Promise<void> {
        const first = passage(10)
        const last = `m${marks} `
        endpoint.next(answer(first))
        // An interrupted reply may have a button of this name, too.
        await page.getByRole('button', { name: button, exact: true }).last().click()
        await page.locator('#told', { hasText: last }).waitFor()
      }

      const ended = () => page.waitForSelector('#telling, .htmx-request', { state: 'detached' })
      const toNewest = () => page.getByRole('button', { name: 'More below' }).click()

      for (const [what, button] of [
        ['more is told', 'Continue'],
        ['a passage is told anew', 'Retry'],
      ] as const) {
        for (const [where, place] of [
          ['among what was told before', OLD],
          ['in the passage that is being told', TOLD],
        ] as const)
          test(`stays ${where} while ${what}, and counted`, async () => {
            const end = gate()
            await press(button, (first) =>
              recorded(
                sayAround(first, end, `\n\n${passage(5)}`),
                say(editsAbout(first, { 'player.warmth': -3 })),
              ),
            )
            await readAt(page, place)
            const watched = await watch(page)
            end.open()
            await ended()
            await page.waitForSelector('#story > :last-child .changes')
            expect(await watched()).toEqual(STILL)
            await page.getByRole('button', { name: 'More below' }).click()
            await eventually(() => isAtEnd(page), true)
            await page.locator('#newer').waitFor({ state: 'hidden' })
          })

        test(`stays where it is when that fails: ${what}`, async () => {
          const end = gate()
          await press(button, (first) => breakOff(first, end))
          await readAt(page, button === 'Retry' ? OLD : NEWEST)
          const watched = await watch(page)
          end.open()
          await ended()
          await page.locator('#notice').waitFor()
          expect(await watched()).toEqual(STILL)
          expect(await page.locator('#newer').isVisible()).toBe(false)
        })
      }

      test('stays where it is when another attempt is shown', async () => {
        await readAt(page, OLD)
        for (const to of ['Previous version', 'Next version']) {
          const watched = await watch(page)
          await page.locator(`[aria-label="${to}"]`).dispatchEvent('click')
          await ended()
          expect(await watched()).toEqual(STILL)
        }
      })

      test('stays where it is when passages of long ago come in above it, and when a turn is undone then', async () => {
        await page.goto(await longStory(62))
        const passages = () => page.locator('#story article').count()
        for (let pages = 2; pages <= 3; pages++) {
          const shown = await passages()
          await page.evaluate(() => scrollTo(0, 350))
          const watched = await watch(page)
          await page.waitForFunction((n) => document.querySelectorAll('#story article').length > n, shown)
          expect(await watched()).toEqual(STILL)
        }
        expect(await passages()).toBe(125)
        await page.locator('#earlier').waitFor({ state: 'detached' })
        const watched = await watch(page)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.waitForFunction(() => document.querySelectorAll('#story article').length === 123)
        expect(await watched()).toEqual(STILL)
        // What stayed can still be used.
        await page
          .locator('#story article')
          .first()
          .getByRole('link', { name: 'Edit', exact: true })
          .dispatchEvent('click')
        await page.locator('#story article:first-of-type.editing').waitFor()
        expect(faults).toEqual([])
      })

      test('stays where it is when a panel is opened, and its column with it', async () => {
        await server.send('PUT', '/api/preferences', { measure: 90, size: 200 })
        await page.goto(await longStory(6, {}))
        await readAt(page, OLD)
        const width = await page.locator('.column').evaluate((column) => column.clientWidth)
        const first = await firstInSight(page)
        for (const panel of ['Plot', 'Memory', 'Contents', 'Text settings', 'Insights']) {
          await page
            .locator('.story-head')
            .getByRole('link', { name: new RegExp(`${panel}$`), includeHidden: true })
            .first()
            .dispatchEvent('click')
          await page.locator('#panel h2').getByText(new RegExp(panel)).waitFor()
          expect([panel, await firstInSight(page)]).toEqual([panel, first])
        }
        expect(await page.locator('.column').evaluate((column) => column.clientWidth)).toBe(width)
        await page.locator('#panel').getByRole('link', { name: 'Close' }).click()
        await page.waitForSelector('#panel:empty', { state: 'attached' })
        expect(await firstInSight(page)).toEqual(first)
        await server.send('PUT', '/api/preferences', { measure: 66, size: 100 })
      })

      test('stays where it is when words are written in the desk', async () => {
        await page.goto(await longStory(6))
        await readAt(page, OLD)
        const watched = await watch(page)
        const field = await page.locator('#words').boundingBox()
        await page.mouse.click((field?.x ?? 0) + 20, (field?.y ?? 0) + 20)
        await page.keyboard.type('a word')
        for (let line = 0; line < 6; line++) await page.keyboard.press('Shift+Enter')
        await page.keyboard.type('and more')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Shift+Tab')
        await page.locator('#words:focus').waitFor()
        expect(await watched()).toEqual(STILL)
      })

      test('stays in sight above the desk for a reader who is at the end, whatever the desk shows', async () => {
        await page.goto(await longStory(6))
        const lastLine = () =>
          page.evaluate(() => {
            const bottomOf = (selector: string) =>
              [...document.querySelectorAll(selector)].at(-1)?.getBoundingClientRect() ?? new DOMRect()
            return bottomOf('#story .prose > p').bottom <= bottomOf('.desk').top
          })
        // As words come from anywhere, also where no caret leads the page along.
        await page.evaluate(() => {
          const field = document.querySelector('#words') as HTMLTextAreaElement
          field.value = 'line\n'.repeat(12)
        })
        await page.waitForFunction(() => (document.querySelector('#words')?.clientHeight ?? 0) > 150)
        await eventually(lastLine, true)
        await page.fill('#words', '')
        const end = gate()
        await press('Continue', (first) => sayAround(first, end, passage(3)))
        await toNewest()
        await eventually(lastLine, true)
        await page.fill('#words', Array.from({ length: 12 }, (_, i) => `line ${i}`).join('\n'))
        await page.waitForFunction(() => (document.querySelector('#words')?.clientHeight ?? 0) > 150)
        await eventually(lastLine, true)
        end.open()
        await ended()
        await eventually(async () => [await lastLine(), await isAtEnd(page)], [true, true])
        await page.locator('#newer').waitFor({ state: 'hidden' })
        expect(await page.inputValue('#words')).toContain('line 11')
        const failed = gate()
        await press('Retry', (first) => breakOff(first, failed))
        await toNewest()
        failed.open()
        await page.locator('#notice').getByText(/./).first().waitFor()
        await ended()
        await eventually(async () => [await lastLine(), await isAtEnd(page)], [true, true])
      })
    })
})
