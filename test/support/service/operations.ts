import type { Reader } from '../../../src/db/database.ts'
import type { Dice } from '../stories/dice.ts'
import { type ScriptedEndpoint, sayInTime } from '../endpoint/endpoint.ts'
import { playTurn, retryTurn } from './events.ts'
import { startServer, type TestServer } from './server.ts'
import type { Ask } from './service.ts'
import { LANTERN_ROCK } from '../stories/worlds.ts'

/** What a deed is done to. */
export interface Shelf {
  reader: Reader
  /** Counts something, is refreshed, and goes on for ever. */
  story: number
  scenario: number
  card: number
}

/** Something that writes. Where it tells, a line of the player is kept before the narrator is asked; a form keeps a draft too. */
export interface Deed {
  name: string
  ask: (shelf: Shelf, dice: Dice) => Ask
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
const long = (dice: Dice, what: string, letters: number) =>
  `${what} ${dice.below(1_000_000)} `.repeat(letters / 16)
const json = (method: string, path: string, body?: unknown): Ask => ({ method, path, body })
const of = ({ story }: Shelf, path = '') => `/api/adventures/${story}${path}`

/** Every kind of write that a player can ask for, each with its request. */
export const DEEDS: Deed[] = [
  {
    name: 'a turn',
    tells: 'a line',
    ask: (shelf, dice) => json('POST', of(shelf, '/actions'), { type: 'do', text: long(dice, 'wait', 400) }),
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
    ask: (shelf, dice) =>
      json('POST', of(shelf, `/actions/${newest(shelf).id}/variant`), {
        index: dice.below(Math.max(1, newest(shelf).variants)),
      }),
  },
  { name: 'an undo', ask: (shelf) => json('POST', of(shelf, '/undo')) },
  {
    name: 'an edit',
    ask: (shelf, dice) =>
      json('PATCH', of(shelf, `/actions/${newest(shelf).id}`), { text: long(dice, 'The gale', 18_000) }),
  },
  {
    name: 'a change by hand',
    ask: (shelf, dice) => json('PUT', of(shelf, '/world-state'), { 'player.warmth': dice.below(40) }),
  },
  {
    name: 'a refresh',
    ask: (shelf, dice) => json('POST', of(shelf, '/refresh'), { keep_copy: dice.below(2) === 0 }),
  },
  {
    name: 'a scenario that is edited',
    ask: ({ scenario }, dice) =>
      json('PATCH', `/api/scenarios/${scenario}`, {
        memory: long(dice, 'Salt', 30_000),
        authors_note: long(dice, 'Calm', 90),
      }),
  },
  {
    name: 'a card that is edited',
    ask: ({ card }, dice) =>
      json('PATCH', `/api/story-cards/${card}`, { entry: long(dice, 'A rock', 9_000) }),
  },
  {
    name: 'a new card',
    ask: ({ scenario: scenario_id }, dice) =>
      json('POST', '/api/story-cards', { scenario_id, name: long(dice, 'Gull', 32) }),
  },
  {
    name: 'a card that is deleted',
    ask: (shelf) => json('DELETE', `/api/story-cards/${last(shelf, 'story_cards')}`),
  },
  {
    name: 'a plot that is edited',
    ask: (shelf, dice) =>
      json('PATCH', of(shelf), {
        memory: long(dice, 'The lamp', 20_000),
        story_summary: long(dice, 'So far', 64),
      }),
  },
  {
    name: 'answers',
    ask: (shelf, dice) =>
      json('PUT', of(shelf, '/placeholders'), { placeholders: { Hero: long(dice, 'Mira', 32) } }),
  },
  {
    name: 'a memory of one’s own',
    ask: (shelf, dice) => json('POST', of(shelf, '/memories'), { text: long(dice, 'Oil', 900) }),
  },
  {
    name: 'settings',
    ask: (_, dice) =>
      json('PUT', '/api/settings', { narrator_prompt: long(dice, 'You narrate', 20_000), memory_top_k: 3 }),
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
/** A reply of twelve pieces, with so many milliseconds between them. */
export const replyOf = (warmth: number, rest = 0) =>
  sayInTime(
    `${PROSE.repeat(12)}\n\`\`\`state_delta\n{"player.warmth": ${warmth}, "world.night": 1}\n\`\`\`\n`,
    rest,
    { pieces: 12 },
  )

/** A library with one long story, stopped. */
export async function fillShelf(
  path: string,
  endpoint: ScriptedEndpoint,
  turns = 24,
): Promise<Omit<Shelf, 'reader'>> {
  const server = await startServer({ dbPath: path })
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
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
  for (let turn = 0; turn < turns; turn++) await tell(server, endpoint, story, turn)
  await server.stop()
  return { story, scenario, card }
}

async function tell(
  server: TestServer,
  endpoint: ScriptedEndpoint,
  story: number,
  turn: number,
): Promise<void> {
  endpoint.byDefault(replyOf((turn % 3) - 1))
  await playTurn(server, story, { type: 'do', text: `wait ${turn}` })
  if (turn % 4 === 0) await retryTurn(server, story)
}
