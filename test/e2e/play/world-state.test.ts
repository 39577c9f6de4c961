import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, play, visit } from '../../support/browser/browser.ts'
import { sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({}, {})
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lantern Rock',
  stat_schema: LANTERN_ROCK,
})

const tell = (delta: Record<string, unknown>) =>
  endpoint.next(sayAndRecord('The sea rises.', delta, { pieces: 9 }))
const begin = async () =>
  `/adventures/${(await server.post('/api/adventures', { scenario_id: scenario.id })).body.id}`
const hasValue = (page: Page, label: string, value: string) =>
  page
    .locator('#world-state .stats > div', { has: page.locator('dt', { hasText: label }) })
    .locator('dd', { hasText: value })
    .waitFor()
/** What a screen reader says of each chip. */
const chips = (page: Page) =>
  page
    .locator('#story article:last-of-type .changes li')
    .evaluateAll((items) =>
      items.map((item) => [...item.querySelectorAll('span')].map(({ textContent }) => textContent).join('')),
    )

describe.skipIf(!hasBrowser)('the numbers of a story', () => {
  test('move beside it, say why, follow its attempts, and can be set by hand', async () => {
    const { page, faults } = await visit(server.address, { viewport: { width: 1400, height: 900 } })
    await page.goto(await begin())
    await hasValue(page, 'warmth', '32/40')
    tell({
      'player.warmth': -90,
      'world.sea': 2,
      'flags.door_barred': true,
      'player.stamina': 3,
      'world.night': -1,
    })
    await play(page, 'wait')
    await eventually(
      () => chips(page),
      [
        'warmth −8 → 24: asked for −90, got −8: at most 8 per turn',
        'sea +2 → 6',
        'door barred: yes',
        '✗ stamina: rejected, asked for +3: there is no such stat',
        '✗ night: rejected, asked for −1: a counter only goes up',
      ],
    )
    expect(await page.locator('#story').innerText()).not.toContain('state_delta')
    await hasValue(page, 'warmth', '24/40')
    await hasValue(page, 'sea', 'choppy')
    tell({ 'player.warmth': -1 })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('2/2').waitFor()
    await hasValue(page, 'warmth', '31/40')
    await page.getByRole('button', { name: 'Previous version' }).click()
    await page.getByText('1/2').waitFor()
    await hasValue(page, 'warmth', '24/40')
    expect((await chips(page))[0]).toContain('−8 → 24')
    await page.getByText('Edit values').click()
    await page.fill('[name="set:player.warmth"]', '5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.changes .manual').waitFor()
    await hasValue(page, 'warmth', '5/40')
    await eventually(async () => (await chips(page)).at(-1), 'warmth −19 → 5: set by you')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: /^Undo, and delete/ }).click()
    await page.locator('.changes').waitFor({ state: 'detached' })
    await hasValue(page, 'warmth', '32/40')
    expect(faults).toEqual([])
  })

  test('are set by hand on a phone, where the panel says what was limited or refused', async () => {
    const { page, faults } = await visit(server.address, { viewport: { width: 390, height: 844 } })
    const at = await begin()
    await page.goto(at)
    await page.locator('.story-head [popovertarget="world"]').click()
    await page.getByText('Edit values').click()
    await page.fill('[name="set:player.warmth"]', 'cold')
    await page.getByRole('button', { name: 'Save' }).click()
    const refused = page.getByText('Not saved: warmth: it must be a number.')
    await refused.waitFor()
    const isShown = (text: typeof refused) =>
      text.evaluate((element) => {
        const { left, top } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(left + 1, top + 1))
      })
    expect(await isShown(refused)).toBe(true)
    await page.fill('[name="set:player.warmth"]', '99')
    await page.getByRole('button', { name: 'Save' }).click()
    const limited = page.getByText('Warmth is now 40: the maximum is 40.')
    await limited.waitFor()
    expect(await isShown(limited)).toBe(true)
    expect(faults).toEqual([expect.stringContaining('422')])
  })

  test('are set by hand without script, only those that were touched', async () => {
    const { page } = await visit(server.address, { javaScriptEnabled: false })
    const at = await begin()
    await page.goto(at)
    await page.getByText('Edit values').click()
    await page.fill('[name="set:player.lamp_oil"]', '2')
    await page.fill('[name="set:player.warmth"]', 'cold')
    await page.check('[name="on:flags.door_barred"]')
    await page.getByRole('button', { name: 'Save' }).click()
    const notice = 'Not saved: warmth: it must be a number. Everything else was saved.'
    await page.locator('#world-notice').getByText(notice, { exact: true }).waitFor()
    expect(await page.inputValue('[name="set:player.warmth"]')).toBe('cold')
    const { state } = (await server.get(`/api${at}/world-state`)).body
    expect([state.player.lamp_oil, state.player.warmth, state.flags.door_barred, state._meta]).toEqual([
      2,
      32,
      true,
      { last_changed: {} },
    ])
  })

  test('show how they came about, and the reply as it came', async () => {
    const { page, faults } = await visit(server.address, { viewport: { width: 390, height: 800 } })
    await page.goto(await begin())
    for (const change of [-3, -2]) {
      tell({ 'player.warmth': change, 'player.coat': `coat ${change}` })
      await play(page, 'wait')
    }
    await page.getByRole('button', { name: 'World' }).click()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: 'change history' }).click()
    await page.waitForURL(/insights/)
    expect(
      await page.getByRole('img', { name: 'warmth from 27 to 32, now 27' }).locator('circle').count(),
    ).toBe(2)
    await page.getByText('2 changes, as a table').click()
    expect(
      await page
        .locator('.history', { has: page.getByText('player.warmth') })
        .locator('table')
        .innerText(),
    ).toContain('32\t29')
    await page.getByText('Raw response').first().click()
    await page.locator('article .raw').first().waitFor()
    expect(await page.locator('article .raw').first().innerText()).toBe('The sea rises.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(faults).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('what is counted', () => {
  test('is written in a form that keeps everything, sound or not', async () => {
    const { page, faults } = await visit(server.address)
    const own = {
      ...LANTERN_ROCK,
      player: { ...LANTERN_ROCK.player, warmth: { ...LANTERN_ROCK.player.warmth, step: 3 } },
      palette: 'teal',
    }
    const { body } = await server.post('/api/scenarios', { title: 'Own', stat_schema: own })
    const stored = async () => (await server.get(`/api/scenarios/${body.id}`)).body.stat_schema
    const status = page.locator('#schema-state [role=status]')
    await page.goto(`/scenarios/${body.id}/edit?tab=stats`)
    // A rename keeps the rest, the order, and keys that no field shows.
    await page.fill('[name="name:player.warmth"]', 'heat')
    await page.locator('#schema-state', { hasText: '- player.heat (number)' }).waitFor({ state: 'attached' })
    expect(Object.keys((await stored()).player)).toEqual(['heat', 'lamp_oil', 'coat'])
    expect(await stored()).toMatchObject({ player: { heat: { step: 3, max: 40 } }, palette: 'teal' })
    // What cannot be used is kept, beside the version that counts.
    await page.fill('[name="max:player.warmth"]', 'a lot')
    await status.filter({ hasText: 'draft' }).waitFor()
    expect(await page.locator('#schema-state').innerText()).toContain('player.heat.max must be a number')
    expect((await stored()).player.heat.max).toBe(40)
    await page.goto(`/scenarios/${body.id}/edit?tab=stats`)
    expect(await page.inputValue('[name="max:player.heat"]')).toBe('a lot')
    // What is folded away says what it holds, and is open where something is to be mended.
    const folded = page.locator('#schema-form .counted > details')
    expect(await folded.locator('summary').nth(1).innerText()).toBe(
      'More options max change 3 · 4 labels · cooldown 2',
    )
    expect(
      await folded.evaluateAll((all) =>
        all.flatMap((one, i) => ((one as HTMLDetailsElement).open ? [i] : [])),
      ),
    ).toEqual([2])
    await page.fill('[name="max:player.heat"]', '50')
    await status.filter({ hasText: /^New stories use/ }).waitFor()
    expect((await stored()).player.heat.max).toBe(50)
    // A name that is taken stays as it is typed, and says so.
    await page.fill('[name="name:player.heat"]', 'coat')
    await page.getByText('because that name is in use').waitFor()
    await page.fill('[name="name:player.heat"]', 'heat')
    await page.locator('[value="add:npc.ottoline"]').click()
    await page.fill('[name="name:npc.ottoline."]', 'hope')
    await page.getByText('Remove', { exact: true }).first().waitFor()
    await page
      .locator('#schema-state', { hasText: '- npc.ottoline.hope (number)' })
      .waitFor({ state: 'attached' })
    await page.locator('[value="drop:world.sea"]').click()
    await page.locator('[name="name:world.sea"]').waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({
      npcs: { ottoline: { stats: { hope: { min: 0, max: 100, initial: 0 } } } },
    })
    expect(Object.keys((await stored()).world)).toEqual(['night'])
    // The JSON view.
    await page.getByText('Edit as JSON').click()
    await page.fill('[name=json]', '{"player": {"hp": {"max": 5')
    await page.getByRole('button', { name: 'Save JSON' }).click()
    await page.getByText('This is not valid JSON').waitFor()
    expect(await page.inputValue('[name=json]')).toBe('{"player": {"hp": {"max": 5')
    await page.fill('[name=json]', '{"player": {"hp": {"max": 5}}}')
    await page.getByRole('button', { name: 'Save JSON' }).click()
    await page.locator('[name="name:player.hp"]').waitFor()
    expect(await stored()).toEqual({ player: { hp: { max: 5 } } })
    expect(faults).toEqual([])
  })
})
