import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../src/start.ts'
import { loopback } from '../test/support/service/loopback.ts'
import { LANTERN_ROCK } from '../test/support/stories/worlds.ts'
import { ms } from './median.ts'
import { watchLoop } from './watch-loop.ts'

/** Requests about a long story, from what is read to what is written. */
const REQUESTS: Record<string, { path: (id: number) => string; method?: string }> = {
  'play page': { path: (id) => `/adventures/${id}` },
  contents: { path: (id) => `/adventures/${id}?panel=contents` },
  insights: { path: (id) => `/adventures/${id}?panel=insights` },
  search: { path: () => '/api/search?q=rain%20falls' },
  audit: { path: (id) => `/api/adventures/${id}/audit` },
  'export as JSON': { path: (id) => `/api/adventures/${id}/export?format=json` },
  'export as EPUB': { path: (id) => `/api/adventures/${id}/export?format=epub` },
  backup: { path: () => '/api/backup' },
  copy: { path: (id) => `/api/adventures/${id}/copy`, method: 'POST' },
  deletion: { path: (id) => `/api/adventures/${id}`, method: 'DELETE' },
}

/** How long each request about a story of this many actions takes, and how long the event loop stands still meanwhile. */
export async function stalls(actions: number): Promise<Record<string, Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-stalls-'))
  const service = await start(loopback(join(folder, 'library.db')))
  const ask = (path: string, init: RequestInit) => fetch(new URL(path, service.address), init)
  const rows: Record<string, Record<string, string>> = {}
  const measure = async (name: string, request: () => Promise<Response>) => {
    const watch = watchLoop()
    const began = performance.now()
    const response = await request()
    const body = await response.arrayBuffer()
    const took = performance.now() - began
    rows[name] = { took: ms(took), 'longest stall': ms(await watch()) }
    if (!response.ok) throw new Error(`${name} answered ${response.status}`)
    return body
  }
  const file = JSON.stringify(storyFile(actions))
  const imported = await measure('import', () => ask('/api/import?apply=1', { method: 'POST', body: file }))
  const [id] = JSON.parse(Buffer.from(imported).toString()).adventure_ids
  for (const [name, { path, method = 'GET' }] of Object.entries(REQUESTS))
    await measure(name, () => ask(path(id), { method }))
  await service.stop()
  rmSync(folder, { recursive: true })
  return rows
}

function storyFile(actions: number): object {
  return {
    format: 'ai-dnd-adventure-v1',
    title: 'Long',
    actions: Array.from({ length: actions }, (_, index) => ({
      index,
      type: index === 0 ? 'start' : 'ai',
      text: `The ${index}th night. ${'Rain falls on the old roof. '.repeat(50)}`,
    })),
    scenario: { title: 'Lantern Rock', prompt: 'Dusk falls.', stat_schema: LANTERN_ROCK },
  }
}
