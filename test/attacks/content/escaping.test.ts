import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createApp } from '../../../src/app/app.ts'
import { copyLibrary } from '../../../src/db/library/copies/copy.ts'
import { copiesFolder } from '../../../src/db/library/copies/names.ts'
import { createServer } from '../../../src/server.ts'
import { CANARY, FORGED_EVENTS, HOSTILE_TEXTS, hostile } from '../../support/attacks/hostile-texts.ts'
import {
  beginStory,
  eventually,
  hasBrowser,
  openPanel,
  passages,
  play,
  visit,
} from '../../support/browser/browser.ts'
import { isFullLane, sampled } from '../../support/depth.ts'
import {
  editsAbout,
  gate,
  json,
  recorded,
  say,
  sayAndRecord,
  sayAround,
  startEndpoint,
  status,
  thinkThenSay,
} from '../../support/endpoint/endpoint.ts'
import { unzipped } from '../../support/files/unzipped.ts'
import { ofType, playTurn, retryTurn, startTurn, streamedText } from '../../support/service/events.ts'
import { proposeCard } from '../../support/service/proposed-card.ts'
import { NO_ACCESS } from '../../support/service/routes.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
// Texts are compared as they are stored.
await server.send('PUT', '/api/preferences', { typography: false })
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())

/** The first hostile text, which is in every field with enough room. */
const [IMAGE = ''] = HOSTILE_TEXTS
/** A name in a path has at most 60 characters and no brackets or quotation marks. */
const key = (name: string) => `${name} <img src onerror autofocus data-pwned>`
const ICON = '<b data-pwned>'
/** Names of filled fields, by which they are found on a page. */
const put = new Set<string>()
const field = (name: string, room?: number) => {
  put.add(`${name} ${IMAGE}`)
  return hostile(name, room)
}
const named = (name: string) => {
  put.add(key(name))
  return key(name)
}

/** The narration, one text per paragraph. */
const NARRATION = [...HOSTILE_TEXTS, ...FORGED_EVENTS].join('\n\n')
/** A text without white space, and without the control characters that are left out of replies. */
const solid = (text: string) => text.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, '')

const SCHEMA = {
  world: {
    [named('stat-w')]: { min: 0, max: 9, initial: 3, desc: field('stat-desc'), label: field('stat-label') },
  },
  player: {
    [named('stat-p')]: { min: 0, max: 9, initial: 3, bands: [[0, 9, field('band-label', 300)]] },
    [named('stat-t')]: { type: 'text', initial: field('text-value', 400), label: field('text-label') },
    [named('stat-o')]: {
      type: 'text',
      initial: key('option'),
      options: [named('option'), field('option-long', 400)],
    },
  },
  npcs: {
    [named('npc')]: {
      name: field('npc-name', 180),
      keys: field('npc-keys', 180),
      desc: field('npc-desc'),
      stats: { [key('npc-stat')]: { min: 0, max: 9, initial: 1, label: field('npc-label') } },
    },
  },
  flags: { [key('flag')]: { initial: true, label: field('flag-label'), desc: field('flag-desc') } },
  milestones: { [key('stone')]: { label: field('stone-label'), desc: field('stone-desc') } },
}
const TEXTS = ['prompt', 'memory', 'authors_note', 'ai_instructions'] as const
const QUESTION = `ask ${IMAGE} "'`

interface Made {
  scenario: number
  story: number
  branch: number
  lines: number[]
}
let made: Made

