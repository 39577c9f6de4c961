import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Reader } from '../../src/db/database.ts'
import { dice, SEED } from '../support/dice.ts'
import { type Step, sayInTime, startEndpoint, status } from '../support/endpoint.ts'
import { playTurn, retryTurn } from '../support/events.ts'
import { anyMoment, type Known, killAt, type Moment } from '../support/moments.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Ask, initOf, Service } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { difference, faultsIn, type WholeLibrary, wholeLibrary } from '../support/whole-library.ts'
import { LANTERN_ROCK } from '../support/worlds.ts'

/** How many kills there are over all; what else is killed has its own share. */
const KILLS = Math.ceil(Number(process.env.APP_TEST_KILLS ?? 100) * 0.6)
const random = dice(SEED)

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const MODEL = { endpoint_url: endpoint.url, model: 'test-model' }

/** What a deed is done to. */
interface Shelf {
  reader: Reader
  /** Counts something, is refreshed, and goes on for ever. */
  story: number
  scenario: number
  card: number
}

/** Something that writes. `words` are what a player typed, which are kept before the narrator is asked. */
interface Deed {
  name: string
  ask: (shelf: Shelf) => Ask
  tells?: 'a line' | 'no line'
  drafts?: string
}

const newest = ({ reader, story }: Shelf) =>
  reader.get<{ id: number; variants: number }>(
    'SELECT id, coalesce(json_array_length(variants), 0) AS variants FROM actions WHERE adventure_id = ? ORDER BY "index" DESC',
    story,
  ) ?? { id: 0, variants: 0 }
const last = ({ reader }: Shelf, table: string) =>
  reader.get<{ id: number }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0
const long = (what: string, letters: number) => `${what} ${random.below(1_000_000)} `.repeat(letters / 16)
const json = (method: string, path: string, body?: unknown): Ask => ({ method, path, body })
const of = ({ story }: Shelf, path = '') => `/api/adventures/${story}${path}`

const DEEDS: Deed[] = [
  {
    name: 'a turn',
    tells: 'a line',
    ask: (shelf) => json('POST', of(shelf, '/actions'), { type: 'do', text: long('wait', 400) }),
  },
  {
    name: 'a turn by a form',
    tells: 'a line',
    drafts: 'look at the sea',
    ask: ({ story }) => ({
      method: 'POST',
      path: `/adventures/${story}/turns`,
      form: { type: 'do', text: 'look at the sea' },
    }),
  },
  {
    name: 'a turn without a line',
    tells: 'no line',
    ask: (shelf) => json('POST', of(shelf, '/actions'), { type: 'continue' }),
  },
  { name: 'a retry', tells: 'no line', ask: (shelf) => json('POST', of(shelf, '/retry')) },
  {
    name: 'a switch',
    ask: (shelf) =>
      json('POST', of(shelf, `/actions/${newest(shelf).id}/variant`), {
        index: random.below(Math.max(1, newest(shelf).variants)),
      }),
  },
  { name: 'an undo', ask: (shelf) => json('POST', of(shelf, '/undo')) },
  {
    name: 'an edit',
    ask: (shelf) =>
      json('PATCH', of(shelf, `/actions/${newest(shelf).id}`), { text: long('The gale', 18_000) }),
  },
  {
    name: 'a change by hand',
    ask: (shelf) => json('PUT', of(shelf, '/world-state'), { 'player.warmth': random.below(40) }),
  },
  {
    name: 'a refresh',
    ask: (shelf) => json('POST', of(shelf, '/refresh'), { keep_copy: random.below(2) === 0 }),
  },
  {
    name: 'a scenario that is edited',
    ask: ({ scenario }) =>
      json('PATCH', `/api/scenarios/${scenario}`, {
        memory: long('Salt', 30_000),
        authors_note: long('Calm', 90),
      }),
  },
  {
    name: 'a card that is edited',
    ask: ({ card }) => json('PATCH', `/api/story-cards/${card}`, { entry: long('A rock', 9_000) }),
  },
  {
    name: 'a new card',
    ask: ({ scenario: scenario_id }) =>
      json('POST', '/api/story-cards', { scenario_id, name: long('Gull', 32) }),
  },
  {
    name: 'a card that is deleted',
    ask: (shelf) => json('DELETE', `/api/story-cards/${last(shelf, 'story_cards')}`),
  },
  {
    name: 'a plot that is edited',
    ask: (shelf) =>
      json('PATCH', of(shelf), { memory: long('The lamp', 20_000), story_summary: long('So far', 64) }),
  },
  {
    name: 'answers',
    ask: (shelf) => json('PUT', of(shelf, '/placeholders'), { placeholders: { Hero: long('Mira', 32) } }),
  },
  {
    name: 'a memory of one’s own',
    ask: (shelf) => json('POST', of(shelf, '/memories'), { text: long('Oil', 900) }),
  },
  {
    name: 'settings',
    ask: () =>
      json('PUT', '/api/settings', { narrator_prompt: long('You narrate', 20_000), memory_top_k: 3 }),
  },
  {
    name: 'a story that begins',
    ask: ({ scenario: scenario_id }) => json('POST', '/api/adventures', { scenario_id }),
  },
  { name: 'a copy of a story', ask: (shelf) => json('POST', of(shelf, '/copy'), { up_to: null }) },
  { name: 'a file that is brought', ask: () => json('POST', '/api/import?apply=1', LONG_STORY) },
  {
    name: 'a story that is deleted',
    ask: (shelf) => json('DELETE', `/api/adventures/${otherThan(shelf, 'adventures')}`),
  },
  {
    name: 'a scenario that is deleted',
    ask: (shelf) => json('DELETE', `/api/scenarios/${otherThan(shelf, 'scenarios')}`),
  },
]

