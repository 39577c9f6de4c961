import { afterAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasBrowser, visit } from '../support/browser.ts'
import { gate, sayAround, startEndpoint } from '../support/endpoint.ts'
import { playTurn } from '../support/events.ts'
import { startServer } from '../support/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'teller' })

const TOLD = 'The tide comes in and goes out again, and the lamp turns over the same black water. '

async function longStory(turns: number): Promise<string> {
  const { body } = await server.post('/api/adventures', { title: 'Still' })
  for (let turn = 0; turn < turns; turn++)
    await playTurn(server, body.id, { type: 'do', text: `wait ${turn}` })
  return `/adventures/${body.id}`
}

/** The first line in sight, and where it stands. */
function lineInSight(page: Page): Promise<{ text: string; top: number }> {
  return page.evaluate(() => {
    const lines = [...document.querySelectorAll('#story .prose > *')]
    const line = lines.find((one) => one.getBoundingClientRect().top > 60)
    return { text: line?.textContent ?? '', top: line?.getBoundingClientRect().top ?? 0 }
  })
}

/** Follows the line in sight frame by frame from now on; gives the most that it has moved. */
async function watchLine(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const lines = [...document.querySelectorAll('#story .prose > *')]
    const line = lines.find((one) => one.getBoundingClientRect().top > 60)
    const from = line?.getBoundingClientRect().top ?? 0
    const state = { moved: 0 }
    const look = () => {
      state.moved = Math.max(state.moved, Math.abs((line?.getBoundingClientRect().top ?? 1e9) - from))
      requestAnimationFrame(look)
    }
    look()
    Object.assign(window, { watched: state })
  })
  return () => page.evaluate(() => (window as unknown as { watched: { moved: number } }).watched.moved)
}

describe.skipIf(!hasBrowser)('the line that is being read', () => {
  for (const [screen, viewport] of [
    ['a desk', { width: 1280, height: 800 }],
    ['a phone', { width: 390, height: 700 }],
  ] as const) {
    test(`stays where it is while more is told below, on ${screen}`, async () => {
      const { page, faults } = await visit(server.address, { viewport })
      await page.goto(await longStory(12))
      const end = gate()
      endpoint.next(sayAround(TOLD.repeat(3), end, TOLD.repeat(30)))
      await page.fill('#words', 'listen')
      await page.press('#words', 'Enter')
      await page.locator('#told').getByText('The tide comes in').first().waitFor()
      await page.evaluate(() => scrollTo(0, 300))
      const moved = await watchLine(page)
      const before = await lineInSight(page)
      end.open()
      await page.locator('#telling').waitFor({ state: 'detached' })
      expect([await lineInSight(page), await moved()]).toEqual([before, 0])
      await page.getByRole('button', { name: 'New text below' }).click()
      expect(await page.evaluate(() => innerHeight + scrollY >= document.body.scrollHeight - 2)).toBe(true)
      expect(await page.locator('#newer').isVisible()).toBe(false)
      expect(faults).toEqual([])
    }, 60_000)
  }

  test('stays at the end for a reader who is there', async () => {
    const { page } = await visit(server.address)
    await page.goto(await longStory(6))
    const end = gate()
    endpoint.next(sayAround(TOLD, end, TOLD.repeat(40)))
    await page.fill('#words', 'listen')
    await page.press('#words', 'Enter')
    await page.locator('#told').getByText('The tide comes in').first().waitFor()
    end.open()
    await page.locator('#telling').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => innerHeight + scrollY >= document.body.scrollHeight - 2)).toBe(true)
    expect(await page.locator('#newer').isVisible()).toBe(false)
  }, 60_000)

  test('does not move when passages of long ago come in above it', async () => {
    const { page, faults } = await visit(server.address)
    await page.goto(await longStory(60))
    const passages = () => page.locator('#story article').count()
    for (let pages = 2; pages <= 3; pages++) {
      const shown = await passages()
      await page.evaluate(() => scrollTo(0, 350))
      const watched = await watchLine(page)
      await page.waitForFunction((n) => document.querySelectorAll('#story article').length > n, shown)
      expect(await watched()).toBeLessThan(1)
    }
    expect(await passages()).toBe(121)
    expect(await page.locator('#earlier').count()).toBe(0)
    expect(faults).toEqual([])
  }, 60_000)
})