/** A story with hostile text in every field. */
async function make(): Promise<Made> {
  const { body: scenario } = await server.post('/api/scenarios', {
    title: field('scenario-title', 200),
    description: field('scenario-description'),
    ...Object.fromEntries(TEXTS.map((name) => [name, `\${${QUESTION}} ${hostile(`scenario-${name}`)}`])),
    tags: `${field('tag', 60)}, ${key('tag-two')}`,
    icon: ICON,
    stat_schema: SCHEMA,
  })
  const card = (of: string) => ({
    name: field(`${of}-name`, 200),
    keys: field(`${of}-keys`),
    entry: field(`${of}-entry`),
    notes: field(`${of}-notes`),
    type: hostile(`${of}-type`, 100),
  })
  await server.post('/api/story-cards', { scenario_id: scenario.id, ...card('scenario-card') })
  const { body: story } = await server.post('/api/adventures', {
    scenario_id: scenario.id,
    placeholders: { [QUESTION]: field('answer', 2_000) },
  })
  const path = `/api/adventures/${story.id}`
  await server.post('/api/story-cards', { adventure_id: story.id, ...card('story-card') })
  await server.post(`${path}/memories`, { text: field('memory') })
  await server.send('PATCH', path, {
    title: field('story-title', 200),
    memory: field('story-memory'),
    story_summary: field('story-summary'),
  })
  const delta = { [`player.${IMAGE}`]: 1, [`player.${key('stat-p')}`]: 2, [`flags.${key('flag')}`]: false }
  endpoint.next(
    recorded(
      thinkThenSay(field('reasoning'), `${field('narration')}\n\n${NARRATION}`, { pieces: 40 }),
      say(editsAbout(field('narration'), delta)),
    ),
  )
  const events = await playTurn(server, story.id, { type: 'say', text: field('player-line') })
  expect(events.at(-1)?.type).toBe('done')
  await playTurn(server, story.id, { type: 'story', text: field('player-prose') })
  const proposed = {
    name: field('proposed-name', 200),
    keys: field('proposed-keys'),
    entry: field('proposed-entry'),
  }
  proposeCard(server, story.id, (await server.get(path)).body.actions.at(-2), proposed)
  endpoint.next(sayAndRecord(field('second-attempt'), delta))
  await retryTurn(server, story.id)
  await server.send('PUT', `${path}/world-state`, {
    [`player.${key('stat-t')}`]: field('value-by-hand', 400),
  })
  const answers = (await server.get(path)).body.actions.map(({ id }: { id: number }) => id)
  // The scenario changes, so that a refresh has something to show.
  await server.send('PATCH', `/api/scenarios/${scenario.id}`, {
    memory: `\${new ${QUESTION}} ${field('changed-memory')}`,
    stat_schema: { ...SCHEMA, world: { [named('stat-new')]: { initial: 2, desc: field('stat-new-desc') } } },
  })
  const { body: branch } = await server.post(`${path}/family`, {
    action_id: answers[1],
    name: field('branch-name', 200),
  })
  copyLibrary(server.path, join(copiesFolder(server.path), BACKUP))
  return { scenario: scenario.id, story: story.id, branch: branch.id, lines: answers }
}

const BACKUP = 'library.copy-hostile.db'

/** Every page address of the hostile library, by route. A new route without one fails the test below. */
function addresses({ scenario, story, branch, lines: [first, line, told] }: Made): Record<string, string[]> {
  const [scene, play] = [`/scenarios/${scenario}`, `/adventures/${story}`]
  const typed = encodeURIComponent(`typed ${IMAGE} "`)
  return {
    '/': ['/'],
    '/scenarios': ['/scenarios'],
    '/scenarios/:id': [scene, `${scene}?open=${typed}`],
    '/scenarios/:id/edit': [
      '',
      '?tab=stats',
      '?tab=questions',
      '?tab=cover',
      `?tab=${typed}`,
      `?tab=cards&find=${typed}&order=${typed}`,
    ].map((more) => `${scene}/edit${more}`),
    '/adventures': ['/adventures'],
    '/adventures/:id': [
      '',
      '?panel=plot',
      '?panel=memory',
      '?world=edit',
      `?edit=${told}`,
      `?edit=${line}`,
      `?at=${told}`,
      `?at=${first}`,
      `?before=${told}`,
      `?edit=${typed}`,
    ].map((more) => play + more),
    '/adventures/:id/branches': ['', `?with=${branch}`, `?with=${typed}`].map(
      (more) => `${play}/branches${more}`,
    ),
    '/adventures/:id/insights': ['', `?turn=${told}`].map((more) => `${play}/insights${more}`),
    '/adventures/:id/refresh': ['', '?done=1'].map((more) => `${play}/refresh${more}`),
    '/search': ['', `?q=${typed}`, '?q=pwned', '?q=onerror&kind=action', `?q=pwned&adventure=${story}`].map(
      (more) => `/search${more}`,
    ),
    '/import/:upload': [`/import/${typed}`],
    '/settings': ['/settings'],
    '/settings/engine': ['/settings/engine'],
    '/devices': ['/devices'],
    '/storage': ['/storage'],
    '/storage/:backup': [`/storage/${BACKUP}`, `/storage/${typed}`],
    '/*': [
      ...[`${scene}/cover`, `${scene}/${typed}`, `${play}/turns`, `${play}/${typed}`],
      `/nowhere/${typed}`,
      `/${typed}?${typed}=${typed}`,
    ],
    '/api/docs': ['/api/docs'],
  }
}

