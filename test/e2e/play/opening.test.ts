import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, visit } from '../../support/browser/browser.ts'
import { sampled } from '../../support/depth.ts'
import { makeAdventure } from '../../support/files/make.ts'
import { AT, lampStory } from '../../support/files/portable.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'

const WINDOWS = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 700 } }

/** Runs in the page before its scripts: the frames that showed the story without its end. */
function watchFrames(): void {
  const wrong: number[] = []
  Object.assign(window, { wrong })
  const look = () => {
    const end = document.querySelector('#end')?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY
    if (document.querySelector('#story article') && end > innerHeight) wrong.push(scrollY)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const leftBelow = (page: Page) =>
  page.evaluate(() => Math.round(document.documentElement.scrollHeight - innerHeight - scrollY))

describe.skipIf(!hasBrowser)('a story opens where its reader is', () => {
  let server: TestServer
  let long = 0
  let fresh = 0
  beforeAll(async () => {
    server = await startServer()
    long = await story(200)
    fresh = await story(1)
  })

  /** A story of so many long passages. */
  async function story(passages: number): Promise<number> {
    const { body } = await server.post('/api/import?apply=1', {
      ...JSON.parse(makeAdventure(lampStory(), AT)),
      actions: Array.from({ length: passages }, (_, i) => ({
        type: i === 0 ? 'start' : i % 2 ? 'do' : 'ai',
        text: `Passage ${i}.\n\n${'The road goes on and on. '.repeat(i === 0 ? 400 : 40)}`,
      })),
    })
    return body.adventure_ids[0]
  }

  for (const [name, viewport] of sampled(Object.entries(WINDOWS)))
    for (const javaScriptEnabled of [true, false])
      describe(`${name}, ${javaScriptEnabled ? 'with' : 'without'} script`, () => {
        let page: Page
        beforeAll(async () => {
          page = (await visit(server.address, { viewport, javaScriptEnabled })).page
        })

        test('at the end', async () => {
          for (const hash of ['', '#end']) {
            await page.goto('/')
            await page.goto(`/adventures/${long}${hash}`)
            await eventually(async () => [hash, await leftBelow(page)], [hash, 0])
          }
        })

        test('from the library, at the end', async () => {
          await page.goto('/')
          await page
            .locator(`main h2 a[href*="/adventures/${long}"], main h3 a[href*="/adventures/${long}"]`)
            .first()
            .click()
          await page.waitForURL(/#end$/)
          await eventually(() => leftBelow(page), 0)
        })

        test('at its first line, if there is only its opening', async () => {
          await page.goto(`/adventures/${fresh}#end`)
          expect(await page.evaluate(() => scrollY)).toBe(0)
          expect(await leftBelow(page)).toBeGreaterThan(0)
        })

        test('at the passage that a link leads to', async () => {
          await page.goto(`/adventures/${long}?panel=contents#panel`)
          await page.getByRole('link', { name: 'Go to the opening' }).click()
          await page.waitForURL(/#action-\d+$/)
          const isInWindow = () =>
            page.locator('article:target').evaluate((one) => {
              const { top } = one.getBoundingClientRect()
              return top >= 0 && top < innerHeight
            })
          await eventually(isInWindow, true)
        })

        test('where it was left, when it is loaded again', async () => {
          await page.goto(`/adventures/${long}`)
          await page.evaluate(() => scrollBy({ top: -900, behavior: 'instant' }))
          const left = await leftBelow(page)
          await page.reload()
          await eventually(() => leftBelow(page), left)
        })
      })

  test('and nothing else is painted before, with at most ten requests', async () => {
    const { page, faults } = await visit(server.address, { viewport: WINDOWS.desk })
    await page.addInitScript(watchFrames)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.goto(`/adventures/${long}`)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    expect(await page.evaluate(() => (window as unknown as { wrong: number[] }).wrong)).toEqual([])
    expect(requests.length).toBeLessThanOrEqual(10)
    expect(faults).toEqual([])
  })
})
