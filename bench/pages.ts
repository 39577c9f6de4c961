import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { openLibrary } from '../src/db/library/open.ts'
import { start } from '../src/start.ts'
import { type ScriptedEndpoint, sayInTime, startEndpoint } from '../test/support/endpoint/endpoint.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { proseFrom } from './prose.ts'

/** Words of the streamed passage, and how many milliseconds it takes. */
const WORDS = 8_000
const STREAM = 60_000
const CHUNKS = 1_800

type Row = Record<string, string>

/** Reading situations: the reader's preferences and the scroll position. */
const READINGS: Record<string, { reading: object; text: string; scrolledUp: boolean }> = {
  'at the end': { reading: {}, text: prose(7), scrolledUp: false },
  'scrolled up': { reading: {}, text: prose(7), scrolledUp: true },
  'one paragraph': { reading: {}, text: prose(Number.POSITIVE_INFINITY), scrolledUp: true },
  'not streamed': { reading: { whole_replies: true }, text: prose(7), scrolledUp: true },
}

/** The browser's work while a long passage streams for a minute. */
export async function pageStreamed(actions: number): Promise<Record<string, Row>> {
  const rows: Record<string, Row> = {}
  for (const [name, { reading, text, scrolledUp }] of Object.entries(READINGS)) {
    await using served = await serve(actions)
    await served.ask('PUT', '/api/preferences', reading)
    served.endpoint.next(sayInTime(text, STREAM / CHUNKS, { pieces: CHUNKS }))
    rows[name] = await streamed(served.address, scrolledUp)
  }
  return rows
}

async function streamed(address: string, scrolledUp: boolean): Promise<Row> {
  await using browser = await browse(address)
  const { page, session, elsewhere } = browser
  await page.goto('/adventures/1')
  await page.waitForFunction(() => document.querySelector('#composer[data-htmx-powered]'))
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForFunction(() => (document.querySelector('#told')?.textContent?.length ?? 0) > 3_000)
  if (scrolledUp) await page.evaluate(() => scrollBy(0, -600))
  await page.locator('#words').focus()
  const memory = await heap(session)
  await page.evaluate(watchLine)
  let nodes = 0
  while (await page.locator('#telling').count()) {
    nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    await page.keyboard.press('a')
    await Bun.sleep(1_000)
  }
  const { tasks, keys, moved } = await page.evaluate(() => (window as unknown as Watching).watching)
  const after = await heap(session)
  return {
    'tasks over 50 ms': String(tasks.length),
    'longest task': ms(Math.max(0, ...tasks)),
    'key response, worst': ms(Math.max(0, ...keys)),
    'line shifted by': scrolledUp ? `${moved.toFixed(2)} px` : 'follows',
    'DOM nodes at the end': String(nodes),
    'heap grew by': kib(after - memory),
    'external requests': String(elsewhere.length),
  }
}

interface Watching {
  watching: { tasks: number[]; keys: number[]; moved: number }
}

/** Runs in the page before all other scripts. */
function watchTasks(): void {
  const watching = { tasks: [] as number[], keys: [] as number[], moved: 0 }
  Object.assign(window, { watching })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watching.tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') watching.keys.push(duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

/** Runs in the page: tracks the paragraph in the middle of the window by its first words. */
function watchLine(): void {
  const { watching } = window as unknown as Watching
  watching.tasks.length = 0
  watching.keys.length = 0
  const middle = [...document.querySelectorAll('#story .prose > *')].find(
    (one) => one.getBoundingClientRect().bottom > innerHeight / 3,
  )
  const words = middle?.textContent?.slice(0, 40) ?? ''
  const from = middle?.getBoundingClientRect().top ?? 0
  let line = middle
  const look = () => {
    if (!line?.isConnected)
      line = [...document.querySelectorAll('#story .prose > *')].find((one) =>
        one.textContent?.startsWith(words),
      )
    watching.moved = Math.max(watching.moved, Math.abs((line?.getBoundingClientRect().top ?? 1e6) - from))
    requestAnimationFrame(look)
  }
  look()
}

interface Browser extends AsyncDisposable {
  page: Page
  session: CDPSession
  elsewhere: string[]
}

async function browse(address: string): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-pages-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.APP_TEST_CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    baseURL: address,
    viewport: { width: 1280, height: 800 },
  })
  const page = context.pages()[0] ?? (await context.newPage())
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:'))
      elsewhere.push(request.url())
  })
  await page.addInitScript(watchTasks)
  return {
    page,
    session: await context.newCDPSession(page),
    elsewhere,
    [Symbol.asyncDispose]: async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

/** The service, and a model server for it, with one long story. */
interface Served extends AsyncDisposable {
  address: string
  endpoint: ScriptedEndpoint
  ask: (method: string, path: string, body: object) => Promise<Response>
}

export async function serve(actions: number): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-pages-'))
  const dbPath = join(folder, 'l.db')
  const library = openLibrary(dbPath)
  const proseOf = proseFrom(1)
  library.write((tx) => {
    // Played today, so that no recap is shown.
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '000')
    tx.insert('adventures', { title: 'Long', created_at: time, updated_at: time })
    for (let index = 0; index < actions; index++)
      tx.run(
        'INSERT INTO actions (adventure_id, "index", type, text, created_at) VALUES (1, ?, ?, ?, ?)',
        index,
        index % 2 ? 'ai' : 'do',
        `Passage ${index}. *Listen!* ${proseOf(840)}`,
        time,
      )
    tx.run('UPDATE adventures SET action_count = ? WHERE id = 1', actions)
  })
  await library.close()
  const endpoint = await startEndpoint()
  const service = await start(loopback(dbPath), { idleDelay: 1_000_000 })
  const ask = (method: string, path: string, body: object) =>
    fetch(new URL(path, service.address), {
      method,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    })
  await ask('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'm',
    loop_guard: false,
    context_token_budget: 16_384,
  })
  return {
    address: service.address,
    endpoint,
    ask,
    [Symbol.asyncDispose]: async () => {
      await service.stop()
      await endpoint.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Prose with this many sentences per paragraph, with markup. */
function prose(sentences: number): string {
  let text = ''
  for (let word = 0, sentence = 1; word < WORDS; word += 10, sentence++)
    text += `Sentence ${sentence} goes *on* and **on** along the road.${sentence % sentences === 0 ? '\n\n' : ' '}`
  return text
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