/** Markup that was not escaped; empty if there is none. */
const escapedOn = (page: Page) =>
  page.evaluate(({ attribute, global }) => {
    const strange = [...document.querySelectorAll('*')].filter(
      (element) =>
        element.hasAttribute(attribute) ||
        [...element.attributes].some(({ name }) => /^(on|srcdoc$|hx-on|x-html|x-init|@)/.test(name)) ||
        // Set by our own script to keep the reading position.
        (element.hasAttribute('style') &&
          !(
            element.matches('html, .book, #story') &&
            /^(margin-bottom|top|--keyboard): -?[\d.]+px;$/.test(element.getAttribute('style') ?? '')
          )) ||
        /^(iframe|object|embed|base|style)$/.test(element.localName) ||
        (element.localName === 'script' && element.textContent !== ''),
    )
    return [...strange.map(({ outerHTML }) => outerHTML.slice(0, 200)), ...(global in window ? [global] : [])]
  }, CANARY)

/** All text of a page, including fields and attributes. */
const saidOn = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const texts = [document.title, document.documentElement.textContent ?? '']
    for (const element of document.querySelectorAll('*')) {
      if ('value' in element) texts.push(String(element.value))
      for (const { value } of element.attributes) texts.push(value)
    }
    return texts.join('\n')
  })

/** A browser that records every request and every violation of the content policy. */
async function watched(options: Parameters<typeof visit>[1] = {}) {
  const { page, faults } = await visit(server.address, options)
  page.context().on('request', (request) => {
    const { pathname, protocol, origin } = new URL(request.url())
    const isOwn = origin === new URL(server.address).origin && pathname !== CANARY.path
    if (!isOwn && protocol !== 'data:') faults.push(request.url())
  })
  page.on('dialog', (dialog) => {
    // The browser itself asks before it leaves what was typed.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    faults.push(dialog.message())
    void dialog.dismiss()
  })
  if (options.javaScriptEnabled !== false) {
    await page.exposeFunction('__violated', (what: string) => faults.push(what))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        (window as unknown as { __violated: (what: string) => void }).__violated(
          `${event.violatedDirective} ${event.blockedURI}`,
        ),
      )
    })
  }
  return { page, faults }
}

let shared: ReturnType<typeof watched> | undefined

/** A browser test without errors, policy violations or requests to other hosts. */
function inBrowser(name: string, work: (page: Page) => Promise<void>): void {
  test.skipIf(!hasBrowser)(name, async () => {
    shared ??= watched()
    const { page, faults } = await shared
    await work(page)
    expect(faults.splice(0).filter(isFault)).toEqual([])
  })
}

// Browsers also report every error response that the test asked for.
const isFault = (fault: string) => !fault.startsWith('Failed to load resource')

beforeAll(async () => {
  await server.send('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: field('model', 200),
    summary_model: field('summary-model', 200),
    embedding_model: field('embedding-model', 200),
    narrator_prompt: field('narrator-prompt'),
  })
  made = await make()
})

test('34 every page is covered', async () => {
  const { routes } = await createServer(createApp(server.deps), NO_ACCESS)
  const pages = routes.filter(
    ({ method, path }) => method === 'GET' && !/^\/(api|public)(\/|$)|\/events$/.test(path),
  )
  const known = Object.keys(addresses(made)).filter((path) => path !== '/api/docs')
  expect(pages.map(({ path }) => path).filter((path) => !known.includes(path))).toEqual([])
})

describe('34 hostile text in any field', () => {
  inBrowser(
    '34 is text on every page, and in what its forms answer, as a page and as a fragment',
    async (page) => {
      const seen = new Set<string>()
      let texts = ''
      const hostileText = { text: `${IMAGE} " \${x} ${HOSTILE_TEXTS[4]}`, attribute: CANARY.attribute }
      const visited = (one: Made) => Object.values(addresses(one)).flatMap((all) => sampled(all))
      for (const address of visited(made)) {
        await page.goto(address)
        expect([address, await escapedOn(page)]).toEqual([address, []])
        texts += await saidOn(page)
      }
      if (isFullLane) expect([...put].filter((text) => !texts.includes(text))).toEqual([])
      const other = await make()
      for (const address of visited(other)) {
        await page.goto(address)
        for (const { name, escaped } of await page.evaluate(sendForms, { ...hostileText, seen: [...seen] })) {
          seen.add(name)
          expect([name, escaped]).toEqual([name, []])
        }
      }
      expect(seen.size).toBeGreaterThan(30)
    },
  )
})

