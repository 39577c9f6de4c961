import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, openPanel, visit } from '../support/browser/browser.ts'
import { gate } from '../support/endpoint/endpoint.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()

async function begin(fields: object = {}) {
  const { id } = (await server.post('/api/scenarios', { title: 'Kept', memory: 'Old.', ...fields })).body
  const { page, faults } = await visit(server.address)
  const api = `/api/scenarios/${id}`
  await page.goto(`/scenarios/${id}/edit`)
  return {
    page,
    faults,
    path: `/scenarios/${id}`,
    elsewhere: (changed: object) => server.send('PATCH', api, changed),
    stored: async () => (await server.get(api)).body,
  }
}

const isAt = (page: Page, tab: string) => page.locator('.tabs [aria-current]', { hasText: tab }).waitFor()
const press = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
/** Notes the questions of the browser whether the page may go, and lets it. */
function asked(page: Page): string[] {
  const types: string[] = []
  page.on('dialog', (dialog) => {
    types.push(dialog.type())
    return dialog.accept()
  })
  return types
}

describe.skipIf(!hasBrowser)('what is typed in a form that saves itself', () => {
  test('is saved before another tab opens', async () => {
    const { page, stored, faults } = await begin()
    await page.fill('[name=memory]', 'Mine.')
    await press(page, 'Stats')
    await isAt(page, 'Stats')
    expect((await stored()).memory).toBe('Mine.')
    expect(faults).toEqual([])
  })

  test('stays with both texts when it was changed elsewhere, whatever is pressed', async () => {
    const { page, stored, elsewhere } = await begin()
    await elsewhere({ memory: 'Theirs.' })
    await page.fill('[name=memory]', 'Mine.')
    await press(page, 'Stats')
    await page.locator('.autosave-state .clash').waitFor()
    expect(await page.inputValue('[name=memory]')).toBe('Mine.')
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'Keep mine')
    await press(page, 'Library')
    await isAt(page, 'Story')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.locator('.saving', { hasText: /^Saved$/ }).waitFor()
    await press(page, 'Stats')
    await isAt(page, 'Stats')
    expect((await stored()).memory).toBe('Mine.')
  })

  test('is asked for before the window closes or goes back', async () => {
    const { page, elsewhere } = await begin()
    await elsewhere({ memory: 'Theirs.' })
    const types = asked(page)
    await page.locator('[name=memory]').pressSequentially('Mine.')
    await page.reload()
    expect(types).toEqual(['beforeunload'])
    await page.reload()
    expect(types).toEqual(['beforeunload'])
  })

  test('waits for a server that does not respond, and is sent again', async () => {
    const { page, stored } = await begin()
    await page.route('**/scenarios/*', (route) => route.abort())
    await page.fill('[name=memory]', 'Mine.')
    await press(page, 'Stats')
    await page.getByText('Inglenook is not responding').waitFor()
    await isAt(page, 'Story')
    expect(await page.inputValue('[name=memory]')).toBe('Mine.')
    await page.unroute('**/scenarios/*')
    await page.locator('.saving', { hasText: /^Saved$/ }).waitFor()
    expect((await stored()).memory).toBe('Mine.')
  })

  test('is saved before another form is sent', async () => {
    const { page, path } = await begin()
    await page.goto(`${path}/edit?tab=cards`)
    await page.getByRole('button', { name: 'New card' }).click()
    const card = page.locator('#card-list > details').first()
    // Saving begins, and ends only after the button was pressed.
    const pressed = gate()
    await page.route('**/story-cards/*', async (route) => {
      await pressed.opened
      await route.continue()
    })
    await card.getByLabel('Name').fill('The lamp')
    await card.getByLabel('Entry').fill('It burns.')
    await page.getByRole('button', { name: 'New card' }).click()
    pressed.open()
    await page.locator('#card-list > details').nth(1).waitFor()
    expect(await card.getByLabel('Entry').inputValue()).toBe('It burns.')
    await card.locator('summary', { hasText: 'The lamp' }).waitFor()
  })

  test('is in the plot of a story before its panel closes', async () => {
    const { id } = (await server.post('/api/adventures', { title: 'Kept' })).body
    const { page } = await visit(server.address)
    await page.goto(`/adventures/${id}`)
    await openPanel(page, 'Plot')
    await server.send('PATCH', `/api/adventures/${id}`, { memory: 'Theirs.' })
    await page.fill('#panel [name=memory]', 'Mine.')
    await openPanel(page, 'Memory')
    await page.locator('.autosave-state .clash').waitFor()
    expect(await page.inputValue('#panel [name=memory]')).toBe('Mine.')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.locator('.saving', { hasText: /^Saved$/ }).waitFor()
    await openPanel(page, 'Memory')
    await page.locator('#panel', { hasText: 'Memories' }).waitFor()
    expect((await server.get(`/api/adventures/${id}`)).body.memory).toBe('Mine.')
  })
})

describe.skipIf(!hasBrowser)('what is typed right before a reload', () => {
  test('is in the text box again, though the server had no time for it', async () => {
    const { id } = (await server.post('/api/adventures', { title: 'Kept' })).body
    const { page, faults } = await visit(server.address)
    await page.goto(`/adventures/${id}`)
    await page.route('**/draft', (route) => route.abort())
    await page.getByRole('radio', { name: 'Say' }).check()
    await page.fill('#words', 'At the last moment.')
    await page.reload()
    expect(await page.inputValue('#words')).toBe('At the last moment.')
    expect(await page.getByRole('radio', { name: 'Say' }).isChecked()).toBe(true)
    await page.unroute('**/draft')
    await page.waitForResponse((answer) => answer.url().endsWith('/draft'))
    // It comes back once: what the server has since then counts.
    await page.fill('#words', '')
    await page.waitForResponse((answer) => answer.url().endsWith('/draft'))
    await page.reload()
    expect(await page.inputValue('#words')).toBe('')
    expect(faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([])
  })

  test('is in a form that saves itself, without a clash', async () => {
    const { page, stored } = await begin()
    asked(page)
    await page.locator('[name=memory]').pressSequentially('Mine.')
    await page.reload()
    expect(await page.inputValue('[name=memory]')).toBe('Mine.Old.')
    expect((await stored()).memory).toBe('Mine.Old.')
  })
})
