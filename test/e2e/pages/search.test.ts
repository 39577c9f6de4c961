import { describe, expect, test } from 'bun:test'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const { id } = (await server.post('/api/adventures', { title: 'The Marsh Road' })).body
const { actions } = (await server.get(`/api/adventures/${id}`)).body
const WORDS = `A glimmerfen heron stands in the water. ${'The reeds bend. '.repeat(30)}`
await server.send('PATCH', `/api/adventures/${id}/actions/${actions[0].id}`, { text: WORDS })
await server.post(`/api/adventures/${id}/memories`, { text: '沼泽里有一只苍鹭。glimmerfen' })
await server.post('/api/story-cards', {
  adventure_id: id,
  name: 'x'.repeat(180),
  entry: `${'averylongword'.repeat(30)} glimmerfen`,
})

describe.skipIf(!hasBrowser)('searching', () => {
  for (const javaScriptEnabled of [true, false])
    test(`leads to the passage, ${javaScriptEnabled ? 'with' : 'without'} script, on a phone`, async () => {
      const { page, faults } = await visit(server.address, {
        javaScriptEnabled,
        viewport: { width: 390, height: 844 },
      })
      const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
      await page.goto('/')
      expect(await fits()).toBe(true)
      await page.getByLabel('Search your library').fill('glimmerfen')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.waitForURL(/\/search\?q=glimmerfen/)
      expect(await page.locator('mark').allInnerTexts()).toEqual(['glimmerfen', 'glimmerfen', 'glimmerfen'])
      expect(await fits()).toBe(true)
      await page.getByRole('heading', { name: 'Passages' }).waitFor()
      await page.locator('#found-action + ul a').click()
      await page.waitForURL(/\?at=\d+#action-\d+$/)
      expect(await page.locator('article:target').innerText()).toContain('glimmerfen heron')
      await page.goto(`/search?q=${encodeURIComponent('苍鹭')}&adventure=${id}`)
      expect(await page.locator('mark').allInnerTexts()).toEqual(['苍鹭'])
      expect(await page.isChecked('[name=adventure]')).toBe(true)
      expect(await fits()).toBe(true)
      expect(faults).toEqual([])
    })
})
