import { describe, expect, test } from 'bun:test'
import { adventureFile } from '../../src/domain/interchange/write/own.ts'
import { hasBrowser, visit } from '../support/browser.ts'
import { AT, lampStory } from '../support/carried.ts'
import { startServer } from '../support/server.ts'

const server = await startServer()
const STORY = adventureFile(lampStory(), AT)

describe.skipIf(!hasBrowser)('a file that is dropped on the library', () => {
  test('is looked into, comes in, and goes out again', async () => {
    const { page, faults } = await visit(server.address, { viewport: { width: 390, height: 800 } })
    await page.goto('/')
    await page.waitForFunction(() => 'Alpine' in window)
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'lamp.json'))
      document.body.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }),
      )
    }, STORY)
    await page.getByText('It is a story of Inglenook').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
    await page.getByRole('button', { name: 'Bring it in' }).click()
    await page.getByText('He was not alone.').waitFor()

    await page.getByRole('link', { name: 'Plot', exact: true }).click()
    await page.getByText('Take this story away as a file').click()
    await page.locator('[name=format]').selectOption('markdown')
    await page.locator('[name=from]').fill('2')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the file' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Lamp.md')
    const text = await Bun.file(await download.path()).text()
    expect([text.includes('Rain.'), text.includes('Dusk')]).toEqual([true, false])
    expect(faults).toEqual([])
  }, 30_000)

  test('and is too large, is told so on a page', async () => {
    const { page } = await visit(server.address)
    await page.goto('/')
    await page.waitForFunction(() => 'Alpine' in window)
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(21 * 1024 * 1024)], 'film.mp4'))
      document.body.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }),
      )
    })
    await page.getByText('At most 20 MB can be sent here.').waitFor()
    await page.getByRole('link', { name: 'go to your library' }).click()
    await page.getByRole('heading', { name: 'Bring a file' }).waitFor()
  }, 30_000)
})
