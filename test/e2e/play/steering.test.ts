import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../../support/browser/browser.ts'
import { openStory } from '../../support/browser/turn.ts'
import { say, status } from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const told = (page: Page, text: string) =>
  page.locator('article.narration:not(.telling)', { hasText: text }).waitFor()
const note = (page: Page) => page.locator('#steering').inputValue()
const lastSent = () => endpoint.requests.at(-1)?.body?.messages?.at(-1)?.content ?? ''

describe.skipIf(!hasBrowser)('steering', () => {
  test('opens by a key, is kept when the turn fails, and is gone when it is stored', async () => {
    const { page, faults } = await openStory(server, endpoint, { viewport: { width: 390, height: 800 } })
    await page.locator('#composer[data-htmx-powered]').waitFor()
    await page.locator('#story article').last().focus()
    await page.keyboard.press('s')
    await page.waitForFunction(() => document.activeElement?.id === 'steering')
    await page.keyboard.type('Let it rain.')
    endpoint.next(status(500))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.locator('#notice', { hasText: '500' }).waitFor()
    expect(await note(page)).toBe('Let it rain.')
    endpoint.next(say('It rains.'))
    await page.fill('#words', 'a draft')
    await page.locator('#tools').getByRole('button', { name: 'Retry' }).click()
    await told(page, 'It rains.')
    expect(lastSent()).toStartWith('> You wait.\n\n[For this passage only: Let it rain.]')
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#steering')?.value === '')
    await page.locator('#steer:not([open])').waitFor()
    expect(await page.inputValue('#words')).toBe('a draft')
    expect(faults).toEqual([])
  })

  test('stands with its passage, and is left out on demand', async () => {
    const { page } = await openStory(server, endpoint)
    await page.locator('#steer > summary').click()
    await page.fill('#steering', 'Let it snow.')
    endpoint.next(say('It snows.'))
    await page.getByRole('button', { name: 'Continue' }).click()
    await told(page, 'It snows.')
    await page.getByText('Steered').click()
    await page.getByText('Let it snow.').waitFor()
    endpoint.next(say('It is dry.'))
    await page.getByRole('button', { name: 'Retry without this note' }).click()
    await told(page, 'It is dry.')
    expect(lastSent()).not.toContain('snow.]')
    await page.getByRole('link', { name: 'Version 2 of 2' }).click()
    await page.locator('.variant', { hasText: 'Steered: Let it snow.' }).waitFor()
  })

  test('an undone note comes back to the field, unless another stands there', async () => {
    const { page } = await openStory(server, endpoint)
    const tell = async (text: string) => {
      endpoint.next(say(text))
      await page.getByRole('button', { name: 'Continue' }).click()
      await told(page, text)
    }
    await page.locator('#steer > summary').click()
    await page.fill('#steering', 'Let it hail.')
    await tell('It hails.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('#steering')?.value === 'Let it hail.',
    )
    await tell('It hails again.')
    await page.locator('#steer > summary').click()
    await page.fill('#steering', 'Mine.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('#phase', { hasText: 'Turn undone.' }).waitFor()
    expect(await note(page)).toBe('Mine.')
  })
})
