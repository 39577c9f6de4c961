import { describe, expect, test } from 'bun:test'
import { beginStory, eventually, hasBrowser, passages, visit } from '../../support/browser/browser.ts'
import {
  afterGate,
  breakOff,
  gate,
  loading,
  say,
  status,
  thinkThenSay,
} from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({ narrator: { retryEvery: 0.5, acceptTimeout: 0.1 } })

describe.skipIf(!hasBrowser)('a page that waits for a model', () => {
  test('says what for, for how long, and how long at most', async () => {
    const { page, faults } = await visit(server.address)
    await beginStory(page)
    const opened = gate()
    endpoint.next(...loading(2), afterGate(opened, thinkThenSay('Hm, a lamp.', 'The lamp is lit again.')))
    await page.fill('#words', 'light the lamp')
    await page.evaluate(() => {
      const seen: string[] = []
      const status = document.querySelector('#status') as HTMLElement
      new MutationObserver(() => seen.push(status.textContent ?? '')).observe(status, {
        childList: true,
        subtree: true,
      })
      Object.assign(window, { seen })
    })
    await page.press('#words', 'Enter')
    await page.getByText(/Waiting for the model: ([2-9]|\d\d+) s \(timeout: 300 s\)/).waitFor()
    opened.open()
    await page.locator('#story').getByText('The lamp is lit again.').waitFor()
    await page.waitForSelector('#telling', { state: 'detached' })
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
    const phases = seen
      .map((words) => words.replace(/:.*/, ''))
      .filter((phase, i, all) => phase !== '' && phase !== all[i - 1])
    expect(phases).toEqual([
      'Waiting for the model',
      'Loading the model',
      'Waiting for the model',
      'The model is thinking',
      'The narrator is writing.',
    ])
    await page.getByText('Reasoning').click()
    await page.getByText('Hm, a lamp.').waitFor()
    expect(faults).toEqual([])
  })

  test('loses no words when the turn fails, and answers them when asked', async () => {
    const { page } = await visit(server.address)
    await beginStory(page)
    endpoint.next(status(500, '<img src=x onerror=alert(1)> out of memory'))
    await page.fill('#words', 'light the lamp')
    await page.press('#words', 'Enter')
    await page.getByText('out of memory').waitFor()
    expect(await page.locator('#notice img').count()).toBe(0)
    expect((await passages(page)).at(-1)).toBe('You light the lamp.')
    await page.locator('#notice').getByRole('button', { name: 'Retry' }).click()
    await page.locator('#story').getByText('The fire crackles.').waitFor()
    await eventually(async () => (await passages(page)).length, 3)
    await eventually(() => page.locator('#notice').textContent(), '')
  })

  test('shows the old attempt again when a retry fails', async () => {
    const { page } = await visit(server.address)
    await beginStory(page)
    endpoint.next(say('First.'), breakOff('Half a'))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('#story').getByText('First.').waitFor()
    await page.waitForSelector('#telling', { state: 'detached' })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.locator('#notice p, #notice:not(:empty)').first().waitFor()
    await page.waitForSelector('#telling', { state: 'detached' })
    await eventually(async () => (await passages(page)).at(-1), 'First.')
  })

  test('shows hostile prose as text', async () => {
    const { page, faults } = await visit(server.address)
    await beginStory(page)
    endpoint.next(
      say(
        '<img src=http://127.0.0.1:9/x onerror=alert(1)><script>alert(2)</script>\n\n[a](javascript:alert(3)) <hx-partial hx-target="body">gone</hx-partial>',
        { pieces: 9 },
      ),
    )
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('#story').getByText('gone').waitFor()
    await page.waitForSelector('#telling', { state: 'detached' })
    expect(await page.locator('#story img, #story script, #story a[href^=javascript]').count()).toBe(0)
    expect((await passages(page)).at(-1)).toContain('<hx-partial hx-target=”body”>gone</hx-partial>')
    expect(faults).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('a passage that reached the limit', () => {
  test('says so, and continues with a click', async () => {
    const { page, faults } = await visit(server.address)
    await beginStory(page)
    endpoint.next(say('The corridor bends and then', { finish: 'length' }), say('It ends at a door.'))
    await page.fill('#words', 'walk on')
    await page.press('#words', 'Enter')
    await page.getByText(/reached the length limit/).waitFor()
    await page.waitForSelector('#telling', { state: 'detached' })
    await page.locator('.cut').getByRole('button', { name: 'Continue' }).click()
    await page.locator('#story').getByText('It ends at a door.').waitFor()
    await page.waitForSelector('#telling', { state: 'detached' })
    const told = ['The corridor bends and then', 'It ends at a door.']
    await eventually(async () => (await passages(page)).slice(-2), told)
    await page.locator('.cut').getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })
})
