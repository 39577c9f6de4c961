import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { copyLibrary } from '../../../src/db/library/copies/copy.ts'
import { copiesFolder } from '../../../src/db/library/copies/names.ts'
import type { ReaderPreferences } from '../../../src/domain/reader-preferences.ts'
import { EDITOR_TABS, editorUrl, PANELS } from '../../../src/views/urls.ts'
import {
  breakOff,
  editsAbout,
  gate,
  recorded,
  type ScriptedEndpoint,
  say,
  sayAround,
  status,
  thinkThenSay,
} from '../endpoint/endpoint.ts'
import { makeAdventure } from '../files/make.ts'
import { AT, lampStory } from '../files/portable.ts'
import { playTurn, startTurn } from '../service/events.ts'
import { listenForPhones } from '../service/phone.ts'
import { proposeCard } from '../service/proposed-card.ts'
import type { TestServer } from '../service/server.ts'
import { LANTERN_ROCK } from '../stories/worlds.ts'
import { LOCAL, stubVoices } from './voices.ts'

/** What a player sees: how to come there, and what to do there before it is looked at. */
export interface Screen {
  name: string
  path: string
  /** Does what opens it, and undoes what would disturb the next. */
  reach?: (page: Page) => Promise<unknown>
  leave?: (page: Page) => Promise<unknown>
  /** It lies over the page, as it does on a narrow one alone. */
  isNarrow?: boolean
  /** Colors to see it in, beside light and dark. */
  themes?: readonly ReaderPreferences['theme'][]
  /** It is of the library without anything. */
  isBare?: boolean
}

/** Two libraries, one with everything in it and one with nothing, by the ids of what is looked at. */
export interface Shown {
  endpoint: ScriptedEndpoint
  scenario: number
  /** A story with numbers, and one without. */
  story: number
  plain: number
  /** A story that still asks for its placeholders. */
  asking: number
  /** A branch of the one without numbers. */
  branch: number
  /** The newest action of the story. */
  turn: number
  /** A story with a check that was tried. */
  tried: number
  /** Another device asks for access. */
  askAsDevice(): void
}

type Route = (shown: Shown) => Screen[]