/** Runs in a page: submits each form with hostile text, and returns what was not escaped in the responses. */
async function sendForms({ seen, text, attribute }: { seen: string[]; text: string; attribute: string }) {
  const answers: { name: string; escaped: string[] }[] = []
  for (const form of [...document.querySelectorAll('form')]) {
    const path = new URL(form.getAttribute('action') ?? '', location.href).pathname
    if (/\/(delete|stop|detect|turns|retry|undo|again|export|backup)$/.test(path)) continue
    const sent = new FormData(form)
    for (const control of form.elements)
      if (
        control instanceof HTMLTextAreaElement ||
        (control instanceof HTMLInputElement && control.type === 'text')
      )
        if (control.name) sent.set(control.name, text)
    const name = `${form.method} ${path} ${[...new Set(sent.keys())].sort().join()}`
    if (seen.includes(name) || answers.some((one) => one.name === name)) continue
    const escaped: string[] = []
    for (const headers of [{ Accept: 'text/html' }, { 'HX-Request': 'true' }] as Record<string, string>[]) {
      const isRead = form.method === 'get'
      const plain = new URLSearchParams(
        [...sent].filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      )
      const body = form.enctype === 'multipart/form-data' ? sent : plain
      const response = await fetch(isRead ? `${path}?${plain}` : path, {
        headers,
        redirect: 'follow',
        ...(isRead ? {} : { method: 'POST', body }),
      })
      if (response.status >= 500) escaped.push(`${response.status}`)
      if (!response.headers.get('content-type')?.startsWith('text/html')) continue
      const fragment = new DOMParser().parseFromString(await response.text(), 'text/html')
      for (const element of fragment.querySelectorAll(
        `[${attribute}], [onerror], [onfocus], [onload], iframe, base, style`,
      ))
        escaped.push(element.outerHTML.slice(0, 200))
    }
    answers.push({ name, escaped })
  }
  return answers
}

describe('34 text from others', () => {
  inBrowser('34 of a file that is looked into, with its name and its receipt, are text', async (page) => {
    const strange = {
      ...Object.fromEntries(HOSTILE_TEXTS.map((text) => [text, text])),
      format: 'ai-dnd-scenario-v1',
    }
    const file = {
      ...strange,
      title: hostile('brought', 200),
      prompt: 'x',
      storyCards: [{ title: IMAGE, keys: IMAGE, [IMAGE]: 1 }],
    }
    await page.goto('/')
    await page.setInputFiles('#bring [name=file]', {
      name: `${IMAGE}.json`.replaceAll('/', ':'),
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(file)),
    })
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Nothing has been imported yet').waitFor()
    const texts = await saidOn(page)
    for (const text of [IMAGE.replaceAll('/', ':'), IMAGE, 'brought <img']) expect(texts).toContain(text)
    expect(await escapedOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Import' }).click()
    await page.waitForURL(/scenarios/)
    expect(await escapedOn(page)).toEqual([])
  })

  inBrowser('34 of a model server, its models and its faults, are text', async (page) => {
    const other = await startEndpoint()
    const answers = [
      json(200, { data: HOSTILE_TEXTS.map((id) => ({ id })) }),
      status(500, `It broke: ${NARRATION}`),
      json(200, { error: { message: NARRATION } }),
    ]
    for (const response of answers) {
      other.listWith(response)
      await page.goto('/settings')
      await page.fill('[name=endpoint_url]', other.url)
      await page.getByRole('button', { name: 'Test' }).first().click()
      await page.locator('#tested', { hasText: /pwned|HTTP|model/ }).waitFor()
      expect(await escapedOn(page)).toEqual([])
    }
    await other.close()
  })
})

