import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { tooWide } from '../support/browser/axe.ts'
import { hasBrowser, visit } from '../support/browser/browser.ts'
import { isFullLane } from '../support/depth.ts'
import { allowTarget } from '../support/endpoint/allowed-targets.ts'
import { gate, say, sayAround, startEndpoint, status } from '../support/endpoint/endpoint.ts'
import { makeAdventure } from '../support/files/make.ts'
import { png } from '../support/files/pictures.ts'
import { AT, lampStory } from '../support/files/portable.ts'
import { startServer, type TestServer } from '../support/service/server.ts'
import { LANTERN_ROCK } from '../support/stories/worlds.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
// Looked for on this machine, it is found by what an Ollama says of itself.
endpoint.pages.set('/api/version', { version: '0.6.2' })
allowTarget(endpoint.url.replace('127.0.0.1', '[::1]'))

type Role = Parameters<Page['getByRole']>[0]

// All that a page can do, one after the other. What is played most has tests of its own in `play`, also without script.
for (const width of [390, 1280])
  describe.skipIf(!hasBrowser || !isFullLane)(`without script, ${width} pixels wide`, () => {
    let server: TestServer
    let page: Page
    let story = ''
    let scenario = ''
    beforeAll(async () => {
      server = await startServer({ narrator: { ports: [Number(new URL(endpoint.url).port)] } })
      const options = { javaScriptEnabled: false, viewport: { width, height: 800 } }
      page = (await visit(server.address, options)).page
    })

    const named = (role: Role, name: string | RegExp) =>
      page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name })
    const press = (name: string | RegExp) => named('button', name).first().click()
    const follow = (name: string | RegExp) => named('link', name).first().click()
    const open = (name: string) => page.locator('summary', { hasText: name }).first().click()
    const passages = () => page.locator('#story > article').allInnerTexts()
    const path = () => new URL(page.url()).pathname

    /** The way to a panel of the story; on a phone it is in the menu. */
    async function panel(name: string): Promise<void> {
      if (name !== 'Text settings' && (width < 640 || !/Plot|Memory/.test(name))) await press('Menu')
      await follow(name)
      await page.locator('#panel .panel-head').waitFor()
    }

    /** The page says what was done, where it is seen, and was entered where that was done. */
    async function said(words: string, anchor: string): Promise<void> {
      const note = page.getByRole('status').filter({ hasText: words })
      await note.waitFor()
      expect([words, await isInSight(note)]).toEqual([words, true])
      expect([words, new URL(page.url()).hash]).toEqual([words, anchor])
      expect(await page.title()).toContain(words)
      if (anchor !== '') expect([anchor, await isInSight(page.locator(anchor))]).toEqual([anchor, true])
      expect(await tooWide(page)).toEqual([])
    }

    /** Plays a turn and waits for the end of its page. */
    async function turn(words: string, told: string, mode = 'Do'): Promise<void> {
      endpoint.next(say(told))
      if (mode !== 'Do') await named('radio', mode).check({ force: true })
      await page.fill('#words', words)
      await press('Send')
      await page.locator('#story ~ article, #story article').filter({ hasText: told }).last().waitFor()
    }

    test('a first story is there at a press, and a server is found', async () => {
      await page.goto('/')
      await press('Find model servers on this machine')
      await page.waitForURL(/#found$/)
      expect(await isInSight(page.locator('#found'))).toBe(true)
      await press('Use test-model')
      await page.getByText('Settings saved.').waitFor()
      await page.goto('/')
      await press('Play a first story')
      await page.waitForURL(/#end$/)
      expect(await passages()).toHaveLength(1)
    })

    test('settings are set, tried and kept, and the reader’s too', async () => {
      await page.goto('/settings')
      await page.fill('[name=endpoint_url]', endpoint.url)
      await page.fill('[name=model]', 'test-model')
      await press('Test connection')
      await page.waitForURL(/#tested$/)
      await page.getByText('Connected.').waitFor()
      expect(await isInSight(page.locator('#tested'))).toBe(true)
      expect(await page.inputValue('[name=model]')).toBe('test-model')
      const numbers: Record<string, string> = {
        read_timeout_seconds: '120',
        max_output_tokens: '777',
        context_token_budget: '9000',
        temperature: '0.7',
        min_p: '0.05',
        top_p: '0.9',
        repeat_penalty: '1.1',
        reasoning_max_tokens: '3',
        memory_bank_capacity: '50',
        memory_top_k: '4',
      }
      for (const [name, value] of Object.entries(numbers)) await page.fill(`[name=${name}]`, value)
      await page.fill('[name=narrator_prompt]', 'Tell it well.')
      await page.selectOption('[name=second_call]', 'never')
      await press('Save settings')
      await page.getByText('Settings saved.').waitFor()
      const { body } = await server.get('/api/settings')
      for (const [name, value] of Object.entries(numbers))
        expect([name, body[name]]).toEqual([name, Number(value)])
      expect([body.narrator_prompt, body.second_call]).toEqual(['Tell it well.', 'never'])
      // What is refused stays in its field.
      await page.fill('[name=endpoint_url]', 'http://example.org/v1')
      await press('Save settings')
      await page.locator('#notice, .notice').filter({ hasText: /\S/ }).first().waitFor()
      expect(await page.inputValue('[name=endpoint_url]')).toBe('http://example.org/v1')
      await page.goto('/settings')
      await named('radio', 'Sepia').check({ force: true })
      await page.locator('#reading .row button').click()
      await said('Saved.', '#reading-settings')
      expect((await server.get('/api/preferences')).body.theme).toBe('sepia')
    })

    test('a scenario is written: texts, picture, cards, what is counted', async () => {
      await page.goto('/scenarios')
      await press('New scenario')
      await page.waitForURL(/tab=story/)
      scenario = path().replace('/edit', '')
      await page.fill('[name=title]', 'Lantern Rock')
      await page.fill('[name=prompt]', 'Dusk. ${Your name} climbs the stairs.')
      await press('Save scenario')
      await said('Saved.', '')
      await page.goto(`${scenario}/edit?tab=cover`)
      await page.setInputFiles('[name=picture]', { name: 'c.png', mimeType: 'image/png', buffer: png() })
      await press('Save cover')
      await said('Saved.', '')
      await page.goto(`${scenario}/edit?tab=stats`)
      await page.locator('[value="add:player"]').click()
      await said('Saved.', '#stats')
      await page.locator('[name^="name:player."]').first().fill('warmth')
      await press('Save stats')
      await said('Saved.', '#stats')
      const { stat_schema } = (await server.get(`/api${scenario}`)).body
      expect(Object.keys(stat_schema.player)).toEqual(['warmth'])
      await page.goto(`${scenario}/edit?tab=stats`)
      await open('Edit as JSON')
      await page.fill('[name=json]', JSON.stringify(LANTERN_ROCK))
      await press('Save JSON')
      await said('Saved.', '#stats')
      await page.goto(`${scenario}/edit?tab=questions`)
      await page.locator('#preview-answers').getByLabel('Your name').fill('Tamsin')
      await press('Update preview')
      await page.locator('#previewed', { hasText: 'Tamsin climbs' }).waitFor()
      await page.goto(`${scenario}/edit?tab=cards`)
      await cards({ name: 'Lamp', keys: 'lamp' })
      await page.getByLabel('Try a line').fill('A lamp.')
      await press('Update preview')
      await page.locator('#previewed [role=status]').getByText('Lamp').waitFor()
      expect(await isInSight(page.locator('#previewed [role=status]'))).toBe(true)
      await page.goto(scenario)
      await press('Duplicate scenario')
      await said('This is the duplicate.', '')
      await follow('Play this scenario')
      await open('Delete scenario')
      await press(/^Delete “/)
      await said('Deleted.', '')
      expect(path()).toBe('/scenarios')
    })

    /** Adds a card and changes it. */
    async function cards({ name, keys }: { name: string; keys: string }): Promise<void> {
      await press('New card')
      // The browser has opened what the address points into.
      const card = page.locator(new URL(page.url()).hash)
      await card.getByLabel('Name').fill(name)
      await card.getByRole('textbox', { name: 'Triggers' }).fill(keys)
      await card.getByLabel('Entry').fill(`About ${name}.`)
      await card.getByRole('button', { name: 'Save card' }).click()
      await said('Saved.', new URL(page.url()).hash)
    }

    test('a story is begun and played; a turn that fails gives the words back', async () => {
      await page.goto(scenario)
      await page.getByLabel('Your name').first().fill('Tamsin')
      await press('Start story')
      await page.waitForURL(/#end$/)
      story = path()
      expect((await passages())[0]).toContain('Tamsin climbs the stairs.')
      await turn('open the door', 'It creaks.')
      await turn('Who is there?', 'Nobody answers.', 'Say')
      await turn('It rains.', 'It pours.', 'Story')
      endpoint.next(say('On and on.'))
      await press('Continue')
      await page.locator('article').filter({ hasText: 'On and on.' }).last().waitFor()
      endpoint.next(status(400, 'No.'))
      await page.fill('#words', 'words that must not be lost')
      await press('Send')
      await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
      await page.goto(story)
      const kept = [await page.inputValue('#words'), ...(await passages())].join('\n')
      expect(kept).toContain('words that must not be lost')
      endpoint.next(say('Now it works.'))
      await press(/^(Retry|Answer)$/)
      await page.locator('article').filter({ hasText: 'Now it works.' }).last().waitFor()
    })

    test('a running turn shows its text so far and how to stop it, and its reply when the page has loaded again', async () => {
      const { body } = await server.post('/api/import?apply=1', {
        ...JSON.parse(makeAdventure(lampStory(), AT)),
        actions: [{ type: 'start', text: 'The road goes on, and on.\n\n'.repeat(60) }],
      })
      await page.goto(`/adventures/${body.adventure_ids[0]}`)
      const end = gate()
      endpoint.next(sayAround('The first words. And then', end, ' the last words.'))
      await page.fill('#words', 'look around')
      await page.locator('.words .main').click({ noWaitAfter: true })
      await page.locator('#telling', { hasText: 'The first words.' }).waitFor()
      await named('link', 'Look again').waitFor()
      await named('button', 'Stop').waitFor()
      expect(await page.locator('#words').isVisible()).toBe(false)
      end.open()
      await page.locator('article', { hasText: 'the last words.' }).waitFor()
      await page.locator('#words').waitFor()
    })

    test('a passage is retried, switched, undone, edited, bookmarked and continued', async () => {
      await page.goto(story)
      endpoint.next(say('Now it works better.'))
      await press('Retry')
      await page.getByText('2/2').waitFor()
      await press('Previous version')
      await said('The story continues from this version.', '#end')
      await follow(/^Version 1 of 2/)
      await page.getByRole('heading', { name: /^Versions of passage/ }).waitFor()
      await press('Use this one: version 2')
      await said('The story continues from this version.', '#end')
      await press('Undo')
      await press('Undo, and delete 2 versions')
      await said('Turn undone.', '#end')
      expect(await page.inputValue('#words')).toContain('ords that must not be lost')
      const last = page.locator('#story > article').last()
      const id = `#${await last.getAttribute('id')}`
      await last.getByRole('link', { name: 'Edit', exact: true }).click()
      await page.getByLabel('Text of this passage').fill('It is written over.')
      await press('Save')
      await said('Saved.', id)
      await page.locator(id).getByRole('button', { name: 'Bookmark', exact: true }).click()
      await said('Bookmarked.', id)
      await page.locator(id).getByRole('button', { name: 'Bookmarked', exact: true }).click()
      await said('Bookmark removed.', id)
      await page.locator(id).getByRole('button', { name: 'Bookmark', exact: true }).click()
      await panel('Contents')
      await page.locator('summary', { hasText: 'Rename or remove' }).click()
      await page.getByLabel(/^Name of the bookmark/).fill('Here')
      await press('Rename')
      await said('Saved.', '#panel')
      await follow('Here')
      await page.waitForURL(new RegExp(`${id}$`))
      await panel('Contents')
      await page.locator('summary', { hasText: 'Rename or remove' }).click()
      await press('Remove')
      await said('Bookmark removed.', '#panel')
      await follow('Close')
      await page.waitForURL(/#end$/)
      await page.locator(id).getByRole('button', { name: 'Branch from here' }).click()
      await said('This is a new branch', '#end')
      expect(path()).not.toBe(story)
    })

    test('its world, memories, texts and cards are changed beside it', async () => {
      await page.goto(story)
      if (width < 1024) await press('World')
      await follow('Edit values')
      await page.getByLabel(/^warmth/i).fill('20')
      await press('Save')
      await said('Values saved.', '#end')
      await panel('Memory')
      await open('Add a memory')
      await page.getByLabel('What to remember').fill('The lamp is old.')
      await press('Add memory')
      await said('Added.', '#panel')
      await open('Edit')
      await press('Forget')
      await said('Saved.', '#panel')
      await open('Forgotten')
      await page.locator('details[open]').getByText('Edit', { exact: true }).click()
      await press('Restore')
      await said('Saved.', '#panel')
      await open('Edit')
      await press('Delete')
      await said('Deleted.', '#panel')
      await page.getByLabel(/Create a memory/).uncheck()
      await page
        .locator('#panel form', { hasText: 'Create a memory' })
        .getByRole('button', { name: 'Save' })
        .click()
      await said('Saved.', '#panel')
      await panel2('Plot')
      await page.getByLabel('Plot essentials').fill('A lamp.')
      await press('Save plot')
      await said('Saved.', '#panel')
      expect((await server.get(`/api${story}`)).body).toMatchObject({
        memory: 'A lamp.',
        memory_bank_enabled: false,
      })
      await cards({ name: 'Rope', keys: 'rope' })
      await open('Try cards')
      await page.getByLabel('Text from a story').fill('A rope.')
      await press('Test')
      await page.locator('#tried').getByText('Rope').waitFor()
      expect(await isInSight(page.locator('#tried'))).toBe(true)
      await panel2('Plot')
      await page.locator('#card-list > details').last().locator('> summary').click()
      await press('Move up: Rope')
      await said('Moved.', new URL(page.url()).hash)
      await press('Delete “Rope”')
      await said('Deleted.', '#card-list')
      await panel2('Text settings')
      await press('Text size: more')
      await said('Saved.', '#panel')
      expect(await page.inputValue('[name=size]')).toBe('110')
      expect(path()).toBe(story)
    })

    /** From one panel to another. */
    async function panel2(name: string): Promise<void> {
      if (width < 1024) await follow('Close')
      await panel(name)
    }

    test('it is brought up to date, found, put on the shelf, taken away, deleted and brought back', async () => {
      await server.send('PATCH', `/api${scenario}`, { authors_note: 'Slow.' })
      await page.goto(`${story}?panel=plot#panel`)
      await follow(/^Update from scenario/)
      await press('Update story')
      await page.getByRole('status').filter({ hasText: 'Story updated' }).waitFor()
      await follow('Back to the story')
      await page.waitForURL(/#end$/)
      await page.goto('/search?q=creaks')
      await page.locator('#found-action + ul a').first().click()
      await page.waitForURL(/#action-/)
      expect(await isInSight(page.locator('article:target'))).toBe(true)
      await page.goto('/adventures')
      await press(/^Pin/)
      await page.waitForURL(/#story-\d+$/)
      await said('Pinned', new URL(page.url()).hash)
      await press(/^Archive/)
      await page.getByRole('status').filter({ hasText: 'Archived.' }).waitFor()
      await follow(/^Archived stories/)
      await press(/^Unarchive/)
      await page.getByRole('status').filter({ hasText: 'Moved back to your stories.' }).waitFor()
      await page.goto('/adventures?order=title&find=lantern')
      expect(await page.locator('.card').count()).toBeGreaterThan(0)
      await page.goto(`${story}?panel=export#panel`)
      const [file] = await Promise.all([page.waitForEvent('download'), press('Download')])
      expect(file.suggestedFilename()).toEndWith('.json')
      await follow('Close')
      await press('Menu')
      await open('Delete this story')
      await press(/^Delete “Lantern/)
      await said('Deleted.', '')
      await page.goto(story)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await follow('Go to your library')
      await page.setInputFiles('[name=file]', {
        name: 'lamp.json',
        mimeType: 'application/json',
        buffer: Buffer.from(makeAdventure(lampStory(), AT)),
      })
      await press('Preview')
      await page.getByText('Imported as is').waitFor()
      await press('Import')
      await said('Imported.', '#end')
      expect((await passages()).join(' ')).toContain('He was not alone.')
    })

    test('a long story is read from its opening on, and back', async () => {
      const { body } = await server.post('/api/adventures', { title: 'Long' })
      const plain = await server.post('/api/import?apply=1', {
        ...JSON.parse(makeAdventure(lampStory(), AT)),
        actions: Array.from({ length: 200 }, (_, i) => ({
          type: i === 0 ? 'start' : 'story',
          text: `Line ${i}.`,
        })),
      })
      expect(body.id).toBeGreaterThan(0)
      const [id] = plain.body.adventure_ids
      await page.goto(`/adventures/${id}?panel=contents#panel`)
      await follow('Go to the opening')
      const prose = () => page.locator('#story > article .prose').allInnerTexts()
      const read = new Set(await prose())
      for (let pages = 0; pages < 12 && (await named('link', 'Show later passages').count()) > 0; pages++) {
        await follow('Show later passages')
        expect(await isInSight(page.locator('article:target'))).toBe(true)
        for (const passage of await prose()) read.add(passage)
      }
      expect(read.size).toBe(200)
    })

    test('nothing is there that does nothing', async () => {
      for (const at of [
        '/',
        '/scenarios',
        scenario,
        '/adventures',
        '/adventures/1',
        '/settings',
        '/search',
      ]) {
        await page.goto(at)
        const dead = await page
          .locator('button:visible')
          .evaluateAll((all) =>
            (all as HTMLButtonElement[])
              .filter(
                (one) =>
                  !one.popoverTargetElement && !(one.type === 'submit' && one.form?.getAttribute('action')),
              )
              .map((one) => one.textContent?.trim()),
          )
        expect([at, dead]).toEqual([at, []])
      }
    })
  })

/** Whether any of it stands in the window of the loaded page. */
async function isInSight(place: ReturnType<Page['locator']>): Promise<boolean> {
  await place.page().waitForLoadState()
  return isInWindow(place)
}

/** Whether any of it stands in the window, below the bar. */
function isInWindow(place: ReturnType<Page['locator']>): Promise<boolean> {
  return place.first().evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    const bar = document.querySelector('.story-head')?.getBoundingClientRect().bottom ?? 0
    return top < innerHeight && bottom > bar
  })
}