/** Every screen, by the route that it is of. */
export const SCREENS: Record<string, Route> = {
  '/': () => [
    { name: 'a new library', path: '/', isBare: true },
    { name: 'a library with stories', path: '/' },
    {
      name: 'the sheet of keys',
      path: '/',
      reach: async (page) => {
        await page.keyboard.press('?')
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      },
    },
    {
      name: 'a receipt of what a file brings',
      path: '/',
      reach: async (page) => {
        const file = { name: 'lamp.json', mimeType: 'application/json', buffer: Buffer.from(STORY) }
        await page.setInputFiles('[name=file]', file)
        await page.getByRole('button', { name: 'Preview' }).click()
        await page.getByText('Imported as is').waitFor()
        await unfold(page)
      },
    },
  ],
  '/scenarios': () => [
    { name: 'no scenarios', path: '/scenarios', isBare: true },
    { name: 'scenarios', path: '/scenarios' },
  ],
  '/scenarios/:id': (told) => [{ name: 'a scenario', path: `/scenarios/${told.scenario}`, reach: unfold }],
  '/scenarios/:id/edit': (told) => [
    ...EDITOR_TABS.map((tab) => ({
      name: `the tab ${tab} of a scenario`,
      path: editorUrl(told.scenario, tab),
      reach: unfold,
    })),
    {
      name: 'a scenario with something to mend',
      path: editorUrl(told.scenario, 'stats'),
      reach: async (page) => {
        await page.fill('[name="max:world.sea"]', 'a lot')
        await page.getByText('world.sea.max must be a number').waitFor()
      },
    },
  ],
  '/adventures': () => [
    { name: 'stories', path: '/adventures' },
    {
      name: 'selected stories',
      path: '/adventures?find=walk',
      reach: (page) => page.locator('.card > .pick input').first().check(),
    },
    {
      name: 'selected stories to delete',
      path: '/adventures',
      reach: async (page) => {
        await page.locator('.card > .pick input').first().check()
        await page.getByRole('button', { name: 'Delete…' }).click()
        await page.getByRole('heading', { name: 'Delete this story?' }).waitFor()
      },
    },
    { name: 'the archive', path: '/adventures?shelf=archived' },
    { name: 'no stories', path: '/adventures', isBare: true },
  ],
  '/adventures/:id': (told) => [
    { name: 'a story', path: `/adventures/${told.plain}` },
    {
      name: 'a story with numbers',
      path: `/adventures/${told.story}`,
      themes: ['sepia', 'contrast'],
      reach: unfold,
    },
    {
      name: 'a passage open for new words',
      path: `/adventures/${told.story}`,
      reach: async (page) => {
        await page.keyboard.press('Escape')
        await page.keyboard.press('e')
        await page.getByRole('button', { name: 'Save' }).waitFor()
      },
    },
    {
      name: 'a passage of which a part is chosen',
      path: `/adventures/${told.story}?rewrite=${told.turn}`,
      reach: (page) => page.locator('.sentences input').first().check(),
    },
    {
      name: 'the world on a phone',
      path: `/adventures/${told.story}`,
      isNarrow: true,
      reach: async (page) => {
        await page.keyboard.press('Escape')
        await page.keyboard.press('w')
        await page.getByRole('button', { name: 'Close' }).waitFor()
      },
    },
    {
      name: 'the world by hand',
      path: `/adventures/${told.story}?world=edit`,
    },
    {
      name: 'a story that is read aloud',
      path: `/adventures/${told.story}`,
      themes: ['sepia', 'contrast'],
      reach: async (page) => {
        await page.evaluate(stubVoices, [LOCAL])
        await page.locator('#story > article').last().hover()
        await page.getByRole('button', { name: 'Listen' }).last().click()
        await page.getByRole('button', { name: 'Pause' }).waitFor()
      },
    },
    { name: 'a story that asks', path: `/adventures/${told.asking}` },
    {
      name: 'a check that was tried',
      path: `/adventures/${told.tried}`,
      reach: unfold,
    },
    {
      name: 'a check to try',
      path: `/adventures/${told.tried}`,
      themes: ['sepia', 'contrast'],
      reach: (page) => page.locator('.modes [value="try"]').check(),
    },
    ...PANELS.map((panel) => ({
      name: `the panel ${panel}`,
      path: `/adventures/${told.story}?panel=${panel}&action=${told.turn}`,
      reach: unfold,
    })),
    { name: 'earlier passages', path: `/adventures/${told.story}?before=${told.turn}` },
    {
      name: 'a turn that is being told',
      path: `/adventures/${told.plain}`,
      reach: async (page) => {
        opened = gate()
        told.endpoint.next(sayAround('The sea rises. And it', opened, ' falls.'))
        await page.fill('#words', 'wait')
        await page.press('#words', 'Enter')
        await page.locator('#told', { hasText: 'The sea rises.' }).waitFor()
      },
      leave: async (page) => {
        opened.open()
        await page.waitForSelector('#telling', { state: 'detached' })
      },
    },
    {
      name: 'a turn that failed',
      path: `/adventures/${told.plain}`,
      reach: async (page) => {
        told.endpoint.next(status(400, 'No.'))
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.locator('#notice', { hasText: 'No.' }).waitFor()
      },
    },
    {
      name: 'a turn that was interrupted',
      path: `/adventures/${told.plain}`,
      themes: ['sepia', 'contrast'],
      reach: async (page) => {
        told.endpoint.next(breakOff('The sea rises. And it'))
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.locator('#interrupted').waitFor()
      },
      leave: async (page) => {
        await page.getByRole('button', { name: 'Discard' }).click()
        await page.waitForSelector('#interrupted', { state: 'detached' })
      },
    },
  ],
  '/adventures/:id/branches': (told) => [
    { name: 'no branches', path: `/adventures/${told.asking}/branches` },
    { name: 'branches', path: `/adventures/${told.plain}/branches`, reach: unfold },
    { name: 'two branches', path: `/adventures/${told.branch}/branches?zoom=1&with=${told.plain}` },
  ],
  '/adventures/:id/insights': (told) => [
    { name: 'insights', path: `/adventures/${told.story}/insights` },
    {
      name: 'insights of a turn',
      path: `/adventures/${told.story}/insights?turn=${told.turn}`,
      reach: unfold,
    },
  ],
  '/adventures/:id/refresh': (told) => [
    { name: 'nothing to update', path: `/adventures/${told.plain}/refresh` },
    { name: 'an update', path: `/adventures/${told.story}/refresh` },
  ],
  '/search': (told) => [
    { name: 'search', path: '/search' },
    { name: 'what was found', path: '/search?q=lamp' },
    { name: 'nothing found', path: `/search?q=xyzzy&adventure=${told.story}` },
  ],
  '/import/:upload': () => [{ name: 'an import that takes longer', path: '/import/long' }],
  '/settings': () => [
    { name: 'settings', path: '/settings', reach: unfold },
    {
      name: 'settings that were refused',
      path: '/settings',
      reach: async (page) => {
        await page.fill('[name=endpoint_url]', 'http://example.org/v1')
        await page.getByRole('button', { name: 'Save settings' }).click()
        await page.locator('#notice p, #notice:not(:empty)').waitFor()
      },
    },
  ],
  '/devices': ({ askAsDevice }) => [
    { name: 'other devices, off', path: '/devices', isBare: true },
    {
      name: 'other devices, one waiting and one allowed',
      path: '/devices',
      reach: async (page) => {
        askAsDevice()
        await page.reload()
      },
    },
  ],
  '/settings/engine': () => [
    { name: 'the model file', path: '/settings/engine' },
    {
      name: 'a model file that was refused',
      path: '/settings/engine',
      reach: async (page) => {
        await page.fill('[name=model_file]', '/nowhere/lamp.gguf')
        await page.getByRole('button', { name: 'Use this file' }).click()
        await page.locator('#notice:not(:empty)').waitFor()
      },
    },
  ],
  '/storage': () => [
    { name: 'storage', path: '/storage' },
    { name: 'storage without backups', path: '/storage', isBare: true },
  ],
  '/storage/:backup': () => [
    { name: 'a backup', path: `/storage/${BACKUP}`, reach: unfold },
    { name: 'no such backup', path: '/storage/none.db' },
  ],
  '/api/docs': () => [{ name: 'the API', path: '/api/docs' }],
  '/*': () => [{ name: 'nothing here', path: '/nowhere' }],
}

