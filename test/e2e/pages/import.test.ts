import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { adventureFile } from '../../../src/formats/inglenook/make-adventure.ts'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import { AT, lampStory } from '../../support/files/portable.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const STORY = adventureFile(lampStory(), AT)
const CARDS = JSON.stringify([{ keys: 'lamp', value: 'It burns.', type: 'thing' }])

/** Opens a page whose script is there. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => 'Alpine' in window)
}

/**
 * Drags a file from outside over an element and lets it go there; `isDropped` false takes it away again. Tells what the
 * page did about it, as the browser sees it.
 */
function drag(page: Page, { over = 'body', text = '', name = 'lamp.json', isDropped = true, megabytes = 0 }) {
  return page.evaluate(
    (told) => {
      const data = new DataTransfer()
      data.items.add(new File([told.text, new Uint8Array(told.megabytes * 1024 * 1024)], told.name))
      const target = document.querySelector(told.over)
      const send = (type: string) =>
        !target?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }))
      const isTaken = send('dragover')
      const isHinted = document.querySelector('#drop-hint')?.checkVisibility() ?? false
      const isStopped = send(told.isDropped ? 'drop' : 'dragleave')
      const isStill = document.querySelector('#drop-hint')?.checkVisibility() ?? false
      return { isTaken, isHinted, isStopped, isStill }
    },
    { over, text, name, isDropped, megabytes },
  )
}

const TAKEN = { isTaken: true, isHinted: true, isStopped: true, isStill: false }

describe.skipIf(!hasBrowser)('a file that is dropped', () => {
  test('on the library is looked into, comes in, and goes out again', async () => {
    const { page, faults } = await visit(server.address, { viewport: { width: 390, height: 800 } })
    await open(page, '/')
    await drag(page, { text: STORY })
    await page.getByText('It is a story of Inglenook').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
    await page.getByRole('button', { name: 'Bring it in' }).click()
    await page.getByText('He was not alone.').waitFor()

    await page.goto(`${new URL(page.url()).pathname}?panel=plot`)
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

  test('anywhere on a page that takes files leads to its receipt, and is shown the way', async () => {
    const { page, faults } = await visit(server.address)
    for (const [path, over] of [
      ['/', 'h1'],
      ['/adventures', '.top'],
      ['/scenarios', '[name=title]'],
      ['/scenarios/1', 'h1'],
    ] as const) {
      await open(page, path)
      expect([path, await drag(page, { over, isDropped: false })]).toEqual([
        path,
        { ...TAKEN, isStopped: false },
      ])
      expect([path, await drag(page, { over, text: STORY })]).toEqual([path, TAKEN])
      await page.getByRole('heading', { name: 'The receipt' }).waitFor()
    }
    // On the page of a scenario cards become its own.
    await open(page, '/scenarios/2')
    await drag(page, { text: CARDS, name: 'cards.json' })
    await page.getByRole('button', { name: 'Bring it in' }).click()
    await page.waitForURL(/\/scenarios\/2\?/)
    await page.getByText('It is brought in.').waitFor()
    expect(await page.locator('#card-list summary', { hasText: 'thing · lamp' }).isVisible()).toBe(true)
    await open(page, '/scenarios/2')
    await drag(page, { text: 'Nothing that anybody knows.', name: 'x.txt' })
    await page.locator('#notice p, #notice:not(:empty)').waitFor()
    expect(await page.locator('h1').innerText()).toBe((await server.get('/api/scenarios/2')).body.title)
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
  }, 30_000)

  test('elsewhere is not taken, and the page stays', async () => {
    const { page } = await visit(server.address)
    const { body } = await server.post('/api/adventures', { title: 'A walk' })
    for (const [path, over] of [
      [`/adventures/${body.id}`, '#words'],
      ['/settings', '[name=model]'],
    ] as const) {
      await open(page, path)
      expect(await drag(page, { over, text: STORY })).toEqual({ ...TAKEN, isHinted: false })
      expect(new URL(page.url()).pathname).toBe(path)
    }
    // A field for another kind of file takes what is dropped on it, as the browser does.
    await open(page, '/scenarios/1?open=cover')
    expect(await drag(page, { over: '[name=picture]' })).toEqual({
      isTaken: false,
      isHinted: false,
      isStopped: false,
      isStill: false,
    })
    // What is dragged from the page itself is none of our business, and words are no file.
    await open(page, '/')
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true })))
    expect((await drag(page, { text: STORY })).isStopped).toBe(false)
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragend', { bubbles: true })))
    expect(await page.getByRole('heading', { name: 'Bring a file' }).count()).toBe(1)
  }, 30_000)

  test('and is too large, is told so on a page', async () => {
    const { page } = await visit(server.address)
    await open(page, '/')
    await drag(page, { name: 'film.mp4', megabytes: 21 })
    await page.getByText('At most 20 MB can be sent here.').waitFor()
    await page.getByRole('link', { name: 'go to your library' }).click()
    await page.getByRole('heading', { name: 'Bring a file' }).waitFor()
  }, 30_000)
})
