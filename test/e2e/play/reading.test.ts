import { afterAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, visit } from '../../support/browser/browser.ts'
import { beginTurn } from '../../support/browser/turn.ts'
import { gate, say, sayAround, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm', second_call: 'never' })

const ARABIC = 'وصل الضباب من البحر ببطء، كما يفعل دائما في آخر ليلة من الشهر. '
const LONG = 'The road goes on and on. '.repeat(200)
const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 700 },
]

/** The page of a new story with this opening. */
async function opened(opening: string, options: Parameters<typeof visit>[1] = {}): Promise<Page> {
  const { body: scenario } = await server.post('/api/scenarios', {
    title: ARABIC.slice(0, 10),
    prompt: opening,
  })
  const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
  const { page } = await visit(server.address, options)
  await page.goto(`/adventures/${body.id}`)
  return page
}

/** Two frames later, all that follows from a change of sizes is done. */
const framed = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
const idOf = (page: Page) => Number(/\d+$/.exec(page.url().split(/[?#]/)[0] ?? '')?.[0])
const innerHeightOf = (page: Page) => page.viewportSize()?.height ?? 0

const styleOf = (page: Page, selector: string, name: string, pseudo?: string) =>
  page
    .locator(selector)
    .last()
    .evaluate((one, [key, of]) => getComputedStyle(one, of).getPropertyValue(key ?? ''), [name, pseudo])

describe.skipIf(!hasBrowser)('the desk and the bar of a story', () => {
  for (const viewport of WINDOWS)
    test(`the library is one press away, at the end of a story too (${viewport.width} px)`, async () => {
      const page = await opened(LONG, { viewport })
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      const link = page.locator('.story-head').getByRole('link', { name: 'Library' })
      const isLargeAtTop = async () => {
        const { height = 0, width = 0, y = -1 } = (await link.boundingBox()) ?? {}
        return [height >= 44, width >= 44, y >= 0 && y < 10]
      }
      await eventually(isLargeAtTop, [true, true, true])
      await link.click()
      await page.waitForURL((url) => url.pathname === '/')
    })

  test('the key to the text box puts the caret behind what is written', async () => {
    const page = await opened('Dusk.')
    await page.locator('#composer[data-htmx-powered]').waitFor()
    await page.fill('#words', 'light a match')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.locator('#words').evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(0, 0))
    await page.keyboard.type('es and wait')
    expect(await page.inputValue('#words')).toBe('light a matches and wait')
  })

  test('Enter pressed twice sends once, and says nothing of it', async () => {
    const page = await opened('Dusk.')
    const end = gate()
    await page.route('**/turns', async (route) => {
      await end.opened
      await route.continue()
    })
    endpoint.next(say('The lamp burns.'))
    let sent = 0
    page.on('request', (request) => request.url().endsWith('/turns') && sent++)
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.press('#words', 'Enter')
    end.open()
    await page.locator('#story > .narration', { hasText: 'The lamp burns.' }).waitFor()
    await page.waitForSelector('#telling', { state: 'detached' })
    await eventually(() => page.locator('#notice').innerText(), '')
    expect(sent).toBe(1)
  })

  test('on a phone on its side, Stop lies over nothing that is seen', async () => {
    const page = await opened('Dusk.', { viewport: { width: 844, height: 390 } })
    const end = await beginTurn(page, endpoint)
    const shown = () =>
      page
        .locator('#tools button')
        .evaluateAll((all) =>
          all.filter((one) => getComputedStyle(one).opacity !== '0').map((one) => one.textContent?.trim()),
        )
    await eventually(shown, ['Stop'])
    end.open()
    await page.waitForSelector('#telling', { state: 'detached' })
  })

  test('the tools of a passage cover no word', async () => {
    const page = await opened(LONG)
    endpoint.next(say(`${'The road goes on and on. '.repeat(11)}`))
    await playTurn(server, idOf(page), { type: 'do', text: `wait ${'and wait '.repeat(30)}` })
    await page.reload()
    for (const passage of await page.locator('#story > article').all()) {
      await passage.hover()
      const covered = await passage.evaluate((article) => {
        const tools = article.querySelector('.more')?.getBoundingClientRect()
        const range = document.createRange()
        return [...document.querySelectorAll('.prose')].flatMap((prose) => {
          range.selectNodeContents(prose)
          return [...range.getClientRects()].filter(
            (line) =>
              tools && line.bottom > tools.top + 4 && line.top < tools.bottom - 4 && line.right > tools.left,
          )
        }).length
      })
      expect(covered).toBe(0)
    }
  })

  test('what was done is said in no red, at the foot of the page, and leaves by itself', async () => {
    const { page } = await visit(server.address)
    // It does not leave before it is looked at, however slow the machine is.
    const animations = await page.context().newCDPSession(page)
    await animations.send('Animation.enable')
    await animations.send('Animation.setPlaybackRate', { playbackRate: 0 })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Save settings' }).click()
    const said = page.getByRole('status').filter({ hasText: 'Settings saved.' })
    await said.waitFor()
    expect(await page.locator('#notice').innerText()).toBe('')
    const { top, bottom } = await said.evaluate((one) => one.getBoundingClientRect().toJSON())
    expect([top > 400, bottom < innerHeightOf(page)]).toEqual([true, true])
    const box = page.locator('.did', { has: said })
    expect(await box.evaluate((one) => one.getAnimations().map(({ playState }) => playState))).toEqual([
      'running',
    ])
    await box.evaluate((one) => one.getAnimations()[0]?.finish())
    await said.waitFor({ state: 'hidden' })
  })
})

/** The words at the top of the window, below the bar. */
const wordsAtTop = (page: Page) =>
  page.evaluate(() => {
    const { left, width } = document.querySelector('.prose')?.getBoundingClientRect() ?? { left: 0, width: 0 }
    for (let y = 64; y < innerHeight; y += 4) {
      const at = document.caretPositionFromPoint(left + width / 4, y)
      // Behind the last number of a paragraph comes the next paragraph.
      const mark = /m(\d+)/.exec(at?.offsetNode.textContent?.slice(at.offset) ?? '')
      if (mark) return Number(mark[1])
    }
    return Number.NaN
  })
/** A text in which every few words have a number of their own. */
const NUMBERED = Array.from({ length: 30 }, (_, p) =>
  Array.from({ length: 12 }, (_, i) => `The tide comes in at m${p * 12 + i} and goes.`).join(' '),
).join('\n\n')
/** A long text that does not repeat itself. */
const THINGS = 'lamp rope bell oar net stair door sail rock tide gull chart knot mast keel'.split(' ')
const VARIED = Array.from({ length: 60 }, (_, i) => {
  const [one, two, three] = [1, 4, 11].map((step) => THINGS[(i * step + (i >> 2)) % THINGS.length])
  return `${i} ${one} and ${two} beside the ${three}${i}, past ${two}s of ${i * 7} ${three}s.`
}).join('\n\n')

describe.skipIf(!hasBrowser)('the place is kept', () => {
  const scrolled = async (page: Page, top: number) => {
    await page.waitForFunction(() => 'htmx' in window)
    const ended = page.evaluate(
      () => new Promise((done) => addEventListener('scrollend', done, { once: true })),
    )
    await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top)
    await ended
    return wordsAtTop(page)
  }

  test('when the text gets another size, and its size back', async () => {
    const page = await opened(NUMBERED)
    await page.getByRole('link', { name: 'Text settings' }).click()
    const size = page.getByRole('spinbutton', { name: /Text size/ })
    await size.waitFor()
    const before = await scrolled(page, 3060)
    const whole = Number.parseFloat(await styleOf(page, '.narration .prose', 'font-size'))
    for (const percent of ['150', '80', '100']) {
      await size.fill(percent)
      await size.blur()
      await page.waitForFunction(
        (wanted) => {
          const prose = document.querySelector('.narration .prose')
          return (
            prose !== null && Math.abs(Number.parseFloat(getComputedStyle(prose).fontSize) - wanted) < 0.1
          )
        },
        (whole * Number(percent)) / 100,
      )
      await framed(page)
      await eventually(
        async () => [percent, Math.abs((await wordsAtTop(page)) - before) <= 2],
        [percent, true],
      )
    }
  })

  test('in sight above the text settings on a phone', async () => {
    const page = await opened(NUMBERED)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: 'Text settings' }).click()
    const top = async () => (await page.locator('#panel .reading').boundingBox())?.y ?? 0
    await eventually(async () => (await top()) > 844 * 0.4, true)
  })

  test('when a step or a look is pressed, which take effect at once', async () => {
    const page = await opened(NUMBERED)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    await page.getByRole('link', { name: 'Text settings' }).click()
    const before = await scrolled(page, 3060)
    const isKept = () => eventually(async () => Math.abs((await wordsAtTop(page)) - before) <= 2, true)
    const styles = () => styleOf(page, '.narration .prose p', 'text-indent')
    expect(await styles()).toBe('0px')
    await page.getByRole('radio', { name: 'Indented' }).check({ force: true })
    await page.waitForFunction(
      () => getComputedStyle(document.querySelector('.prose p + p') as Element).textIndent !== '0px',
    )
    await isKept()
    await page.getByRole('button', { name: 'Text size: more' }).click()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('#reading [name=size]')?.value === '110',
    )
    expect((await server.get('/api/preferences')).body).toMatchObject({ size: 110, paragraphs: 'indented' })
    await page.locator('[aria-label="Text size: more"]:focus').waitFor()
    await isKept()
    await server.send('PUT', '/api/preferences', { size: 100, paragraphs: 'spaced' })
  })

  test('when the gaps between paragraphs change long after they were chosen', async () => {
    const page = await opened(NUMBERED)
    const before = await scrolled(page, 3060)
    for (const gap of ['40px', '0px']) {
      await page.evaluate((to) => document.documentElement.style.setProperty('--prose-gap', to), gap)
      await framed(page)
      await eventually(async () => [gap, Math.abs((await wordsAtTop(page)) - before) <= 2], [gap, true])
    }
  })

  test('when a phone turns, and turns back', async () => {
    const page = await opened(NUMBERED, { viewport: { width: 390, height: 844 } })
    const before = await scrolled(page, 5000)
    for (const [width, height] of [
      [844, 390],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await framed(page)
      await eventually(async () => Math.abs((await wordsAtTop(page)) - before) <= 2, true)
    }
  })

  test('when a passage is complete and the status above the text box goes', async () => {
    const page = await opened(LONG)
    const end = await beginTurn(page, endpoint)
    const top = () =>
      page
        .locator('article.narration .prose')
        .last()
        .evaluate((one) => one.getBoundingClientRect().top)
    const before = await top()
    end.open()
    await page.waitForSelector('#telling', { state: 'detached' })
    await page.locator('#phase:empty').waitFor({ state: 'attached' })
    await eventually(async () => Math.abs((await top()) - before) < 0.5, true)
  })

  test('of the line that a long passage answers: it does not leave at the top', async () => {
    const page = await opened(LONG)
    const end = gate()
    endpoint.next(sayAround(`${VARIED} At last`, end, ' and the rest.'))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.locator('#told', { hasText: 'At last' }).waitFor()
    const line = page.locator('article.line').last()
    const top = await line.evaluate((one) => one.getBoundingClientRect().top)
    expect(top).toBeGreaterThanOrEqual(0)
    expect(top).toBeLessThan(120)
    await page.getByRole('button', { name: 'More below' }).waitFor()
    end.open()
    await page.waitForSelector('#telling', { state: 'detached' })
    await eventually(() => line.evaluate((one) => one.getBoundingClientRect().top), top)
  })
})

