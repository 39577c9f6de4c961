import { describe, expect, test } from 'bun:test'
import { beginStory, eventually, hasBrowser, passages, play, visit } from '../../support/browser/browser.ts'
import { gate, say, sayAround } from '../../support/endpoint/endpoint.ts'
import { startServer } from '../../support/service/server.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const server = await startServer({ practicePace: 10 })
const { endpoint, server: withModel } = await startWithModel()
const LINES = ['look around', 'open the door', 'pick up the lamp']

describe.skipIf(!hasBrowser)('with the practice narrator', () => {
  test('turns are played, streamed in chunks, and are the same after a reload', async () => {
    const { page, faults } = await visit(server.address)
    await beginStory(page)
    expect(await page.locator('.practice').innerText()).toContain('practice narrator')
    for (const line of LINES) await play(page, line)
    await page.evaluate(() => {
      const seen: string[] = []
      new MutationObserver(() => {
        const told = document.querySelector('#told')?.textContent ?? ''
        if (told !== '' && told !== seen.at(-1)) seen.push(told)
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
      Object.assign(window, { seen })
    })
    await play(page, 'wait')
    const states = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
    // How many are seen depends on the machine.
    expect(states.length).toBeGreaterThan(1)
    for (const [i, state] of states.entries()) expect(state.startsWith(states[i - 1] ?? '')).toBe(true)
    await eventually(() => page.inputValue('#words'), '')
    await eventually(async () => (await passages(page)).length, 9)
    const told = await passages(page)
    expect(told[7]).toBe('You wait.')
    expect(new Set(told).size).toBe(9)
    await page.reload()
    expect(await passages(page)).toEqual(told)
    expect(faults).toEqual([])
  })

  test('a retry is kept beside the first attempt, and undo gives the words back', async () => {
    const { page, faults } = await visit(server.address)
    await beginStory(page, 2)
    await play(page, 'open the door')
    const first = (await passages(page)).at(-1)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('2/2').waitFor()
    const second = (await passages(page)).at(-1)
    expect(second).not.toBe(first)
    await page.getByRole('button', { name: 'Previous version' }).click()
    await page.getByText('1/2').waitFor()
    await eventually(async () => (await passages(page)).at(-1), first)
    await page.getByRole('button', { name: 'Next version' }).click()
    await page.getByText('2/2').waitFor()
    await eventually(async () => (await passages(page)).at(-1), second)
    await page.reload()
    expect((await passages(page)).at(-1)).toBe(second)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: /^Undo, and delete/ }).click()
    await page.waitForFunction(() => document.querySelectorAll('#story article').length === 1)
    await eventually(() => page.inputValue('#words'), 'open the door')
    await page.locator('#phase', { hasText: 'Turn undone.' }).waitFor()
    await eventually(() => page.getByRole('button', { name: 'Retry' }).isDisabled(), true)
    await eventually(() => page.getByRole('button', { name: 'Undo' }).isDisabled(), true)
    expect(faults).toEqual([])
  })

  test('a passage is edited in its place, and the edit stays', async () => {
    const { page, faults } = await visit(server.address)
    await beginStory(page)
    await play(page, 'look around')
    await page.locator('article.narration').last().hover()
    await page.getByRole('link', { name: 'Edit', exact: true }).last().click()
    await page.getByLabel('Text of this passage').fill('The *lamp* is **out**.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The lamp is out.').waitFor()
    expect(await page.locator('article.narration em').innerText()).toBe('lamp')
    await page.reload()
    expect((await passages(page)).at(-1)).toStartWith('The lamp is out.')
    expect(faults).toEqual([])
  })

  test('a stopped turn keeps its prose so far', async () => {
    const { page } = await visit(withModel.address)
    await beginStory(page)
    endpoint.next(
      sayAround('The lamp is out. And then', gate(), ' nobody hears this.'),
      say('The sea is loud.'),
    )
    await page.fill('#words', 'look around')
    await page.press('#words', 'Enter')
    await page.locator('#told', { hasText: 'The lamp is out.' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('The narrator was stopped here.').waitFor()
    expect((await passages(page)).at(-1)).toStartWith('The lamp is out.')
    await play(page, 'go on')
    expect(await passages(page)).toHaveLength(5)
  })

  test('words that were not sent are still there after the page was closed', async () => {
    const { page } = await visit(server.address)
    await beginStory(page)
    const path = new URL(page.url()).pathname
    await page.getByRole('radio', { name: 'Say' }).check()
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/draft'))
    await page.fill('#words', 'I was just about to say')
    await kept
    await page.goto('/settings')
    await page.goto(path)
    expect(await page.inputValue('#words')).toBe('I was just about to say')
    expect(await page.getByRole('radio', { name: 'Say' }).isChecked()).toBe(true)
    await page.fill('#words', 'and more')
    await page.goto('/settings')
    await page.goto(path)
    expect(await page.inputValue('#words')).toBe('and more')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('#story > article.narration:not(.telling)').nth(1).waitFor()
    expect(await page.inputValue('#words')).toBe('and more')
    // Nor are those lost that no answer came to.
    await page.route('**/turns', (route) => route.abort())
    await page.fill('#words', 'and again')
    const failed = page.waitForEvent('requestfailed')
    await page.press('#words', 'Enter')
    await failed
    await page.goto('/settings')
    await page.goto(path)
    expect(await page.inputValue('#words')).toBe('and again')
  })

  test('an old tab writes nothing and shows the story as it is', async () => {
    const { page } = await visit(server.address)
    await beginStory(page)
    const old = await page.context().newPage()
    // It hears nothing of the other one.
    await old.route('**/events*', (route) => route.abort())
    await old.goto(page.url())
    await play(page, 'look around')
    await old.fill('#words', 'do something else')
    await old.press('#words', 'Enter')
    await old.getByText('The story has changed since this page was loaded').waitFor()
    expect(await old.inputValue('#words')).toBe('do something else')
    const path = new URL(page.url()).pathname
    await old.unroute('**/events*')
    await old.goto('/settings')
    await old.goto(path)
    expect(await old.inputValue('#words')).toBe('do something else')
    await play(old, 'do something else')
    expect(await passages(old)).toHaveLength(5)
  })

  test('a second tab shows a running turn so far, and then its reply', async () => {
    const { page } = await visit(withModel.address)
    await beginStory(page)
    const end = gate()
    endpoint.next(sayAround('The lamp is out. And then', end, ' it is cold.'))
    await page.fill('#words', 'look around')
    await page.press('#words', 'Enter')
    await page.waitForSelector('#telling')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('#told', { hasText: 'The lamp is out.' }).waitFor()
    end.open()
    await other.waitForFunction(() => document.querySelectorAll('#story article').length === 3)
    await eventually(() => other.locator('#status').innerText(), '')
  })
})

describe.skipIf(!hasBrowser)('without script', () => {
  const PLAIN = { javaScriptEnabled: false }

  test('the whole loop is played', async () => {
    const { page } = await visit(server.address, PLAIN)
    await beginStory(page)
    const path = new URL(page.url()).pathname
    await page.fill('#words', 'open the door')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('article.narration').nth(1).waitFor()
    await page.locator('.streaming').waitFor({ state: 'hidden' })
    await page.goto(path)
    const first = await passages(page)
    expect(first).toHaveLength(3)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('2/2').waitFor()
    await page.goto(path)
    await page.getByRole('button', { name: 'Previous version' }).click()
    await page.getByText('1/2').waitFor()
    await eventually(() => passages(page), first)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: /^Undo, and delete/ }).click()
    await eventually(async () => (await passages(page)).length, 1)
    await eventually(() => page.inputValue('#words'), 'open the door')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Text of this passage').fill('Another opening.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another opening.').waitFor()
    await eventually(() => passages(page), ['Another opening.'])
  })

  test('narration streams into the page, and Stop keeps the prose so far', async () => {
    const { page } = await visit(withModel.address, PLAIN)
    await beginStory(page)
    endpoint.next(sayAround('The door creaks. And then', gate(), ' nobody hears this.'))
    await page.fill('#words', 'open the door')
    await page.getByRole('button', { name: 'Send' }).click({ noWaitAfter: true })
    await page.locator('.streaming', { hasText: 'The door creaks.' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).first().click()
    await page.waitForURL(/#end/)
    await page.getByText('The narrator was stopped here.').waitFor()
    expect((await passages(page)).at(-1)).toStartWith('The door creaks.')
  })
})
