import { type BrowserContext, chromium } from 'playwright-core'
import { sayInTime } from '../test/support/endpoint/endpoint.ts'
import { median } from './median.ts'
import { serve } from './pages.ts'

/** Openings of each kind; the row has their medians. */
const TIMES = 5

/** What one opening of the page took. */
interface Opening {
  /** Milliseconds until the newest passage was painted at its place above the text box. */
  painted: number
  /** Frames before that which showed other passages. */
  'frames of old text': number
  requests: number
  /** As sent, with their headers. */
  bytes: number
  elements: number
  /** Of the tree, and attributes that scripts looked at, as the browser counts them. */
  'DOM nodes': number
  'longest task': number
}

/** Opening the play page of a story with this many actions, with an empty cache and with a full one. */
export async function pageOpened(actions: number): Promise<Record<string, Opening>> {
  await using served = await serve(actions)
  const browser = await launched()
  const openings: Record<string, Opening[]> = { cold: [], warm: [] }
  for (let i = 0; i < TIMES; i++) {
    const context = await windowOf(browser, served.address)
    for (const rows of Object.values(openings)) rows.push(await opened(context))
    await context.close()
  }
  await browser.close()
  return Object.fromEntries(
    Object.entries(openings).map(([kind, rows]) => [`${actions} actions, ${kind}`, medians(rows)]),
  )
}

/** From pressing Send to the first frame with text of the reply, from a model that begins to reply at once. */
export async function firstTokenPainted(actions: number): Promise<Record<string, string>> {
  await using served = await serve(actions)
  served.endpoint.byDefault(sayInTime('The road goes on. '.repeat(20), 30, { pieces: 20 }))
  const browser = await launched()
  const page = await (await windowOf(browser, served.address)).newPage()
  await page.addInitScript(watchReply)
  await page.goto('/adventures/1#end')
  await page.locator('#composer[data-htmx-powered]').waitFor()
  const times: number[] = []
  for (let i = 0; i < 2 * TIMES; i++) {
    await page.fill('#words', `go on, ${i}`)
    // The draft is saved in the meantime.
    await page.waitForTimeout(800)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForFunction(() => (window as unknown as Watched).reply.painted > 0)
    times.push(await page.evaluate(() => (window as unknown as Watched).reply.painted))
    await page.locator('#telling').waitFor({ state: 'detached' })
  }
  await browser.close()
  // The first is without the caches of the prompt.
  return { 'Send to first token painted': `${median(times.slice(1)).toFixed(0)} ms` }
}

async function opened(context: BrowserContext): Promise<Opening> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await Promise.all([session.send('Network.enable'), session.send('Performance.enable')])
  let requests = 0
  let bytes = 0
  session.on('Network.requestWillBeSent', () => requests++)
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.addInitScript(watchFrames)
  await page.goto('/adventures/1#end')
  await page.locator('#composer[data-htmx-powered]').waitFor()
  await page.waitForTimeout(300)
  const { frames, tasks, elements } = await page.evaluate(() => ({
    ...(window as unknown as Watched).opening,
    elements: document.querySelectorAll('*').length,
  }))
  const { metrics } = await session.send('Performance.getMetrics')
  await page.close()
  const first = frames.findIndex(({ isAtEnd }) => isAtEnd)
  return {
    painted: frames[first]?.time ?? Number.NaN,
    'frames of old text': frames.slice(0, Math.max(0, first)).filter(({ hasText }) => hasText).length,
    requests,
    bytes,
    elements,
    'DOM nodes': metrics.find(({ name }) => name === 'Nodes')?.value ?? 0,
    'longest task': Math.max(0, ...tasks),
  }
}

interface Watched {
  opening: { frames: { time: number; hasText: boolean; isAtEnd: boolean }[]; tasks: number[] }
  reply: { painted: number }
}

/** Runs in the page before its scripts: what each frame shows, and when it was painted. */
function watchFrames(): void {
  const opening: Watched['opening'] = { frames: [], tasks: [] }
  Object.assign(window, { opening })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) opening.tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    const newest = document.querySelector('#story > article:last-of-type')?.getBoundingClientRect()
    const desk = document.querySelector('.desk')?.getBoundingClientRect()
    const isAtEnd =
      newest !== undefined && desk !== undefined && newest.bottom > 0 && newest.bottom - desk.top < 1
    const frame = { time: 0, hasText: newest !== undefined, isAtEnd }
    opening.frames.push(frame)
    const { port1, port2 } = new MessageChannel()
    // The task after a frame runs when it was painted.
    port1.onmessage = () => {
      frame.time = performance.now()
      port1.close()
    }
    port2.postMessage(null)
    if (!isAtEnd) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Runs in the page before its scripts: when the reply to what was sent last was painted. */
function watchReply(): void {
  const reply = { painted: 0 }
  Object.assign(window, { reply })
  addEventListener(
    'submit',
    () => {
      const sent = performance.now()
      reply.painted = 0
      const look = () => {
        if (!document.querySelector('#told > :not(:empty)')) return requestAnimationFrame(look)
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          reply.painted = performance.now() - sent
          port1.close()
        }
        return port2.postMessage(null)
      }
      requestAnimationFrame(look)
    },
    true,
  )
}

function launched() {
  return chromium.launch({
    executablePath: process.env.APP_TEST_CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

function windowOf(browser: Awaited<ReturnType<typeof launched>>, baseURL: string): Promise<BrowserContext> {
  return browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } })
}

function medians(rows: Opening[]): Opening {
  const names = Object.keys(rows[0] ?? {}) as (keyof Opening)[]
  return Object.fromEntries(
    names.map((name) => [name, Math.round(median(rows.map((row) => row[name])))]),
  ) as unknown as Opening
}