describe.skipIf(!hasBrowser)('a second tab of a story', () => {
  test('shows what the first tells, and keeps what is typed in it', async () => {
    const page = await opened('Dusk.')
    const second = await page.context().newPage()
    await second.goto(page.url())
    await second.waitForFunction(() => 'htmx' in window)
    await second.fill('#words', 'half a draft')
    const end = await beginTurn(page, endpoint)
    await second.locator('#told').waitFor({ state: 'attached' })
    await second.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    end.open()
    await second.locator('#story > .narration', { hasText: 'and the rest.' }).waitFor()
    await second.locator('#phase:empty').waitFor({ state: 'attached' })
    expect(await second.inputValue('#words')).toBe('half a draft')
  })
})

describe.skipIf(!hasBrowser)('the page is set as its story is written', () => {
  test('a story from right to left stands at the right, also while it streams', async () => {
    const page = await opened(ARABIC.repeat(5))
    const end = await beginTurn(page, endpoint, ARABIC.trim())
    await page.fill('#words', ARABIC)
    for (const selector of ['h1', '.narration:not(#telling) .prose', '#told', '#words'])
      expect([selector, await styleOf(page, selector, 'direction')]).toEqual([selector, 'rtl'])
    expect(await page.locator('.drop-cap').count()).toBe(0)
    end.open()
    await page.waitForSelector('#telling', { state: 'detached' })
  })

  test('a paragraph in other letters has its own direction', async () => {
    const page = await opened(`${ARABIC.repeat(3)}\n\nShe reads it twice.`)
    const ends = await page.locator('.prose p').evaluateAll((paragraphs) =>
      paragraphs.map((paragraph) => {
        const range = document.createRange()
        range.selectNodeContents(paragraph)
        const line = [...range.getClientRects()].at(-1)
        const { left, right } = paragraph.getBoundingClientRect()
        return line && line.left - left < right - line.right ? 'left' : 'right'
      }),
    )
    expect(ends).toEqual(['right', 'left'])
  })

  for (const viewport of WINDOWS)
    test(`a drop cap stands on the second line (${viewport.width} px)`, async () => {
      const page = await opened(
        `Fog comes up the bay, ${'slowly and from the wrong side, '.repeat(9)}\n\nYou wait.`,
        {
          viewport,
        },
      )
      expect(await styleOf(page, '.drop-cap .prose p:first-child', 'initial-letter', '::first-letter')).toBe(
        '2',
      )
      const heights = await page.locator('.prose p').evaluateAll((all) => all.map((one) => one.clientHeight))
      expect(heights[0]).toBeGreaterThan((heights[1] ?? 0) * 2)
    })
})