const LONG_STORY = {
  format: 'ai-dnd-adventure-v1',
  title: 'Long',
  actions: Array.from({ length: 120 }, (_, index) => ({
    index,
    type: index === 0 ? 'start' : index % 2 ? 'do' : 'ai',
    text: `Passage ${index}. `.repeat(90),
  })),
}

/** The newest that is not the one that the test lives on; 0 when there is none. */
function otherThan(shelf: Shelf, table: 'adventures' | 'scenarios'): number {
  const kept = table === 'adventures' ? shelf.story : shelf.scenario
  return (
    shelf.reader.get<{ id: number }>(`SELECT id FROM ${table} WHERE id <> ? ORDER BY id DESC`, kept)?.id ?? 0
  )
}

const PROSE = 'The gale takes the rail, and salt is on everything. '
const replyOf = (warmth: number, rest = 0) =>
  sayInTime(
    `${PROSE.repeat(12)}\n\`\`\`state_delta\n{"player.warmth": ${warmth}, "world.night": 1}\n\`\`\`\n`,
    rest,
    { pieces: 12 },
  )

/** What a deed may leave behind, from nothing to all of it. */
interface Outcomes {
  before: WholeLibrary
  /** With the player's words as a draft, and as a line that waits: only where they are typed. */
  drafted: WholeLibrary | null
  lined: WholeLibrary | null
  whole: WholeLibrary
  milliseconds: number
}

/** Does the deed undisturbed, on a copy of the library, and gives what may come of it, and what was asked. */
async function outcomesOf(deed: Deed, copy: string, shelf: Omit<Shelf, 'reader'>, reply: Step) {
  const server = await startServer({ dbPath: copy })
  const ask = deed.ask({ ...shelf, reader: server.deps.library.reader })
  const outcomes: Outcomes = {
    before: wholeLibrary(copy),
    drafted: null,
    lined: null,
    whole: [],
    milliseconds: 0,
  }
  if (deed.drafts) {
    await server.ask(
      `/adventures/${shelf.story}/draft`,
      initOf({ ...ask, form: { type: 'do', text: deed.drafts } }),
    )
    outcomes.drafted = wholeLibrary(copy)
  }
  if (deed.tells === 'a line') {
    endpoint.byDefault(status(400))
    await (await server.ask(ask.path, initOf(ask))).text()
    outcomes.lined = wholeLibrary(copy)
  }
  endpoint.byDefault(reply)
  const began = performance.now()
  if (outcomes.lined) await retryTurn(server, shelf.story)
  else await (await server.ask(ask.path, initOf(ask))).text()
  outcomes.milliseconds = performance.now() - began
  outcomes.whole = wholeLibrary(copy)
  await server.stop()
  return { ask, outcomes }
}

