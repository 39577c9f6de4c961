import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { SHORTCUTS } from '../../src/views/keys/shortcuts.ts'
import { eventually, hasBrowser, visit } from '../support/browser/browser.ts'
import { sampled } from '../support/depth.ts'
import { gate, say, sayAround } from '../support/endpoint/endpoint.ts'
import { playTurn } from '../support/service/events.ts'
import { startWithModel } from '../support/service/with-model.ts'
import { LANTERN_ROCK } from '../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel()
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lantern Rock',
  prompt: 'Dusk. ${Your name} climbs the stairs.',
  stat_schema: {
    ...LANTERN_ROCK,
    checks: {
      Climb: {
        dice: '1d20',
        stat: null,
        difficulties: [{ name: 'wet', number: 12 }],
        outcomes: [{ name: 'a slip' }],
      },
    },
  },
})

type Role = Parameters<Page['getByRole']>[0]

let page: Page

/** A story of its own, with so many turns, and nothing that was done before. */
async function begin(turns = 0): Promise<number> {
  const placeholders = { 'Your name': 'Tamsin' }
  const { body } = await server.post('/api/adventures', { scenario_id: scenario.id, placeholders })
  for (let turn = 1; turn <= turns; turn += 1) {
    endpoint.next(say(`${'The sea rises and falls. '.repeat(12)}It is turn ${turn}.`))
    await playTurn(server, body.id, { type: 'do', text: `wait ${turn}` })
  }
  return body.id
}

const named = (role: Role, name: string) => page.getByRole(role, { name, exact: true })
const isAt = (role: Role, name: string) => hasFocus(named(role, name))
const hasFocus = async (control: ReturnType<Page['locator']>) =>
  (await control.count()) === 1 && (await control.evaluate((element) => element === document.activeElement))
const variant = (which: string) => page.locator('#story .pager').getByText(`Version ${which}`).waitFor()
const passages = () => page.locator('#story > article').count()

/** Opens a page. */
async function open(path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => 'htmx' in window)
}

/** Presses keys in turn, each when the script has taken up what came last: nobody is so quick. */
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.waitForFunction(
      () =>
        !document.querySelector('form[hx-post]:not([data-htmx-powered]), a[hx-get]:not([data-htmx-powered])'),
    )
    await page.keyboard.press(key)
  }
}

