import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, passages } from '../../support/browser/browser.ts'
import { beginTurn, FIRST, HALF, openStory } from '../../support/browser/turn.ts'
import { breakOff, gate, say, sayAround, status } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const open = (options?: Parameters<typeof openStory>[2]) => openStory(server, endpoint, options)
const begin = (page: Page, told?: string) => beginTurn(page, endpoint, told)

const gone = (page: Page) => page.waitForSelector('#interrupted', { state: 'detached' })

describe.skipIf(!hasBrowser)('a page that is left while the narrator speaks', () => {
  test('asks first, and shows the prose so far, to be kept by keyboard', async () => {
    const { page, asked, faults } = await open({ viewport: { width: 390, height: 800 } })
    await begin(page)
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    const told = page.locator('#interrupted')
    await told.waitFor()
    expect(await told.locator('.prose').innerText()).toBe(HALF)
    expect(await told.evaluate((one) => one === document.querySelector('#story')?.lastElementChild)).toBe(
      true,
    )
    expect((await passages(page)).slice(-2)).toEqual([FIRST, 'You wait.'])
    await told.getByRole('button', { name: 'Keep' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('The narrator was stopped here.').waitFor()
    await gone(page)
    await eventually(async () => (await passages(page)).at(-1), HALF)
    await page.waitForFunction(() => document.activeElement?.closest('article[id^="action-"]'))
    await page.reload()
    expect((await passages(page)).at(-1)).toBe(HALF)
    expect(asked).toHaveLength(1)
    expect(faults).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('a page that is loaded again while the narrator speaks', () => {
  test('shows the buttons of an interrupted reply, however far down it is', async () => {
    const { page } = await open({ viewport: { width: 390, height: 700 } })
    await begin(page, 'Half a tale is told. '.repeat(50))
    for (let i = 0; i < 2; i++) {
      await page.reload()
      await page.locator('#interrupted').waitFor()
      await page.waitForFunction(() => {
        const { top = 0, bottom = 0 } =
          document.querySelector('#interrupted .main')?.getBoundingClientRect() ?? {}
        return top > 0 && bottom < (document.querySelector('.desk')?.getBoundingClientRect().top ?? 0)
      })
    }
  })
})

describe.skipIf(!hasBrowser)('a page that Inglenook does not answer', () => {
  test('says so when a stream is lost, and continues when there are responses again', async () => {
    const { page } = await open()
    await page.addInitScript(loseStreams)
    await page.reload()
    const end = await begin(page)
    await page.route('**/adventures/*', (route) => route.abort())
    await page.evaluate(() => dispatchEvent(new Event('lost')))
    await page.locator('#phase', { hasText: 'The connection to Inglenook was lost.' }).waitFor()
    await page.unroute('**/adventures/*')
    end.open()
    await page.waitForSelector('#telling', { state: 'detached' })
    await page.locator('#phase:empty').waitFor({ state: 'attached' })
    await eventually(async () => (await passages(page)).slice(0, 3), ['You look.', FIRST, 'You wait.'])
  })

  test('says so of a form', async () => {
    const { page } = await open()
    endpoint.next(breakOff(HALF))
    await page.locator('#tools [name=go_on]').click()
    await page.locator('#interrupted').waitFor()
    await page.route('**/keep', (route) => route.abort())
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.locator('#notice', { hasText: 'Inglenook is not responding.' }).waitFor()
  })
})

/** Runs in the page: the stream of a turn breaks at an event. */
function loseStreams(): void {
  const ask = window.fetch
  const lost = new Promise<never>((_, reject) =>
    addEventListener('lost', () => reject(new TypeError('network error'))),
  )
  lost.catch(() => {})
  window.fetch = (async (...asked: Parameters<typeof ask>) => {
    const response = await ask(...asked)
    if (!response.body || !response.headers.get('Content-Type')?.includes('event-stream')) return response
    const reader = response.body.getReader()
    const pull = async (stream: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await Promise.race([reader.read(), lost])
      if (done) stream.close()
      else stream.enqueue(value)
    }
    return new Response(new ReadableStream({ pull }), response)
  }) as typeof ask
}

describe.skipIf(!hasBrowser)('a turn that failed', () => {
  test('is asked for once more by the button beside the reason', async () => {
    const { page, id } = await open()
    endpoint.next(status(500), status(500), say('On it goes.'))
    const retry = page.locator('#notice').getByRole('button', { name: 'Retry' })
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await retry.click()
    await page.locator('#tools [name=retry]:enabled').waitFor()
    await retry.click()
    await page.locator('article.narration', { hasText: 'On it goes.' }).waitFor()
    await retry.waitFor({ state: 'detached' })
    endpoint.next(status(500), say('And on.'))
    await page.locator('#tools [name=go_on]').click()
    await retry.click()
    await page.locator('article.narration', { hasText: 'And on.' }).waitFor()
    expect((await server.get(`/api/adventures/${id}`)).body.actions.slice(-3)).toMatchObject([
      { text: '> You wait.' },
      { text: 'On it goes.', variant_count: 1 },
      { text: 'And on.', variant_count: 1 },
    ])
  })
})

for (const javaScriptEnabled of [true, false])
  describe.skipIf(!hasBrowser)(
    `a line without a reply, ${javaScriptEnabled ? 'with' : 'without'} script`,
    () => {
      test('says so when the page is opened, and gets its reply by the button below it', async () => {
        const { page, id } = await open({ javaScriptEnabled })
        endpoint.next(status(500))
        await playTurn(server, id, { type: 'do', text: 'wait' })
        await page.reload()
        await page.getByText('This line has no finished reply yet.').waitFor()
        endpoint.next(say('On it goes.'))
        await page.getByRole('button', { name: 'Get the reply' }).click()
        await page.locator('article.narration', { hasText: 'On it goes.' }).waitFor()
        await gone(page)
        expect((await server.get(`/api/adventures/${id}`)).body.actions.slice(-2)).toMatchObject([
          { text: '> You wait.' },
          { text: 'On it goes.', variant_count: 1 },
        ])
      })
    },
  )

describe.skipIf(!hasBrowser)('what was told when the model server broke off', () => {
  test('can be retried: the turn is asked again, and a failure shows it again', async () => {
    const { page } = await open()
    endpoint.next(breakOff(HALF))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    const retry = page.locator('#interrupted').getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    endpoint.next(status(500))
    await retry.click()
    await page.locator('#notice', { hasText: '500' }).waitFor()
    expect(await page.locator('#interrupted .prose').innerText()).toBe(HALF)
    endpoint.next(say('Told anew.'))
    await retry.click()
    await page.locator('article.narration', { hasText: 'Told anew.' }).waitFor()
    await gone(page)
    await eventually(async () => (await passages(page)).slice(-3), [FIRST, 'You wait.', 'Told anew.'])
  })

  test('of a continued passage is retried as that, not as another version of the passage before', async () => {
    const { page, id } = await open()
    endpoint.next(breakOff(HALF))
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    const retry = page.locator('#interrupted').getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    endpoint.next(say('Told anew.'))
    await retry.click()
    await page.locator('article.narration', { hasText: 'Told anew.' }).waitFor()
    expect((await server.get(`/api/adventures/${id}`)).body.actions.slice(-2)).toMatchObject([
      { text: FIRST, variant_count: 1 },
      { text: 'Told anew.', variant_count: 1 },
    ])
  })

  for (const javaScriptEnabled of [true, false])
    test(`stays in the story when the player continues,  ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const { page, id } = await open({ javaScriptEnabled })
      const told = async () => (await page.locator('.column article > .prose').allInnerTexts()).slice(-3)
      const goOn = async (name: string, more: string) => {
        endpoint.next(say(more))
        await page.getByRole('button', { name, exact: true }).first().click()
        await page.locator('article.narration', { hasText: more }).waitFor()
        await page.locator('#tools').waitFor()
        await gone(page)
      }
      endpoint.next(breakOff(HALF))
      await page.locator('#tools [name=go_on]').click()
      await page.locator('#interrupted').waitFor()
      await page.fill('#words', 'wait')
      await goOn('Send', 'On it goes.')
      await eventually(told, [HALF, 'You wait.', 'On it goes.'])
      endpoint.next(breakOff('Another half'))
      await page.locator('#tools [name=retry]').click()
      await page.locator('#interrupted').waitFor()
      await goOn('Continue', 'And on.')
      await eventually(told, ['You wait.', 'Another half', 'And on.'])
      await page.goto(`/adventures/${id}`)
      expect(await told()).toEqual(['You wait.', 'Another half', 'And on.'])
    })

  test('of a retry is kept as another version, and can be discarded', async () => {
    const { page } = await open()
    const begin = async () => {
      endpoint.next(breakOff(HALF))
      await page.locator('#tools [name=retry]').click()
      await page.locator('#interrupted').waitFor()
      expect((await passages(page)).filter((text) => text === FIRST)).toHaveLength(1)
    }
    await begin()
    await page.getByRole('button', { name: 'Discard' }).click()
    await gone(page)
    expect(await page.locator('#phase').innerText()).toBe('Discarded.')
    await begin()
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByText('2/2').waitFor()
    expect((await passages(page)).at(-1)).toBe(HALF)
  })

  test('that another page has kept is not kept twice', async () => {
    const { page, id } = await open()
    endpoint.next(breakOff(HALF))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.locator('#interrupted').waitFor()
    await server.send('DELETE', `/api/adventures/${id}/interrupted`)
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.locator('#notice', { hasText: 'The interrupted reply is gone' }).waitFor()
    await page.locator('#interrupted .prose').waitFor({ state: 'detached' })
  })
})

describe.skipIf(!hasBrowser)('without script', () => {
  const PLAIN = { javaScriptEnabled: false }

  test('an interrupted reply is kept, retried and discarded by plain forms', async () => {
    const { page, id } = await open(PLAIN)
    const breakTurn = async () => {
      endpoint.next(breakOff(HALF))
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await page.locator('#tools').waitFor({ state: 'attached' })
      expect(await page.locator('#interrupted .prose').innerText()).toBe(HALF)
      await page.locator('.streaming').waitFor({ state: 'hidden' })
    }
    await breakTurn()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Discarded.').waitFor()
    await gone(page)
    await breakTurn()
    await page.goto(`/adventures/${id}`)
    endpoint.next(say('Told anew.'))
    await page.locator('#interrupted').getByRole('button', { name: 'Retry' }).click()
    await page.locator('article', { hasText: 'Told anew.' }).last().waitFor()
    await page.goto(`/adventures/${id}`)
    await breakTurn()
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByText('Kept as the narrator’s reply.').waitFor()
    await eventually(async () => (await passages(page)).slice(-3), [FIRST, 'Told anew.', HALF])
  })

  test('the tools of a page appear when its stream has ended', async () => {
    const { page } = await open(PLAIN)
    const end = gate()
    endpoint.next(sayAround(HALF, end, ' and the rest.'))
    await page.fill('#words', 'wait')
    await page.getByRole('button', { name: 'Send' }).click({ noWaitAfter: true })
    await page.locator('.streaming', { hasText: HALF }).waitFor()
    expect(new URL(page.url()).hash).toBe('#now')
    const tools = page.locator(
      '.story-head > button, .tools-of-action :is(a, button), #tools button:not(.stop *)',
    )
    expect(await tools.count()).toBeGreaterThan(5)
    for (const tool of await tools.all()) expect(await tool.isVisible()).toBe(false)
    expect(await page.locator('.stop button').first().isVisible()).toBe(true)
    end.open()
    await page.locator('#tools').waitFor()
    for (const tool of await page.locator('.story-head > button, #tools button:not(.stop *)').all())
      await tool.waitFor()
  })
})
