import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, openPanel, visit } from '../../support/browser/browser.ts'
import { makeAdventure } from '../../support/files/make.ts'
import { AT, lampStory } from '../../support/files/portable.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'

describe.skipIf(!hasBrowser)('the tools of a passage of some time ago', () => {
  let server: TestServer
  let story = ''
  beforeAll(async () => {
    server = await startServer()
    const { body } = await server.post('/api/import?apply=1', {
      ...JSON.parse(makeAdventure(lampStory(), AT)),
      actions: Array.from({ length: 90 }, (_, i) => ({ type: i % 2 ? 'do' : 'ai', text: `Passage ${i}.` })),
    })
    story = `/adventures/${body.adventure_ids[0]}`
  })

  const passage = (page: Page, text: string) => page.locator('#story > article', { hasText: text })

  test('come in its place, and the focus goes to them', async () => {
    const { page, faults } = await visit(server.address)
    await page.goto(story)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    const old = passage(page, 'Passage 61.')
    const more = old.getByRole('link', { name: 'More' })
    await more.focus()
    const top = await old.evaluate((one) => one.getBoundingClientRect().top)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).search))
    await page.keyboard.press('Enter')
    await old.getByRole('button', { name: 'Branch from here' }).waitFor()
    expect(requests).toEqual([expect.stringMatching(/^\?at=\d+$/)])
    await eventually(() => old.evaluate((one) => one.getBoundingClientRect().top), top)
    await eventually(() => old.evaluate((one) => one.contains(document.activeElement)), true)
    const focused = (text: string) =>
      eventually(() => page.evaluate(() => document.activeElement?.textContent), text)
    await page.keyboard.press('Tab')
    await focused('Bookmark')
    await page.keyboard.press('Enter')
    await old.getByRole('heading', { name: /, bookmarked$/ }).waitFor()
    await page.locator('#phase', { hasText: 'Bookmarked. Find it under Contents.' }).waitFor()
    expect(await page.locator('#panel > *').count()).toBe(0)
    const heading = page.locator('h2', { hasText: /bookmarked$/ })
    for (const [name, marked] of [
      ['Bookmarked', 0],
      ['Bookmark', 1],
    ] as const) {
      await focused(name)
      await page.keyboard.press('Enter')
      await eventually(() => heading.count(), marked)
    }
    await focused('Bookmarked')
    await openPanel(page, 'Contents')
    await page.locator('#panel', { hasText: 'Passage 61.' }).waitFor()
    // Its tools reach down beside the next passage.
    await old.locator('.prose').hover()
    await old.getByRole('button', { name: 'Bookmarked', exact: true }).click()
    await page.locator('#panel', { hasText: 'No bookmarks yet.' }).waitFor()
    await page.keyboard.press('Escape')
    await passage(page, 'Passage 62.').locator('.prose').hover()
    await passage(page, 'Passage 62.').getByRole('link', { name: 'Edit' }).click()
    await page.locator('.editing textarea').fill('Passage 62, written anew.')
    await page.getByRole('button', { name: 'Save' }).click()
    await passage(page, 'Passage 62, written anew.').waitFor()
    await page.locator('#phase', { hasText: /^Saved\.$/ }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(story)
    expect(faults.filter((fault) => !fault.startsWith('Autofocus'))).toEqual([])
  })

  test('that is gone: the page says so, and stays', async () => {
    const { page } = await visit(server.address)
    await page.goto(story)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    const old = passage(page, 'Passage 64.')
    await old.getByRole('link', { name: 'More' }).evaluate((link: HTMLAnchorElement) => {
      link.href = link.href.replace(/at=\d+/, 'at=999999')
    })
    await old.getByRole('link', { name: 'More' }).dispatchEvent('click')
    await page.locator('#notice', { hasText: /./ }).waitFor()
    expect(await old.count()).toBe(1)
  })

  test('cannot be had: the page says so', async () => {
    const { page } = await visit(server.address)
    await page.goto(story)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    await page.route('**/adventures/*', (route) => route.abort())
    await passage(page, 'Passage 64.').getByRole('link', { name: 'More' }).dispatchEvent('click')
    await page.locator('#notice', { hasText: 'Inglenook is not responding.' }).waitFor()
    await page.locator('#notice').evaluate((notice) => notice.replaceChildren())
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.locator('#story-menu').getByRole('link', { name: 'Contents' }).click()
    await page.locator('#notice', { hasText: 'Inglenook is not responding.' }).waitFor()
    await page.locator('#story-menu').waitFor({ state: 'hidden' })
  })

  test('have their room below a line of the player, and a finger hits them', async () => {
    const { page } = await visit(server.address, {
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
    })
    await page.goto(story)
    const line = passage(page, 'Passage 61.')
    const gap = () =>
      line.evaluate((one) => {
        const box = (article: Element | null) => article?.querySelector('.prose')?.getBoundingClientRect()
        return (box(one.nextElementSibling)?.top ?? 0) - (box(one)?.bottom ?? 0)
      })
    const before = await gap()
    expect(before).toBeLessThan(30)
    await line.locator('.prose').tap()
    const edit = line.getByRole('link', { name: 'Edit' })
    expect((await edit.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await gap()).toBe(before)
    await edit.tap()
    await page.getByLabel('Text of this passage').waitFor()
  })

  test('are on a page of its place without script', async () => {
    const { page } = await visit(server.address, { javaScriptEnabled: false })
    await page.goto(story)
    await passage(page, 'Passage 63.').getByRole('link', { name: 'More' }).click()
    await page.waitForURL(/#action-\d+$/)
    await passage(page, 'Passage 63.').getByRole('button', { name: 'Branch from here' }).click()
    await page.getByRole('heading', { name: /: Passage 63/ }).waitFor()
    await page.locator('#story > article:last-of-type', { hasText: 'Passage 63.' }).waitFor()
  })
})