/** Which outcomes are right, after what the client was told. */
function rightAfter(deed: Deed, { status: answered, told }: Known, outcomes: Outcomes): (keyof Outcomes)[] {
  const accepted = deed.tells
    ? told.includes('"type":"done"') || told.includes('id="tools"')
    : answered !== null && answered < 400
  if (accepted) return ['whole']
  const isLined = told.includes('"type":"player"')
  if (isLined) return ['lined', 'whole']
  return [
    'before',
    ...(outcomes.drafted ? (['drafted'] as const) : []),
    ...(outcomes.lined ? (['lined'] as const) : []),
    'whole',
  ]
}

/** A library with one long story, stopped. */
async function begin(path: string): Promise<Omit<Shelf, 'reader'>> {
  const server = await startServer({ dbPath: path })
  await server.send('PUT', '/api/settings', MODEL)
  const { id: scenario } = (
    await server.post('/api/scenarios', {
      title: 'Lantern Rock',
      prompt: 'The lamp is lit.',
      stat_schema: LANTERN_ROCK,
    })
  ).body
  const { id: card } = (await server.post('/api/story-cards', { scenario_id: scenario, name: 'Gull Rock' }))
    .body
  const { id: story } = (await server.post('/api/adventures', { scenario_id: scenario })).body
  // What is remembered in idle time has a test of its own.
  await server.send('PATCH', `/api/adventures/${story}`, {
    memory_bank_enabled: false,
    auto_summarize: false,
  })
  for (let turn = 0; turn < 24; turn++) await tell(server, story, turn)
  await server.stop()
  return { story, scenario, card }
}

async function tell(server: TestServer, story: number, turn: number): Promise<void> {
  endpoint.byDefault(replyOf((turn % 3) - 1))
  await playTurn(server, story, { type: 'do', text: `wait ${turn}` })
  if (turn % 4 === 0) await retryTurn(server, story)
}

/** All that may lie in the folder of a library while a service uses it. */
const BELONGS = /^library\.db(-wal|-shm|\.lock|\.lock-journal)?$|^backups$/

test(`75 killed ${KILLS} times within any write, all of it is there or nothing, and the next turn plays`, async () => {
  const path = join(temporaryFolder(), 'library.db')
  const shelf = await begin(path)
  const left = { moment: 'the beginning', allowed: [wholeLibrary(path)] as (WholeLibrary | null)[] }
  const seen: Record<string, number> = {}
  let order: Deed[] = []
  for (let kill = 0; kill <= KILLS; kill++) {
    if (order.length === 0) order = DEEDS.toSorted(() => random.next() - 0.5)
    const deed = order.pop() ?? DEEDS[0]
    if (!deed) break
    const copy = join(temporaryFolder(), 'library.db')
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
    const reply = replyOf(random.below(9) - 4, 1)
    // The service comes back from the last kill while the next deed is tried on the copy.
    const [service, { ask, outcomes }] = await Promise.all([
      Service.start({ APP_DB_PATH: path }),
      outcomesOf(deed, copy, shelf, reply),
    ])
    const why = `seed ${SEED}, kill ${kill - 1}, ${left.moment}`
    const isRight = left.allowed.some((rows) => rows !== null && Bun.deepEquals(rows, outcomes.before))
    expect([why, isRight ? '' : difference(left.allowed.at(-1) ?? [], outcomes.before)]).toEqual([why, ''])
    expect([why, faultsIn(path)]).toEqual([why, []])
    const audit = await service.json('GET', `/api/adventures/${shelf.story}/audit`)
    expect([why, audit]).toMatchObject([why, { ok: true, findings: [] }])
    // It takes the lock, and sets nothing.
    const free = await service.ask('PUT', `/api/adventures/${shelf.story}/world-state`, {})
    expect([why, free.status]).toEqual([why, 200])
    expect([why, readdirSync(dirname(path)).filter((name) => !BELONGS.test(name))]).toEqual([why, []])
    const moment: Moment = anyMoment(random, outcomes.milliseconds, deed.tells ? 2_500 : 0)
    const known = await killAt(service, path, ask, moment)
    const right = rightAfter(deed, known, outcomes)
    left.moment = `${deed.name} (${JSON.stringify(ask).slice(0, 120)}) ${JSON.stringify(moment)}, status ${known.status}, ${right.join(' or ')}`
    left.allowed = right.map((outcome) => outcomes[outcome] as WholeLibrary | null)
    seen[right.join('|')] = (seen[right.join('|')] ?? 0) + 1
    if (process.env.APP_TEST_TALK) console.log(kill, left.moment.slice(0, 200))
  }
  if (process.env.APP_TEST_TALK) console.log(seen)
}, 6_000_000)
