import { describe, expect, test } from 'bun:test'
import { eventually, hasBrowser } from '../../support/browser/browser.ts'
import { openStory } from '../../support/browser/turn.ts'
import { say, status } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()
const STORY = 'The lamp burns. A door stands open. You wait.'

async function openPassage(options: Parameters<typeof openStory>[2] = {}) {
  const opened = await openStory(server, endpoint, options)
  endpoint.next(say(STORY))
  await playTurn(server, opened.id, { type: 'continue' })
  await opened.page.reload()
  await opened.page.getByRole('link', { name: 'Rewrite a part' }).click()
  await opened.page.getByRole('group', { name: 'Choose what to rewrite' }).waitFor()
  const text = async () => (await server.get(`/api/adventures/${opened.id}`)).body.actions.at(-1).text
  return { ...opened, text }
}

describe.skipIf(!hasBrowser)('a part of the newest passage', () => {
  for (const javaScriptEnabled of [true, false])
    test(`is chosen and rewritten ${javaScriptEnabled ? 'with' : 'without'} script; a failure keeps what was chosen`, async () => {
      const { page, text, faults } = await openPassage({ javaScriptEnabled })
      if (javaScriptEnabled) await page.locator('#composer[data-htmx-powered]').waitFor()
      await page.getByLabel('How should it').fill('Colder.')
      await page.getByRole('button', { name: 'Rewrite' }).click()
      await page.getByText('Choose at least one sentence').waitFor()
      await page.getByLabel('A door stands open.').check()
      endpoint.next(status(500))
      await page.getByRole('button', { name: 'Rewrite' }).click()
      await page.locator('#notice, .notice', { hasText: '500' }).first().waitFor()
      expect(await page.getByLabel('A door stands open.').isChecked()).toBe(true)
      expect(await page.getByLabel('The lamp burns.').isChecked()).toBe(false)
      expect(await page.getByLabel('How should it').inputValue()).toBe('Colder.')
      endpoint.next(say('A door creaks in the wind.'))
      await page.getByRole('button', { name: 'Rewrite' }).click()
      await page
        .locator('article.narration:not(.telling)', { hasText: 'creaks in the wind. You wait.' })
        .waitFor()
      expect(await text()).toBe('The lamp burns. A door creaks in the wind. You wait.')
      await page.locator('.editing').waitFor({ state: 'detached' })
      if (javaScriptEnabled) await page.getByRole('link', { name: 'Version 2 of 2' }).click()
      if (javaScriptEnabled)
        await page.locator('.variant', { hasText: 'Rewritten in part: Colder.' }).waitFor()
      expect(faults).toEqual([expect.stringContaining('422')])
    })

  test('leaves the note about the next passage and the draft where they are', async () => {
    const { page } = await openPassage()
    await page.locator('#composer[data-htmx-powered]').waitFor()
    await page.locator('#steer > summary').click()
    await page.fill('#steering', 'Let it rain.')
    await page.fill('#words', 'a draft')
    await page.getByLabel('You wait.').check()
    await page.getByLabel('How should it').fill('Shorter.')
    endpoint.next(say('You go.'))
    await page.getByRole('button', { name: 'Rewrite' }).click()
    await page.locator('article.narration:not(.telling)', { hasText: 'You go.' }).waitFor()
    expect([await page.inputValue('#steering'), await page.inputValue('#words')]).toEqual([
      'Let it rain.',
      'a draft',
    ])
  })

  test('that changed in another tab is not rewritten', async () => {
    const { id, page, text } = await openPassage()
    await page.locator('#composer[data-htmx-powered]').waitFor()
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    const changed = `${STORY} It rains.`
    await page.getByLabel('You wait.').check()
    await page.getByLabel('How should it').fill('Shorter.')
    await server.send('PATCH', `/api/adventures/${id}/actions/${actions.at(-1).id}`, { text: changed })
    await page.getByRole('button', { name: 'Rewrite' }).click()
    await page.getByText('This passage has changed').waitFor()
    expect(await text()).toBe(changed)
    expect(await page.getByLabel('How should it').inputValue()).toBe('Shorter.')
  })

  test('is offered for the narrator’s newest passage only, and Cancel shows the passage', async () => {
    const { page } = await openPassage()
    await page.locator('#composer[data-htmx-powered]').waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.locator('article.narration', { hasText: STORY }).waitFor()
    await eventually(() => page.getByRole('link', { name: 'Rewrite a part' }).count(), 1)
    await page.locator('#story article').last().getByRole('link', { name: 'Rewrite' }).waitFor()
  })
})