describe('32 a narration', () => {
  const begin = async () => (await server.post('/api/adventures', { title: 'Told' })).body.id as number
  const tellsAll = () => thinkThenSay(`I think: ${NARRATION}`, NARRATION, { pieces: 61 })

  test('32 that forges events is only text to a program', async () => {
    const id = await begin()
    endpoint.next(tellsAll())
    const events = await playTurn(server, id)
    const kinds = new Set(events.map(({ type }) => type))
    expect(
      [...kinds].filter((kind) => !['player', 'status', 'reasoning', 'chunk', 'done'].includes(kind)),
    ).toEqual([])
    expect(solid(streamedText(events))).toBe(solid(NARRATION))
    const done = events.filter(ofType('done'))
    expect(done.map(({ action }) => solid(action.text))).toEqual([solid(NARRATION)])
    expect(events.at(-1)).toBe(done[0] as never)
  })

  test('32 that breaks off reports it once', async () => {
    const id = await begin()
    endpoint.next(status(500, NARRATION))
    const { rest } = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'continue' })
    const events = await rest()
    expect(events.filter(({ type }) => type === 'error' || type === 'done')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'provider_error',
      detail: expect.stringContaining(IMAGE),
    })
  })

  for (const javaScriptEnabled of hasBrowser ? [true, false] : [])
    test(`32 is text while it streams and when it is read again, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const { page, faults } = await watched({ javaScriptEnabled })
      const path = `/adventures/${await begin()}`
      const open = gate()
      endpoint.next(sayAround(NARRATION, open, `\n\nThe end. ${NARRATION}`, { pieces: 61 }))
      await page.goto(path)
      await page.fill('#words', `look at ${IMAGE}`)
      await page.getByRole('button', { name: 'Send' }).click({ noWaitAfter: true })
      await page.getByText('data: [DONE]').first().waitFor()
      expect(await escapedOn(page)).toEqual([])
      await eventually(async () => solid(await page.locator('.streaming').innerText()), solid(NARRATION))
      open.open()
      await page.locator('article.narration:not(#telling)', { hasText: 'The end.' }).waitFor()
      // Without script, the streamed page is a different one.
      for (const again of javaScriptEnabled ? [false, true] : [true]) {
        if (again) await page.goto(path)
        await eventually(
          async () => (await passages(page)).slice(-2).map(solid),
          [solid(`You look at ${IMAGE}.`), solid(`${NARRATION} The end. ${NARRATION}`)],
        )
        expect(await page.locator('#story .prose').locator('a, img, b, form, svg, [hx-get]').count()).toBe(0)
        expect(await escapedOn(page)).toEqual([])
      }
      endpoint.next(status(500, IMAGE), tellsAll())
      for (const wanted of ['went wrong|answered|HTTP|500', 'Reasoning']) {
        await page.locator('#tools').getByRole('button', { name: 'Retry' }).click()
        await page.getByText(new RegExp(wanted)).first().waitFor()
        expect(await escapedOn(page)).toEqual([])
      }
      expect(faults.filter(isFault)).toEqual([])
    })
})

describe('33 and 35', () => {
  inBrowser('33 a picture or a link in a narration is neither fetched nor a link', async (page) => {
    const { body } = await server.post('/api/adventures', { title: 'Told' })
    endpoint.next(
      say(
        'See ![the map](https://evil.example/map.png) and [this](https://evil.example) or https://evil.example/x.',
      ),
    )
    await page.goto(`/adventures/${body.id}`)
    await play(page, 'look')
    expect((await passages(page)).at(-1)).toContain(
      '![the map](https://evil.example/map.png) and [this](https://evil.example)',
    )
    expect(await page.locator('#story .prose').locator('a, img').count()).toBe(0)
    expect(await page.locator('a[href^="http"]').count()).toBe(0)
  })

  inBrowser('35 a change of what does not exist is text where changes are shown', async (page) => {
    await page.goto(`/adventures/${made.story}/insights`)
    expect(await page.locator('td code', { hasText: `player.${IMAGE}` }).count()).toBeGreaterThan(0)
    expect(await escapedOn(page)).toEqual([])
  })
})

describe('36 texts that could end a page early', () => {
  const ODD = 'a</script>b\u2028c\u2029d\u0000g</title>h]]>i'
  inBrowser('36 stand on it whole', async (page) => {
    const { body } = await server.post('/api/adventures', { title: ODD })
    await server.send('PATCH', `/api/adventures/${body.id}`, { memory: ODD })
    expect((await server.get(`/api/adventures/${body.id}`)).body).toMatchObject({ title: ODD, memory: ODD })
    await page.goto(`/adventures/${body.id}?panel=plot`)
    // HTML cannot contain NUL.
    expect((await page.locator('h1').textContent())?.replace(/[\0\ufffd]/g, '')).toBe(
      ODD.replace(/[\0\ufffd]/g, ''),
    )
    expect(await page.locator('[name=memory]').inputValue()).toContain('a</script>b\u2028c\u2029d')
    expect(await page.locator('main').count()).toBe(1)
    expect(await page.locator('script:not([src])').count()).toBe(0)
    expect(await escapedOn(page)).toEqual([])
  })

  test('36 no page has data in a script', async () => {
    for (const address of Object.values(addresses(made)).flat()) {
      const html = await (await server.ask(address, { headers: { Accept: 'text/html' } })).text()
      expect(html.match(/<script(?![^>]* src="\/public\/)/g)).toBeNull()
    }
  })
})

describe('37 the content policy', () => {
  const NEEDED = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'manifest-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'form-action': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }
  test('37 is on every page, including errors and streams', async () => {
    const post = (path: string, more: Record<string, string> = {}) =>
      server.ask(path, { method: 'POST', body: new URLSearchParams({ text: 'x' }), headers: more })
    const { body } = await server.post('/api/adventures', { title: 'Told' })
    const answers = [
      ...(await Promise.all(
        Object.values(addresses(made))
          .flat()
          .map((address) => server.ask(address)),
      )),
      await post('/settings'),
      await post('/nowhere'),
      await post('/adventures/9999/turns'),
      await post(`/adventures/${body.id}/turns`),
      await post(`/adventures/${body.id}/turns`, { 'HX-Request': 'true' }),
    ]
    for (const { url, headers } of answers) {
      const directives = (headers.get('content-security-policy') ?? '').split('; ').map((one) => {
        const [name = '', ...sources] = one.split(' ')
        return [name, sources.join(' ')]
      })
      expect([url, Object.fromEntries(directives)]).toEqual([url, NEEDED])
    }
    for (const response of answers) await response.body?.cancel()
  })

  inBrowser('37 is broken nowhere in a whole play, and nobody outside is asked', async (page) => {
    const hosts = new Set<string>()
    page.on('request', (request) => void hosts.add(new URL(request.url()).origin))
    await page.goto('/')
    await page.goto('/scenarios')
    await beginStory(page, 3)
    const { pathname } = new URL(page.url())
    await play(page, 'look around')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('2/2').waitFor()
    await page.getByRole('button', { name: 'Previous version' }).click()
    await page.getByText('1/2').waitFor()
    await play(page, 'open the door')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(() => document.querySelectorAll('#story article').length === 3)
    for (const name of ['Plot', 'Memory', 'Contents', 'Text settings', 'Insights']) {
      await openPanel(page, name)
      await page.getByRole('heading', { level: 2, name }).waitFor()
    }
    await page.locator('#panel section').first().waitFor()
    for (const part of ['?world=edit', '/refresh', '/insights']) await page.goto(pathname + part)
    for (const address of ['/search?q=door', '/settings', '/scenarios/3/edit?tab=stats', '/api/docs'])
      await page.goto(address)
    expect([...hosts]).toEqual([new URL(server.address).origin])
  })
})

describe('34 an exported story', () => {
  inBrowser('34 is text in a browser, as a page and as the parts of a book', async (page) => {
    const all = '&attempts=true&stats=true'
    const html = await (await server.ask(`/api/adventures/${made.story}/export?format=html${all}`)).text()
    const book = unzipped(
      new Uint8Array(
        await (await server.ask(`/api/adventures/${made.story}/export?format=epub${all}`)).arrayBuffer(),
      ),
    )
    const files = new Map([['/taken.html', { contentType: 'text/html', body: html }]])
    for (const { name, text } of book)
      if (/\.(xhtml|css)$/.test(name))
        files.set(`/${name}`, {
          contentType: name.endsWith('css') ? 'text/css' : 'application/xhtml+xml',
          body: text,
        })
    await page.route(/\/(taken|book)/, (route) =>
      route.fulfill(files.get(new URL(route.request().url()).pathname) ?? { status: 404 }),
    )
    let texts = ''
    for (const name of [...files.keys()].filter((name) => name.endsWith('html'))) {
      await page.goto(name)
      // Its only style sheet is its own.
      expect((await escapedOn(page)).filter((found) => !found.startsWith('<style>'))).toEqual([])
      expect(await page.locator('parsererror').count()).toBe(0)
      texts += await saidOn(page)
    }
    for (const name of ['story-title', 'narration', 'second-attempt', 'player-line', 'player-prose'])
      expect([name, texts.includes(`${name} ${IMAGE}`)]).toEqual([name, true])
  })

  test('34 is text in Markdown: no character of it starts any markup', async () => {
    const text = await (await server.ask(`/api/adventures/${made.story}/export?format=markdown`)).text()
    expect(text.match(/(?<!\\)[<`]|(?<!\\)\]\(|(?<!\\)!\[/g)).toBeNull()
  })
})