const BACKUP = 'library.copy-20260301T100000.db'
/** Holds the turn that is being told. */
let opened = gate()
const STORY = makeAdventure(lampStory(), AT)

/** Opens all that can be opened. */
function unfold(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
}

/** Fills one library with a bit of everything, and empties the other. */
export async function fillLibraries(
  server: TestServer,
  bare: TestServer,
  endpoint: ScriptedEndpoint,
): Promise<Shown> {
  const { devices } = server.deps
  const askAsDevice = () => void devices.wait('192.168.1.20')
  const ids = { scenario: 0, story: 0, plain: 0, asking: 0, branch: 0, turn: 0, tried: 0 }
  const told: Shown = { endpoint, askAsDevice, ...ids }
  await listenForPhones(server)
  devices.allow('192.168.1.21', devices.wait('192.168.1.21') ?? '', null)
  for (const scenario of (await bare.get('/api/scenarios')).body)
    await bare.send('DELETE', `/api/scenarios/${scenario.id}`)
  await server.send('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: 'test-model',
  })
  server.deps.imports.keep('long', {
    choice: {},
    progress: { done: 2_100, total: 5_000 },
    result: Promise.withResolvers<never>().promise,
    isOver: false,
  })
  const scenario = await server.post('/api/scenarios', {
    title: 'Lantern Rock',
    description: 'A keeper and a lamp.',
    prompt: 'Dusk. ${Your name} climbs the stairs to the lamp.',
    memory: 'An old lamp.',
    tags: 'sea, night',
    stat_schema: LANTERN_ROCK,
  })
  told.scenario = scenario.body.id
  const lamp = { scenario_id: told.scenario, name: 'Lamp', keys: 'lamp', entry: 'It burns.', type: 'thing' }
  const { body: card } = await server.post('/api/story-cards', lamp)
  await server.post('/api/story-cards', { ...lamp, name: 'Lamp, again' })
  const begin = async (body: object) => (await server.post('/api/adventures', body)).body.id as number
  const placeholders = { 'Your name': 'Tamsin' }
  told.story = await begin({ scenario_id: told.scenario, placeholders })
  told.plain = await begin({ title: 'A walk' })
  const opening = (await server.get(`/api/adventures/${told.plain}`)).body.actions[0].id
  const branch = { action_id: opening, name: 'By the river' }
  told.branch = (await server.post(`/api/adventures/${told.plain}/family`, branch)).body.id
  told.asking = await begin({ scenario_id: told.scenario })
  const [archived, pinned] = [await begin({ scenario_id: 1 }), await begin({ title: 'Blank' })]
  await server.send('PUT', `/api/adventures/${archived}/shelf`, { shelf: 'archived' })
  await server.send('PUT', `/api/adventures/${pinned}/shelf`, { shelf: 'pinned' })
  const retry = async () => (await startTurn(server, `/api/adventures/${told.story}/retry`)).rest()
  const delta = { 'player.warmth': -90, 'world.sea': 2, 'flags.door_barred': true, 'player.stamina': 3 }
  const counted = (reply: Parameters<typeof recorded>[0], text: string) =>
    recorded(reply, say(editsAbout(text, delta)))
  endpoint.next(
    counted(
      thinkThenSay('Hm, a lamp.', 'The sea **rises**.\n\n* * *\n\nThe *lamp* burns.'),
      'The sea rises.',
    ),
  )
  await playTurn(server, told.story, { type: 'say', text: 'The lamp!' })
  endpoint.next(
    counted(say('It is *cold* up here, and the lamp', { finish: 'length' }), 'It is cold up here'),
  )
  await retry()
  endpoint.next(say('And on.'))
  await playTurn(server, told.story, { type: 'do', text: 'wait' })
  endpoint.next(counted(thinkThenSay('Anew.', 'And on and on.', { finish: 'length' }), 'And on'))
  await retry()
  const { body } = await server.get(`/api/adventures/${told.story}/actions`)
  told.turn = body.actions.at(-1).id
  await server.post(`/api/adventures/${told.story}/memories`, { text: 'The lamp is old.' })
  told.tried = await tryCheck(server, endpoint)
  proposeCard(server, told.story, body.actions.at(-1))
  await server.ask(`/adventures/${told.story}/bookmark`, {
    method: 'POST',
    body: new URLSearchParams({ action: String(told.turn), name: 'The lamp' }),
  })
  const { warmth: _, ...player } = LANTERN_ROCK.player
  await server.send('PATCH', `/api/scenarios/${told.scenario}`, {
    memory: 'A new lamp in ${Where}.',
    stat_schema: { ...LANTERN_ROCK, player: { ...player, luck: { initial: 5 } } },
  })
  await server.send('PATCH', `/api/story-cards/${card.id}`, { entry: 'It burns no more.' })
  copyLibrary(server.path, join(copiesFolder(server.path), BACKUP))
  return told
}

/** A story in which a check was tried that may be thrown again. */
async function tryCheck(server: TestServer, endpoint: ScriptedEndpoint): Promise<number> {
  const climb = {
    dice: '2d6',
    stat: 'player.grip',
    difficulties: [
      { name: 'easy', number: 5 },
      { name: 'hard', number: 9 },
    ],
    player_picks_difficulty: true,
    outcomes: [
      { name: 'you slip', effects: { 'player.grip': -1 } },
      { name: 'you are up', from: 0 },
    ],
    reroll: { 'player.grip': -1 },
  }
  const stat_schema = { player: { grip: { initial: 6, min: 0, max: 6 } }, checks: { Climb: climb } }
  const scenario = await server.post('/api/scenarios', { title: 'The wall', prompt: 'A wall.', stat_schema })
  const { id } = (await server.post('/api/adventures', { scenario_id: scenario.body.id })).body
  endpoint.next(say('The stone is wet.'))
  await playTurn(server, id, { type: 'try', text: 'climb', check: 'Climb' })
  return id
}
