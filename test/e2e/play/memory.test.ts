import { describe, expect, test } from 'bun:test'
import { hasBrowser, play, visit } from '../../support/browser/browser.ts'
import { gate, say, sayAround } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { startWithModel } from '../../support/service/with-model.ts'

// A file of the page's: it has no types.
const { DEBOUNCE }: { DEBOUNCE: number } = await import(
  `${import.meta.dir}/../../../public/forms/debounce.js`
)
const { endpoint, server } = await startWithModel({}, {})

describe.skipIf(!hasBrowser)('what a story is remembered by', () => {
  test('is refused in its panel, which covers the page on a phone', async () => {
    const { page } = await visit(server.address, { viewport: { width: 390, height: 600 } })
    const { body } = await server.post('/api/adventures', { title: 'Remembered' })
    for (let i = 0; i < 12; i++)
      await server.post(`/api/adventures/${body.id}/memories`, { text: `The key opens door ${i}.` })
    await page.goto(`/adventures/${body.id}?panel=memory`)
    await page.getByText('Add a memory').click()
    await page.getByRole('button', { name: 'Add memory' }).click()
    const refused = page.getByText('A memory cannot be empty.')
    await refused.waitFor()
    await page.waitForFunction(() => {
      const notice = document.querySelector('#panel-notice')
      const { left = 0, top = 0 } = notice?.getBoundingClientRect() ?? {}
      return notice?.contains(document.elementFromPoint(left + 1, top + 1))
    })
  })

  test('is looked after in a panel, with and without script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, faults } = await visit(server.address, { javaScriptEnabled })
      const { body } = await server.post('/api/adventures', { title: 'Remembered' })
      await page.goto(`/adventures/${body.id}`)
      await page.getByRole('link', { name: 'Memory' }).click()
      await page.getByText('Once the story has about a dozen passages').waitFor()
      await page.getByText('Add a memory').click()
      await page.getByLabel('What to remember').fill('The key is false.')
      await page.getByRole('button', { name: 'Add memory' }).click()
      await page.locator('.memories li', { hasText: 'The key is false.' }).waitFor()
      await page.locator('.memories summary').first().click()
      await page.getByRole('button', { name: 'Pin (always use)' }).click()
      await page.getByText('Written by you, pinned').waitFor()
      await page.locator('.memories summary').first().click()
      await page.getByRole('button', { name: 'Forget', exact: true }).click()
      await page.getByText('Forgotten (1)').waitFor()
      await page.getByText('Add a memory').click()
      await page.getByLabel('What to remember').fill('Half a thought')
      await page.uncheck('[name=memory_bank_enabled]')
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Save' }).first().click()
      await page.locator('#panel .did', { hasText: 'Saved.' }).waitFor()
      expect((await server.get(`/api/adventures/${body.id}`)).body).toMatchObject({
        memory_bank_enabled: false,
        auto_summarize: true,
      })
      if (javaScriptEnabled)
        expect(await page.getByLabel('What to remember').inputValue()).toBe('Half a thought')
      expect(faults).toEqual([])
    }
  })

  test('and its plot are kept while they are typed; only what was touched', async () => {
    const { page, faults } = await visit(server.address)
    const { body } = await server.post('/api/adventures', { title: 'Typed' })
    const stored = async () => (await server.get(`/api/adventures/${body.id}`)).body
    await page.goto(`/adventures/${body.id}?panel=plot`)
    // The summary is brought up to date meanwhile: the open page must not take it back.
    await server.send('PATCH', `/api/adventures/${body.id}`, { story_summary: 'Meanwhile.' })
    await page.fill('[name=memory]', 'The sea is sweet.')
    await page.locator('#panel').getByText('Saved', { exact: true }).waitFor()
    expect(await stored()).toMatchObject({
      memory: 'The sea is sweet.',
      story_summary: 'Meanwhile.',
      title: 'Typed',
    })
    await page.fill('[name=title]', 'x'.repeat(300))
    await page.locator('#plot-form .autosave-state', { hasText: 'Not saved.' }).waitFor()
    expect(await page.inputValue('[name=title]')).toHaveLength(300)
    // The browser reports the refusal itself.
    expect(faults.filter((fault) => !fault.includes('status of 422'))).toEqual([])
  })

  test('and its plot are not lost where no answer came', async () => {
    const { page } = await visit(server.address)
    const { body } = await server.post('/api/adventures', { title: 'Unanswered' })
    await page.goto(`/adventures/${body.id}?panel=plot`)
    const isPost = (url: URL) => url.pathname === `/adventures/${body.id}` && url.search === ''
    await page.route(isPost, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await page.fill('[name=memory]', 'The sea is sweet.')
    await page.getByText('Not saved: Inglenook is not responding.').waitFor()
    await page.unroute(isPost)
    const kept = page.waitForRequest((request) => request.method() === 'POST')
    await page.locator('#panel .panel-head a').click()
    await kept
    await page.goto(`/adventures/${body.id}?panel=plot`)
    expect(await page.inputValue('[name=memory]')).toBe('The sea is sweet.')
  })

  test('what is typed in a panel that is closed is kept once, whatever is written later', async () => {
    const { page, faults } = await visit(server.address)
    await page.addInitScript((debounce) => {
      const beacons: string[] = []
      const send = navigator.sendBeacon.bind(navigator)
      Object.assign(window, { beacons })
      // What is typed waits until the panel is closed, however long that takes here.
      const later = window.setTimeout.bind(window)
      const setTimeout = (run: TimerHandler, delay?: number) => (delay === debounce ? 0 : later(run, delay))
      Object.assign(window, { setTimeout })
      navigator.sendBeacon = (path, data) => {
        beacons.push(String(path))
        return send(path, data)
      }
    }, DEBOUNCE)
    const { body } = await server.post('/api/adventures', { title: 'Closed' })
    await server.post('/api/story-cards', { adventure_id: body.id, name: 'Boat', keys: 'boat' })
    const beacons = () => page.evaluate(() => (window as unknown as { beacons: string[] }).beacons)
    await page.goto(`/adventures/${body.id}?panel=plot`)
    await page.fill('[name=memory]', 'The sea is sweet.')
    await page.locator('#card-list summary').first().click()
    await page.locator('#card-list [name=entry]').fill('It leaks.')
    await page.locator('#panel .panel-head a').click()
    // It closes when all is saved. The page goes away, and says nothing more for what it has closed.
    await page.locator('#panel > *').first().waitFor({ state: 'detached' })
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
    expect(await beacons()).toEqual([])
    await page.goto(`/adventures/${body.id}?panel=plot`)
    expect(await page.inputValue('[name=memory]')).toBe('The sea is sweet.')
    expect(await page.locator('#card-list [name=entry]').inputValue()).toBe('It leaks.')
    expect(faults).toEqual([])
  })

  test('what is typed stays while something is being remembered, and comes to the new memories', async () => {
    const resting = await startServer({ idleDelay: 0 })
    await resting.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
    const { body } = await resting.post('/api/adventures', { title: 'Busy' })
    const end = gate()
    endpoint.byDefault((exchange) => {
      const last = exchange.request.body?.messages?.at(-1)?.content ?? ''
      return last.includes('[Leave the story for a moment')
        ? sayAround('The tide', end, ' turned.')(exchange)
        : say('A passage.')(exchange)
    })
    await resting.post(`/api/adventures/${body.id}/memories`, { text: 'The key is false.' })
    for (let turn = 0; turn < 7; turn++) await playTurn(resting, body.id, { type: 'do', text: 'go on' })
    resting.deps.idle.wake(body.id)
    while (resting.deps.idle.busyWith(body.id) === '') await Bun.sleep(10)
    const { page, faults } = await visit(resting.address)
    await page.goto(`/adventures/${body.id}?panel=memory`)
    await page.locator('#memory-status [hx-get]').waitFor()
    await page.getByText('Add a memory').click()
    await page.getByLabel('What to remember').fill('It rained.')
    await page.locator('#memories summary').click()
    await page.locator('#memories textarea').fill('The key is true.')
    const again = () => page.waitForResponse((answer) => answer.url().endsWith('?panel=memory'))
    await again()
    await again()
    expect(await page.getByLabel('What to remember').inputValue()).toBe('It rained.')
    expect(await page.locator('#memories textarea').inputValue()).toBe('The key is true.')
    await page.locator('#memories textarea').fill('The key is false.')
    end.open()
    await page.locator('#memories', { hasText: 'The tide turned.' }).waitFor()
    expect(await page.getByLabel('What to remember').inputValue()).toBe('It rained.')
    expect(faults).toEqual([])
  })

  test('cards can be tried on a text, with and without script', async () => {
    const { body } = await server.post('/api/adventures', { title: 'Tried' })
    for (const [name, keys] of [
      ['Boat', 'boat'],
      ['Key', 'key, -false'],
    ])
      await server.post('/api/story-cards', { adventure_id: body.id, name, keys, entry: 'Old.' })
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visit(server.address, { javaScriptEnabled })
      await page.goto(`/adventures/${body.id}?panel=plot`)
      await page.getByText('Try cards').click()
      await page.getByLabel('Text from a story').fill('Two boats and a false key.')
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      await page
        .locator('#tried li', { hasText: 'Boat, triggered by “boat”: added' })
        .waitFor({ state: 'attached' })
      expect(await page.locator('#tried li').allInnerTexts()).toContain(
        'Key, triggered by “key”: blocked by one of its triggers (“-false”)',
      )
    }
  })

  test('every word of the next prompt and of a past one is in the open', async () => {
    const { page, faults } = await visit(server.address, { viewport: { width: 390, height: 800 } })
    const { body } = await server.post('/api/adventures', { title: 'Open' })
    await page.goto(`/adventures/${body.id}`)
    endpoint.next(say('The rain has a voice.'))
    await play(page, 'listen')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Insights' }).click()
    await page.getByText('Next prompt').waitFor()
    await page.getByText('Show full prompt').click()
    await page.locator('.prompt-view', { hasText: 'The rain has a voice.' }).waitFor()
    await page.getByRole('link', { name: 'Full insights' }).click()
    await page.getByText('Raw response').click()
    await page.getByText('Prompt of this turn').waitFor()
    expect(await page.locator('.prompt-view').innerText()).not.toContain('The rain has a voice.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(faults).toEqual([])
  })
})
