import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLibrary } from '../src/db/library/open.ts'
import { pendingTexts, upsertVector } from '../src/db/search/text-vectors.ts'
import { embeddedTextFor } from '../src/domain/recall/embedded-text.ts'
import { drawFrom } from '../src/practice/seeded-random.ts'
import { start } from '../src/start.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { median, ms } from './median.ts'
import { EMBEDDING_MODEL, type PlayedTurns, vectorFor, words } from './turn-player.ts'
import { watchLoop } from './watch-loop.ts'

/** A story of actions of about 880 bytes, cards with three triggers, and memories of two actions, which have vectors. */
interface StorySize {
  actions: number
  cards: number
  memories: number
  /** That of each card, as it is stored. */
  timing?: string
}

/** What we add to a turn, in milliseconds, each beside its aim. */
type TurnTimes = Record<
  'request to model server' | 'first turn' | 'last token to done' | 'longest stop of the loop',
  string
>

/** Every turn throws dice for each card, and decides two conditions. */
const TIMING = JSON.stringify({
  when: [
    { kind: 'turn', of: '', is: 'at least', value: 1 },
    { kind: 'card', of: 'Another', is: 'is', value: false },
  ],
  how: { chance: 50, stays: 3, triggers_others: true },
})

export const SIZES: Record<string, { size: StorySize; aim: number }> = {
  '10,000 actions': { size: { actions: 10_000, cards: 0, memories: 0 }, aim: 6 },
  'and 2,000 timed cards': { size: { actions: 10_000, cards: 2_000, memories: 0, timing: TIMING }, aim: 15 },
  'and 2,000 cards, 5,000 memories': {
    size: { actions: 10_000, cards: 2_000, memories: 5_000 },
    aim: 15,
  },
}
/** Milliseconds. */
const AIM_DONE = 3
const AIM_STOP = 20

/** Plays turns of stories, each in a service of its own. */
export async function turnTable(): Promise<Record<string, TurnTimes>> {
  const rows: Record<string, TurnTimes> = {}
  for (const [name, { size, aim }] of Object.entries(SIZES)) rows[name] = await turnTimes(size, aim)
  return rows
}

async function turnTimes(size: StorySize, aim: number): Promise<TurnTimes> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-turns-'))
  const dbPath = join(folder, 'l.db')
  fillStory(dbPath, size)
  const service = await start(loopback(dbPath))
  // Else the first turns are measured while the story is indexed.
  await service.deps.indexing.ended()
  const player = new Worker(new URL('turn-player.ts', import.meta.url))
  const ask = (method: string, path: string, body?: object) =>
    fetch(new URL(path, service.address), {
      method,
      body: body === undefined ? null : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    })
  const model = { endpoint_url: await messageFrom<string>(player), model: 'm', loop_guard: false }
  await ask(
    'PUT',
    '/api/settings',
    size.memories > 0 ? { ...model, embedding_model: EMBEDDING_MODEL } : model,
  )
  // The player opens the story, and reads where it stands.
  await (await ask('GET', '/adventures/1')).text()
  await service.deps.idle.ended()
  const watch = watchLoop()
  player.postMessage(service.address)
  const { first, done } = await messageFrom<PlayedTurns>(player)
  const stall = await watch()
  player.terminate()
  await service.stop()
  rmSync(folder, { recursive: true })
  return {
    'request to model server': ms(median(first.slice(1)), aim),
    'first turn': ms(first[0] ?? 0, aim),
    'last token to done': ms(median(done), AIM_DONE),
    'longest stop of the loop': ms(stall, AIM_STOP),
  }
}

/** The next message of the player's thread: the client and the model server are programs of their own. */
function messageFrom<Message>(player: Worker): Promise<Message> {
  return new Promise((resolve, reject) => {
    player.onmessage = ({ data }) => resolve(data)
    player.onerror = ({ message }) => reject(new Error(message))
  })
}

function fillStory(path: string, { actions, cards, memories, timing }: StorySize): void {
  const library = openLibrary(path)
  const draw = drawFrom(3)
  library.write((tx) => {
    const time = '2026-01-01 00:00:00.000000'
    tx.insert('adventures', { title: 'Big', created_at: time, updated_at: time, memory_bank_enabled: true })
    tx.run('UPDATE adventures SET action_count = ?', actions)
    for (let index = 0; index < actions; index++)
      tx.run(
        'INSERT INTO actions (adventure_id, "index", type, text, created_at) VALUES (1, ?, ?, ?, ?)',
        index,
        index % 2 ? 'ai' : 'do',
        words(draw, 140),
        time,
      )
    for (let card = 0; card < cards; card++)
      tx.run(
        'INSERT INTO story_cards (adventure_id, type, name, notes, keys, entry, timing) VALUES (1, ?, ?, ?, ?, ?, ?)',
        '',
        `Card ${card}`,
        '',
        words(draw, 3).replaceAll(' ', ', '),
        words(draw, 40),
        timing ?? null,
      )
    for (let memory = 0; memory < memories; memory++)
      tx.run(
        'INSERT INTO memories (adventure_id, text, source_start, source_end, created_at) VALUES (1, ?, ?, ?, ?)',
        words(draw, 25),
        2 * memory,
        2 * memory + 1,
        time,
      )
    const { name: model } = embeddedTextFor(EMBEDDING_MODEL)
    const { texts } = pendingTexts(tx, 1, { model, before: 2 * memories, limit: 2 * memories })
    for (const text of texts) upsertVector(tx, 1, text, { model, vector: vectorFor(draw) })
  })
  library.close()
}
