import { describe, expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { eventually, hasBrowser, play, visit } from '../../support/browser/browser.ts'
import { faultsIn } from '../../support/library/whole-library.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

describe.skipIf(!hasBrowser)('the library', () => {
  test('starts a first story with one press', async () => {
    const server = await startServer()
    const { page, faults } = await visit(server.address)
    await page.goto('/')
    await page.getByRole('button', { name: 'Play a first story' }).click()
    await page.waitForURL(/\/adventures\/\d+/)
    await play(page, 'look around')
    await page.goto('/')
    expect(await page.locator('h1').innerText()).toBe('Your stories')
    // The last played story comes first, even before pinned ones, and is one press away.
    const blank = await server.post('/api/adventures', { title: 'Blank' })
    await server.send('PUT', `/api/adventures/${blank.body.id}/shelf`, { shelf: 'pinned' })
    await playTurn(server, 1, { type: 'continue' })
    await page.goto('/')
    expect(await page.locator('.go-on').innerText()).toMatch(
      /Continue reading\n[\s\S]*\d passages · just now/,
    )
    expect(await page.locator('.books li').first().innerText()).toMatch(
      /Blank\s+Pinned · new story\njust now/,
    )
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(/\/adventures\/1#end$/)
    expect(faults).toEqual([])
  })

  test('says in sight that its file was moved, also at the end of a story, and saves a copy without scripts', async () => {
    const server = await startServer()
    const { body: story } = await server.post('/api/adventures', { title: 'Lantern Rock' })
    for (let turn = 0; turn < 6; turn++) await playTurn(server, story.id, { type: 'do', text: 'wait' })
    renameSync(server.path, `${server.path}.away`)
    for (const width of [390, 1280]) {
      const { page } = await visit(server.address, {
        viewport: { width, height: 800 },
        javaScriptEnabled: false,
      })
      for (const path of ['/', `/adventures/${story.id}#end`, '/settings']) {
        await page.goto(path)
        const box = await page.locator('.clash.said').boundingBox()
        expect([path, width, box !== null && box.y >= 0 && box.y + box.height < 400]).toEqual([
          path,
          width,
          true,
        ])
      }
      await page.getByRole('button', { name: 'Save what is open' }).click()
      const copy = await page.locator('code').first().innerText()
      expect(faultsIn(copy)).toEqual([])
    }
    renameSync(`${server.path}.away`, server.path)
  })

  test('leads to each branch of the last story, which opens at a press', async () => {
    const server = await startServer()
    const { body: story } = await server.post('/api/adventures', { title: 'Lantern Rock' })
    const { actions } = (await server.get(`/api/adventures/${story.id}`)).body
    await server.post(`/api/adventures/${story.id}/family`, { action_id: actions[0].id, name: 'North' })
    const { page } = await visit(server.address)
    await page.goto('/')
    await page.getByText('2 branches').click()
    // The checkbox of a branch stands in its row, over nothing else.
    const [box, link] = await Promise.all([
      page.locator('.branches-of .pick').boundingBox(),
      page.getByRole('link', { name: 'Map of the branches' }).boundingBox(),
    ])
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(link?.y ?? 0)
    await page.getByRole('link', { name: 'Map of the branches' }).click()
    await page.waitForURL(/\/branches$/)
  })

  for (const javaScriptEnabled of [true, false])
    test(`is sorted, filtered, pinned and archived, and Back works, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const server = await startServer()
      for (const title of ['Ash', 'Birch', 'Cedar']) await server.post('/api/adventures', { title })
      const { page, faults } = await visit(server.address, { javaScriptEnabled })
      const titles = () => page.locator('.card h2').allInnerTexts()
      await page.goto('/adventures')
      expect(await titles()).toEqual(['Cedar', 'Birch', 'Ash'])
      await page.selectOption('[name=order]', 'title')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(/order=title/)
      await eventually(titles, ['Ash', 'Birch', 'Cedar'])
      await page.getByRole('button', { name: 'Pin “Cedar”' }).click()
      await page.getByText('Pinned ·').waitFor()
      expect(page.url()).toContain('order=title')
      await eventually(titles, ['Cedar', 'Ash', 'Birch'])
      await page.getByRole('button', { name: 'Archive “Ash”' }).click()
      await page.getByRole('link', { name: 'Archived stories (1)' }).click()
      await eventually(titles, ['Ash'])
      await page.getByRole('button', { name: 'Unarchive “Ash”' }).click()
      await page.getByText('No archived stories.').waitFor()
      await page.goto('/adventures?find=bir')
      expect(await titles()).toEqual(['Birch'])
      await page.getByRole('link', { name: 'Birch' }).click()
      await page.waitForURL(/\/adventures\/\d+#end$/)
      await page.goBack()
      await eventually(titles, ['Birch'])
      expect((await server.get('/api/adventures')).body.map(({ shelf }: { shelf: string }) => shelf)).toEqual(
        ['pinned', 'open', 'open'],
      )
      expect(faults).toEqual([])
    })

  for (const javaScriptEnabled of [true, false])
    test(`pins, archives and deletes the stories that are selected, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const server = await startServer()
      for (const title of ['Ash', 'Birch', 'Cedar']) await server.post('/api/adventures', { title })
      const shelves = async () =>
        (await server.get('/api/adventures')).body.map(
          ({ title, shelf }: { title: string; shelf: string }) => `${title} ${shelf}`,
        )
      const { page, faults } = await visit(server.address, { javaScriptEnabled })
      const select = (title: string) => page.getByRole('checkbox', { name: `Select “${title}”` }).check()
      const press = (name: string) =>
        page.locator('#selected').getByRole('button', { name, exact: true }).click()
      await page.goto('/adventures')
      expect(await page.locator('#selected').isVisible()).toBe(false)
      await select('Ash')
      await select('Cedar')
      await press('Archive')
      await page.getByRole('status').filter({ hasText: 'Archived.' }).waitFor()
      expect(await shelves()).toEqual(['Cedar archived', 'Birch open', 'Ash archived'])
      const undo = () => page.locator('.did').getByRole('button', { name: 'Undo' }).click()
      await undo()
      await page.getByRole('status').filter({ hasText: 'Put back where it was.' }).waitFor()
      expect(await shelves()).toEqual(['Cedar open', 'Birch open', 'Ash open'])
      expect(new URL(page.url()).search).toBe('?did=putBack')
      await page.getByRole('button', { name: 'Pin “Ash”' }).click()
      await page.getByText('Pinned ·').waitFor()
      await page.getByRole('link', { name: 'Ash' }).click()
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: 'Archive' }).click()
      await page.waitForURL(/did=archived/)
      await undo()
      await page.waitForURL(/did=putBack/)
      expect(await shelves()).toContain('Ash pinned')
      await select('Ash')
      await select('Cedar')
      await press('Archive')
      await page.waitForURL(/did=archived/)
      await select('Birch')
      await press('Pin')
      await page.getByText('Pinned ·').waitFor()
      await page.goto('/adventures?shelf=archived')
      await select('Ash')
      await select('Cedar')
      await press('Delete…')
      await page.getByRole('heading', { name: 'Delete 2 stories?' }).waitFor()
      expect(await page.locator('main').innerText()).toMatch(/Cedar[\s\S]*Ash/)
      expect(await shelves()).toHaveLength(3)
      await page.getByRole('button', { name: 'Delete 2 stories' }).click()
      await page.getByRole('status').filter({ hasText: 'Deleted.' }).waitFor()
      expect(await shelves()).toEqual(['Birch pinned'])
      expect(faults).toEqual([])
    })
})
