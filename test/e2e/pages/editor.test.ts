import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, visit } from '../../support/browser/browser.ts'
import { png } from '../../support/files/pictures.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const begin = async () => {
  const { id } = (
    await server.post('/api/scenarios', {
      title: 'The Lamp Road',
      prompt: '${Your name} waits.',
      memory: 'Old.',
    })
  ).body
  for (const [name, keys, entry] of [
    ['The lamp', 'lamp, light', 'It burns for the honest.'],
    ['The ferry', 'ferry', 'It comes at dusk.'],
    ['Another lamp', 'lamp', 'It is out.'],
  ])
    await server.post('/api/story-cards', { scenario_id: id, name, keys, entry, type: keys })
  const at = (tab: string) => `/scenarios/${id}/edit?tab=${tab}`
  return {
    id,
    at,
    path: `/scenarios/${id}`,
    stored: async () => (await server.get(`/api/scenarios/${id}`)).body,
  }
}
/** Waits until the one state of the page says that nothing is left to save. */
const saved = (page: Page) => page.locator('.saving', { hasText: /^Saved$/ }).waitFor()
const names = ['The lamp', 'The ferry', 'Another lamp']
const picture = { name: 'cover.png', mimeType: 'image/png', buffer: png({ width: 3000, height: 2000 }) }

