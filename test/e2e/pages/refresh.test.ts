import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import { startServer } from '../../support/service/server.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const server = await startServer()

/** A story whose scenario has changed in every way, with text too long to wrap. */
async function begin() {
  const { body: scenario } = await server.post('/api/scenarios', {
    title: 'Lantern Rock',
    prompt: 'Dusk.',
    memory: 'An old lamp.',
    stat_schema: LANTERN_ROCK,
  })
  const card = { scenario_id: scenario.id, name: 'Lamp', keys: 'lamp', entry: 'It burns.' }
  const { body: lamp } = await server.post('/api/story-cards', card)
  const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id })
  const { warmth, ...player } = LANTERN_ROCK.player
  await server.send('PATCH', `/api/scenarios/${scenario.id}`, {
    memory: `A new lamp in \${Where?}. ${'x'.repeat(400)}`,
    stat_schema: { ...LANTERN_ROCK, player: { ...player, [`luck_${'y'.repeat(50)}`]: { initial: 5 } } },
  })
  await server.send('PATCH', `/api/story-cards/${lamp.id}`, { name: 'L'.repeat(200), entry: 'z'.repeat(300) })
  return { id: story.id as number, warmth }
}

const isWithin = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

describe.skipIf(!hasBrowser)('a story is updated from its scenario', () => {
  for (const javaScriptEnabled of [false, true])
    test(`on a phone, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const { id } = await begin()
      const { page, faults } = await visit(server.address, {
        viewport: { width: 390, height: 800 },
        javaScriptEnabled,
      })
      await page.goto(`/adventures/${id}`)
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('link', { name: 'Plot', exact: true }).click()
      await page.getByRole('link', { name: 'Update from scenario “Lantern Rock”' }).click()
      await page.getByRole('heading', { name: 'Update “Lantern Rock”' }).waitFor()
      expect(await isWithin(page)).toBe(true)
      await page.getByLabel('Where?').fill('Veld')
      await page.getByLabel('warmth').uncheck()
      await page.getByRole('button', { name: 'Update story' }).click()
      await page.getByText('Story updated').waitFor()
      expect(await page.getByLabel('warmth').isChecked()).toBe(true)
      const { state } = (await server.get(`/api/adventures/${id}/world-state`)).body
      expect([state.player.warmth, Object.keys(state.player).at(-1)?.slice(0, 5)]).toEqual([32, 'luck_'])
      expect((await server.get(`/api/adventures/${id}`)).body.memory).toContain('in Veld')
      expect(await isWithin(page)).toBe(true)
      expect(faults).toEqual([])
    })
})
