import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, passages } from '../../support/browser/browser.ts'
import { beginTurn, FIRST, HALF, openStory } from '../../support/browser/turn.ts'
import { afterGate, breakOff, gate, say, sayAround, status } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const open = (options?: Parameters<typeof openStory>[2]) => openStory(server, endpoint, options)
const begin = (page: Page, told?: string) => beginTurn(page, endpoint, told)

const gone = (page: Page) => page.waitForSelector('#interrupted', { state: 'detached' })

describe.skipIf(!hasBrowser)('a page that is loaded again while the narrator speaks', () => {
  for (const instant of ['before the first word', 'in mid-sentence', 'at the end'])
    test(`asks nothing, and goes on ${instant}`, async () => {
      const { page, asked, faults } = await open({ viewport: { width: 390, height: 800 } })
      const [first, last] = [gate(), gate()]
      endpoint.next(afterGate(first, sayAround(HALF, last, ' and the rest.')))
      await page.fill('#words', 'wait')
      await page.press('#words', 'Enter')
      await page.locator('#telling').waitFor({ state: 'attached' })
      if (instant === 'before the first word') await page.reload()
      first.open()
      await page.locator('#told', { hasText: HALF }).waitFor()
      if (instant === 'in mid-sentence') await page.reload()
      await page.locator('#told', { hasText: HALF }).waitFor()
      last.open()
      if (instant === 'at the end') await page.reload()
      await page.waitForSelector('#telling', { state: 'detached' })
      await eventually(() => passages(page), ['You look.', FIRST, 'You wait.', `${HALF} and the rest.`])
      expect([asked, faults]).toEqual([[], []])
    })
})

describe.skipIf(!hasBrowser)('a page that Inglenook does not answer', () => {
  test('says so when its stream is lost, and then shows what it has missed', async () => {
    const { page } = await open()
    const end = await begin(page)
    await page.route('**/events*', (route) => route.abort())
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.locator('#phase', { hasText: 'The connection to Inglenook was lost.' }).waitFor()
    end.open()
    await page.unroute('**/events*')
    await page.waitForSelector('#telling', { state: 'detached' })
    await page.locator('#phase', { hasText: 'while this page was away' }).waitFor()
    await eventually(() => passages(page), ['You look.', FIRST, 'You wait.', `${HALF} and the rest.`])
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

  test('that is discarded elsewhere goes from every page', async () => {
    const { page, id } = await open()
    endpoint.next(breakOff(HALF))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.locator('#interrupted .prose').waitFor()
    await server.send('DELETE', `/api/adventures/${id}/interrupted`)
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
})
