import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { sayInTime } from '../test/support/endpoint/endpoint.ts'
import { median, ms } from './median.ts'
import { serve } from './pages.ts'

/** Openings of each kind; the row has their medians. */
const TIMES = 5

/** By column. */
type Row = Record<string, string>

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
  /** Of the tree, and attributes that scripts looked at, as the browser counts them; the library is counted too if it was left. */
  'DOM nodes': number
  'longest task': number
}

/**
 * With an empty cache, in another new tab, again in that tab, and there from the library, as most readers come. From an
 * empty tab a page with Cross-Origin-Opener-Policy moves to a new process of the browser; from the library it does not.
 */
const KINDS = ['cold', 'warm', 'same tab', 'from the library']
/** Milliseconds in which a new tab settles: the browser loads pages of its own then. */
const SETTLED = 1_500
/** Of the story that the aims are set for. */
const AIMS: Record<string, Partial<Opening>> = {
  '10000 actions, cold': { painted: 150, requests: 10, bytes: 200 * 1024, 'DOM nodes': 1_800 },
  '10000 actions, warm': { painted: 80 },
  '10000 actions, same tab': { painted: 80 },
}

/**
 * Opening the play page of a story with this many actions, and beside it the least page that shows the same text.
 */
export async function pageOpened(actions: number): Promise<Record<string, Row>> {
  await using served = await serve(actions)
  const browser = await launched()
  const story = {
    address: new URL('/adventures/1#end', served.address).href,
    ready: '#composer[data-htmx-powered]',
  }
  using least = await leastPage(browser, story.address)
  const pages = {
    [`${actions} actions`]: story,
    'the least page': { address: `${least.url}#end`, ready: '.desk' },
  }
  const rows = Object.fromEntries(
    Object.keys(pages).flatMap((name) => KINDS.map((kind) => [`${name}, ${kind}`, [] as Opening[]])),
  )
  for (let i = 0; i < TIMES; i++)
    for (const [name, page] of Object.entries(pages)) {
      const context = await windowOf(browser)
      let tab = await newTab(context)
      for (const kind of KINDS) {
        if (kind === 'warm') tab = await newTab(context)
        const from = kind === 'from the library' ? new URL('/', page.address).href : 'about:blank'
        rows[`${name}, ${kind}`]?.push(await opened(tab, page, from))
      }
      await context.close()
    }
  await browser.close()
  return Object.fromEntries(
    Object.entries(rows).map(([name, openings]) => [name, rowOf(openings, AIMS[name])]),
  )
}

/** Serves a page with the passages of another one and a line below them, and nothing else. */
async function leastPage(browser: Browser, address: string) {
  const page = await browser.newPage()
  await page.goto(address)
  const passages = await page.locator('#story > article').allInnerTexts()
  await page.close()
  const articles = passages.map((text) => `<article>${Bun.escapeHTML(text)}</article>`).join('\n')
  const html = `<!doctype html><meta charset="utf-8"><title>Least</title>
<main id="story">${articles}</main><p class="desk" id="end">The end</p>`
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(html, { headers: { 'Content-Type': 'text/html' } }),
  })
}

/** A page to open, and an element that it has when it is ready. */
interface Opened {
  address: string
  ready: string
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
  return { 'Send to first token painted': ms(median(times.slice(1)), 60) }
}

async function newTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(watchFrames)
  await page.goto('about:blank')
  await page.waitForTimeout(SETTLED)
  return page
}

async function opened(page: Page, { address, ready }: Opened, from: string): Promise<Opening> {
  await page.goto(from)
  await page.waitForTimeout(300)
  const session = await page.context().newCDPSession(page)
  await Promise.all([session.send('Network.enable'), session.send('Performance.enable')])
  let requests = 0
  let bytes = 0
  session.on('Network.requestWillBeSent', () => requests++)
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(address)
  await page.locator(ready).waitFor()
  await page.waitForTimeout(300)
  const { frames, tasks, elements } = await page.evaluate(() => ({
    ...(window as unknown as Watched).opening,
    elements: document.querySelectorAll('*').length,
  }))
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
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

function windowOf(browser: Browser, baseURL = ''): Promise<BrowserContext> {
  return browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } })
}

/** The medians of some openings, each beside its aim. */
function rowOf(openings: Opening[], aims: Partial<Opening> = {}): Row {
  const names = Object.keys(openings[0] ?? {}) as (keyof Opening)[]
  return Object.fromEntries(
    names.map((name) => {
      const aim = aims[name] === undefined ? '' : ` (${aims[name]})`
      return [name, `${median(openings.map((opening) => opening[name])).toFixed(0)}${aim}`]
    }),
  )
}
