import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import { makeAdventure } from '../../support/files/make.ts'
import { AT, lampStory } from '../../support/files/portable.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const STORY = makeAdventure(lampStory(), AT)
const CARDS = JSON.stringify([{ keys: 'lamp', value: 'It burns.', type: 'thing' }])

/** Opens a page and waits for its script. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => 'Alpine' in window)
}

/**
 * Drags a file over an element and drops it there, or drags it away again if `isDropped` is false. Returns what the page
 * did, as the browser sees it.
 */
function drag(page: Page, { over = 'body', text = '', name = 'lamp.json', isDropped = true, megabytes = 0 }) {
  return page.evaluate(
    (drag) => {
      const data = new DataTransfer()
      data.items.add(new File([drag.text, new Uint8Array(drag.megabytes * 1024 * 1024)], drag.name))
      const target = document.querySelector(drag.over)
      const send = (type: string) =>
        !target?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }))
      const isTaken = send('dragover')
      const isHinted = document.querySelector('#drop-hint')?.checkVisibility() ?? false
      const isStopped = send(drag.isDropped ? 'drop' : 'dragleave')
      const isStill = document.querySelector('#drop-hint')?.checkVisibility() ?? false
      return { isTaken, isHinted, isStopped, isStill }
    },
    { over, text, name, isDropped, megabytes },
  )
}

const TAKEN = { isTaken: true, isHinted: true, isStopped: true, isStill: false }

describe.skipIf(!hasBrowser)('a dropped file', () => {
  test('on the library is previewed, imported, and exported again', async () => {
    const { page, faults } = await visit(server.address, { viewport: { width: 390, height: 800 } })
    await open(page, '/')
    await drag(page, { text: STORY })
    await page.getByText('This is an Inglenook story').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('He was not alone.').waitFor()

    await page.goto(`${new URL(page.url()).pathname}?panel=export`)
    await page.locator('[name=format]').selectOption('markdown')
    await page.locator('[name=from]').fill('2')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Lamp.md')
    const text = await Bun.file(await download.path()).text()
    expect([text.includes('Rain.'), text.includes('Dusk')]).toEqual([true, false])
    expect(faults).toEqual([])
  })

  test('anywhere on a page with an import form shows a hint, then the preview', async () => {
    const { page, faults } = await visit(server.address)
    for (const [path, over] of [
      ['/', 'h1'],
      ['/adventures', '.top'],
      ['/scenarios', '[name=find]'],
      ['/scenarios/1/edit?tab=cards', 'h1'],
    ] as const) {
      await open(page, path)
      expect([path, await drag(page, { over, isDropped: false })]).toEqual([
        path,
        { ...TAKEN, isStopped: false },
      ])
      expect([path, await drag(page, { over, text: STORY })]).toEqual([path, TAKEN])
      await page.getByText('Imported as is').waitFor()
    }
    // Story cards dropped on a scenario's page are added to it.
    await open(page, '/scenarios/2/edit?tab=cards')
    await drag(page, { text: CARDS, name: 'cards.json' })
    await page.getByRole('button', { name: 'Import' }).click()
    await page.waitForURL(/\/scenarios\/2\/edit\?tab=cards&did/)
    await page.getByText('Imported.', { exact: true }).waitFor()
    expect(await page.locator('#card-list summary', { hasText: 'thing · lamp' }).isVisible()).toBe(true)
    // They are compared with those of each scenario that is chosen.
    await open(page, '/')
    await drag(page, { text: CARDS, name: 'cards.json' })
    await page.locator('[name=owner]').selectOption('2')
    await page.locator('#known-cards', { hasText: 'already there' }).waitFor()
    await page.locator('[name=owner]').selectOption('1')
    await page.locator('#known-cards', { hasNotText: 'already there' }).waitFor({ state: 'attached' })
    expect(await page.locator('[name=owner]').inputValue()).toBe('1')
    await open(page, '/scenarios/2/edit?tab=cards')
    await drag(page, { text: '{"nothing": that', name: 'x.txt' })
    await page.locator('#notice p, #notice:not(:empty)').waitFor()
    expect(await page.locator('h1').innerText()).toBe((await server.get('/api/scenarios/2')).body.title)
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
  })

  test('of which there are too many, or which are too large, is refused before anything is sent', async () => {
    const { page, faults } = await visit(server.address)
    await open(page, '/')
    const sent: string[] = []
    page.on('request', (request) => void sent.push(request.method()))
    const refusal = () =>
      page.locator('#bring [name=file]').evaluate((field: HTMLInputElement) => field.validationMessage)
    await page.evaluate(() => {
      const data = new DataTransfer()
      for (let i = 0; i <= 2_000; i++) data.items.add(new File(['x'], `${i}.txt`))
      document.body.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }),
      )
    })
    await page.waitForFunction(() => document.querySelector('#bring :invalid') !== null)
    expect(await refusal()).toContain('more than 2,000 files')
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Dusk falls.') }
    await page.setInputFiles('#bring [name=file]', [file])
    expect(await refusal()).toBe('')
    await page.locator('#bring').evaluate((form) => form.setAttribute('data-max-bytes', '10'))
    await page.setInputFiles('#bring [name=file]', [file])
    expect(await refusal()).toContain('too large')
    await page.locator('#bring button').first().click()
    expect(sent).toEqual([])
    expect(faults).toEqual([])
  })

  test('on any other page is ignored, and the page stays', async () => {
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
    // The cover's file field takes a dropped file itself, as browsers do.
    await open(page, '/scenarios/1/edit?tab=cover')
    expect(await drag(page, { over: '[name=picture]' })).toEqual({
      isTaken: false,
      isHinted: false,
      isStopped: false,
      isStill: false,
    })
    // A drag that starts on the page itself is left alone.
    await open(page, '/')
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true })))
    expect((await drag(page, { text: STORY })).isStopped).toBe(false)
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragend', { bubbles: true })))
    expect(await page.getByRole('heading', { name: 'Import', exact: true }).count()).toBe(1)
  })

  test('that is too large is refused on a page', async () => {
    const { page } = await visit(server.address)
    await open(page, '/')
    await drag(page, { name: 'film.mp4', megabytes: 21 })
    await page.getByText('The request is too large: the limit is 20 MB.').waitFor()
    await page.getByRole('link', { name: 'go to your library' }).click()
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
  })
})

test('a preview shows how a story begins, without its marks of Markdown', async () => {
  const prompt = '# The harbour\n\n*Dusk.*\n\n---\n\n> A bell.'
  const text = JSON.stringify({ format: 'inglenook-scenario', version: 1, title: 'Lamp', prompt })
  const answer = await server.ask('/import', { method: 'POST', body: new URLSearchParams({ text }) })
  expect(await answer.text()).toMatch(/class="snippet"[^>]*>\s*The harbour Dusk\. A bell\.\s*</)
})