describe.skipIf(!hasBrowser)('the scenario editor', () => {
  test('saves the other openings, and a player chooses among them', async () => {
    const { path, at, stored } = await begin()
    const { page, faults } = await visit(server.address)
    const other = await page.context().newPage()
    for (const tab of [page, other]) await tab.goto(at('story'))
    // There is always one empty field more.
    expect(await page.getByLabel('Opening 3').isVisible()).toBe(false)
    await page.getByLabel('Opening 2').fill('Rain, ${Your name}.')
    await page.getByLabel('Opening 3').fill('Fog.')
    await saved(page)
    expect((await stored()).greetings).toEqual(['Rain, ${Your name}.', 'Fog.'])
    // Another tab, which does not know them, asks before it overwrites them.
    await other.getByLabel('Opening 2').fill('Snow.')
    await other.locator('.autosave-state .clash').waitFor()
    expect(await other.getByRole('group', { name: 'Other openings' }).getByLabel('Saved').inputValue()).toBe(
      'Rain, ${Your name}.\n\nFog.',
    )
    await other.getByRole('link', { name: 'Use the saved text' }).click()
    await other.getByLabel('Opening 4').waitFor()
    expect(await other.getByLabel('Opening 2').inputValue()).toBe('Rain, ${Your name}.')
    // An opening is removed by emptying it.
    await page.getByLabel('Opening 2').fill('')
    await page.getByLabel('Opening 3').waitFor()
    await saved(page)
    expect((await stored()).greetings).toEqual(['Fog.'])
    // As many are added as an author likes.
    for (const n of [4, 5, 6, 7]) {
      await page.getByLabel(`Opening ${n}`).fill(`Mist ${n}.`)
      await saved(page)
    }
    expect((await stored()).greetings).toEqual(['Fog.', 'Mist 4.', 'Mist 5.', 'Mist 6.', 'Mist 7.'])
    await page.goto(path)
    await page.getByLabel('Fog.').check()
    await page.getByLabel('Your name', { exact: true }).fill('Mara')
    await page.getByRole('button', { name: 'Start story' }).click()
    await page.locator('article', { hasText: 'Fog.' }).waitFor()
    expect(faults).toEqual([])
  })

  test('saves the fields of a form together, and never overwrites another tab', async () => {
    const { id, at, stored } = await begin()
    const { page, faults } = await visit(server.address)
    const other = await page.context().newPage()
    for (const tab of [page, other]) await tab.goto(at('story'))
    // Two fields within one debounce.
    await page.fill('[name=memory]', 'Mine.')
    await page.fill('[name=authors_note]', 'Slow, says ${Your dog}.')
    await saved(page)
    expect(await stored()).toMatchObject({ memory: 'Mine.', authors_note: 'Slow, says ${Your dog}.' })
    // A new placeholder appears at once, and further typing builds on what is stored.
    await page.locator('#preview-answers').getByLabel('Your dog').waitFor()
    await page.fill('[name=memory]', 'Mine, still.')
    await saved(page)
    expect(faults).toEqual([])
    await other.fill('[name=memory]', 'Theirs.')
    await other.locator('.autosave-state .clash').waitFor()
    expect(await other.getByRole('group', { name: 'Plot essentials' }).getByLabel('Saved').inputValue()).toBe(
      'Mine, still.',
    )
    await other.locator('.saving', { hasText: 'Not saved' }).waitFor()
    expect((await stored()).memory).toBe('Mine, still.')
    await other.getByRole('link', { name: 'Use the saved text' }).click()
    await other.locator('.clash').waitFor({ state: 'detached' })
    expect(await other.inputValue('[name=memory]')).toBe('Mine, still.')
    await saved(other)
    // Leaving the page loses nothing.
    await other.fill('[name=description]', 'At the last moment.')
    await other.goto('/scenarios')
    await page.waitForFunction(
      async (at) => (await (await fetch(at)).json()).description === 'At the last moment.',
      `/api/scenarios/${id}`,
    )
  })

  test('shows beside it what becomes of the text, whichever tab it is typed in', async () => {
    const { at } = await begin()
    const { page, faults } = await visit(server.address)
    await page.goto(at('story'))
    const opening = page.locator('#previewed .prose')
    await page.fill('[name=prompt]', '${Your name} sleeps in ${Where}.')
    await opening.filter({ hasText: '[Your name] sleeps in [Where].' }).waitFor()
    await page.locator('#preview-answers').getByLabel('Your name').fill('Tamsin')
    await page.locator('#preview-answers').getByLabel('Where').fill('a boat')
    await opening.filter({ hasText: 'Tamsin sleeps in a boat.' }).waitFor()
    // What is tried stays when a new placeholder is asked.
    await page.fill('[name=memory]', '${Your dog} barks.')
    await page.locator('#preview-answers').getByLabel('Your dog').waitFor()
    expect(await page.locator('#preview-answers').getByLabel('Your name').inputValue()).toBe('Tamsin')
    await page.getByText('Show full prompt').click()
    await page.locator('#previewed pre', { hasText: 'Your dog barks.' }).first().waitFor()
    await page.getByRole('link', { name: 'Cards' }).click()
    await page.waitForURL(/tab=cards/)
    await page.getByLabel('Try a line').fill('A raft!')
    await page.locator('#previewed [role=status]', { hasText: 'No cards triggered.' }).waitFor()
    await page.locator('#card-list summary', { hasText: 'The ferry' }).click()
    await page.locator('#card-list').getByRole('textbox', { name: 'Triggers' }).fill('ferry, raft')
    await page.locator('#previewed [role=status]', { hasText: 'The ferry, triggered by “raft”' }).waitFor()
    await saved(page)
    expect(faults).toEqual([])
  })

  test('saves stats without a button, and puts the cursor where a new one gets its name', async () => {
    const { at, stored } = await begin()
    const { page, faults } = await visit(server.address)
    await page.goto(at('stats'))
    expect(await page.getByRole('button', { name: 'Save stats' }).count()).toBe(0)
    for (const [item, name] of [
      ['flag', 'Night'],
      ['player stat', 'Nerve'],
    ] as const) {
      await page.getByRole('button', { name: `Add ${item}` }).press('Enter')
      await page.waitForFunction(() => document.activeElement?.matches('[name^="name:"]'))
      await page.keyboard.type(name)
    }
    // Enter saves, and adds nothing.
    await page.keyboard.press('Enter')
    await saved(page)
    const { stat_schema } = await stored()
    expect(Object.keys(stat_schema.flags)).toEqual(['Night'])
    expect(Object.keys(stat_schema.player)).toEqual(['Nerve'])
    expect(stat_schema.world).toBeUndefined()
    expect(faults).toEqual([])
  })

  test('offers a check every stat by the name that is being typed', async () => {
    const { at, stored } = await begin()
    const { page, faults } = await visit(server.address)
    await page.goto(at('stats'))
    for (const [item, field] of [
      ['player stat', 'name:player'],
      ['check', 'name:checks'],
      ['world stat', 'name:world'],
    ]) {
      await page.getByRole('button', { name: `Add ${item}` }).click()
      await page.locator(`[name^="${field}"]`).waitFor()
    }
    const offered = page.getByLabel('Stat added')
    await eventually(() => offered.locator('option:not([disabled])').allInnerTexts(), ['None'])
    await page.locator('[name^="name:world"]').fill('Fog')
    await page.locator('[name^="name:player"]').fill('Nerve')
    await offered.selectOption('Fog')
    await page.locator('[name^="name:checks"]').fill('See')
    await page.locator('[name^="outcomes:"]').fill('failure: Nerve -2')
    await saved(page)
    expect((await stored()).stat_schema.checks.See).toMatchObject({
      stat: 'world.Fog',
      outcomes: [{ effects: { 'player.Nerve': -2 } }],
    })
    // What can be changed is listed as it is called now, and stays open while one types.
    await page.getByText('What outcomes and costs can change').click()
    await page.locator('[name^="name:world"]').fill('Mist')
    await page.locator('#schema-state code', { hasText: 'world.Mist' }).first().waitFor()
    const listed = () => page.locator('#schema-state details[open] code').allInnerTexts()
    await eventually(listed, ['world.Mist', 'player.Nerve'])
    expect((await stored()).stat_schema.checks.See.stat).toBe('world.Mist')
    expect(await offered.inputValue()).not.toBe('')
    expect(faults).toEqual([])
  })

  test('filters, sorts and moves cards, and points out shared triggers', async () => {
    const { at } = await begin()
    const { page, faults } = await visit(server.address)
    await page.goto(at('cards'))
    const shown = () =>
      page
        .locator('#card-list > details > summary')
        .evaluateAll((all) => all.map((one) => one.firstChild?.textContent?.trim()))
    expect(await shown()).toEqual(names)
    expect(await page.locator('summary .twin:not(:empty)').count()).toBe(2)
    await page.fill('[name=find]', 'DUSK')
    await page.getByText('1 of 3 cards').waitFor()
    await eventually(shown, ['The ferry'])
    await page.fill('[name=find]', '')
    await page.selectOption('[name=order]', 'name')
    await page.waitForFunction(() =>
      document.querySelector('#card-list summary')?.textContent.includes('Another'),
    )
    await page.goto(at('cards'))
    await page.locator('#card-list > details').first().locator('> summary').click()
    await page.getByRole('button', { name: 'Move down: The lamp' }).click()
    await page.waitForFunction(() =>
      document.querySelector('#card-list summary')?.textContent.includes('ferry'),
    )
    await eventually(shown, ['The ferry', 'The lamp', 'Another lamp'])
    expect(faults).toEqual([])
  })

  test('shrinks a picture before it is uploaded', async () => {
    const { at, stored } = await begin()
    const { page, faults } = await visit(server.address)
    await page.goto(at('cover'))
    await page.setInputFiles('[name=picture]', picture)
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name=picture]')?.files?.[0]?.type === 'image/webp',
    )
    await page.getByRole('button', { name: 'Save cover' }).click()
    await page.locator('img.cover').waitFor()
    const bytes = Buffer.from((await stored()).image.split(',')[1], 'base64')
    expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 400, height: 267, format: 'webp' })
    expect(faults).toEqual([])
  })

  test('does all of this without script', async () => {
    const { at, path, stored } = await begin()
    const { page } = await visit(server.address, { javaScriptEnabled: false })
    await page.goto(at('story'))
    await page.fill('[name=memory]', 'Mine.')
    await server.send('PATCH', `/api${path}`, { memory: 'Theirs.' })
    await page.getByRole('button', { name: 'Save scenario' }).click()
    expect(await page.locator('.clash').getByLabel('Saved').inputValue()).toBe('Theirs.')
    expect(await page.inputValue('[name=memory]')).toBe('Mine.')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(async () => (await stored()).memory, 'Mine.')
    await page.goto(at('cover'))
    await page.setInputFiles('[name=picture]', { ...picture, buffer: png() })
    await page.getByRole('button', { name: 'Save cover' }).click()
    await eventually(() => page.locator('img.cover').count(), 1)
    await page.goto(`${path}?open=questions`)
    expect(page.url()).toContain(at('questions'))
    await page.getByLabel('Your name').fill('Tamsin')
    await page.getByLabel('Try a line').fill('A light!')
    await page.getByRole('button', { name: 'Update preview' }).click()
    await eventually(() => page.locator('#previewed .prose').innerText(), 'Tamsin waits.')
    await page.locator('#previewed [role=status]', { hasText: 'The lamp, triggered by “light”' }).waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Tamsin')
    expect(await page.locator('.tabs [aria-current]').innerText()).toStartWith('Placeholders')
    await page.goto(at('cards'))
    await page.fill('[name=find]', 'dusk')
    await page.getByRole('button', { name: 'Apply' }).click()
    const cards = () => page.locator('#card-list > details').count()
    await eventually(cards, 1)
    await page.goto(path)
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await eventually(() => page.locator('h1').innerText(), 'The Lamp Road (copy)')
    await page.getByRole('link', { name: 'Cards' }).click()
    await eventually(cards, 3)
    await page.getByRole('link', { name: 'Play this scenario' }).click()
    await page.locator('#begin').waitFor()
    // A placeholder was added after the page was loaded: the story does not start without it.
    await server.send('PATCH', `/api${new URL(page.url()).pathname}`, { memory: '${Your dog} barks.' })
    await page.locator('#begin').getByLabel('Your name').fill('Tamsin')
    await page.getByRole('button', { name: 'Start story' }).click()
    await page.locator('#notice', { hasText: 'Your dog' }).waitFor()
    expect(await page.locator('#begin').getByLabel('Your name').inputValue()).toBe('Tamsin')
    await page.locator('#begin').getByLabel('Your dog').fill('Rex')
    await page.getByRole('button', { name: 'Start story' }).click()
    await page.locator('#story', { hasText: 'Tamsin waits.' }).waitFor()
  })
})
