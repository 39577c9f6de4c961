import { listPassages, passagesHash } from '../../../src/db/tables/actions/passages.ts'
import { insertMemory } from '../../../src/db/tables/memory/memories.ts'
import { insertSummary } from '../../../src/db/tables/memory/summaries.ts'
import { vectorToBytes } from '../../../src/domain/recall/vectors.ts'
import { say, sayAndRecord, startEndpoint } from '../endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../service/events.ts'
import { startServer } from '../service/server.ts'
import { LANTERN_ROCK } from '../stories/worlds.ts'

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR4nGPgEtE4sSqKAYiBLAAdqgQlQNJ/iAAAAABJRU5ErkJggg=='
const NOW = new Date('2026-03-01T10:00:00Z')

/**
 * Plays a small library and closes it. Story 1 has no stats, story 2 has some. Story 1 has retries, an undo that left a
 * draft, memories with vectors, a summary and cards. Every table of ours has a row.
 */
export async function playedLibrary(path: string): Promise<void> {
  await using endpoint = await startEndpoint()
  endpoint.byDefault(say('The tide turns, and the bell of the buoy is heard.'))
  const server = await startServer({ dbPath: path })
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
  const shelf = { image: PICTURE, stat_schema: LANTERN_ROCK, prompt: 'The lamp is lit.' }
  const plain = await server.post('/api/scenarios', { title: 'The tide', prompt: 'The tide is out.' })
  const counted = await server.post('/api/scenarios', { title: 'Lantern Rock', ...shelf })
  for (const name of ['Buoy', 'Bell'])
    await server.post('/api/story-cards', {
      scenario_id: plain.body.id,
      name,
      keys: name.toLowerCase(),
      entry: `${name} of the reef.`,
    })
  for (const { body } of [plain, counted]) await server.post('/api/adventures', { scenario_id: body.id })
  for (const text of ['listen to the bell', 'row to the buoy', 'wait'])
    await playTurn(server, 1, { type: 'do', text })
  await retryTurn(server, 1)
  await server.post('/api/adventures/1/undo')
  await playTurn(server, 1, { type: 'say', text: 'Who is there?' })
  await retryTurn(server, 1)
  for (const changes of [{ 'player.warmth': -90 }, { 'player.warmth': -2, 'flags.door_barred': true }]) {
    endpoint.next(sayAndRecord('The gale takes the rail.', changes))
    await playTurn(server, 2, { type: 'do', text: 'wait' })
  }
  endpoint.next(sayAndRecord('The gale drops.', { 'player.warmth': 1 }))
  await retryTurn(server, 2)
  await server.send('PUT', '/api/adventures/2/world-state', { 'player.coat': 'a dry coat' })
  server.deps.library.write((tx) => {
    for (const [start, end] of [
      [0, 1],
      [2, 3],
    ] as const) {
      const hash = passagesHash(listPassages(tx, 1, start, end))
      const text = `What was in passage ${start}.`
      const id = insertMemory(tx, 1, { text, source: { start, end, hash } }, NOW)
      // As versions before had it.
      const embedding_blob = vectorToBytes(new Float32Array([0.6, 0.8]))
      tx.update('memories', id, { embedding_blob, embedded: true, embedding_model: 'embedder' })
    }
    insertMemory(tx, 1, { text: 'Written by hand.', source: null }, NOW)
    insertSummary(tx, 1, { text: 'So far the tide.', covers: 3, made_by: 'model' }, NOW)
    tx.insert('schema_drafts', { scenario_id: plain.body.id, text: '{ half a schema' })
    tx.insert('remember_troubles', { adventure_id: 1, failures: 1, rests: 1, detail: 'no answer' })
    tx.insert('world_breaks', { adventure_id: 2, since: 0, what: 'refresh' })
  })
  await server.stop()
}
