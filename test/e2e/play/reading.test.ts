import { afterAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import { beginTurn } from '../../support/browser/turn.ts'
import { startEndpoint } from '../../support/endpoint/endpoint.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm', second_call: 'off' })

const ARABIC = 'وصل الضباب من البحر ببطء، كما يفعل دائما في آخر ليلة من الشهر. '
const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 700 },
]

/** The page of a new story with this opening. */
async function opened(opening: string, options: Parameters<typeof visit>[1] = {}): Promise<Page> {
  const { body: scenario } = await server.post('/api/scenarios', {
    title: ARABIC.slice(0, 10),
    prompt: opening,
  })
  const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
  const { page } = await visit(server.address, options)
  await page.goto(`/adventures/${body.id}`)
  return page
}

const styleOf = (page: Page, selector: string, name: string, pseudo?: string) =>
  page
    .locator(selector)
    .last()
    .evaluate((one, [key, of]) => getComputedStyle(one, of).getPropertyValue(key ?? ''), [name, pseudo])

describe.skipIf(!hasBrowser)('the page is set as its story is written', () => {
  test('a story from right to left stands at the right, also while it streams', async () => {
    const page = await opened(ARABIC.repeat(5))
    const end = await beginTurn(page, endpoint, ARABIC.trim())
    await page.fill('#words', ARABIC)
    for (const selector of ['h1', '.narration:not(#telling) .prose', '#told', '#words'])
      expect([selector, await styleOf(page, selector, 'direction')]).toEqual([selector, 'rtl'])
    expect(await page.locator('.drop-cap').count()).toBe(0)
    end.open()
    await page.waitForSelector('#telling', { state: 'detached' })
  })

  test('a paragraph in other letters has its own direction', async () => {
    const page = await opened(`${ARABIC.repeat(3)}\n\nShe reads it twice.`)
    const ends = await page.locator('.prose p').evaluateAll((paragraphs) =>
      paragraphs.map((paragraph) => {
        const range = document.createRange()
        range.selectNodeContents(paragraph)
        const line = [...range.getClientRects()].at(-1)
        const { left, right } = paragraph.getBoundingClientRect()
        return line && line.left - left < right - line.right ? 'left' : 'right'
      }),
    )
    expect(ends).toEqual(['right', 'left'])
  })

  for (const viewport of WINDOWS)
    test(`a drop cap stands on the second line (${viewport.width} px)`, async () => {
      const page = await opened(
        `Fog comes up the bay, ${'slowly and from the wrong side, '.repeat(9)}\n\nYou wait.`,
        {
          viewport,
        },
      )
      expect(await styleOf(page, '.drop-cap .prose p:first-child', 'initial-letter', '::first-letter')).toBe(
        '2',
      )
      const heights = await page.locator('.prose p').evaluateAll((all) => all.map((one) => one.clientHeight))
      expect(heights[0]).toBeGreaterThan((heights[1] ?? 0) * 2)
    })
})
