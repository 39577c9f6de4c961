import { describe, expect, test } from 'bun:test'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()

describe.skipIf(!hasBrowser)('folded settings', () => {
  test('open where a field is invalid, and are open for numbers of one’s own', async () => {
    const { page, faults } = await visit(server.address)
    await page.goto('/settings')
    const temperature = page.getByLabel('Temperature')
    expect(await temperature.isVisible()).toBe(false)
    await page.getByText('Sampling numbers').click()
    await temperature.fill('99')
    await page.getByText('Sampling numbers').click()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.locator('[name=temperature]:focus').waitFor()
    await temperature.fill('0.7')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Saved').first().waitFor()
    expect(await temperature.inputValue()).toBe('0.7')
    expect(await temperature.isVisible()).toBe(true)
    expect(faults).toEqual([])
  })
})
