import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, passages, play, visit } from '../support/browser/browser.ts'
import { gate, say, sayAround } from '../support/endpoint/endpoint.ts'
import { startWithModel } from '../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

describe.skipIf(!hasBrowser)('words', () => {
  let page: Page
  let story: string
  beforeAll(async () => {
    story = `/adventures/${(await server.post('/api/adventures', { title: 'Kept' })).body.id}`
    page = (await visit(server.address)).page
    await page.goto(story)
    endpoint.next(say('The lamp burns.'))
    await play(page, 'wait')
  })

  test('of a passage that is being edited are confirmed before the page is left', async () => {
    await page
      .locator('article.narration')
      .last()
      .getByRole('link', { name: 'Edit', exact: true })
      .dispatchEvent('click')
    await page.locator('.editing textarea').click()
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      return dialog.accept()
    })
    await page.keyboard.type('Other words. ')
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
  })

  test('of a form with a button are asked for before the page goes, and not when it is sent', async () => {
    const { id } = (await server.post('/api/scenarios', { title: 'Rock' })).body
    const { page } = await visit(server.address)
    let asked = 0
    page.on('dialog', (dialog) => {
      asked++
      return dialog.accept()
    })
    await page.goto('/settings')
    await page.getByLabel('Context size').fill('9000')
    await page.getByRole('link', { name: 'Library' }).click()
    await page.waitForURL('/')
    expect(asked).toBe(1)
    await page.goto('/settings')
    await page.getByLabel('Context size').fill('9000')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved.').waitFor()
    expect(asked).toBe(1)

    await page.goto(`/scenarios/${id}/edit?tab=stats`)
    await page.getByText('Edit as JSON').click()
    const json = page.getByLabel('Stat schema')
    await json.fill('{"player": {"hp":')
    // The form above it is replaced, and says nothing of what is typed here.
    await page.getByRole('button', { name: 'Add flag' }).click()
    await page.getByLabel('Display name').waitFor()
    expect(await json.inputValue()).toBe('{"player": {"hp":')
    await json.waitFor()
    await json.press('End')
    await json.pressSequentially(' ')
    await eventually(() => page.locator('.saving').innerText(), '')
    await page.getByRole('button', { name: 'Save JSON' }).click()
    await page.getByText('This is not valid JSON').waitFor()
    await page.getByRole('link', { name: 'Cards' }).click()
    await page.waitForURL(/tab=cards/)
    expect(asked).toBe(2)
  })

  test('that the field has no room for after an undo are shown', async () => {
    endpoint.next(say('It burns on.'))
    await play(page, 'look up')
    await page.fill('#words', 'something else')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('You had typed: “look up').waitFor()
    expect(await page.inputValue('#words')).toBe('something else')
    await page.fill('#words', '')
  })

  test('that are streamed in another tab can be stopped there, and stay', async () => {
    const end = gate()
    endpoint.next(sayAround('Half of it', end, ' and the rest.'))
    await page.fill('#words', 'go on')
    await page.press('#words', 'Enter')
    await page.locator('#told', { hasText: 'Half of it' }).waitFor()
    const { page: other } = await visit(server.address)
    await other.goto(story)
    await other.getByRole('button', { name: 'Stop', exact: true }).click()
    await other.getByText('The narrator was stopped here').waitFor()
    await eventually(async () => (await passages(other)).at(-1), 'Half of it')
    end.open()
  })
})