/** Goes on with Tab until a control has the focus. It has to be there by its name. */
async function tabTo(role: Role, name: string): Promise<void> {
  await named(role, name).waitFor()
  for (let tabs = 0; tabs < 150; tabs += 1) {
    if (await isAt(role, name)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No Tab leads to the ${role} “${name}”.`)
}

/** Waits until a control has the focus: what a swap gives back, it gives back a moment later. */
const focusIs = (role: Role, name: string) => named(role, name).and(page.locator(':focus')).waitFor()
const focusAt = (selector: string) =>
  page.waitForFunction((one) => document.activeElement?.matches(one), selector)

const toldAll = (count: number) =>
  page.waitForFunction(
    (wanted) =>
      !document.querySelector('#telling, .htmx-request') &&
      document.querySelectorAll('#story > article').length === wanted,
    count,
  )

describe.skipIf(!hasBrowser)('with keys alone', () => {
  beforeAll(async () => {
    page = (await visit(server.address, { viewport: { width: 1280, height: 800 } })).page
  })
  beforeEach(async () => {
    await server.send('PUT', '/api/preferences', { shortcuts: true })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a story is begun, played, retried, changed, updated, and settings are set', async () => {
    await open('/')
    await press('g', 's')
    await page.waitForURL('**/scenarios')
    await tabTo('link', 'Lantern Rock')
    await press('Enter')
    await tabTo('textbox', 'Your name')
    await page.keyboard.type('Tamsin')
    await tabTo('button', 'Start story')
    await press('Enter')
    await page.waitForURL(/\/adventures\/\d+/)
    const id = Number(/\d+/.exec(new URL(page.url()).pathname)?.[0])
    for (let turn = 1; turn <= 3; turn += 1) {
      if (turn === 1) await press('Escape', '3', 'Escape', 'i')
      await focusIs('textbox', 'Your text')
      await page.keyboard.type(`step ${turn}`)
      endpoint.next(say(`It is turn ${turn}.`))
      await press('Enter')
      await toldAll(1 + 2 * turn)
    }
    const { actions } = (await server.get(`/api/adventures/${id}/actions`)).body
    expect(actions.at(-2).type).toBe('story')
    // Out of the field, and the newest passage told anew.
    await press('Escape')
    await focusAt('#story > article:last-child')
    endpoint.next(say('It is turn three, anew.'))
    await press('r')
    await variant('2 of 2')
    await press('[')
    await variant('1 of 2')
    expect(await page.locator('#story').innerText()).toContain('It is turn 3.')
    await press(']')
    await variant('2 of 2')
    await press('u')
    await focusIs('button', 'Undo, and delete 2 versions')
    await toldAll(7)
    await press('Enter')
    await toldAll(5)
    await eventually(() => page.inputValue('#words'), 'step 3')
    await press('Escape', 'k', 'j', 'e')
    await focusAt('#story textarea')
    await press('ControlOrMeta+a')
    await page.keyboard.type('The lamp is out.')
    await tabTo('button', 'Save')
    await press('Enter')
    await page.locator('#story', { hasText: 'The lamp is out.' }).waitFor()
    await focusAt('#story > article:last-child a[href*="edit="]')
    // What the scenario says now.
    await server.send('PATCH', `/api/scenarios/${scenario.id}`, { memory: `The lamp is older than ${id}.` })
    await press('Escape', 'p')
    await focusAt('#panel h2')
    await tabTo('link', 'Update from scenario “Lantern Rock”')
    await press('Enter')
    await tabTo('button', 'Update story')
    await press('Enter')
    await page.getByText('Story updated').waitFor()
    expect((await server.get(`/api/adventures/${id}`)).body.memory).toContain('older than')
    await press('g', 't')
    await tabTo('spinbutton', 'Max response length')
    await press('ControlOrMeta+a')
    await page.keyboard.type('777')
    await tabTo('button', 'Save settings')
    await Promise.all([page.waitForEvent('load'), press('Enter')])
    expect((await server.get('/api/settings')).body.max_output_tokens).toBe(777)
  })

  test('everything of that is found by its role and name', async () => {
    await open('/')
    await named('link', 'Scenarios').click()
    await named('link', 'Lantern Rock').click()
    await named('textbox', 'Your name').fill('Tamsin')
    await named('button', 'Start story').click()
    const story = page.getByRole('region', { name: 'Story' })
    const passage = (name: string) => story.getByRole('article', { name, exact: true })
    for (let turn = 1; turn <= 3; turn += 1) {
      await named('radio', ['Do', 'Say', 'Story'][turn % 3] ?? '').check({ force: true })
      await named('textbox', 'Your text').fill(`step ${turn}`)
      endpoint.next(say(`It is turn ${turn}.`))
      await named('button', 'Send').click()
      await passage(`Narrator, passage ${2 * turn}`).waitFor()
    }
    endpoint.next(say('It is turn three, anew.'))
    await named('button', 'Retry').click()
    await passage('Narrator, passage 6').getByText('Version 2 of 2').waitFor()
    await eventually(() => named('button', 'Next version').isDisabled(), true)
    await named('button', 'Previous version').click()
    await passage('Narrator, passage 6').getByText('It is turn 3.').waitFor()
    await named('button', 'Undo').click()
    await named('button', 'Undo, and delete 2 versions').click()
    await passage('You, passage 5').waitFor({ state: 'detached' })
    await passage('Narrator, passage 4').hover()
    await passage('Narrator, passage 4').getByRole('link', { name: 'Edit', exact: true }).click()
    await named('textbox', 'Text of this passage').fill('The lamp is out.')
    await named('button', 'Save').click()
    await passage('Narrator, passage 4').getByText('The lamp is out.').waitFor()
    await server.send('PATCH', `/api/scenarios/${scenario.id}`, { authors_note: `Slow: ${page.url()}.` })
    await page.locator('.story-head').getByRole('link', { name: 'Plot' }).click()
    await page
      .getByRole('region', { name: 'Plot and cards' })
      .getByRole('link', { name: /^Update/ })
      .click()
    await page.getByRole('checkbox', { name: /Author’s note/ }).check()
    await named('button', 'Update story').click()
    await page.getByRole('status').filter({ hasText: 'Story updated' }).waitFor()
    if (await named('button', 'Menu').isVisible()) await named('button', 'Menu').click()
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
    await named('spinbutton', 'Max response length').fill('778')
    await named('button', 'Save settings').click()
    await page.getByRole('status').filter({ hasText: 'Settings saved.' }).waitFor()
    expect((await server.get('/api/settings')).body.max_output_tokens).toBe(778)
    await named('spinbutton', 'Text size 80 to 200%').fill('120')
    await named('checkbox', 'Justify text').check()
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved\.$/ })
      .waitFor()
    expect((await server.get('/api/preferences')).body.size).toBe(120)
  })

  test('every key of the sheet finds its control on a page of a story, in the middle of it', async () => {
    await open(`/adventures/${await begin(1)}`)
    const rows = SHORTCUTS.flatMap(([, keys]) => keys)
    expect(
      await page.locator('#keys [data-key]').evaluateAll((all) => all.map((row) => row.dataset.key)),
    ).toEqual(rows.map(({ key }) => key))
    // Those that are there at times alone.
    const later = new Set(['[', ']', 'Escape'])
    for (const { key, on = [] } of rows) {
      const count = await page.locator(on.join(', ') || 'body').count()
      if (!later.has(key)) expect([key, count > 0]).toEqual([key, true])
    }
  })

  test('a type of input has the focus when its key has chosen it, and the search field when it is opened', async () => {
    await open(`/adventures/${await begin(1)}`)
    for (const [key, name] of [
      ['2', 'Say'],
      ['3', 'Story'],
      ['4', 'Try'],
      ['1', 'Do'],
    ] as const) {
      await press('Escape', key)
      await focusIs('radio', name)
      await eventually(() => named('radio', name).isChecked(), true)
    }
    await press('Escape', '/')
    await focusIs('searchbox', 'Search this story')
    await page.keyboard.type('sea rises')
    await press('Enter')
    await page.locator('#panel .hits').waitFor()
  })

  test('what is typed where nothing has the focus goes to the text box, the first letter included', async () => {
    for (const [keys, typed] of [
      ['under', 'under'],
      ['"No', '"No'],
      ['4 of us', '4 of us'],
    ] as const) {
      await open(`/adventures/${await begin(1)}`)
      await page.locator('#story article.narration').last().click()
      await page.keyboard.type(keys)
      expect([await page.inputValue('#words'), await passages()]).toEqual([typed, 3])
    }
    await open(`/adventures/${await begin(1)}`)
    await press('Space', 'ArrowUp', 'PageUp', '-')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('#story') as Element))
    await press('u')
    expect(await page.inputValue('#words')).toBe('')
  })

  for (const [browser, ...events] of [
    ['Chromium', 'compositionstart', { keyCode: 229, isComposing: true }, 'compositionend'],
    ['Safari', 'compositionstart', 'compositionend', { keyCode: 229, isComposing: false }],
  ] as const)
    test(`Enter that confirms a word of an input method does not send it, in the order of ${browser}`, async () => {
      await open(`/adventures/${await begin()}`)
      await page.fill('#words', '待つ')
      const enter = (sent: readonly (string | object)[]) =>
        page.locator('#words').evaluate((field, all) => {
          for (const one of all)
            field.dispatchEvent(
              typeof one === 'string'
                ? new CompositionEvent(one, { bubbles: true })
                : new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...one }),
            )
        }, sent)
      await enter(events)
      expect(await page.locator('.htmx-request').count()).toBe(0)
      expect(await page.inputValue('#words')).toBe('待つ')
      endpoint.next(say('The sea waits.'))
      await enter([{ keyCode: 13, isComposing: false }])
      await toldAll(3)
    })

  test('keys are the page’s only where they are nobody else’s', async () => {
    await open(`/adventures/${await begin(1)}`)
    const asked = endpoint.requests.length
    const calm = async () => {
      await page.evaluate(() => new Promise((next) => setTimeout(next, 100)))
      expect([await passages(), endpoint.requests.length]).toEqual([3, asked])
      expect(new URL(page.url()).pathname).toMatch(/adventures/)
    }
    // In a field they are letters.
    await press('c', 'r', 'u', '2', '?')
    expect(await page.inputValue('#words')).toBe('cru2?')
    await press('Escape')
    await press('Control+c', 'Alt+c', 'Meta+c', 'Control+f', 'Shift+C', 'g', 'c', 'u')
    await calm()
    // The browser keeps its own.
    const kept = await page.evaluate(() =>
      ['r', 'z', 'f', 'p', '1'].map((key) => {
        const event = new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true })
        document.body.dispatchEvent(event)
        return event.defaultPrevented
      }),
    )
    expect(kept).toEqual([false, false, false, false, false])
    // A key that is held down is pressed once.
    await page.evaluate(() =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'u', repeat: true, bubbles: true })),
    )
    await calm()
    // Over the page there is the sheet, and Esc leaves it to where the focus was.
    await press('Escape', 'k')
    const before = await page.evaluate(() => document.activeElement?.id)
    await press('?')
    await named('dialog', 'Keyboard shortcuts').waitFor()
    await press('c', 'u', 'Escape')
    await named('dialog', 'Keyboard shortcuts').waitFor({ state: 'hidden' })
    await eventually(() => page.evaluate(() => document.activeElement?.id), before)
    await calm()
    // And they can be switched off, but for those that nobody types by chance.
    await server.send('PUT', '/api/preferences', { shortcuts: false })
    await open(page.url())
    await press('c', 'u', 'g', 's')
    await calm()
    await press('?')
    expect(await named('dialog', 'Keyboard shortcuts').isVisible()).toBe(false)
    await named('button', 'Menu').click()
    await named('button', 'Shortcuts').click()
    expect(await named('dialog', 'Keyboard shortcuts').innerText()).toContain('Single-key shortcuts are off.')
  })

  test('a turn is stopped by Ctrl+. alone, and takes the focus from nobody', async () => {
    await open(`/adventures/${await begin(1)}`)
    const telling = async (ended: ReturnType<typeof gate>) => {
      endpoint.next(sayAround('It begins. And then', ended, ' it ends.'))
      await press('Escape', 'c')
      await page.locator('#told', { hasText: 'And then' }).waitFor()
    }
    const first = gate()
    await telling(first)
    // What a hand cannot press now, a key cannot.
    await press('r', 'u', 'c', 'Escape')
    expect(await page.locator('#telling').count()).toBe(1)
    await named('link', 'Plot').focus()
    first.open()
    await toldAll(4)
    await focusIs('link', 'Plot')
    await telling(gate())
    await named('textbox', 'Your text').focus()
    await press('Control+.')
    await toldAll(5)
    expect(await page.locator('#story').innerText()).toContain('The narrator was stopped here.')
    await focusIs('textbox', 'Your text')
    // Who clicked beside everything wants it nowhere.
    const third = gate()
    await press('Escape')
    await telling(third)
    await page
      .locator('.practice, .book')
      .first()
      .click({ position: { x: 1, y: 1 } })
    await eventually(() => hasFocus(page.locator('body')), true)
    third.open()
    await toldAll(6)
    expect(await hasFocus(page.locator('body'))).toBe(true)
    // Who goes on before the words have arrived is not called back by them.
    const sent = gate()
    await page.route('**/turns', async (route) => {
      await sent.opened
      await route.continue()
    })
    await named('textbox', 'Your text').fill('wait')
    endpoint.next(say('It waits.'))
    await named('textbox', 'Your text').press('Enter')
    await named('link', 'Memory').focus()
    sent.open()
    await toldAll(8)
    await eventually(() => page.inputValue('#words'), '')
    expect(await isAt('link', 'Memory')).toBe(true)
    await page.unroute('**/turns')
    // Who pressed Continue stands at Continue.
    await named('button', 'Continue').focus()
    endpoint.next(say('And on.'))
    await press('Enter')
    await toldAll(9)
    await focusIs('button', 'Continue')
  })

  test('what is opened takes the focus, and what is closed gives it back', async () => {
    const id = await begin(2)
    await open(`/adventures/${id}`)
    for (const [key, name] of [
      ['p', 'Plot'],
      ['m', 'Memory'],
    ] as const) {
      await press('Escape', key)
      await focusAt('#panel h2')
      await eventually(() => named('link', name).getAttribute('aria-current'), 'true')
      await press('Escape')
      await focusIs('link', name)
      await eventually(() => named('link', name).getAttribute('aria-current'), null)
    }
    await press('Escape', 'p')
    await focusAt('#panel h2')
    await tabTo('link', 'Close')
    await press('Enter')
    await focusIs('link', 'Plot')
    // What was typed a moment before is kept.
    await press('Escape', 'p')
    await focusAt('#panel h2')
    await tabTo('textbox', 'Plot essentials')
    await page.keyboard.type('A lamp.')
    await press('Escape')
    await focusIs('link', 'Plot')
    await page.waitForFunction(
      async (path) => (await (await fetch(path)).json()).memory === 'A lamp.',
      `/api/adventures/${id}`,
    )
    // A passage that is opened and left as it was, by Esc and by Cancel.
    const edit = page.locator('#story > article:last-child a[href*="edit="]')
    for (const close of [() => press('Escape'), () => tabTo('link', 'Cancel').then(() => press('Enter'))]) {
      await edit.focus()
      await press('Enter')
      await focusAt('#story textarea')
      await close()
      await focusAt('#story > article:last-child a[href*="edit="]')
    }
    // With new words in it, Esc shows the way out and throws nothing away.
    await press('e')
    await focusAt('#story textarea')
    await page.keyboard.type('New. ')
    await press('Escape')
    await focusIs('link', 'Cancel')
    expect(await page.inputValue('#story textarea')).toStartWith('New. ')
    await press('Enter')
    await focusAt('#story > article:last-child a[href*="edit="]')
    // The world by hand.
    await named('link', 'Edit values').focus()
    await press('Enter')
    await focusAt('.by-hand *')
    await tabTo('button', 'Save')
    await press('Enter')
    await focusIs('link', 'Edit values')
    // A step that cannot be made again leads to the one back.
    endpoint.next(say('Anew.'))
    await press('Escape', 'r')
    await variant('2 of 2')
    await named('button', 'Previous version').focus()
    await press('Enter')
    await variant('1 of 2')
    await focusIs('button', 'Next version')
    // A panel goes back to what opened it, wherever that stands.
    await named('link', 'Version 1 of 2').focus()
    await press('Enter')
    await focusAt('#panel h2')
    await press('Escape')
    await focusIs('link', 'Version 1 of 2')
    // Undo until nothing is left to undo.
    for (const [left, name] of [
      [3, 'Undo, and delete 2 versions'],
      [1, 'Undo'],
    ] as const) {
      await press('Escape', 'u')
      await focusIs('button', name)
      await press('Enter')
      await toldAll(left)
    }
    await focusIs('button', 'Continue')
  })

  test('what lies over a narrow page has it to itself', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await open(`/adventures/${await begin(1)}`)
    // A browser gives the focus to a popover before it reports that it is open, so what is reached is waited for.
    const reached = (isReached: boolean) =>
      page.waitForFunction(
        (isReached) =>
          ['.story-head', '#story', '.column'].every(
            (one) => !document.querySelector(one)?.closest('[inert]') === isReached,
          ),
        isReached,
      )
    await named('button', 'World').focus()
    await press('Enter')
    await page.locator('#world').waitFor()
    await focusIs('button', 'Close')
    await reached(false)
    // What is opened before the browser has gone back stays.
    await page.evaluate(() => {
      history.back = () => void Object.assign(window, { isBackLate: true })
    })
    await press('Escape')
    await focusIs('button', 'World')
    await reached(true)
    await page.waitForFunction(() => 'isBackLate' in window)
    await press('Escape', 'm')
    await focusAt('#panel h2')
    await page.evaluate(async () => {
      const gone = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
      history.go(-2)
      await gone
    })
    await focusAt('#panel h2')
    await reached(false)
    await press('u', 'c')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.waitForFunction(() => !document.querySelector('[inert]'))
    await page.setViewportSize({ width: 390, height: 800 })
    await page.waitForFunction(() => document.querySelector('.column')?.closest('[inert]'))
    await press('Escape')
    await focusIs('button', 'Menu')
    await reached(true)
    expect(await passages()).toBe(3)
  })

  for (const [width, height] of sampled(
    [
      [320, 420],
      [390, 700],
      [1280, 800],
    ] as const,
    1,
  ))
    test(`what has the focus is seen, whatever stands before the page, at ${width} by ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await open(`/adventures/${await begin(3)}`)
      const hidden: string[] = []
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      for (const key of ['Tab', 'Shift+Tab'])
        for (let tabs = 0; tabs < 45; tabs += 1) {
          await press(key)
          const fault = await page.evaluate(() => {
            const one = document.activeElement as HTMLElement
            const { left, top, width, height } = one.getBoundingClientRect()
            const there = document.elementFromPoint(left + width / 2, top + height / 2)
            return one === document.body ||
              !there ||
              there.contains(one) ||
              one.contains(there) ||
              there.parentElement?.contains(one)
              ? ''
              : `${one.tagName} ${one.textContent?.trim().slice(0, 40)} behind ${there.tagName} ${there.className}`
          })
          if (fault) hidden.push(fault)
        }
      expect(hidden).toEqual([])
    })
})
