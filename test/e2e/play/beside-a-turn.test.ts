import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, openPanel, passages } from '../../support/browser/browser.ts'
import { beginTurn, FIRST, HALF, openStory } from '../../support/browser/turn.ts'
import { say } from '../../support/endpoint/endpoint.ts'
import { retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const open = (options?: Parameters<typeof openStory>[2]) => openStory(server, endpoint, options)
const begin = (page: Page, told?: string) => beginTurn(page, endpoint, told)

describe.skipIf(!hasBrowser)('while the narrator speaks', () => {
  test('what is done beside the story does not end the turn', async () => {
    const { page, id, asked, faults } = await open({ viewport: { width: 1280, height: 800 } })
    const path = `/api/adventures/${id}`
    const { actions } = (await server.get(path)).body
    await server.send('PUT', `${path}/bookmarks/${actions.at(-1).id}`, { name: 'Here' })
    await server.post(`${path}/memories`, { text: 'The key is false.' })
    await page.reload()
    const end = await begin(page)
    const said = (words: string) => page.locator('#panel .did', { hasText: words }).waitFor()
    const follow = (name: string) => openPanel(page, name)
    const fold = (name: string) => page.locator('#panel summary', { hasText: name }).first().click()
    const press = (name: string) => page.locator('#panel').getByRole('button', { name, exact: true }).click()

    await follow('Memory')
    await page.locator('#panel .memories').waitFor()
    await fold('Edit')
    await press('Pin (always use)')
    await said('Saved.')
    await page.getByText('Written by you, pinned').waitFor()
    await fold('Add a memory')
    await page.getByLabel('What to remember').fill('It rains.')
    await press('Add memory')
    await said('Added.')
    await page.uncheck('[name=auto_summarize]')
    await said('Saved.')

    await page.locator('#story h2', { hasText: 'bookmarked' }).waitFor()
    await follow('Contents')
    await fold('Rename or remove')
    await page.getByLabel(/^Name of the bookmark/).fill('There')
    await press('Rename')
    await said('Saved.')
    await fold('Rename or remove')
    await page.locator('#panel [name=name]').evaluate((field) => field.removeAttribute('maxlength'))
    await page.getByLabel(/^Name of the bookmark/).fill('x'.repeat(300))
    await press('Rename')
    await page.locator('#panel-notice', { hasText: 'up to 200 characters' }).waitFor()
    await page.locator('#panel .panel-head', { hasText: 'Contents' }).waitFor()
    await page.getByLabel(/^Name of the bookmark/).fill('There')
    await press('Remove')
    await said('Bookmark removed.')
    await page.locator('#story h2', { hasText: 'bookmarked' }).waitFor({ state: 'detached' })

    await follow('Plot')
    await page.getByLabel('Plot essentials').fill('A lamp.')
    await page.getByLabel('Language').selectOption({ label: 'German' })
    await page.locator('.saving', { hasText: /^Saved$/ }).waitFor()
    const { memory, language } = (await server.get(path)).body
    expect([memory, language]).toEqual(['A lamp.', 'de'])
    await press('New card')
    const card = page.locator('#card-list > details').last()
    await card.locator('summary', { hasText: 'Unnamed card' }).waitFor()
    await page.locator('#card-list input:focus').fill('Boat')
    await page.locator('.saving', { hasText: /^Saved$/ }).waitFor()
    await card.locator('summary', { hasText: 'Boat' }).waitFor()
    await press('Delete this card')
    await said('Deleted.')

    await openPanel(page, 'Search')
    await page.locator('#panel [name=q]').fill('lamp')
    await press('Search')
    await page.locator('#panel .hits li').first().waitFor()

    end.open()
    await page.locator('article.narration', { hasText: `${HALF} and the rest.` }).waitFor()
    expect(asked).toEqual([])
    expect((await server.get(path)).body).toMatchObject({
      interrupted: null,
      memory: 'A lamp.',
      auto_summarize: false,
    })
    expect(faults.filter((fault) => !fault.includes('status of 422'))).toEqual([])
  })

  test('nor does going on from another version: the page stays', async () => {
    const { page, id } = await open()
    endpoint.next(say('The lamp is out.'))
    await retryTurn(server, id)
    await page.reload()
    const path = page.url()
    await page.getByTitle('Compare versions').last().click()
    await page.getByRole('button', { name: 'Use this one: version 1' }).click()
    await page.locator('#panel:empty').waitFor({ state: 'attached' })
    await eventually(async () => (await passages(page)).at(-1), FIRST)
    expect(page.url()).toBe(path)
  })
})
